"""Box Clustering Segmentation, by worked values, a slow twin and random boxes."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page.boxes import Rect
from tamis.page.model import Page
from tamis.page.results import Segmentation
from tamis.scoring import box_clusters
from tamis.scoring.box_graph import ABOVE, Neighbours, nearest, neighbours
from tamis.scoring.box_nesting import nest
from tamis.scoring.disjoint_boxes import disjoint
from tamis.scoring.smallest_boxes import colors, smallest_boxes, text_color
from tamis.segmenters import bcs, segment
from tests.segmenters.boxes_of import Rectangle, make_boxes, nodes_of, page_of, page_with_boxes

BLUE, GREY, DARK = (0, 0, 0.8), (0.5, 0.5, 0.5), (0.2, 0.2, 0.2)


def _rect(*boxes: tuple[float, float, float, float]) -> Any:
    """From left, top, width and height."""
    array = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    return np.column_stack((array[:, :2], array[:, :2] + array[:, 2:]))


def _page_of(rect: Any) -> Page:
    return page_of([Rectangle(left=l, top=t, width=r - l, height=b - t) for l, t, r, b in rect.tolist()])  # noqa: E741


def _segments(segmentation: Segmentation) -> list[tuple[int, ...]]:
    """Segments as positions in the list the page was made of; a loose box is no segment."""
    position = {node: place for place, node in enumerate(nodes_of(segmentation.page).tolist())}
    found = [part for part in segmentation.root.parts if part.label != bcs.LOOSE]
    return [tuple(position[node] for node in part.nodes) for part in found]


EXAMPLE = [
    *(Rectangle(left=20 + 100 * k, top=10, width=70, height=16, color=BLUE) for k in range(5)),
    Rectangle(left=20, top=60, width=400, height=30),
    *(
        Rectangle(left=20, top=110 + 20 * k, width=width, height=16, color=DARK)
        for k, width in enumerate((500, 498, 502, 495, 500, 210))
    ),
    *(Rectangle(left=600, top=60 + 30 * k, width=120, height=16, color=BLUE) for k in range(5)),
    *(Rectangle(left=20 + 150 * k, top=300, width=90, height=12, color=GREY) for k in range(3)),
]
NAV, ARTICLE, SIDE, FOOT = (tuple(range(*ends)) for ends in ((0, 5), (5, 12), (12, 17), (17, 20)))
HEAD, P0 = 5, 6


class TestTheExamplePage:
    @pytest.mark.parametrize("threshold", [0.1, 0.2, 0.3, 0.4])
    def test_has_four_segments(self, threshold: float) -> None:
        found = segment(page_of(EXAMPLE), "bcs", threshold=threshold)
        assert _segments(found) == [NAV, ARTICLE, SIDE, FOOT]

    def test_joins_more_at_higher_thresholds(self) -> None:
        page = page_of(EXAMPLE)
        assert _segments(segment(page, "bcs", threshold=0.5)) == [NAV, (*ARTICLE, *FOOT), SIDE]
        assert _segments(segment(page, "bcs", threshold=0.6)) == [tuple(range(20))]

    def test_keeps_loose_boxes_at_a_low_threshold(self) -> None:
        found = segment(page_of(EXAMPLE), "bcs", threshold=0.02)
        assert _segments(found) == [(6, 7, 8, 9, 10), (14, 15, 16)]
        assert [part.label for part in found.root.parts].count(bcs.LOOSE) == 12

    @pytest.mark.parametrize("threshold", [0.3, 0.4, 0.5, 0.6])
    def test_is_the_same_without_alignment(self, threshold: float) -> None:
        found = segment(page_of(EXAMPLE), "bcs", threshold=threshold, alignment="off")
        assert _segments(found) == [NAV, ARTICLE, SIDE, FOOT]

    @pytest.mark.parametrize("rule", ["relaxed", "printed", "uniform"])
    @pytest.mark.parametrize("alignment", ["global", "off"])
    @pytest.mark.parametrize("extension", ["touch", "absorb"])
    def test_is_the_same_in_all_readings(self, rule: str, alignment: str, extension: str) -> None:
        options = {"distance_rule": rule, "alignment": alignment, "extension": extension}
        assert _segments(segment(page_of(EXAMPLE), "bcs", **options)) == [NAV, ARTICLE, SIDE, FOOT]

    def test_scores_a_segment_by_the_last_join(self) -> None:
        found = segment(page_of(EXAMPLE), "bcs")
        scores = [part.score for part in found.root.parts]
        assert scores[0] == pytest.approx(1 - 0.0588, abs=5e-5)  # all joins in the menu cost the same


@pytest.mark.parametrize(
    ("pair", "distance", "shape", "color", "alignment", "value"),
    [
        ((6, 7), 0.0482, 0.0040, 0, 9, 0.0019),
        ((10, 11), 0.0483, 0.5803, 0, 9, 0.0233),
        ((5, 6), 0.1746, 0.4536, 0.2, 9, 0.0307),
        ((0, 1), 0.8824, 0, 0, 5, 0.0588),
        ((1, 5), 0.5944, 0.7912, 0.4619, 1, 0.6158),
        ((12, 13), 0.5389, 0, 0, 5, 0.0359),
        ((17, 18), 0.8108, 0, 0, 3, 0.0901),
        ((6, 14), 0.9640, 0.7604, 0.3830, 1, 0.7025),
        ((11, 17), None, None, None, 9, 0.0687),
    ],
)
def test_aspects_of_the_example_page(
    pair: tuple[int, int],
    distance: float | None,
    shape: float | None,
    color: float | None,
    alignment: int,
    value: float,
) -> None:
    rect = _rect(*((box.left, box.top, box.width, box.height) for box in EXAMPLE))
    tones = np.array([box.color for box in EXAMPLE])
    pairs = neighbours(rect)
    assert len(pairs) == 30
    at = [*zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)].index(pair)
    found = bcs.distances(len(rect), pairs)[at], bcs.shapes(rect, pairs)[at], bcs.color_differences(tones, pairs)[at]
    for measured, printed in zip(found, (distance, shape, color), strict=True):
        assert printed is None or measured == pytest.approx(printed, abs=5e-5)
    assert bcs.alignment_scores(rect, pairs, "global")[at] == alignment
    assert bcs.dissimilarities(rect, tones, pairs, bcs.Options())[at] == pytest.approx(value, abs=5e-5)


def test_widest_gaps_of_the_example_page() -> None:
    rect = _rect(*((box.left, box.top, box.width, box.height) for box in EXAMPLE))
    assert _neighbours_of(rect, HEAD) == {0, 1, 2, 3, 6, 12}
    assert [_widest_gap(rect, box) for box in (HEAD, P0, 17)] == [180, 84, 74]


def _neighbours_of(rect: Any, box: int) -> set[int]:
    pairs = neighbours(rect)
    return {*pairs.second[pairs.first == box].tolist(), *pairs.first[pairs.second == box].tolist()}


def _widest_gap(rect: Any, box: int) -> float:
    pairs = neighbours(rect)
    return float(pairs.gap[(pairs.first == box) | (pairs.second == box)].max())


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [(5, 5, 0), (1, 1, 0), (2, 1, 0.6667), (1, 0.5, 0.6667), (0.5, 0.2, 0.625), (2, 0.1, 0.9596), (2, 0.5, 1)],
)
def test_ratios_of_sides(first: float, second: float, difference: float) -> None:
    for pair in ((first, second), (second, first), (1 / first, 1 / second)):
        one, other = (np.array([value]) for value in pair)
        assert bcs.ratio_differences(one, other)[0] == pytest.approx(difference, abs=5e-5)


def test_half_the_area_is_half_as_alike() -> None:
    rect = _rect((0, 0, 100, 20), (0, 30, 50, 20))
    ratio = bcs.ratio_differences(np.array([5.0]), np.array([2.5]))[0]
    assert bcs.shapes(rect, neighbours(rect))[0] == pytest.approx((ratio + 0.5) / 2)


def test_colours_differ_from_0_to_1() -> None:
    tones = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0.8], [0.2, 0.2, 0.2], [0.2, 0.2, 0.2]])
    ends = np.array([0, 2, 3])
    pairs = Neighbours(ends, ends + 1, np.zeros(3), np.ones(3, dtype=np.bool_))
    assert bcs.color_differences(tones, pairs) == pytest.approx([1, 0.3830, 0], abs=5e-5)


@pytest.mark.parametrize(
    ("color", "background", "strength", "shown"),
    [
        ([0, 0, 0], [1, 1, 1], 0, (0.2, 0.2, 0.2)),  # plain black
        ([0, 0, 0], [1, 1, 1], 0.3, (0, 0, 0)),  # bold black
        ([0.5, 0.5, 0.5], [1, 1, 1], 0.2, (0.3, 0.3, 0.3)),  # grey in italics
        ([1, 0.5, 0.5], [1, 1, 1], 0.5, (1, 0, 0)),  # bold and underlined: as saturated as can be
        ([1, 1, 1], [0, 0, 1], 0, (0.8, 0.8, 1)),  # white on blue
        ([1, 1, 1], [0, 0, 1], 0.2, (1, 1, 1)),
        ([1, 1, 1], [0.5, 0.5, 0.5], 0, (1, 1, 1)),  # grey has no hue
    ],
)
def test_colour_of_text(
    color: list[float], background: list[float], strength: float, shown: tuple[float, float, float]
) -> None:
    assert text_color(color, background, strength) == pytest.approx(shown)


def test_look_and_kind_decide_the_colour_of_a_box() -> None:
    """Bold, italic and decorated text differ from plain; pictures have their mean, other boxes their background."""
    boxes = make_boxes(
        node=np.arange(6),
        kind=np.array([1, 1, 1, 1, 2, 0]),
        rect=np.zeros((6, 4)),
        size=(1, 1),
        color=np.array([[102, 0, 0]] * 6),
        background=np.array([[255, 255, 0]] * 6),
        font_weight=np.array([400, 600, 400, 400, 400, 400]),
        italic=np.array([False, False, True, False, False, False]),
        decorated=np.array([False, False, False, True, False, False]),
    )
    boxes.color[:4] = [102, 51, 51]  # saturation 0.5
    found = colors(boxes, np.arange(6))
    saturation = 1 - found.min(axis=1) / found.max(axis=1)
    assert saturation[:4] == pytest.approx([0.5, 0.8, 0.7, 0.7])
    assert found[4].tolist() == [0.4, 0, 0]
    assert found[5].tolist() == [1, 1, 0]


class TestNeighbours:
    HEADLINE = _rect((0, 0, 300, 20), (0, 30, 140, 100), (160, 70, 140, 100))

    def test_are_the_nearest_in_each_direction(self) -> None:
        box, other, _, gap = nearest(self.HEADLINE)
        directed = {(int(b), int(o)): float(g) for b, o, g in zip(box, other, gap, strict=True)}
        assert directed == {(0, 1): 10, (1, 0): 10, (1, 2): 20, (2, 0): 50, (2, 1): 20}

    def test_are_mutual(self) -> None:
        pairs = neighbours(self.HEADLINE)
        assert [_widest_gap(self.HEADLINE, box) for box in range(3)] == [50, 20, 50]
        assert [*zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)] == [(0, 1), (0, 2), (1, 2)]
        assert bcs.distances(3, pairs) == pytest.approx([0.35, 1.0, 0.7])

    def test_of_equal_distance_are_all_kept(self) -> None:
        box, other, direction, _ = nearest(_rect((0, 0, 10, 10), (20, 0, 10, 10), (0, 20, 30, 10)))
        assert sorted(other[(box == 2) & (direction == ABOVE)].tolist()) == [0, 1]

    def test_share_more_than_an_edge(self) -> None:
        pairs = neighbours(_rect((0, 0, 10, 10), (10, 20, 10, 10)))
        assert len(pairs) == 0


def _column(tops: range, left: float = 0, width: float = 100) -> list[Rectangle]:
    return [Rectangle(left=left, top=top, width=width, height=16) for top in tops]


class TestEvenColumns:
    def test_are_one_segment_in_the_relaxed_reading_and_none_in_the_printed_one(self) -> None:
        page = page_of(_column(range(0, 150, 30)))
        assert _segments(segment(page, "bcs", threshold=0.99)) == [(0, 1, 2, 3, 4)]
        assert _segments(segment(page, "bcs", threshold=0.99, distance_rule="uniform")) == [(0, 1, 2, 3, 4)]
        assert _segments(segment(page, "bcs", threshold=0.99, distance_rule="printed")) == []

    @pytest.mark.parametrize("threshold", [0.1, 0.5, 1.0])
    def test_of_unlike_density_stay_apart(self, threshold: float) -> None:
        page = page_of([*_column(range(0, 200, 20), width=200), *_column(range(0, 240, 60), left=260, width=200)])
        assert _segments(segment(page, "bcs", threshold=threshold)) == [tuple(range(10)), (10, 11, 12, 13)]

    @pytest.mark.parametrize("threshold", [0.1, 0.5, 0.9])
    def test_of_unlike_density_fall_to_pieces_in_the_printed_reading(self, threshold: float) -> None:
        page = page_of([*_column(range(0, 200, 20), width=200), *_column(range(0, 240, 60), left=260, width=200)])
        found = _segments(segment(page, "bcs", threshold=threshold, distance_rule="printed"))
        assert sorted(map(len, found)) == [2, 2, 3, 3, 4]


def test_local_alignment_counts_an_unbroken_chain() -> None:
    """Three rows close to each other count, one far below does not."""
    rect = _rect((0, 0, 100, 16), (0, 20, 100, 16), (0, 40, 100, 16), (0, 400, 100, 16))
    assert bcs.alignment_scores(rect, neighbours(rect), "global").tolist() == [4, 4, 4]
    assert bcs.alignment_scores(rect, neighbours(rect), "local").tolist() == [3, 3, 1]


@pytest.mark.parametrize(("gap", "chain"), [(23, 2), (24, 2), (25, 1)])
def test_a_chain_breaks_at_gaps_above_one_and_a_half_sides(gap: int, chain: int) -> None:
    rect = _rect((0, 0, 100, 16), (0, 16 + gap, 100, 16))
    assert bcs.alignment_scores(rect, neighbours(rect), "local").tolist() == [chain]


BOX = 'box="left:{};top:{};width:{};height:{};paints:{}"'


def _chosen(markup: str, *, leaf: bool = False) -> list[str]:
    """Names of the nodes of the smallest boxes."""
    page = page_with_boxes(markup)
    nesting = nest(page)
    nodes = nesting.node[smallest_boxes(nesting, leaf=leaf)].tolist()
    return [page.attributes(node).get("id") or page.name(node) for node in nodes]


def _element(name: str, content: str, *, paints: int = 0, inset: int = 0, left: int = 0, number: str = "") -> str:
    place = BOX.format(left + inset, inset, 100 - 2 * inset, 60 - 2 * inset, paints)
    return f"<{name} id='{number}' {place}>{content}</{name}>"


class TestSmallestBoxes:
    def test_are_texts_and_pictures(self) -> None:
        two = _element("p", "text", number="p") + _element("img", "", left=200, number="picture")
        assert _chosen(_element("div", two)) == ["#text", "picture"]

    def test_leave_out_empty_boxes_that_show_nothing(self) -> None:
        two = _element("p", "", left=200, number="bare") + _element("p", "", left=400, paints=1, number="bar")
        assert _chosen(_element("div", two)) == ["bar"]

    def test_of_nested_boxes_is_the_smallest_with_a_background(self) -> None:
        inner = _element("a", "text", paints=1, inset=8, number="button")
        middle = _element("p", inner, paints=1, inset=4, number="frame")
        assert _chosen(_element("div", middle, paints=1, number="outer")) == ["button"]
        assert _chosen(_element("div", middle, paints=1, number="outer"), leaf=True) == ["#text"]

    def test_the_outermost_of_nested_boxes_is_no_candidate(self) -> None:
        assert _chosen(_element("div", _element("p", "text", inset=4), paints=1, number="outer")) == ["#text"]

    def test_nested_boxes_around_nothing_show_by_their_background(self) -> None:
        nested = _element("div", _element("p", "", inset=4, paints=1, number="bar"), paints=1)
        assert _chosen(nested) == ["bar"] == _chosen(nested, leaf=True)

    def test_hidden_boxes_and_blank_texts_are_not_seen(self) -> None:
        page = page_with_boxes(_element("p", " &nbsp; ") + _element("img", "", left=200, number="picture"))
        assert page.boxes is not None
        page.boxes.visible[page.boxes.kind == 2] = False
        assert len(smallest_boxes(nest(page))) == 0

    def test_what_reaches_over_the_edge_of_the_page_is_cut_off(self) -> None:
        page = page_of([Rectangle(left=-50, top=-50, width=100, height=100)], size=(300, 200))
        assert nest(page).rect.tolist() == [[0, 0, 50, 50]]


class TestOverlaps:
    def test_of_nested_boxes_the_innermost_remains(self) -> None:
        kept, _ = disjoint(_rect((0, 0, 100, 100), (10, 10, 50, 50), (20, 20, 10, 10)), np.array([2, 1, 0]))
        assert kept.tolist() == [2]

    def test_of_two_alike_the_later_painted_remains(self) -> None:
        assert disjoint(_rect((0, 0, 9, 9), (0, 0, 9, 9)), np.array([1, 0]))[0].tolist() == [0]

    @pytest.mark.parametrize(("depth", "kept"), [(4, [0, 1]), (5, [0, 1]), (6, [1])])
    def test_thin_ones_are_shared_up_to_a_quarter(self, depth: float, kept: list[int]) -> None:
        found, rect = disjoint(_rect((0, 0, 100, 20), (0, 20 - depth, 100, 20)), np.array([0, 1]))
        assert found.tolist() == kept
        if len(kept) == 2:
            assert rect[0, 3] == rect[1, 1] == 20 - depth / 2

    @pytest.mark.parametrize(("depth", "kept"), [(3, [0, 1]), (3.5, [1])])
    def test_thin_ones_are_shared_up_to_three_pixels(self, depth: float, kept: list[int]) -> None:
        found, _ = disjoint(_rect((0, 0, 100, 8), (0, 8 - depth, 100, 8)), np.array([0, 1]))
        assert found.tolist() == kept

    def test_touching_boxes_do_not_overlap(self) -> None:
        kept, rect = disjoint(_rect((0, 0, 10, 10), (10, 0, 10, 10), (0, 10, 10, 10)), np.zeros(3, dtype=np.int64))
        assert kept.tolist() == [0, 1, 2]
        assert (rect[:, 2] - rect[:, 0] == 10).all()

    def test_a_heap_of_boxes_costs_no_more_than_its_size(self) -> None:
        """20,000 boxes over each other, none inside another."""
        at = np.arange(20_000.0)
        kept, _ = disjoint(np.column_stack((at, at, at + 30_000, at + 30_000)), np.arange(20_000))
        assert 0 < len(kept) < 20_000


boxes_anywhere = st.lists(
    st.tuples(*(st.integers(0, 40) for _ in range(2)), *(st.integers(1, 15) for _ in range(2))), max_size=25
)


@given(boxes_anywhere)
def test_random_boxes_never_overlap_afterwards_and_the_innermost_are_not_lost(boxes: list[Any]) -> None:
    rect = _rect(*boxes)
    kept, trimmed = disjoint(rect, np.arange(len(rect)))
    for (_, a), (_, b) in itertools.combinations(zip(kept, trimmed, strict=True), 2):
        assert not _overlap(a, b)
    alone = [i for i, a in enumerate(rect) if not any(_overlap(a, b) for j, b in enumerate(rect) if i != j)]
    assert set(alone) <= set(kept.tolist())


def _overlap(a: Any, b: Any) -> bool:
    return bool(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


@given(boxes_anywhere)
def test_neighbours_are_those_of_the_definition(boxes: list[Any]) -> None:
    _, rect = disjoint(_rect(*boxes), np.arange(len(boxes)))
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


thresholds = st.sampled_from([0.1, 0.3, 0.6, 1.0])


@given(boxes_anywhere, thresholds, st.booleans())
def test_joining_is_that_of_the_definition(boxes: list[Any], threshold: float, absorb: bool) -> None:
    _, rect = disjoint(_rect(*boxes), np.arange(len(boxes)))
    found = segment(_page_of(rect), "bcs", threshold=threshold, extension="absorb" if absorb else "touch")
    pairs = neighbours(rect)
    values = bcs.dissimilarities(rect, np.zeros((len(rect), 3)), pairs, bcs.Options())
    assert _segments(found) == _join_slowly(rect.tolist(), pairs, values, threshold, absorb)


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
            return not any(_overlap(rect, around(other)) for other in groups if other not in (m, n))
        if kind == "col" and a[1] < b[3] and b[1] < a[3]:
            return 0.5 <= (counts(m)[1] / (a[3] - a[1])) / (counts(n)[1] / (b[3] - b[1])) <= 2
        if kind == "row" and a[0] < b[2] and b[0] < a[2]:
            return 0.5 <= (counts(m)[0] / (a[2] - a[0])) / (counts(n)[0] / (b[2] - b[0])) <= 2
        return True

    def extended(m: frozenset[int], n: frozenset[int]) -> frozenset[int] | None:
        joined = m | n
        while True:
            rect = around(joined)
            others = [group for group in groups if not group <= joined and _overlap(rect, around(group))]
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
                        if not group <= joined | drawn_in and _overlap(wider, around(group))
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


class TestAnyPage:
    """Segments and loose boxes never overlap, and every box is in one of them."""

    @settings(max_examples=50)
    @given(boxes_anywhere, thresholds, st.sampled_from(["touch", "absorb"]))
    def test_has_regions_that_do_not_overlap(self, boxes: list[Any], threshold: float, extension: str) -> None:
        page = _page_of(_rect(*boxes))
        found = segment(page, "bcs", threshold=threshold, extension=extension)
        for a, b in itertools.combinations([part.box for part in found.root.parts], 2):
            assert not _overlap(a, b)
        nodes = [node for part in found.root.parts for node in part.nodes]
        assert len(nodes) == len(set(nodes))
        assert found == segment(page, "bcs", threshold=threshold, extension=extension)

    @pytest.mark.parametrize("markup", ["", "<p>", "<p>one", "<div></div>" * 3])
    def test_that_shows_little_has_a_root(self, markup: str) -> None:
        found = segment(tamis.parse(markup), "bcs")
        assert [part.label for part in found.root.parts] == [bcs.LOOSE] * markup.endswith("one")

    def test_of_one_pixel_has_one_loose_box(self) -> None:
        found = segment(page_of([Rectangle(left=0, top=0, width=1, height=1)]), "bcs")
        assert [part.box for part in found.root.parts] == [(0, 0, 1, 1)]

    def test_shows_neither_empty_nor_hidden_nor_far_away_boxes(self) -> None:
        boxes = [
            Rectangle(left=0, top=0, width=0, height=9),
            Rectangle(left=-90, top=0, width=50, height=9),
            Rectangle(left=900, top=0, width=50, height=9),
            Rectangle(left=0, top=0, width=50, height=9, visible=False),
        ]
        assert segment(page_of(boxes, size=(300, 300)), "bcs").root.parts == ()

    @pytest.mark.parametrize("name", ["threshold", "distance_weight"])
    def test_is_not_read_with_impossible_options(self, name: str) -> None:
        with pytest.raises(OptionError):
            segment(page_of(EXAMPLE), "bcs", **{name: -0.1})

    def test_gives_the_same_whatever_the_hash_seed(self) -> None:
        program = (
            "from tamis.segmenters import segment;"
            "from tests.segmenters.boxes_of import Rectangle, page_of;"
            "boxes = [Rectangle(left=k * 7 % 60, top=k * 11 % 90, width=5, height=4) for k in range(80)];"
            "print(segment(page_of(boxes), 'bcs').root)"
        )
        told = {
            subprocess.run(
                [sys.executable, "-c", program],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
                cwd=Path(__file__).parents[2],
            ).stdout
            for seed in ("1", "2")
        }
        assert len(told) == 1


def test_a_column_that_is_joined_from_the_top_down_takes_steps_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    cells = box_clusters._Grid.cells

    def counted(grid: box_clusters._Grid, rect: Rect) -> list[int]:
        found = cells(grid, rect)
        looked_at.append(len(found))
        return found

    monkeypatch.setattr(box_clusters._Grid, "cells", counted)
    totals = []
    for count in (200, 400):
        rect = _rect(*((0, 20 * row, 100, 16) for row in range(count)))
        pairs = neighbours(rect)
        (cluster,) = box_clusters.join_boxes(rect, pairs, np.arange(len(pairs)) / len(pairs), threshold=1.0)
        assert len(cluster.boxes) == count
        totals.append(sum(looked_at))
        looked_at.clear()
    assert totals[1] < 2.5 * totals[0]
