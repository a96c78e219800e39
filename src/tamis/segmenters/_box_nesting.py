"""The boxes a reader can see, each inside the element that is shown around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Boxes
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.segmenters._shown import boxes_of


@dataclass(frozen=True, eq=False)
class Nesting:
    """Visible boxes in document order, cut off at the edges of the page; what is below a box follows it at once."""

    boxes: Boxes
    place: Ints  # of each in ``boxes``
    node: Ints
    kind: Ints
    rect: Floats
    parent: Ints  # position in this list, -1 for none; boxes that cannot be seen are skipped
    end: Ints  # first position after everything inside

    def __len__(self) -> int:
        return len(self.place)

    @property
    def children(self) -> Ints:
        """How many boxes each holds directly."""
        return np.bincount(self.parent[self.parent >= 0], minlength=len(self))

    def totals(self, marked: Bools) -> Ints:
        """How many marked boxes are in each, itself included."""
        sums = np.concatenate(([0], np.cumsum(marked)))
        return np.asarray(sums[self.end] - sums[:-1])

    def any_child(self, marked: Bools) -> Bools:
        """True for boxes that directly hold a marked one."""
        held = np.zeros(len(self), dtype=np.bool_)
        held[self.parent[marked & (self.parent >= 0)]] = True
        return held


def nest(page: Page) -> Nesting:
    """Visible boxes and who holds whom; boxes without a size, blank texts and what is inside pictures are left out."""
    boxes, nodes = boxes_of(page), page.nodes
    rect = np.clip(boxes.rect, 0.0, np.array([boxes.width, boxes.height] * 2))
    seen = boxes.visible & (rect[:, 2] > rect[:, 0]) & (rect[:, 3] > rect[:, 1])
    seen &= (boxes.kind != TEXT) | (page.flow.characters[boxes.node] > 0)
    pictures = nodes.marked(boxes.node[seen & (boxes.kind == IMAGE)])
    seen &= ~nodes.inside(pictures)[np.maximum(nodes.parent, 0)][boxes.node]

    place = np.flatnonzero(seen)
    place = place[np.argsort(boxes.node[place], kind="stable")]
    node, kind = boxes.node[place], boxes.kind[place].astype(np.int64)
    elements = np.flatnonzero(kind == ELEMENT)
    holds = nodes.marked(node[elements])
    position = np.full(len(nodes), -1, dtype=np.int64)
    position[node[elements][::-1]] = elements[::-1]
    parent = position[nodes.nearest(holds)[np.maximum(nodes.parent[node], 0)]]
    end = np.where(kind == ELEMENT, np.searchsorted(node, nodes.end[node]), np.arange(1, len(place) + 1))
    return Nesting(boxes, place, node, kind, rect[place], parent, end)


def elements_with_content(nesting: Nesting) -> Nesting:
    """The same with one box for all lines of a text, and without elements in which nothing shows."""
    if not len(nesting):
        return nesting
    paints = nesting.boxes.paints[nesting.place]
    shows = nesting.totals((nesting.kind != ELEMENT) | paints) > 0
    begins = np.append(True, nesting.node[1:] != nesting.node[:-1])
    starts = np.flatnonzero(begins)
    first = np.flatnonzero(begins & shows)
    before = np.searchsorted(first, np.arange(len(nesting) + 1))  # boxes that remain before each one
    corners = np.minimum.reduceat(nesting.rect[:, :2], starts), np.maximum.reduceat(nesting.rect[:, 2:], starts)
    return Nesting(
        boxes=nesting.boxes,
        place=nesting.place[first],
        node=nesting.node[first],
        kind=nesting.kind[first],
        rect=np.concatenate(corners, axis=1)[shows[starts]],
        parent=np.where(nesting.parent[first] >= 0, before[nesting.parent[first]], -1),
        end=np.maximum(before[nesting.end[first]], np.arange(1, len(first) + 1)),
    )
