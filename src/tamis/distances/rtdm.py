"""RTDM: how many elements must be inserted, deleted or renamed to turn one tree into the other, from the top down.

Idea:      an element may be paired only with one at the same depth below a paired parent; whole subtrees come and go;
           identical subtrees cost nothing.
Reference: Reis, Golgher, da Silva & Laender (2004), after Yang (1991) and Valiente (2001); in linear space Gottron
           (2008), algorithm 7.1, with its two misplaced lines put right.
Departs:   every operation costs 1, and renaming inner elements costs something, since the printed form finds no
           difference between some different trees; ``literal`` restores it. Only the first ``max_elements`` of a page
           are read. What was computed for a pair of subtrees is reused for other pages; equal children at both ends are
           skipped.
Strong at: gives the difference as a number of elements; with k-median the best of all.
Weak at:   longer lists, more paragraphs and moved blocks cost as much as another template; slow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from tamis.distances._structure import ElementTree, elements_of, subtree_hashes
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.ranges import COUNT, NOT_NEGATIVE, check_ranges

THRESHOLD = None  # no gap between near and far in Gottron's histograms (2008, figure 7.9)

_TOP = -1  # the tag of the root that stands above all elements of a page


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is charged, when to give up, and how much of a page is read."""

    max_cost: float | None = None  # pairs reached at a higher cost are given up; the sources name no value
    literal: bool = False  # as printed: renaming an element that has others below it is free
    normalised: bool = False  # divided by the number of elements of both pages, so that it lies between 0 and 1
    table: Literal["row", "full"] = "row"  # the two forms of the algorithm; they agree, the first needs less memory
    max_elements: int = 5_000  # ordinary pages have 500-2,500; time grows with the product

    def __post_init__(self) -> None:
        check_ranges(self, max_cost=NOT_NEGATIVE, max_elements=COUNT)


class Shape(NamedTuple):
    """A kind of subtree: pages that hold the same share it."""

    tag: int
    children: tuple[int, ...]  # numbers of shapes
    size: int  # elements, its own included


class Subtrees(NamedTuple):
    """The features of a page: its kinds of subtrees by hash, and which of them is the whole page."""

    shapes: dict[int, tuple[int, tuple[int, ...]]]  # tag and hashes of the children, which stand before their parents
    top: tuple[int, ...]  # hashes of the elements on top


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> Subtrees:
    """The kinds of subtrees of a page."""
    return _tree(_cut(elements_of(page), options.max_elements))


def between(tree: Subtrees, other: Subtrees, options: Options) -> float:
    return float(matrix([tree, other], options)[0, 1])


def matrix(trees: Sequence[Subtrees], options: Options) -> Floats:
    forest = _Forest(trees)
    costs = _Costs(forest.shapes, options)
    distances = np.zeros((len(trees), len(trees)))
    for number, root in enumerate(forest.roots):
        for place, other in enumerate(forest.roots[:number]):
            cost = costs.of(root, other)
            if options.normalised:
                cost /= max(forest.shapes[root].size + forest.shapes[other].size - 2, 1)
            distances[number, place] = distances[place, number] = cost
    return distances


def _cut(elements: ElementTree, most: int) -> ElementTree:
    return ElementTree(
        elements.tag[:most], elements.parent[:most], elements.depth[:most], np.minimum(elements.end[:most], most)
    )


def _tree(elements: ElementTree) -> Subtrees:
    hashes = subtree_hashes(elements).tolist()
    children: list[list[int]] = [[] for _ in hashes]
    top: list[int] = []
    for hashed, parent in zip(hashes, elements.parent.tolist(), strict=True):
        (top if parent < 0 else children[parent]).append(hashed)
    tags = elements.tag.tolist()
    backwards = range(len(hashes) - 1, -1, -1)
    return Subtrees({hashes[place]: (tags[place], tuple(children[place])) for place in backwards}, tuple(top))


class _Forest:
    """The shapes of all pages, numbered so that children come before their parents."""

    def __init__(self, trees: Sequence[Subtrees]) -> None:
        self.shapes: list[Shape] = []
        self._numbers: dict[int, int] = {}
        for tree in trees:
            for hashed, (tag, children) in tree.shapes.items():
                if hashed not in self._numbers:
                    self._numbers[hashed] = self._add(tag, children)
        self.roots = [self._add(_TOP, tree.top) for tree in trees]

    def _add(self, tag: int, children: tuple[int, ...]) -> int:
        numbers = tuple(self._numbers[child] for child in children)
        self.shapes.append(Shape(tag, numbers, 1 + sum(self.shapes[number].size for number in numbers)))
        return len(self.shapes) - 1


