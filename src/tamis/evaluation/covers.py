"""From pages and regions to covers: what the elements of a page are, and which regions each of them is in.

An element belongs to the deepest region around it; what lies in a region but in none of its parts belongs to the region
itself. The root stands for the page: it is a segment only if it has no parts. With ``nested`` an element is in all
regions around it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.evaluation.segmentations import Cover
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.regions import Placed, owners, walk
from tamis.results import Region
from tamis.segmenters._shown import rects_below, shown_pieces


class CountedElements(NamedTuple):
    """What is counted on a page, by node, and how much each counts."""

    node: Ints
    weight: Ints


def characters(page: Page) -> CountedElements:
    """The text nodes a reader sees, each counting as many as it has characters that are no white space."""
    shown = shown_pieces(page)
    node = shown.node[~shown.is_image]
    return CountedElements(node, page.flow.characters[node].astype(np.int64))


def leaves(page: Page) -> CountedElements:
    """The text nodes and images a reader sees, each counting as one: the nodes of the measures."""
    node = shown_pieces(page).node
    return CountedElements(node, np.ones(len(node), dtype=np.int64))


def node_cover(page: Page, root: Region, nodes: Ints, *, nested: bool = False) -> Cover:
    """Which regions some nodes are in."""
    placed = walk(root)
    kinds = [tuple(_path(placed, number)) if nested else (number,) for number in range(len(placed))]
    if root.parts:
        kinds = [tuple(segment for segment in kind if segment) for kind in kinds]  # the root, 0, does not count
    return Cover(owners(page, placed)[nodes] + 1, ((), *kinds))


def pixel_covers(
    found: Region, right: Region, width: float, height: float, sums: Ints | None = None, *, nested: bool = False
) -> tuple[Cover, Cover, Ints]:
    """Which regions the pixels of a page are in, by the boxes of the regions, and how many pixels each element is.

    Pixels that no border of a box divides are one element. With the ``sums`` of a picture (``summed``) only pixels
    that are true in it count. Where the boxes of siblings overlap, a pixel is in both.
    """
    size = max(round(width), 0), max(round(height), 0)
    sides = [walk(root) for root in (found, right)]
    boxes = [_corners(item.region, size) for placed in sides for item in placed if item.region.box is not None]
    columns, rows = (
        np.unique([0, size[axis], *(box[axis + side] for box in boxes for side in (0, 2))]) for axis in (0, 1)
    )
    counts = np.diff(rows)[:, None] * np.diff(columns)[None] if sums is None else _between(sums, rows, columns)
    first, second = (_painted(placed, columns, rows, size, nested=nested) for placed in sides)
    return first, second, counts.reshape(-1)


def summed(picture: Bools) -> Ints:
    """For each corner of a pixel how many pixels above and to the left of it are true.

    >>> summed(np.array([[True, False], [True, True]])).tolist()
    [[0, 0, 0], [0, 1, 1], [0, 2, 3]]
    """
    sums = np.zeros((picture.shape[0] + 1, picture.shape[1] + 1), dtype=np.int64)
    np.cumsum(np.cumsum(picture, axis=0, dtype=np.int64), axis=1, out=sums[1:, 1:])
    return sums


def with_boxes(page: Page, root: Region) -> Region:
    """The region and its parts with boxes around the text and the images of their nodes; boxes that are there stay."""
    rects = rects_below(page.nodes, shown_pieces(page))

    order = walk(root)
    below: list[list[Region]] = [[] for _ in order]
    for number in reversed(range(len(order))):
        region, parent, _ = order[number]
        box = region.box or _around(rects[list(region.nodes)])
        region = dataclasses.replace(region, box=box, parts=tuple(reversed(below[number])))
        below[parent].append(region)  # the root comes last, at the place of -1
    return region


def _around(rects: Floats) -> tuple[float, float, float, float] | None:
    """The smallest rectangle around others; none if they are nowhere."""
    if not len(rects) or not (rects[:, 2] > -np.inf).any():
        return None
    (left, top), (right, bottom) = rects[:, :2].min(axis=0).tolist(), rects[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


def _path(placed: Sequence[Placed], number: int) -> list[int]:
    """The region and all regions around it, outermost first."""
    path = []
    while number >= 0:
        path.append(number)
        number = placed[number].parent
    return path[::-1]


def _corners(region: Region, size: tuple[int, int]) -> list[int]:
    """The box in whole pixels, as much of it as is on the page."""
    corners: list[int] = np.clip(np.round(region.box or (0.0,) * 4), 0, size * 2).astype(np.int64).tolist()
    return corners


def _painted(placed: Sequence[Placed], columns: Ints, rows: Ints, size: tuple[int, int], *, nested: bool) -> Cover:
    """The cells between neighbouring columns and rows, painted with one region after the other."""
    cells = np.zeros((len(rows) - 1, len(columns) - 1), dtype=np.int64)
    numbers: dict[tuple[int, ...], int] = {(): 0}
    for number, item in enumerate(placed):
        if item.region.box is None or (number == 0 and item.region.parts):
            continue
        left, top, right, bottom = _corners(item.region, size)
        down, across = slice(*np.searchsorted(rows, (top, bottom))), slice(*np.searchsorted(columns, (left, right)))
        kinds = list(numbers)
        replaced = set() if nested else set(_path(placed, number))
        after = np.zeros(len(kinds), dtype=np.int64)
        for kind in np.flatnonzero(np.bincount(cells[down, across].reshape(-1))).tolist():
            after[kind] = numbers.setdefault(tuple(sorted({*kinds[kind]} - replaced | {number})), len(numbers))
        cells[down, across] = after[cells[down, across]]
    return Cover(cells.reshape(-1), tuple(numbers))


def _between(sums: Ints, rows: Ints, columns: Ints) -> Ints:
    """How much lies in each cell; what the picture lacks of the page holds nothing."""
    height, width = sums.shape
    corners = sums[np.ix_(np.minimum(rows, height - 1), np.minimum(columns, width - 1))]
    return np.asarray(np.diff(np.diff(corners, axis=0), axis=1))
