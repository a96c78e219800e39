"""How often each name occurs on a page, as one table for many pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.page.text import Floats, Ints


class NameCounts(NamedTuple):
    """The names of a page and how often each occurs."""

    codes: Ints  # sorted, each once
    times: Ints


def counts_of(codes: Ints) -> NameCounts:
    """The names that occur, and how often.

    >>> [column.tolist() for column in counts_of(np.array([9, 3, 9]))]
    [[3, 9], [1, 2]]
    """
    return NameCounts(*np.unique(codes, return_counts=True))


def table(pages: Sequence[NameCounts], codes: Ints) -> Floats:
    """One row per page, one column per name of a sorted list; other names are left out."""
    rows = np.zeros((len(pages), len(codes)))
    for row, page in zip(rows, pages, strict=True):
        is_listed = np.isin(page.codes, codes, assume_unique=True)
        row[np.searchsorted(codes, page.codes[is_listed])] = page.times[is_listed]
    return rows


def shared_codes(pages: Sequence[NameCounts]) -> Ints:
    """The names on two pages or more, sorted: a name of one page alone is never a column of a large table."""
    if not pages:
        return np.zeros(0, dtype=np.int64)
    codes, found = np.unique(np.concatenate([page.codes for page in pages]), return_counts=True)
    shared: Ints = codes[found > 1]
    return shared
