from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tamis.segmenters import bcs
from tamis.segmenters._box_graph import ABOVE, nearest, neighbours
from tamis.segmenters._disjoint_boxes import disjoint
from tests.segmenters.bcs_boxes import BOXES_ANYWHERE, rect_of, widest_gap


class TestNeighbours:
    HEADLINE = rect_of((0, 0, 300, 20), (0, 30, 140, 100), (160, 70, 140, 100))

    def test_are_the_nearest_in_each_direction(self) -> None:
        box, other, _, gap = nearest(self.HEADLINE)
        directed = {(int(b), int(o)): float(g) for b, o, g in zip(box, other, gap, strict=True)}
        assert directed == {(0, 1): 10, (1, 0): 10, (1, 2): 20, (2, 0): 50, (2, 1): 20}

    def test_are_mutual(self) -> None:
        pairs = neighbours(self.HEADLINE)
        assert [widest_gap(self.HEADLINE, box) for box in range(3)] == [50, 20, 50]
        assert [*zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)] == [(0, 1), (0, 2), (1, 2)]
        assert bcs.distances(3, pairs) == pytest.approx([0.35, 1.0, 0.7])

    def test_of_equal_distance_are_all_kept(self) -> None:
        box, other, direction, _ = nearest(rect_of((0, 0, 10, 10), (20, 0, 10, 10), (0, 20, 30, 10)))
        assert sorted(other[(box == 2) & (direction == ABOVE)].tolist()) == [0, 1]

    def test_share_more_than_an_edge(self) -> None:
        pairs = neighbours(rect_of((0, 0, 10, 10), (10, 20, 10, 10)))
        assert len(pairs) == 0


@given(BOXES_ANYWHERE)
def test_neighbours_are_those_of_the_definition(boxes: list[Any]) -> None:
    _, rect = disjoint(rect_of(*boxes), np.arange(len(boxes)))
    found = {(int(b), int(o), int(d)): float(g) for b, o, d, g in zip(*nearest(rect), strict=True)}
    assert found == pytest.approx(_nearest_slowly(rect.tolist()))


def _nearest_slowly(rects: list[list[float]]) -> dict[tuple[int, int, int], float]:
    gaps: dict[tuple[int, int, int], float] = {}
    for m, a in enumerate(rects):
        for n, b in enumerate(rects):
            if m != n and a[0] < b[2] and b[0] < a[2]:
                gaps[m, n, 0 if b[3] <= a[1] else 1] = a[1] - b[3] if b[3] <= a[1] else b[1] - a[3]
            elif m != n and a[1] < b[3] and b[1] < a[3]:
                gaps[m, n, 2 if b[2] <= a[0] else 3] = a[0] - b[2] if b[2] <= a[0] else b[0] - a[2]
    return {
        (m, n, way): gap
        for (m, n, way), gap in gaps.items()
        if gap == min(other for (k, _, side), other in gaps.items() if k == m and side == way)
    }