Table = Callable[[Sequence[int], Sequence[int], Sequence[Sequence[float]], float], float]


class _Costs:
    """What it costs to turn one shape into another; every pair is computed once."""

    def __init__(self, shapes: list[Shape], options: Options) -> None:
        self._shapes = shapes
        self._known: dict[tuple[int, int], float] = {}
        self._literal = options.literal
        self._give_up = np.inf if options.max_cost is None else options.max_cost
        self._table: Table = _one_row if options.table == "row" else _full_table

    def of(self, first: int, second: int) -> float:
        """The cost for two shapes, computed from the bottom up: pages may be deeper than calls may nest."""
        waiting = [(first, second)]
        while waiting:
            pair = waiting[-1]
            unknown = [below for below in self._needed(*pair) if below not in self._known]
            if unknown:
                waiting += unknown
                continue
            waiting.pop()
            if pair not in self._known:
                self._known[pair] = self._aligned(*pair)
        return self._known[first, second]

    def _needed(self, first: int, second: int) -> set[tuple[int, int]]:
        """The pairs of children that must be known before."""
        if (first, second) in self._known:
            return set()
        left, right = self._children(first, second)
        inner = {child for child in left if self._shapes[child].children}
        others = {child for child in right if self._shapes[child].children}
        return {(child, other) for child in inner for other in others if child != other}

    def _children(self, first: int, second: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The children of both, without those that are equal at either end: pairing them costs nothing.

        Any other partner of such a child costs at least the difference of their sizes, which is what is lost by
        leaving that partner alone. Only a limit to the cost looks at the places in between.
        """
        left, right = self._shapes[first].children, self._shapes[second].children
        if self._give_up < np.inf:
            return left, right
        most = min(len(left), len(right))
        start = next((place for place in range(most) if left[place] != right[place]), most)
        left, right = left[start:], right[start:]
        most -= start
        end = next((place for place in range(most) if left[-1 - place] != right[-1 - place]), most)
        return left[: len(left) - end], right[: len(right) - end]

    def _aligned(self, first: int, second: int) -> float:
        left, right = self._children(first, second)
        row = {child: [self._pair(child, other) for other in right] for child in set(left)}
        removed = [self._shapes[child].size for child in left]
        added = [self._shapes[child].size for child in right]
        cost = self._table(removed, added, [row[child] for child in left], self._give_up)
        return cost + (0 if self._literal else self._renaming(first, second))

    def _pair(self, child: int, other: int) -> float:
        if child == other:
            return 0
        shape, partner = self._shapes[child], self._shapes[other]
        if shape.children and partner.children:
            return self._known[child, other]
        # One of them is a leaf: what is below the other comes or goes as a whole.
        return self._renaming(child, other) + shape.size + partner.size - 2

    def _renaming(self, first: int, second: int) -> int:
        return int(self._shapes[first].tag != self._shapes[second].tag)


def _one_row(removed: Sequence[int], added: Sequence[int], pairs: Sequence[Sequence[float]], give_up: float) -> float:
    """The cheapest way from one list of subtrees to another, with one row of costs."""
    row: list[float] = [0]
    for cost in added:
        row.append(row[-1] + cost)
    for cost, paired in zip(removed, pairs, strict=True):
        diagonal, row[0] = row[0], row[0] + cost
        for place, (adding, pairing) in enumerate(zip(added, paired, strict=True), start=1):
            kept = diagonal + pairing if diagonal <= give_up else np.inf
            diagonal = row[place]
            row[place] = min(diagonal + cost, row[place - 1] + adding, kept)
    return row[-1]


def _full_table(
    removed: Sequence[int], added: Sequence[int], pairs: Sequence[Sequence[float]], give_up: float
) -> float:
    """The same with the whole table, as in the original."""
    table = np.zeros((len(removed) + 1, len(added) + 1))
    table[1:, 0], table[0, 1:] = np.cumsum(removed), np.cumsum(added)
    for i, cost in enumerate(removed, start=1):
        for j, adding in enumerate(added, start=1):
            kept = table[i - 1, j - 1] + pairs[i - 1][j - 1] if table[i - 1, j - 1] <= give_up else np.inf
            table[i, j] = min(table[i - 1, j] + cost, table[i, j - 1] + adding, kept)
    return float(table[-1, -1])
