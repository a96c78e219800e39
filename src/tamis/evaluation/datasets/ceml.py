"""CEML-labelled HTML: elements of the main content carry the class ``CEML__MAIN__CONTENT`` beside their own.

The gold text is the text of the labelled elements; the label is taken out of the page, so that no system can read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tamis.evaluation.datasets import GOLD_SPANS, Report, Sample, decoded, file_bytes, holds_mark
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Bools
from tamis.results import Extraction

_LABEL = re.compile(r"(?:\s|&#32;)?\bCEML_+MAIN_+CONTENT\b")  # with the one blank that its writer puts before it
_LABEL_ALONE = re.compile(r"""\s+class\s*=\s*(["']?)CEML_+MAIN_+CONTENT\1(?=[\s/>])""", re.IGNORECASE)


def recognises(path: Path) -> bool:
    return holds_mark(path, _LABEL)


def read(path: Path, report: Report) -> Iterator[Sample]:
    for file in sorted(path.glob("*.html")):
        data = file_bytes(file, report)
        if data is not None:
            labelled = _labelled(decoded(data))
            gold = None if labelled is None else labelled.text
            places = {} if labelled is None else {GOLD_SPANS: labelled.spans}  # labels are attributes: the text stays
            yield Sample(id=file.stem, html=unlabelled(decoded(data)), gold=gold, extra=places)


def _labelled(markup: str) -> Extraction | None:
    """The labelled elements; None if there are none.

    >>> _labelled('<p>no</p><p class="lead CEML__MAIN__CONTENT">yes</p>').text
    'yes'
    """
    if not _LABEL.search(markup):
        return None
    page = parse(markup)
    texts = page.nodes.visible_texts
    chosen = texts[page.nodes.inside(labelled_elements(page))[texts]]
    return Extraction(page=page, spans=page.text_spans(chosen))


def labelled_elements(page: Page) -> Bools:
    """True for the elements that carry the label."""
    elements = np.flatnonzero(page.nodes.elements)
    classes = page.attribute(elements, "class")
    is_labelled = [found is not None and _LABEL.search(found) is not None for found in classes]
    return page.nodes.marked(elements[is_labelled])


def unlabelled(markup: str) -> str:
    """The page without its labels; a class attribute that would be left empty goes with them.

    >>> unlabelled('<p class="CEML__MAIN__CONTENT">a</p><p class="lead CEML__MAIN__CONTENT">b</p>')
    '<p>a</p><p class="lead">b</p>'
    """
    return _LABEL.sub("", _LABEL_ALONE.sub("", markup))
