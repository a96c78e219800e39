"""Pages as bags of hashed items, and how many items each two of them share.

Most distances are one count, the items that two pages have in common, set against the sizes of the two. A bag is a
sorted array of distinct numbers. Items that may repeat are numbered first (``counted``): the second occurrence is
another item than the first, so that shared items come to the sum of the smaller counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tamis.distances._structure import Hashes, mixed
from tamis.page.text import Floats, Ints

PairFormula = Callable[[Floats, Floats, Floats], Floats]
"""Shared items and the sizes of both bags → distance."""

_DENSE_COLUMNS = 2048  # at once, as a matrix of pages and items
_DENSE_ROWS = 1024
_PAIRS = 1 << 20  # at once
# Share of the pages from which on a product of matrices beats counting pairs (measured on 1,000 and 4,000 pages).
_DENSE_FROM = 1 / 22


def distinct(items: Hashes) -> Hashes:
    """The items as a bag in which none repeats."""
    return np.unique(items)


def counted(items: Hashes) -> Hashes:
    """The items as a bag in which each counts as often as it occurs.

    >>> len(counted(np.array([7, 7, 9], dtype=np.uint64)))
    3
    """
    items = np.sort(items)
    first = np.flatnonzero(np.diff(items, prepend=items[:1] + np.uint64(1)))
    repeats = np.diff(first, append=len(items))
    occurrence = np.arange(len(items)) - np.repeat(first, repeats)
    return np.sort(mixed(items + mixed(occurrence)))


def overlap(bag: Hashes, other: Hashes) -> int:
    """How many items two bags share."""
    if len(bag) > len(other):
        bag, other = other, bag
    if not len(bag):
        return 0
    places = np.minimum(np.searchsorted(other, bag), len(other) - 1)
    return int(np.count_nonzero(other[places] == bag))


def overlaps(bags: Sequence[Hashes]) -> Floats:
    """How many items each two bags share; on the diagonal their sizes."""
    count = len(bags)
    shared = np.zeros((count, count))
    sizes = np.array([len(bag) for bag in bags], dtype=np.int64)
    if sizes.sum():
        pages, firsts, widths, weights = _columns(bags, sizes)
        is_dense = widths > max(_DENSE_FROM * count, 2)
        _add_products(shared, pages, firsts[is_dense], widths[is_dense], weights[is_dense])
        _add_pairs(shared, pages, firsts[~is_dense], widths[~is_dense], weights[~is_dense])
    np.fill_diagonal(shared, sizes)
    return shared


def _columns(bags: Sequence[Hashes], sizes: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Lists of pages, one after the other; where each begins, how long it is, and how many items occur just there.

    Pages of one template share most of their items, so that there are far fewer lists than items.
    """
    items = np.concatenate(bags)
    order = np.argsort(items, kind="stable")
    pages = np.repeat(np.arange(len(bags)), sizes)[order]
    items = items[order]
    firsts = np.flatnonzero(np.concatenate(([True], items[1:] != items[:-1])))
    widths = np.diff(firsts, append=len(items))
    is_shared = widths > 1
    marks = np.add.reduceat(mixed(pages), firsts)[is_shared]
    _, chosen, weights = np.unique(marks, return_index=True, return_counts=True)
    return pages, firsts[is_shared][chosen], widths[is_shared][chosen], weights


def _add_products(shared: Floats, pages: Ints, firsts: Ints, widths: Ints, weights: Ints) -> None:
    """Add the shared items of long lists of pages, by matrix products."""
    for begin in range(0, len(firsts), _DENSE_COLUMNS):
        part = slice(begin, begin + _DENSE_COLUMNS)
        # Whole numbers this small are exact in single precision, in whatever order they are added.
        holds = np.zeros((len(shared), len(firsts[part])), dtype=np.float32)
        column = np.repeat(np.arange(holds.shape[1]), widths[part])
        holds[pages[_ranges(firsts[part], widths[part])], column] = 1
        weighted = holds * weights[part].astype(np.float32)
        for row in range(0, len(shared), _DENSE_ROWS):
            shared[row : row + _DENSE_ROWS] += weighted[row : row + _DENSE_ROWS] @ holds.T


def _add_pairs(shared: Floats, pages: Ints, firsts: Ints, widths: Ints, weights: Ints) -> None:
    """Add the shared items of short lists of pages, pair by pair."""
    flat = shared.reshape(-1)
    for width in np.unique(widths).tolist():
        of_width = np.flatnonzero(widths == width)
        for begin in range(0, len(of_width), max(_PAIRS // width**2, 1)):
            part = of_width[begin : begin + max(_PAIRS // width**2, 1)]
            lists = pages[firsts[part][:, None] + np.arange(width)]
            places = lists[:, :, None] * len(shared) + lists[:, None, :]
            np.add.at(flat, places.reshape(-1), np.repeat(weights[part].astype(np.float64), width**2))


def _ranges(firsts: Ints, widths: Ints) -> Ints:
    """All numbers of several ranges, one after the other."""
    offsets = np.cumsum(widths) - widths
    ranges: Ints = np.arange(int(widths.sum())) + np.repeat(firsts - offsets, widths)
    return ranges


def for_all_pairs(bags: Sequence[Hashes], formula: PairFormula) -> Floats:
    """The distances between all bags, by a formula of shared items and both sizes."""
    distances = overlaps(bags)
    sizes = distances.diagonal().copy()
    for row, size in zip(distances, sizes, strict=True):  # row by row and in place, because there may be many
        row[:] = formula(row, size, sizes)
    return distances


def for_pair(bag: Hashes, other: Hashes, formula: PairFormula) -> float:
    """The distance between two bags."""
    return float(formula(*(np.array(float(count)) for count in (overlap(bag, other), len(bag), len(other)))))


def missing(shared: Floats, size: Floats, other: Floats) -> Floats:
    """The share of the larger bag that the other lacks; nothing is missing if both are empty.

    >>> missing(np.array([1.0, 0.0]), np.array([2.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.75, 0.0]
    """
    return share_outside(shared, np.maximum(size, other))


def different(shared: Floats, size: Floats, other: Floats) -> Floats:
    """The share of the items of both bags that have no partner in the other.

    >>> different(np.array([1.0, 0.0]), np.array([2.0, 0.0]), np.array([4.0, 0.0])).round(3).tolist()
    [0.667, 0.0]
    """
    return share_outside(2 * shared, size + other)


def share_outside(part: Floats, whole: Floats) -> Floats:
    """What is not in the part, as a share of the whole: nothing, where there is nothing."""
    share: Floats = np.where(whole > 0, 1 - part / np.maximum(whole, 1), 0.0)
    return share
