from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tamis.segmenters._disjoint_boxes import disjoint, overlapping_pairs
from tests.segmenters.bcs_boxes import BOXES_ANYWHERE, overlap, rect_of


class TestOverlaps:
    def test_of_nested_boxes_the_innermost_remains(self) -> None:
        kept, _ = disjoint(rect_of((0, 0, 100, 100), (10, 10, 50, 50), (20, 20, 10, 10)), np.array([2, 1, 0]))
        assert kept.tolist() == [2]

    def test_of_two_alike_the_later_painted_remains(self) -> None:
        assert disjoint(rect_of((0, 0, 9, 9), (0, 0, 9, 9)), np.array([1, 0]))[0].tolist() == [0]

    @pytest.mark.parametrize(("depth", "kept"), [(4, [0, 1]), (5, [0, 1]), (6, [1])])
    def test_thin_ones_are_shared_up_to_a_quarter(self, depth: float, kept: list[int]) -> None:
        found, rect = disjoint(rect_of((0, 0, 100, 20), (0, 20 - depth, 100, 20)), np.array([0, 1]))
        assert found.tolist() == kept
        if len(kept) == 2:
            assert rect[0, 3] == rect[1, 1] == 20 - depth / 2

    @pytest.mark.parametrize(("depth", "kept"), [(3, [0, 1]), (3.5, [1])])
    def test_thin_ones_are_shared_up_to_three_pixels(self, depth: float, kept: list[int]) -> None:
        found, _ = disjoint(rect_of((0, 0, 100, 8), (0, 8 - depth, 100, 8)), np.array([0, 1]))
        assert found.tolist() == kept

    def test_touching_boxes_do_not_overlap(self) -> None:
        kept, rect = disjoint(rect_of((0, 0, 10, 10), (10, 0, 10, 10), (0, 10, 10, 10)), np.zeros(3, dtype=np.int64))
        assert kept.tolist() == [0, 1, 2]
        assert (rect[:, 2] - rect[:, 0] == 10).all()

    def test_a_heap_of_boxes_costs_no_more_than_its_size(self) -> None:
        """20,000 boxes over each other, none inside another."""
        at = np.arange(20_000.0)
        kept, _ = disjoint(np.column_stack((at, at, at + 30_000, at + 30_000)), np.arange(20_000))
        assert 0 < len(kept) < 20_000


@given(BOXES_ANYWHERE)
def test_random_boxes_never_overlap_afterwards_and_the_innermost_are_not_lost(boxes: list[Any]) -> None:
    rect = rect_of(*boxes)
    kept, trimmed = disjoint(rect, np.arange(len(rect)))
    for (_, a), (_, b) in itertools.combinations(zip(kept, trimmed, strict=True), 2):
        assert not overlap(a, b)
    alone = [i for i, a in enumerate(rect) if not any(overlap(a, b) for j, b in enumerate(rect) if i != j)]
    assert set(alone) <= set(kept.tolist())


@pytest.mark.parametrize("count", [1, 2, 199, 200, 201, 500])
def test_pairs_are_found_among_few_boxes_and_among_many(count: int) -> None:
    rect = rect_of(*np.random.default_rng(count).integers(1, [3000, 3000, 200, 60], (count, 4)).tolist())
    first, second, is_crowded = overlapping_pairs(rect)
    expected = [pair for pair in itertools.combinations(range(count), 2) if overlap(*rect[list(pair)])]
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == expected
    assert not is_crowded.any()
