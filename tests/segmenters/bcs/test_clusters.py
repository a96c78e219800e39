"""Joining boxes, against a slow twin."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.page.boxes import Rect
from tamis.segmenters import _joining, bcs, segment
from tamis.segmenters._box_graph import Neighbours, neighbours
from tamis.segmenters._disjoint_boxes import disjoint
from tamis.segmenters.bcs.clusters import Joined, join_boxes
from tests.segmenters.bcs_boxes import BOXES_ANYWHERE, THRESHOLDS, overlap, page_of_rect, rect_of, segments_of


@given(BOXES_ANYWHERE, THRESHOLDS, st.booleans())
def test_joining_is_that_of_the_definition(boxes: list[Any], threshold: float, absorb: bool) -> None:
    _, rect = disjoint(rect_of(*boxes), np.arange(len(boxes)))
    found = segment(page_of_rect(rect), "bcs", threshold=threshold, extension="absorb" if absorb else "touch")
    pairs = neighbours(rect)
    values = bcs.dissimilarities(rect, np.zeros((len(rect), 3)), pairs, bcs.Options())
    assert segments_of(found) == _join_slowly(rect.tolist(), pairs, values, threshold, absorb)


def _join_slowly(rects: Any, pairs: Neighbours, values: Any, threshold: float, absorb: bool) -> list[tuple[int, ...]]:
    """As the thesis has it: all pairs anew after each join, refused ones again after the next."""
    edges = [*zip(*(x.tolist() for x in (pairs.first, pairs.second, values, pairs.is_stacked)), strict=True)]
    groups = [frozenset({box}) for box in range(len(rects))]

    def around(boxes: Any) -> list[float]:
        rows = [rects[box] for box in boxes]
        return [min(r[0] for r in rows), min(r[1] for r in rows), max(r[2] for r in rows), max(r[3] for r in rows)]

    def area(boxes: Any) -> float:
        left, top, right, bottom = around(boxes)
        return (right - left) * (bottom - top)

    def touch(m: int, n: int) -> bool:
        a, b = rects[m], rects[n]
        return bool(a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3])

    def counts(group: frozenset[int]) -> tuple[int, int]:
        inside = [stacked for m, n, _, stacked in edges if m in group and n in group]
        return inside.count(False), inside.count(True)

    def shape(group: frozenset[int]) -> str:
        beside, stacked = counts(group)
        return "col" if beside < 0.5 * stacked else "row" if beside > 2 * stacked else "blob"

    def mergeable(m: frozenset[int], n: frozenset[int]) -> bool:
        (a, b), kind = (around(m), around(n)), shape(m)
        if kind != shape(n):
            rect = around(m | n)
            return not any(overlap(rect, around(other)) for other in groups if other not in (m, n))
        if kind == "col" and a[1] < b[3] and b[1] < a[3]:
            return 0.5 <= (counts(m)[1] / (a[3] - a[1])) / (counts(n)[1] / (b[3] - b[1])) <= 2
        if kind == "row" and a[0] < b[2] and b[0] < a[2]:
            return 0.5 <= (counts(m)[0] / (a[2] - a[0])) / (counts(n)[0] / (b[2] - b[0])) <= 2
        return True

    def extended(m: frozenset[int], n: frozenset[int]) -> frozenset[int] | None:
        joined = m | n
        while True:
            rect = around(joined)
            others = [group for group in groups if not group <= joined and overlap(rect, around(group))]
            if not others:
                return joined
            if any(len(group) > 1 for group in others):
                return None
            drawn_in = {box for group in others for box in group}
            for box in drawn_in:
                if not any(touch(box, other) for other in joined):
                    wider = around([*joined, box])
                    further = [
                        min(group)
                        for group in groups
                        if not group <= joined | drawn_in and overlap(wider, around(group))
                    ]
                    if not absorb or any(_gap(around(_group(groups, k)), rects[box]) > 1 for k in further):
                        return None
            joined |= drawn_in

    while True:
        options = []
        for m, n in itertools.combinations(groups, 2):
            between = [value for a, b, value, _ in edges if (a in m and b in n) or (a in n and b in m)]
            if between:
                value = round(sum(between) / len(between), 12)
                (_, top, _, _), (left, _, _, _) = around(m | n), around(m | n)
                options.append((value, area(m) + area(n), top, left, m, n))
        for value, _, _, _, m, n in sorted(options, key=lambda option: option[:4]):
            joined = extended(m, n) if value <= threshold and mergeable(m, n) else None
            if joined:
                groups = [group for group in groups if not group <= joined] + [joined]
                break
        else:
            return sorted(tuple(sorted(group)) for group in groups if len(group) > 1)


def _group(groups: list[frozenset[int]], box: int) -> frozenset[int]:
    return next(group for group in groups if box in group)


def _gap(a: list[float], b: list[float]) -> float:
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])


def test_a_column_that_is_joined_from_the_top_down_takes_steps_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    cells = _joining._Grid.cells

    def counted(grid: _joining._Grid, rect: Rect) -> list[int]:
        found = cells(grid, rect)
        looked_at.append(len(found))
        return found

    monkeypatch.setattr(_joining._Grid, "cells", counted)
    totals = []
    for count in (200, 400):
        rect = rect_of(*((0, 20 * row, 100, 16) for row in range(count)))
        pairs = neighbours(rect)
        values = np.arange(len(pairs)) / len(pairs)
        kept, _, _ = _joining.join_boxes(rect, pairs, values, threshold=1.0, absorb=False)
        assert len(kept) == count - 1
        totals.append(sum(looked_at))
        looked_at.clear()
    assert totals[1] < 2.5 * totals[0]


@given(BOXES_ANYWHERE, st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted), st.booleans())
def test_a_run_holds_the_clusters_of_every_lower_threshold(
    boxes: list[Any], thresholds: list[float], absorb: bool
) -> None:
    _, rect = disjoint(rect_of(*boxes), np.arange(len(boxes)))
    pairs = neighbours(rect)
    values = bcs.dissimilarities(rect, np.zeros((len(rect), 3)), pairs, bcs.Options())
    low, high = (join_boxes(rect, pairs, values, threshold=threshold, absorb=absorb) for threshold in thresholds)
    part = high.until(thresholds[0])
    assert part.cluster.tolist() == low.cluster.tolist()
    assert part.dissimilarity.tolist() == low.dissimilarity.tolist()
    assert part.is_loose.tolist() == low.is_loose.tolist()
    assert high.cluster[low.cluster].tolist() == high.cluster.tolist()  # whoever is together stays together


def test_the_lowest_threshold_that_leaves_few_boxes_alone_is_chosen() -> None:
    """Of six boxes two are joined at 0.15, two at 0.35; the last two never."""
    joined = Joined(6, np.array([0, 2]), np.array([1, 3]), np.array([0.15, 0.35]))
    assert joined.few_loose(0.9).kept.tolist() == [0]
    assert joined.few_loose(4 / 6).kept.tolist() == [0]
    assert joined.few_loose(0.6).kept.tolist() == [0, 2]
    assert joined.few_loose(2 / 6).kept.tolist() == [0, 2]
    assert joined.few_loose(0.0).kept.tolist() == [0, 2]
    assert joined.few_loose(1.0).kept.tolist() == []


def test_a_threshold_between_two_joins_is_met_by_the_first_only() -> None:
    joined = Joined(4, np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([0.2, 0.1, 0.3]))
    assert [len(joined.until(threshold).kept) for threshold in (0.1, 0.2, 0.25, 0.3)] == [0, 2, 2, 3]
