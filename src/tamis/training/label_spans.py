"""L3S-GN1: pages whose texts are wrapped in ``span`` elements with a class for what they are, as annotations.

Headline, full text, supplemental text and comments are main; related content, which is links to other pages, is the
category ``promoted`` (Yunis 2016, section 3.6); text without a label is noise.
"""

from __future__ import annotations

import numpy as np

from tamis.errors import InputError
from tamis.evaluation.datasets.l3s_gn1 import nearest_labels, unlabelled
from tamis.extractors.elements.groups import find_elements
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.training.annotations import MAIN, NOISY, Annotation, page_digest
from tamis.training.attachments import fewest_marks

__all__ = ["from_label_spans"]

_KINDS = (NOISY, MAIN, MAIN, MAIN, "promoted", MAIN)  # by the number of the label


def from_label_spans(markup: str, page_id: str, annotator: str = "l3s-gn1") -> Annotation:
    """The labels of a page, one mark for each content element by what most of its characters are.

    The marks are made for the page without the spans. It must have the same text; if taking the spans out changes it,
    that is an ``InputError``.
    """
    marked, page = parse(markup), parse(unlabelled(markup))
    if marked.text != page.text:
        raise InputError(f"{page_id}: the text is another one without the labelling spans")
    kind = _character_kinds(marked)
    elements = find_elements(page)
    texts = page.nodes.visible_texts[elements.owner[page.nodes.visible_texts] >= 0]
    votes = np.zeros((len(elements), len(_KINDS)))
    for leaf, owner in zip(texts.tolist(), elements.owner[texts].tolist(), strict=True):
        span = slice(page.nodes.text_start[leaf], page.nodes.text_end[leaf])
        votes[owner] += np.bincount(kind[span], minlength=len(_KINDS))
    kinds = {}
    for node, counts in zip(elements.node.tolist(), votes, strict=True):
        most = {name: sum(counts[number] for number in range(len(_KINDS)) if _KINDS[number] == name) for name in _KINDS}
        if counts.any():
            kinds[node] = max(most, key=most.__getitem__)
    marks = fewest_marks(page, kinds)
    return Annotation(page=page_id, annotator=annotator, committed=True, digest=page_digest(page), marks=marks)


def _character_kinds(page: Page) -> Ints:
    """For each character of the text the number of its label; 0 for none."""
    nearest = nearest_labels(page).clip(0)
    texts = page.nodes.texts
    return np.repeat(nearest[texts], page.nodes.text_end[texts] - page.nodes.text_start[texts])
