"""Weighted tag frequency: how much the shares of element names differ between two pages.

Idea:      the percentage of a page's elements that has each name; the weighted squares of the differences.
Reference: Cruz, Borisov, Marks & Webb (1998), as described by Gottron (2008), section 3.5.
Departs:   the value is divided by its largest possible value, so that it lies between 0 and 1; the weights are
           distributed over the names that occur on one of the two pages.
Strong at: speed; pages of different length.
Weak at:   ignores order and nesting: two sites with similar shares look the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.distances._names import NameCounts, counts_of, shared_codes, table
from tamis.distances._structure import elements_of, is_known
from tamis.page.html import INLINE_NAMES, mask
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.ranges import POSITIVE, check_ranges

THRESHOLD = None  # the sources have none

_IS_INLINE = mask(*sorted(INLINE_NAMES))


@dataclass(frozen=True, kw_only=True)
class Options:
    """How much a name counts."""

    block_weight: float = 1.0  # of a name that begins a block, when one inside a line has 1; the sources give no number

    def __post_init__(self) -> None:
        check_ranges(self, block_weight=POSITIVE)


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> NameCounts:
    """How many elements bear each name."""
    return counts_of(elements_of(page).tag)


def between(counts: NameCounts, other: NameCounts, options: Options) -> float:
    return float(matrix([counts, other], options)[0, 1])


def matrix(counts: Sequence[NameCounts], options: Options) -> Floats:
    codes = shared_codes(counts)
    weights = _weights(codes, options)
    sizes = [max(int(page.times.sum()), 1) for page in counts]
    shares = table(counts, codes) / np.array(sizes, dtype=np.float64)[:, None]
    # Names on no other page differ from all pages by all they have, and always count.
    alone = [_alone(page, size, codes, options) for page, size in zip(counts, sizes, strict=True)]
    squares, counting = np.array(alone, dtype=np.float64).reshape(len(counts), 2).T
    distances = np.empty((len(counts), len(counts)))
    for number, page in enumerate(shares):
        differences = ((shares - page) ** 2 * weights).sum(axis=1) + (squares + squares[number])
        weight = (((shares > 0) | (page > 0)) * weights).sum(axis=1) + (counting + counting[number])
        distances[number] = differences / np.where(weight > 0, weight, 1)
    np.fill_diagonal(distances, 0)
    return distances


def _alone(page: NameCounts, size: int, codes: Ints, options: Options) -> tuple[float, float]:
    """Of the names that are in no list: the weighted squares of their shares, and their weights."""
    is_alone = np.isin(page.codes, codes, assume_unique=True, invert=True)
    weights = _weights(page.codes[is_alone], options)
    return float(((page.times[is_alone] / size) ** 2 * weights).sum()), float(weights.sum())


def _weights(codes: Ints, options: Options) -> Floats:
    """A name that HTML does not know begins a block, as everywhere."""
    is_inline = _IS_INLINE[np.where(is_known(codes), codes, 0)]
    return np.where(is_inline, 1.0, options.block_weight)
