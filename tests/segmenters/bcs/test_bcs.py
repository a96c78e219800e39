"""Box Clustering Segmentation, by worked values and random boxes."""

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
from tamis.segmenters import bcs, segment
from tamis.segmenters._box_graph import Neighbours, neighbours
from tests.segmenters.bcs_boxes import (
    ARTICLE,
    BOXES_ANYWHERE,
    EXAMPLE,
    FOOT,
    HEAD,
    NAV,
    P0,
    SIDE,
    THRESHOLDS,
    overlap,
    page_of_rect,
    rect_of,
    segments_of,
    widest_gap,
)
from tests.segmenters.boxes_of import Rectangle, page_of


class TestTheExamplePage:
    @pytest.mark.parametrize("threshold", [0.1, 0.2, 0.3, 0.4])
    def test_has_four_segments(self, threshold: float) -> None:
        found = segment(page_of(EXAMPLE), "bcs", threshold=threshold)
        assert segments_of(found) == [NAV, ARTICLE, SIDE, FOOT]

    def test_joins_more_at_higher_thresholds(self) -> None:
        page = page_of(EXAMPLE)
        assert segments_of(segment(page, "bcs", threshold=0.5)) == [NAV, (*ARTICLE, *FOOT), SIDE]
        assert segments_of(segment(page, "bcs", threshold=0.6)) == [tuple(range(20))]

    def test_keeps_loose_boxes_at_a_low_threshold(self) -> None:
        found = segment(page_of(EXAMPLE), "bcs", threshold=0.02)
        assert segments_of(found) == [(6, 7, 8, 9, 10), (14, 15, 16)]
        assert [part.label for part in found.root.parts].count(bcs.LOOSE) == 12

    def test_finds_a_threshold_by_itself(self) -> None:
        """From 0.1 on no box is alone, whatever the fixed threshold says."""
        found = segment(page_of(EXAMPLE), "bcs", threshold=0.02, max_loose=0.1)
        assert segments_of(found) == [NAV, ARTICLE, SIDE, FOOT]

    @pytest.mark.parametrize("threshold", [0.3, 0.4, 0.5, 0.6])
    def test_is_the_same_without_alignment(self, threshold: float) -> None:
        found = segment(page_of(EXAMPLE), "bcs", threshold=threshold, alignment="off")
        assert segments_of(found) == [NAV, ARTICLE, SIDE, FOOT]

    @pytest.mark.parametrize("rule", ["relaxed", "printed", "uniform"])
    @pytest.mark.parametrize("alignment", ["global", "off"])
    @pytest.mark.parametrize("extension", ["touch", "absorb"])
    def test_is_the_same_in_all_readings(self, rule: str, alignment: str, extension: str) -> None:
        options = {"distance_rule": rule, "alignment": alignment, "extension": extension}
        assert segments_of(segment(page_of(EXAMPLE), "bcs", **options)) == [NAV, ARTICLE, SIDE, FOOT]

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
    rect = rect_of(*((box.left, box.top, box.width, box.height) for box in EXAMPLE))
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
    rect = rect_of(*((box.left, box.top, box.width, box.height) for box in EXAMPLE))
    assert _neighbours_of(rect, HEAD) == {0, 1, 2, 3, 6, 12}
    assert [widest_gap(rect, box) for box in (HEAD, P0, 17)] == [180, 84, 74]


def _neighbours_of(rect: Any, box: int) -> set[int]:
    pairs = neighbours(rect)
    return {*pairs.second[pairs.first == box].tolist(), *pairs.first[pairs.second == box].tolist()}


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [(5, 5, 0), (1, 1, 0), (2, 1, 0.6667), (1, 0.5, 0.6667), (0.5, 0.2, 0.625), (2, 0.1, 0.9596), (2, 0.5, 1)],
)
def test_ratios_of_sides(first: float, second: float, difference: float) -> None:
    for pair in ((first, second), (second, first), (1 / first, 1 / second)):
        one, other = (np.array([value]) for value in pair)
        assert bcs.ratio_differences(one, other)[0] == pytest.approx(difference, abs=5e-5)


