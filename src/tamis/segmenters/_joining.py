"""Boxes joined to clusters, the most alike first, so that clusters never overlap (Zelený 2017, sections 6.5 to 6.7).

Written to be read; ``_kernel.pyx`` holds the same loop on arrays.
"""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tamis.page.boxes import Rect
from tamis.page.text import Floats, Ints

if TYPE_CHECKING:
    from tamis.segmenters._box_graph import Neighbours

LEAST, MOST = 0.5, 2.0  # from the thesis: shares that tell columns from rows, and densities that are too unlike
CLOSE_PX = 1.0  # of boxes drawn in along with others, from the author's programs
GRAIN = 1e12  # parts of 1 that dissimilarities are rounded to, so that equal means are equal however they were added up
_BOX, _COLUMN, _ROW = range(3)  # a box or a cluster that is neither column nor row is the first


class _Relation(NamedTuple):
    """All connections between two groups of boxes."""

    total: float  # of their dissimilarities
    connections: int
    beside: int  # those of boxes side by side

    @property
    def mean(self) -> int:
        """In parts of ``GRAIN``."""
        return math.floor(self.total / self.connections * GRAIN + 0.5)

    def plus(self, other: _Relation | None) -> _Relation:
        if other is None:
            return self
        return _Relation(self.total + other.total, self.connections + other.connections, self.beside + other.beside)


def join_boxes(
    rect: Floats, pairs: Neighbours, dissimilarity: Floats, *, threshold: float, absorb: bool
) -> tuple[Ints, Ints, Floats]:
    """What was joined, in order: the group that grew, the one that was given to it, how unlike the two joined were.

    A group goes by the number of one of its boxes. At no time do the rectangles around groups overlap. ``absorb`` also
    draws in boxes between two groups that touch neither of them.
    """
    groups = _Groups(rect, pairs, dissimilarity, threshold, absorb)
    groups.join_all()
    kept, given, at = zip(*groups.moves, strict=True) if groups.moves else ((), (), ())
    return np.array(kept, dtype=np.int64), np.array(given, dtype=np.int64), np.array(at, dtype=np.float64) / GRAIN


