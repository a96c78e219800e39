"""Classification trees by recursive partitioning with the information index (Breiman et al. 1984; Yunis 2016, 4.1).

A tree is grown as far as it goes and then cut back: a split stays only if it makes the number of errors smaller by more
than ``cp`` times those of the root for each leaf it adds. That is what the R package rpart does with the same numbers,
but for surrogate splits and the cross-validated choice of ``cp``, which are not used here, and for features with more
than ``MAX_BORDERS`` values, which are compared at their quantiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.errors import InputError
from tamis.extractors.elements.features import Matrix
from tamis.extractors.elements.trees import DecisionTree
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import COUNT, SHARE, Range, check_ranges

MAX_BORDERS = 500  # of a feature; with more values than that, quantiles are compared; ours, not swept
_TINY = 1e-9  # shares this small are rounding


@dataclass(frozen=True, kw_only=True)
class Growth:
    """When a tree stops; the values are rpart's own."""

    minsplit: int = 20  # elements a node needs to be split
    minbucket: int = 7  # elements each side of a split needs
    cp: float = 0.01  # errors a leaf must save, as a share of those of the root
    maxdepth: int = 30

    def __post_init__(self) -> None:
        check_ranges(self, minsplit=Range(2), minbucket=COUNT, maxdepth=COUNT, cp=SHARE)


RPART_DEFAULT = Growth()


@dataclass
class _Node:
    rows: Ints
    depth: int
    noisy: float
    main: float
    feature: int = -1
    border: float = np.nan
    low: int = -1
    high: int = -1

    @property
    def errors(self) -> float:
        return min(self.noisy, self.main)


def fit_tree(features: Matrix, is_main: Bools, growth: Growth = RPART_DEFAULT) -> DecisionTree:
    """A tree for elements, a row for each feature; features with numbers that are not known are not used.

    Elements of one class only are an ``InputError``: nothing can be learned from them.
    """
    main, noisy = is_main.astype(np.float64), (~is_main).astype(np.float64)
    if not is_main.any() or is_main.all():
        one = "main" if is_main.any() else "noisy"
        raise InputError(
            f"all {len(is_main)} elements are {one}: training needs both classes"
            if len(is_main)
            else "there are no elements to learn from"
        )
    steps = _steps(features)
    root = _Node(np.arange(len(is_main)), 0, float(noisy.sum()), float(main.sum()))
    price = growth.cp * root.errors
    nodes = [root]
    waiting = [0]
    while waiting:
        number = waiting.pop()
        node = nodes[number]
        # A node with few errors can save too few of them to pay for a leaf.
        if len(node.rows) < growth.minsplit or node.depth >= growth.maxdepth or node.errors <= price:
            continue
        rows = node.rows
        split = steps.best_split(rows, main, noisy, growth.minbucket)
        if split is None:
            continue
        node.feature, node.border = split
        is_low = features[node.feature, node.rows] < node.border
        nodes += [
            _Node(rows, node.depth + 1, float(noisy[rows].sum()), float(main[rows].sum()))
            for rows in (node.rows[is_low], node.rows[~is_low])
        ]
        node.low, node.high = len(nodes) - 2, len(nodes) - 1
        waiting += (node.high, node.low)
    return _in_preorder(nodes, _kept_splits(nodes, price))


def only_leaf(*, noisy: float, main: float) -> DecisionTree:
    """A tree that asks nothing."""
    nothing = np.array([-1], dtype=np.int64)
    return DecisionTree(nothing, np.array([np.nan]), nothing, np.array([noisy]), np.array([main]))


def information(noisy: Floats, main: Floats) -> Floats:
    """The weight of a set of elements times its entropy.

    >>> information(np.array([2.0, 4.0]), np.array([2.0, 0.0])).round(3).tolist()
    [2.773, 0.0]
    """
    total = noisy + main
    result = np.zeros(np.shape(total))
    for part in (noisy, main):
        share = np.divide(part, total, out=np.ones_like(total), where=part > 0)
        result -= part * np.log(share)
    return result


