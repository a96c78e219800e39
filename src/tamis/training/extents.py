"""Where the content elements of a rendered page are seen, and which of them a rectangle holds.

The box of a paragraph is as wide as its column, however short its text. People draw around what they see, so an element
is where its text and its pictures are, and its box counts only if it shows neither. The thesis takes the box (Yunis
2016, section 3.7.2; ``attachments.enclosed``), and tells annotators to draw wide.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamis.extractors.elements.groups import IMAGE, Elements
from tamis.page.boxes import TEXT
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.training.annotations import Rectangle

_LEAD = 0.25  # of the height of a line, above and below: letters fill the middle half of it; ours, not swept


def seen_rects(page: Page, elements: Elements) -> Floats:
    """For each element left, top, right and bottom of what it shows; NaN if it shows nothing."""
    return _rects(page, elements, lead=0.0)


def held(page: Page, elements: Elements, rectangles: Sequence[Rectangle]) -> Ints:
    """The nodes of the elements that lie entirely inside at least one rectangle; of a line its letters count."""
    left, top, right, bottom = _rects(page, elements, lead=_LEAD).T
    is_inside = np.zeros(len(elements), dtype=np.bool_)
    for sides in rectangles:
        is_inside |= (left >= sides[0]) & (top >= sides[1]) & (right <= sides[2]) & (bottom <= sides[3])
    return elements.node[is_inside]


def _rects(page: Page, elements: Elements, lead: float) -> Floats:
    rects = np.full((len(elements), 4), np.nan)
    boxes = page.boxes
    if boxes is None or not len(boxes) or not len(elements):
        return rects
    lines = np.flatnonzero(boxes.visible & (boxes.kind == TEXT))
    rect = boxes.rect[lines].copy()
    margin = lead * (rect[:, 3] - rect[:, 1])
    rect[:, 1] += margin
    rect[:, 3] -= margin
    node = boxes.node[lines]
    owner = elements.owner[node]
    low, high = np.full((len(elements), 2), np.inf), np.full((len(elements), 2), -np.inf)
    np.minimum.at(low, owner[owner >= 0], rect[owner >= 0, :2])
    np.maximum.at(high, owner[owner >= 0], rect[owner >= 0, 2:])
    # One that owns no text, such as an li around a p, is where the texts in it are.
    first, last = np.searchsorted(node, (elements.node, page.nodes.end[elements.node]))
    for place in np.flatnonzero(np.isinf(low[:, 0]) & (last > first)).tolist():
        inside = rect[first[place] : last[place]]
        low[place], high[place] = inside[:, :2].min(axis=0), inside[:, 2:].max(axis=0)
    is_seen = np.isfinite(low[:, 0]) & (elements.group != IMAGE)
    rects[is_seen] = np.concatenate((low, high), axis=1)[is_seen]
    box = boxes.of_nodes(len(page.nodes))[elements.node]
    has_box = ~is_seen & (box >= 0) & boxes.visible[box]
    rects[has_box] = boxes.rect[box[has_box]]
    return rects
