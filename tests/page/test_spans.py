"""Spans, checked against sets of positions."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.page.spans import Span, as_arrays, as_spans, overlaps, union
from tamis.page.text import Ints

ranges = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8)


def arrays(pairs: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    return as_arrays(tuple(Span(*pair) for pair in pairs))


def positions(pairs: list[tuple[int, int]]) -> set[int]:
    return {position for start, end in pairs for position in range(start, end)}


def disjoint(pairs: list[tuple[int, int]], apart: int) -> list[tuple[int, int]]:
    """Sorted ranges from lengths and gaps; ``apart`` is the smallest gap."""
    result, reach = [], 0
    for gap, length in pairs:
        start = reach + gap + apart
        reach = start + length
        result.append((start, reach))
    return result


@given(ranges)
def test_a_union_covers_the_same_positions_with_spans_that_do_not_touch(pairs: list[tuple[int, int]]) -> None:
    spans = as_spans(*union(*arrays(pairs)))
    assert positions(list(spans)) == positions(pairs)
    assert all(span.start < span.end for span in spans)
    assert all(before.end < after.start for before, after in itertools.pairwise(spans))


@given(ranges, ranges)
def test_overlaps_are_the_positions_that_both_cover(
    pairs: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    mine, theirs = disjoint(pairs, 0), disjoint(others, 1)
    starts, ends, index, other_index = overlaps(*arrays(mine), *arrays(theirs))
    found = list(zip(starts.tolist(), ends.tolist(), strict=True))
    assert positions(found) == positions(mine) & positions(theirs)
    assert sum(end - start for start, end in found) == len(positions(found))
    for (start, end), number, other in zip(found, index, other_index, strict=True):
        assert mine[number][0] <= start < end <= mine[number][1]
        assert theirs[other][0] <= start < end <= theirs[other][1]


def test_no_spans_are_two_empty_arrays() -> None:
    starts, ends = as_arrays(())
    assert (starts.tolist(), ends.tolist()) == ([], [])
    assert as_spans(starts, ends) == ()
    assert as_spans(*union(starts, ends)) == ()
    assert [array.tolist() for array in overlaps(starts, ends, np.array([1]), np.array([2]))] == [[], [], [], []]


def test_spans_survive_the_way_through_arrays() -> None:
    spans = (Span(0, 2), Span(5, 9))
    assert as_spans(*as_arrays(spans)) == spans
