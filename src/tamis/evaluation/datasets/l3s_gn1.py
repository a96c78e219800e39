"""L3S-GN1: pages whose texts are wrapped in ``span`` elements of class ``x-nc-sel0`` to ``x-nc-sel5``.

Headline (1), full text (2) and supplemental text (3) are the gold text; related content (4) and comments (5) are kept
apart in ``extra``; 0 is everything else. The labelling spans are taken out of the page, so that no system reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tamis.evaluation.datasets import GOLD_SPANS, Report, Sample, decoded, file_bytes, holds_mark
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.spans import Span, as_spans
from tamis.page.text import Ints

_LABEL = re.compile(r"\bx-nc-sel([0-5])\b")
_SPAN_TAG = re.compile(r"<span\b[^>]*>|</span\s*>", re.IGNORECASE)
_PARTS = {"headline": 1, "fulltext": 2, "supplemental": 3, "related": 4, "comments": 5}
_GOLD_PARTS = ("headline", "fulltext", "supplemental")


def recognises(path: Path) -> bool:
    return holds_mark(path, _LABEL)


def read(path: Path, report: Report) -> Iterator[Sample]:
    for file in sorted(path.glob("*.html")):
        data = file_bytes(file, report)
        if data is not None:
            markup = decoded(data)
            labelled, page = parse(markup), unlabelled(markup)
            parts = _labelled_texts(labelled)
            gold = "\n".join(parts[name] for name in _GOLD_PARTS if parts[name])
            # Without the labelling spans a broken page may be read in another order; then its places are unknown.
            places = {GOLD_SPANS: _gold_spans(labelled)} if gold and parse(page).text == labelled.text else {}
            yield Sample(id=file.stem, html=page, gold=gold or None, extra={**parts, **places})


def unlabelled(markup: str) -> str:
    """The page without the labelling spans; spans of its own stay.

    >>> unlabelled('<span class="x-nc-sel2">a <span class="own">b</span></span>')
    'a <span class="own">b</span>'
    """
    parts: list[str] = []
    open_labels: list[bool] = []
    done = 0
    for tag in _SPAN_TAG.finditer(markup):
        if tag.group().startswith("</"):
            is_label = open_labels.pop() if open_labels else False
        else:
            is_label = _LABEL.search(tag.group()) is not None
            open_labels.append(is_label)
        if is_label:
            parts.append(markup[done : tag.start()])
            done = tag.end()
    return "".join(parts) + markup[done:]


def _labelled_texts(page: Page) -> dict[str, str]:
    """The text of each label."""
    nearest = nearest_labels(page)
    return {
        name: "\n".join(page.node_text(node) for node in page.nodes.texts.tolist() if nearest[node] == number)
        for name, number in _PARTS.items()
    }


def _gold_spans(page: Page) -> tuple[Span, ...]:
    """Where the gold text stands."""
    texts = page.nodes.texts
    gold = texts[np.isin(nearest_labels(page)[texts], [_PARTS[name] for name in _GOLD_PARTS])]
    return as_spans(page.nodes.text_start[gold], page.nodes.text_end[gold])


def nearest_labels(page: Page) -> Ints:
    """For each node the number of the nearest label around it, or -1."""
    spans = np.flatnonzero(page.nodes.named("span"))
    label = np.full(len(page.nodes), -1, dtype=np.int64)
    for node, classes in zip(spans.tolist(), page.attribute(spans, "class"), strict=True):
        if classes is not None and (found := _LABEL.search(classes)):
            label[node] = int(found.group(1))
    nearest: Ints = label[page.nodes.nearest(label >= 0)]
    return nearest
