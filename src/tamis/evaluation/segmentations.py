"""How good a segmentation is: pure functions of who belongs where.

What is counted are *elements*: characters, nodes, pixels, or pixels on edges. A ``Cover`` says of each element which
segments it is in: none, one, or several where segments overlap. ``found`` is the cover of a method's segments,
``right`` that of the segments people marked; both are covers of the same elements. From pages to covers: ``covers.py``.

B-cubed:  Amigó, Gonzalo, Artiles & Verdejo (2009), extended to overlapping groups by multiplicity; for segments of web
          pages Kiesel, Kneist, Meyer, Komlossy, Stein & Potthast (2020), who also name the four kinds of elements.
Box F:    Zelený (2017), section 9, over pairs of areas that share an element.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tamis.errors import InputError
from tamis.evaluation.clusterings import adjusted_rand_index
from tamis.evaluation.measures import harmonic_mean
from tamis.page.text import Floats, Ints

__all__ = ["Cover", "Quality", "adjusted_rand", "b_cubed", "box_f", "cover", "partition"]

_PAIRS_AT_ONCE = 1 << 22  # pairs of groups compared in one step, to bound the memory: 4 million, 32 MB an array


class Quality(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False)
class Cover:
    """Which segments each element is in; elements that are in the same ones share a ``kind``."""

    kind: Ints  # one per element
    kinds: tuple[tuple[int, ...], ...]  # for each kind the numbers of its segments, ascending; () is in none

    @cached_property
    def sizes(self) -> Ints:
        """For each kind the number of its segments."""
        return np.array([len(segments) for segments in self.kinds], dtype=np.int64)


def cover(members: Iterable[Sequence[int]]) -> Cover:
    """The cover of elements that are listed with their segments.

    >>> cover([[0], [1, 0], [], [0, 1]]).kind.tolist()
    [0, 1, 2, 1]
    """
    numbers: dict[tuple[int, ...], int] = {}
    kind = [numbers.setdefault(tuple(sorted(set(segments))), len(numbers)) for segments in members]
    return Cover(np.array(kind, dtype=np.int64), tuple(numbers))


def partition(segment: Ints) -> Cover:
    """The cover of elements that are in one segment each, or in none where the number is negative.

    >>> partition(np.array([4, 4, -1])).kinds
    ((), (4,))
    """
    values, kind = np.unique(np.maximum(segment, -1), return_inverse=True)
    return Cover(kind.reshape(-1), tuple(() if value < 0 else (value,) for value in values.tolist()))


def b_cubed(found: Cover, right: Cover, weights: Floats | Ints | None = None) -> Quality:
    """Extended B-cubed: of two elements in one found segment, how sure are they in one right segment, and the reverse.

    For an element and any other, or itself, that it shares ``s`` found and ``t`` right segments with, precision is
    ``min(s, t) / s``; the mean over those it shares any found segment with, then over all elements in a found segment.
    Recall is the same with the roles exchanged. So elements in no found segment cost no precision, and recall if they
    are in a right one: leaving everything out is no way to win. Precision without found segments is 1 if there are no
    right ones either, else 0, and so is recall. Elements with a weight count as that many.

    >>> b_cubed(partition(np.array([0, 0, 0, 1])), partition(np.array([0, 0, 1, 1]))).precision  # (2/3+2/3+1/3+1)/4
    0.6666666666666666
    """
    left, other, weight = _groups(found, right, weights)
    precision = _precision(found, left, right, other, weight)
    recall = _precision(right, other, found, left, weight)
    return _quality(precision, recall)


def box_f(found: Cover, right: Cover) -> Quality:
    """Means over all pairs of a found and a right segment that share an element; Zelený's measure, elements his boxes.

    A pair that shares ``k`` has the precision ``k / |found|`` and the recall ``k / |right|``; a right segment that
    shares nothing adds a recall of 0.

    >>> box_f(partition(np.array([0] * 4 + [1] * 6)), partition(np.array([0] * 5 + [1] * 5))).f1
    0.6666666666666666
    """
    left, other, weight = _groups(found, right, None)
    shared: dict[tuple[int, int], int] = {}
    in_found: dict[int, int] = {}
    in_right: dict[int, int] = {}
    for kind, right_kind, count in zip(left.tolist(), other.tolist(), weight.astype(np.int64).tolist(), strict=True):
        for segment in found.kinds[kind]:
            in_found[segment] = in_found.get(segment, 0) + count
        for gold in right.kinds[right_kind]:
            in_right[gold] = in_right.get(gold, 0) + count
            for segment in found.kinds[kind]:
                shared[segment, gold] = shared.get((segment, gold), 0) + count
    if not shared:
        return _quality(float(not in_found and not in_right), float(not in_found and not in_right))
    uncovered = len(in_right) - len({gold for _, gold in shared})
    precision = sum(count / in_found[segment] for (segment, _), count in shared.items()) / len(shared)
    recall = sum(count / in_right[gold] for (_, gold), count in shared.items()) / (len(shared) + uncovered)
    return _quality(precision, recall)


def adjusted_rand(found: Cover, right: Cover, *, count_uncovered: bool = False) -> float:
    """The adjusted Rand index over elements that are in a segment of both; of several segments the first counts.

    Leaving elements out costs nothing then. With ``count_uncovered`` each of them is a segment of its own.

    >>> adjusted_rand(partition(np.array([0, 0, 1, -1])), partition(np.array([0, 0, 1, 1])))
    1.0
    """
    labels = [
        np.array([segments[0] if segments else -1 for segments in side.kinds], dtype=np.int64)[side.kind]
        for side in (found, right)
    ]
    if count_uncovered:
        labels = [np.where(label < 0, -1 - np.arange(len(label)), label) for label in labels]
    else:
        is_covered = (labels[0] >= 0) & (labels[1] >= 0)
        labels = [label[is_covered] for label in labels]
    return adjusted_rand_index(labels[0].tolist(), labels[1].tolist())


def _quality(precision: float, recall: float) -> Quality:
    return Quality(precision, recall, harmonic_mean(precision, recall))


def _groups(found: Cover, right: Cover, weights: Floats | Ints | None) -> tuple[Ints, Ints, Floats]:
    """Elements of equal kinds on both sides as one: found kind, right kind, and weight."""
    if len(found.kind) != len(right.kind):
        raise InputError(f"{len(found.kind)} elements are covered on the one side, {len(right.kind)} on the other")
    if weights is not None and len(weights) != len(found.kind):
        raise InputError(f"there are {len(found.kind)} elements, but {len(weights)} weights")
    width = max(len(right.kinds), 1)
    codes, group = np.unique(found.kind * width + right.kind, return_inverse=True)
    weight = np.bincount(group.reshape(-1), weights=weights, minlength=len(codes)).astype(np.float64)
    is_there = weight > 0
    return codes[is_there] // width, codes[is_there] % width, weight[is_there]


def _precision(found: Cover, left: Ints, right: Cover, other: Ints, weight: Floats) -> float:
    is_covered = found.sizes[left] > 0
    left, right_kind, weight = left[is_covered], other[is_covered], weight[is_covered]
    if not len(left):
        return float(not (right.sizes[other] > 0).any())
    if max(found.sizes[left].max(), right.sizes[right_kind].max()) <= 1:
        return _precision_of_partition(left, right_kind, right.sizes, weight)
    total = 0.0
    for together in _components(found, left):
        total += _component_sum(found, left[together], right, right_kind[together], weight[together])
    return total / float(weight.sum())


def _precision_of_partition(left: Ints, other: Ints, sizes: Ints, weight: Floats) -> float:
    """Without overlaps a kind is a segment, and a group shares both segments with itself only."""
    in_found = np.bincount(left, weights=weight)[left]
    agreeing = weight**2 / in_found * (sizes[other] > 0)
    return float(agreeing.sum() / weight.sum())


def _components(found: Cover, left: Ints) -> list[Ints]:
    """Groups that share segments directly or through others; only within a component can two share one."""
    root: dict[int, int] = {}

    def find(segment: int) -> int:
        while root.setdefault(segment, segment) != segment:
            root[segment] = root[root[segment]]
            segment = root[segment]
        return segment

    for kind in np.unique(left).tolist():
        first, *others = found.kinds[kind]
        for segment in others:
            root[find(segment)] = find(first)
    roots = np.array([find(segments[0]) if segments else -1 for segments in found.kinds], dtype=np.int64)[left]
    order = np.argsort(roots, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(roots[order])) + 1)


def _component_sum(found: Cover, left: Ints, right: Cover, other: Ints, weight: Floats) -> float:
    found_table, right_table = _table(found, left), _table(right, other)
    rows = max(_PAIRS_AT_ONCE // len(left), 1)
    total = 0.0
    for first in range(0, len(left), rows):
        part = slice(first, first + rows)
        shared = found_table[part] @ found_table.T
        agreeing = np.minimum(shared, right_table[part] @ right_table.T) / np.maximum(shared, 1)
        neighbours = (shared > 0) @ weight
        total += float((weight[part] * (agreeing @ weight) / neighbours).sum())
    return total


def _table(side: Cover, kind: Ints) -> Floats:
    """For each group and each segment that occurs 1 if the group is in it."""
    segments = sorted({segment for number in np.unique(kind).tolist() for segment in side.kinds[number]})
    column = {segment: place for place, segment in enumerate(segments)}
    table = np.zeros((len(side.kinds), max(len(segments), 1)))
    for number in np.unique(kind).tolist():
        table[number, [column[segment] for segment in side.kinds[number]]] = 1
    return np.asarray(table[kind])