def test_half_the_area_is_half_as_alike() -> None:
    rect = rect_of((0, 0, 100, 20), (0, 30, 50, 20))
    ratio = bcs.ratio_differences(np.array([5.0]), np.array([2.5]))[0]
    assert bcs.shapes(rect, neighbours(rect))[0] == pytest.approx((ratio + 0.5) / 2)


def test_colours_differ_from_0_to_1() -> None:
    tones = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0.8], [0.2, 0.2, 0.2], [0.2, 0.2, 0.2]])
    ends = np.array([0, 2, 3])
    pairs = Neighbours(ends, ends + 1, np.zeros(3), np.ones(3, dtype=np.bool_))
    assert bcs.color_differences(tones, pairs) == pytest.approx([1, 0.3830, 0], abs=5e-5)


def _column(tops: range, left: float = 0, width: float = 100) -> list[Rectangle]:
    return [Rectangle(left=left, top=top, width=width, height=16) for top in tops]


class TestEvenColumns:
    def test_are_one_segment_in_the_relaxed_reading_and_none_in_the_printed_one(self) -> None:
        page = page_of(_column(range(0, 150, 30)))
        assert segments_of(segment(page, "bcs", threshold=0.99)) == [(0, 1, 2, 3, 4)]
        assert segments_of(segment(page, "bcs", threshold=0.99, distance_rule="uniform")) == [(0, 1, 2, 3, 4)]
        assert segments_of(segment(page, "bcs", threshold=0.99, distance_rule="printed")) == []

    @pytest.mark.parametrize("threshold", [0.1, 0.5, 1.0])
    def test_of_unlike_density_stay_apart(self, threshold: float) -> None:
        page = page_of([*_column(range(0, 200, 20), width=200), *_column(range(0, 240, 60), left=260, width=200)])
        assert segments_of(segment(page, "bcs", threshold=threshold)) == [tuple(range(10)), (10, 11, 12, 13)]

    @pytest.mark.parametrize("threshold", [0.1, 0.5, 0.9])
    def test_of_unlike_density_fall_to_pieces_in_the_printed_reading(self, threshold: float) -> None:
        page = page_of([*_column(range(0, 200, 20), width=200), *_column(range(0, 240, 60), left=260, width=200)])
        found = segments_of(segment(page, "bcs", threshold=threshold, distance_rule="printed"))
        assert sorted(map(len, found)) == [2, 2, 3, 3, 4]


def test_local_alignment_counts_an_unbroken_chain() -> None:
    """Three rows close to each other count, one far below does not."""
    rect = rect_of((0, 0, 100, 16), (0, 20, 100, 16), (0, 40, 100, 16), (0, 400, 100, 16))
    assert bcs.alignment_scores(rect, neighbours(rect), "global").tolist() == [4, 4, 4]
    assert bcs.alignment_scores(rect, neighbours(rect), "local").tolist() == [3, 3, 1]


@pytest.mark.parametrize(("gap", "chain"), [(23, 2), (24, 2), (25, 1)])
def test_a_chain_breaks_at_gaps_above_one_and_a_half_sides(gap: int, chain: int) -> None:
    rect = rect_of((0, 0, 100, 16), (0, 16 + gap, 100, 16))
    assert bcs.alignment_scores(rect, neighbours(rect), "local").tolist() == [chain]


class TestAnyPage:
    """Segments and loose boxes never overlap, and every box is in one of them."""

    @settings(max_examples=50)
    @given(BOXES_ANYWHERE, THRESHOLDS, st.sampled_from(["touch", "absorb"]))
    def test_has_regions_that_do_not_overlap(self, boxes: list[Any], threshold: float, extension: str) -> None:
        page = page_of_rect(rect_of(*boxes))
        found = segment(page, "bcs", threshold=threshold, extension=extension)
        for a, b in itertools.combinations([part.box for part in found.root.parts], 2):
            assert not overlap(a, b)
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

    @pytest.mark.parametrize("name", ["threshold", "max_loose", "distance_weight"])
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
                cwd=Path(__file__).parents[3],
            ).stdout
            for seed in ("1", "2")
        }
        assert len(told) == 1