class _Groups:
    """Clusters and single boxes while they are joined. A cluster goes by the number of one of its boxes.

    A pair that may not be joined stays so until one of the two grows: what is in the way can only grow itself. So it is
    tried again only then.
    """

    def __init__(self, rect: Floats, pairs: Neighbours, dissimilarity: Floats, threshold: float, absorb: bool) -> None:
        self.rect: list[Rect] = [(left, top, right, bottom) for left, top, right, bottom in rect.tolist()]
        self.members: list[list[int]] = [[box] for box in range(len(rect))]
        self.owner = list(range(len(rect)))
        self.beside = [0] * len(rect)  # connections within, side by side
        self.stacked = [0] * len(rect)
        self.moves: list[tuple[int, int, int]] = []
        self.relations: list[dict[int, _Relation]] = [{} for _ in range(len(rect))]
        self.refused: list[set[int]] = [set() for _ in range(len(rect))]
        offsets, touched = (column.tolist() for column in touching(rect, pairs))
        self.touching = [touched[offsets[box] : offsets[box + 1]] for box in range(len(rect))]
        self.limit, self.absorb = math.floor(threshold * GRAIN + 0.5), absorb
        self.grid = _Grid(rect)
        self.heap: list[tuple[int, float, float, float, int, int]] = []
        columns = (pairs.first, pairs.second, dissimilarity, ~pairs.is_stacked)
        for first, second, value, beside in zip(*(column.tolist() for column in columns), strict=True):
            self.relations[first][second] = self.relations[second][first] = _Relation(value, 1, int(beside))
            self._offer(first, second)

    def join_all(self) -> None:
        while self.heap:
            value, size, _, _, one, other = heapq.heappop(self.heap)
            relation = self.relations[one].get(other)
            if relation is None or relation.mean != value:
                continue
            if size != _area(self.rect[one]) + _area(self.rect[other]):  # one of them has grown since
                self._offer(one, other)
                continue
            drawn_in = self._joinable(one, other)
            if drawn_in is None:
                self.refused[one].add(other)
                self.refused[other].add(one)
            else:
                self._join([one, other, *drawn_in], value)

    def _offer(self, one: int, other: int) -> None:
        value = self.relations[one][other].mean
        if value <= self.limit:
            a, b = self.rect[one], self.rect[other]
            low, high = min(one, other), max(one, other)
            heapq.heappush(self.heap, (value, _area(a) + _area(b), min(a[1], b[1]), min(a[0], b[0]), low, high))

    def _joinable(self, one: int, other: int) -> list[int] | None:
        """Further boxes that must come along if two groups are joined; none if they may not be."""
        a, b = self.rect[one], self.rect[other]
        shape, other_shape = self._shape(one), self._shape(other)
        if shape == other_shape != _BOX:
            across = (a[1] < b[3] and b[1] < a[3]) if shape == _COLUMN else (a[0] < b[2] and b[0] < a[2])
            if across and not LEAST <= self._density(one, shape) / self._density(other, shape) <= MOST:
                return None
        joined = {one, other}
        around = _around(a, b)
        # Neither has others inside its own rectangle.
        in_the_way = self._others(around, a if _area(a) > _area(b) else b, joined)
        if shape != other_shape and in_the_way:
            return None
        drawn_in: list[int] = []
        while in_the_way:
            if any(len(self.members[group]) > 1 for group in in_the_way):
                return None
            if not all(
                self._touches(box, joined) or self._absorbs(around, box, in_the_way, joined) for box in in_the_way
            ):
                return None
            drawn_in += in_the_way
            joined.update(in_the_way)
            before = around
            for box in in_the_way:
                around = _around(around, self.rect[box])
            in_the_way = self._others(around, before, joined)
        return drawn_in

    def _shape(self, group: int) -> int:
        beside, stacked = self.beside[group], self.stacked[group]
        if beside < LEAST * stacked:
            return _COLUMN
        return _ROW if beside > MOST * stacked else _BOX

    def _density(self, group: int, shape: int) -> float:
        left, top, right, bottom = self.rect[group]
        return self.stacked[group] / (bottom - top) if shape == _COLUMN else self.beside[group] / (right - left)

    def _others(self, around: Rect, known: Rect, joined: set[int]) -> list[int]:
        """Groups that overlap a rectangle, but not the part of it that is known to hold no others."""
        left, top, right, bottom = around
        found: dict[int, None] = {}
        for part in _without(around, known):
            for cell in self.grid.cells(part):
                for group in self.grid.content[cell]:
                    a = self.rect[group]
                    if a[0] < right and left < a[2] and a[1] < bottom and top < a[3] and self.members[group]:
                        found[group] = None
        return [group for group in found if group not in joined]

    def _touches(self, box: int, joined: set[int]) -> bool:
        return any(self.owner[other] in joined for other in self.touching[box])

    def _absorbs(self, around: Rect, box: int, in_the_way: list[int], joined: set[int]) -> bool:
        """Whether a box that touches nothing may come along: it changes little."""
        if not self.absorb:
            return False
        wider = _around(around, self.rect[box])
        further = self._others(wider, around, joined.union(in_the_way))
        return all(_gap(self.rect[other], self.rect[box]) <= CLOSE_PX for other in further)

    def _join(self, parts: list[int], value: int) -> None:
        # The largest part keeps its number: what is moved goes to something twice as large each time, so seldom.
        keeper = max(parts, key=lambda part: (len(self.members[part]) + len(self.relations[part]), -part))
        before = self.rect[keeper]
        for part in parts:
            if part != keeper:
                self.moves.append((keeper, part, value))
                self._move(part, keeper)
        for partner in self.refused[keeper]:
            self.refused[partner].discard(keeper)
            self._offer(keeper, partner)
        self.refused[keeper].clear()
        self.grid.grow(keeper, before, self.rect[keeper], self.members)

    def _move(self, part: int, keeper: int) -> None:
        """Give everything of a group to another one."""
        self.rect[keeper] = _around(self.rect[keeper], self.rect[part])
        self.members[keeper] += self.members[part]
        for box in self.members[part]:
            self.owner[box] = keeper
        self.members[part] = []
        self.refused[keeper].discard(part)
        self.beside[keeper] += self.beside[part]
        self.stacked[keeper] += self.stacked[part]
        for partner in self.refused[part]:
            self.refused[partner].discard(part)
        for partner, relation in self.relations[part].items():
            del self.relations[partner][part]
            if partner == keeper:
                self.beside[keeper] += relation.beside
                self.stacked[keeper] += relation.connections - relation.beside
            else:
                merged = relation.plus(self.relations[keeper].get(partner))
                self.relations[keeper][partner] = self.relations[partner][keeper] = merged
                self.refused[keeper].add(partner)  # to be offered when all parts are moved
        self.relations[part] = {}