@dataclass(frozen=True, eq=False)
class _Steps:
    """Features as small numbers: between which borders each element lies."""

    feature: Ints  # positions of the features that can be asked for
    step: Ints  # feature × element: how many borders of the feature are not above it
    first: Ints  # where the steps of each feature begin in a list of all of them, and the end
    border: Floats  # in that list, the border above each step; NaN above the last one of a feature

    def best_split(self, rows: Ints, main: Floats, noisy: Floats, minbucket: int) -> tuple[int, float] | None:
        """The question with the largest gain: the first of equals, by feature and then by border."""
        size = int(self.first[-1])
        places = (self.step[:, rows] + self.first[:-1, None]).ravel()
        amounts = (np.ones(len(rows)), main[rows], noisy[rows])
        held, of_main, of_noisy = (
            self._below(np.bincount(places, weights=np.tile(amount, len(self.feature)), minlength=size))
            for amount in amounts
        )
        all_main, all_noisy = float(amounts[1].sum()), float(amounts[2].sum())
        is_border = ~np.isnan(self.border) & (held >= minbucket) & (held <= len(rows) - minbucket)
        asked = np.flatnonzero(is_border)
        if not len(asked):
            return None
        of_main, of_noisy = of_main[asked].clip(0, all_main), of_noisy[asked].clip(0, all_noisy)
        after = information(of_noisy, of_main) + information(all_noisy - of_noisy, all_main - of_main)
        before = float(information(np.array([all_noisy]), np.array([all_main]))[0])
        best = int(np.argmax(after <= after.min() + _TINY * before))
        if before - after[best] <= _TINY * before:
            return None
        place = int(asked[best])
        number = int(np.searchsorted(self.first, place, side="right")) - 1
        return int(self.feature[number]), float(self.border[place])

    def _below(self, amounts: npt.NDArray[np.number[Any]]) -> Floats:
        """For each step the amount up to and with it, of its own feature."""
        sums = np.cumsum(amounts)
        before = np.concatenate(([0.0], sums))[self.first[:-1]]
        return np.asarray(sums - np.repeat(before, np.diff(self.first)))


def _steps(features: Matrix) -> _Steps:
    usable = np.flatnonzero(~np.isnan(features).any(axis=1))
    borders = [_borders(features[feature]) for feature in usable.tolist()]
    steps = [
        np.searchsorted(own, features[feature], side="right") for own, feature in zip(borders, usable, strict=True)
    ]
    lengths = [len(own) + 1 for own in borders]
    return _Steps(
        feature=usable,
        step=np.stack(steps).astype(np.int64) if steps else np.zeros((0, features.shape[1]), dtype=np.int64),
        first=np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))),
        border=np.concatenate([np.append(own, np.nan) for own in borders]) if borders else np.zeros(0),
    )


def _borders(values: Floats) -> Floats:
    """Numbers halfway between the values that occur; between quantiles where there are very many."""
    found = np.unique(values)
    if len(found) > MAX_BORDERS + 1:
        found = np.unique(np.quantile(values, np.linspace(0, 1, MAX_BORDERS + 1), method="nearest"))
    middle = (found[:-1] + found[1:]) / 2
    return np.where(middle > found[:-1], middle, found[1:])  # between neighbours there may be no number


def _kept_splits(nodes: list[_Node], price: float) -> set[int]:
    """The splits of the smallest tree with the least errors when each leaf costs a price."""
    cost = [node.errors + price for node in nodes]
    kept: set[int] = set()
    for number in range(len(nodes) - 1, -1, -1):  # children have higher numbers
        node = nodes[number]
        if node.feature >= 0 and cost[node.low] + cost[node.high] < cost[number] - _TINY:
            cost[number] = cost[node.low] + cost[node.high]
            kept.add(number)
    return kept


def _in_preorder(nodes: list[_Node], kept: set[int]) -> DecisionTree:
    order: list[int] = []
    waiting = [0]
    while waiting:
        number = waiting.pop()
        order.append(number)
        if number in kept:
            waiting += (nodes[number].high, nodes[number].low)
    place = {number: position for position, number in enumerate(order)}
    chosen = [nodes[number] for number in order]
    is_split = [number in kept for number in order]
    return DecisionTree(
        feature=np.array([node.feature if split else -1 for node, split in zip(chosen, is_split, strict=True)]),
        border=np.array([node.border if split else np.nan for node, split in zip(chosen, is_split, strict=True)]),
        other=np.array([place[node.high] if split else -1 for node, split in zip(chosen, is_split, strict=True)]),
        noisy=np.array([node.noisy for node in chosen]),
        main=np.array([node.main for node in chosen]),
    )
