"""What a reader sees of a page: texts and pictures, each with the rectangle it takes, and the regions made of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.page.boxes import IMAGE, TEXT, Boxes
from tamis.page.model import Nodes, Page
from tamis.page.text import Bools, Floats, Ints
from tamis.results import Region

NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)
"""The rectangle around nothing."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Texts and pictures that take room on the page, in document order; none lies inside another."""

    node: Ints
    rect: Floats  # n x 4, around all lines of a text
    is_image: Bools

    def __len__(self) -> int:
        return len(self.node)

    def ranges(self, nodes: Nodes) -> tuple[Ints, Ints]:
        """For each node of the page the first piece below it, and the first after it."""
        before = np.searchsorted(self.node, np.arange(len(nodes) + 1))
        return before[:-1], before[nodes.end]


def boxes_of(page: Page) -> Boxes:
    """The boxes of a page, estimated if it was not rendered."""
    if page.boxes is not None:
        return page.boxes
    from tamis.page.layout import estimate_boxes

    return estimate_boxes(page)


def shown_pieces(page: Page) -> Shown:
    """What a reader sees of a page; blank texts and boxes without a size are left out."""
    boxes, nodes = boxes_of(page), page.nodes
    is_sized = (boxes.rect[:, 2:] > boxes.rect[:, :2]).all(axis=1) & np.isfinite(boxes.rect).all(axis=1)
    is_image = boxes.kind == IMAGE
    chosen = boxes.visible & is_sized
    chosen &= is_image | ((boxes.kind == TEXT) & (page.flow.characters[boxes.node] > 0))
    pictures = nodes.marked(boxes.node[chosen & is_image])
    inside_picture = nodes.inside(pictures)[np.maximum(nodes.parent, 0)]
    inside_picture[:1] = False
    chosen &= ~inside_picture[boxes.node]
    places = np.flatnonzero(chosen)
    places = places[np.argsort(boxes.node[places], kind="stable")]
    node = boxes.node[places]
    first = np.flatnonzero(np.diff(node, prepend=-1))
    if not len(first):
        return Shown(node, np.zeros((0, 4)), np.zeros(0, dtype=np.bool_))
    rect = boxes.rect[places]
    corners = np.minimum.reduceat(rect[:, :2], first), np.maximum.reduceat(rect[:, 2:], first)
    return Shown(node[first], np.concatenate(corners, axis=1), is_image[places[first]])


def rects_below(nodes: Nodes, shown: Shown) -> Floats:
    """For each node the rectangle around all pieces below it; ``NOWHERE`` if there are none."""
    rect = np.tile(np.array(NOWHERE), (len(nodes), 1))
    rect[shown.node] = shown.rect
    order = np.argsort(nodes.depth, kind="stable")
    levels = np.searchsorted(nodes.depth[order], np.arange(int(nodes.depth.max(initial=0)) + 2)).tolist()
    for first, last in reversed(list(itertools.pairwise(levels[1:]))):
        below = order[first:last]
        below = below[rect[below, 2] > -np.inf]
        np.minimum.at(rect[:, :2], nodes.parent[below], rect[below, :2])
        np.maximum.at(rect[:, 2:], nodes.parent[below], rect[below, 2:])
    return rect


def whole_page(page: Page, parts: Sequence[Region] = ()) -> Region:
    """The region of the whole page, divided into parts."""
    boxes = boxes_of(page)
    return Region(nodes=(0,), box=(0.0, 0.0, float(boxes.width), float(boxes.height)), parts=tuple(parts))


def region_of(nodes: Sequence[int], rect: Floats, label: str = "", parts: Sequence[Region] = ()) -> Region:
    """A region made of these nodes, in the rectangle around those given, n x 4."""
    left, top = rect[:, :2].min(axis=0).tolist()
    right, bottom = rect[:, 2:].max(axis=0).tolist()
    return Region(nodes=tuple(nodes), box=(left, top, right, bottom), label=label, parts=tuple(parts))