class _Grid:
    """Which groups are near a place: the page in cells of the size of a usual box, at most a few for each box."""

    def __init__(self, rect: Floats) -> None:
        self.columns, self.rows, self.left, self.top, self.per_x, self.per_y = grid_of(rect)
        self.content: list[list[int]] = [[] for _ in range(self.columns * self.rows)]
        for box, edges in enumerate(rect.tolist()):
            for cell in self.cells(edges):
                self.content[cell].append(box)

    def cells(self, rect: Rect) -> list[int]:
        left, right = int((rect[0] - self.left) * self.per_x), int((rect[2] - self.left) * self.per_x)
        top, bottom = int((rect[1] - self.top) * self.per_y), int((rect[3] - self.top) * self.per_y)
        right, bottom = min(right, self.columns - 1), min(bottom, self.rows - 1)
        return [row * self.columns + column for row in range(top, bottom + 1) for column in range(left, right + 1)]

    def grow(self, group: int, before: Rect, now: Rect, members: list[list[int]]) -> None:
        """Enter a group in the cells it has come to cover; groups that are no more leave them."""
        for part in _without(now, before):
            for cell in self.cells(part):
                self.content[cell] = [
                    *(other for other in self.content[cell] if members[other] and other != group),
                    group,
                ]


def grid_of(rect: Floats) -> tuple[int, int, float, float, float, float]:
    """Columns and rows of a grid over some boxes, its left and upper edge, and how many of each a pixel holds."""
    count = max(len(rect), 1)
    low, high = (rect[:, :2].min(axis=0), rect[:, 2:].max(axis=0)) if len(rect) else (np.zeros(2), np.ones(2))
    usual = (rect[:, 2:] - rect[:, :2]).mean(axis=0) if len(rect) else np.ones(2)
    columns = int(np.clip((high[0] - low[0]) / usual[0], 1, 2 * count**0.5))
    rows = int(np.clip((high[1] - low[1]) / (2 * usual[1]), 1, 4 * count / columns))
    (left, top), (width, height) = low.tolist(), (high - low).tolist()
    return columns, rows, left, top, columns / width, rows / height


def touching(rect: Floats, pairs: Neighbours) -> tuple[Ints, Ints]:
    """Boxes that share a piece of an edge, or a corner: those of box ``b`` from offset ``b`` to offset ``b + 1``."""
    is_near = pairs.gap == 0
    first, second = [pairs.first[is_near]], [pairs.second[is_near]]
    for here, there in (((2, 3), (0, 1)), ((0, 3), (2, 1))):
        places, corners = (rect[:, x] + 1j * rect[:, y] for x, y in (here, there))
        order = np.argsort(corners)
        met = order[np.minimum(np.searchsorted(corners[order], places), max(len(rect) - 1, 0))]
        boxes = np.flatnonzero(corners[met] == places)
        first.append(boxes)
        second.append(met[boxes])
    one, other = np.concatenate((*first, *second)), np.concatenate((*second, *first))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(one, minlength=len(rect)))))
    return offsets, other[np.argsort(one, kind="stable")]


def _area(rect: Rect) -> float:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _around(a: Rect, b: Rect) -> Rect:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _gap(a: Rect, b: Rect) -> float:
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])


def _without(outer: Rect, inner: Rect) -> list[Rect]:
    """The up to four rectangles that remain of one when another inside it is taken out."""
    left, top, right, bottom = outer
    parts = (
        (left, top, right, inner[1]),
        (left, inner[3], right, bottom),
        (left, inner[1], inner[0], inner[3]),
        (inner[2], inner[1], right, inner[3]),
    )
    return [part for part in parts if part[0] < part[2] and part[1] < part[3]]
