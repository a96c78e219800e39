"""Arithmetic on spans: character ranges of ``page.text``, half open, sorted, not overlapping.

A set of spans is written as two arrays, all starts and all ends.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from tamis.page.text import Ints


class Span(NamedTuple):
    """A half-open character range of ``page.text``."""

    start: int
    end: int


_span = partial(tuple.__new__, Span)  # quicker than ``Span``, which takes its fields one by one


def as_spans(starts: Ints, ends: Ints) -> tuple[Span, ...]:
    return tuple(map(_span, zip(starts.tolist(), ends.tolist(), strict=True)))


def as_arrays(spans: tuple[Span, ...]) -> tuple[Ints, Ints]:
    places = np.fromiter(chain.from_iterable(spans), dtype=np.int64, count=2 * len(spans))
    return places[::2], places[1::2]


def union(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Ranges in any order, overlapping or touching, made into sorted spans; empty ranges vanish.

    >>> [a.tolist() for a in union(np.array([5, 0, 2]), np.array([6, 2, 4]))]
    [[0, 5], [4, 6]]
    """
    filled = ends > starts
    order = np.argsort(starts[filled], kind="stable")
    starts, ends = starts[filled][order], ends[filled][order]
    if not len(starts):
        return starts, ends
    reach = np.maximum.accumulate(ends)
    opens = np.concatenate(([True], starts[1:] > reach[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return starts[opens], reach[closes]


def overlaps(starts: Ints, ends: Ints, other_starts: Ints, other_ends: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """All places where two sets of sorted, disjoint ranges meet: start, end, and the index into each set.

    >>> [a.tolist() for a in overlaps(np.array([0, 6]), np.array([5, 9]), np.array([3]), np.array([8]))]
    [[3, 6], [5, 8], [0, 1], [0, 0]]
    """
    first = np.searchsorted(other_ends, starts, side="right")
    last = np.searchsorted(other_starts, ends, side="left")
    counts = np.maximum(last - first, 0)
    mine = np.repeat(np.arange(len(starts)), counts)
    steps = np.arange(len(mine)) - np.repeat(np.cumsum(counts) - counts, counts)
    theirs = np.repeat(first, counts) + steps
    where_start = np.maximum(starts[mine], other_starts[theirs])
    where_end = np.minimum(ends[mine], other_ends[theirs])
    filled = where_end > where_start
    return where_start[filled], where_end[filled], mine[filled], theirs[filled]
