"""Weighted tag frequency: how differently the tags of two pages are shared out among the names.

Idea:      what percentage of a page's elements bears each name; the weighted squares of the differences.
Reference: Cruz, Borisov, Marks & Webb (1998), as described by Gottron (2008), section 3.5.
Departs:   divided by its largest value, so that it lies between 0 and 1; the weights are shared out among the names
           that occur on one of the two pages.
Strong at: speed; pages of different length.
Weak at:   knows no order and no nesting: two sites with the same habits are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.distances._structure import elements_of
from tamis.page.html import INLINE_NAMES, TAG_NAMES, mask
from tamis.page.model import Page
from tamis.page.text import Floats
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


def features(page: Page, options: Options) -> Floats:
    """The share of each name among the elements of a page."""
    counts = np.bincount(elements_of(page).tag, minlength=len(TAG_NAMES))
    shares: Floats = counts / max(int(counts.sum()), 1)
    return shares


def between(shares: Floats, other: Floats, options: Options) -> float:
    return float(_from_one(shares, other[None, :], _weights(options))[0])


def matrix(shares: Sequence[Floats], options: Options) -> Floats:
    rows = np.array(shares, dtype=np.float64).reshape(len(shares), len(TAG_NAMES))
    used = rows.any(axis=0)
    weights, rows = _weights(options)[used], rows[:, used]
    distances = np.empty((len(rows), len(rows)))
    for row, page in zip(distances, rows, strict=True):
        row[:] = _from_one(page, rows, weights)
    return distances


def _from_one(page: Floats, others: Floats, weights: Floats) -> Floats:
    differences = ((others - page) ** 2 * weights).sum(axis=1)
    counting = (((others > 0) | (page > 0)) * weights).sum(axis=1)
    distances: Floats = differences / np.where(counting > 0, counting, 1)
    return distances


def _weights(options: Options) -> Floats:
    return np.where(_IS_INLINE, 1.0, options.block_weight)
