from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.evaluation import segmentations
from tamis.evaluation.segmentations import Cover, adjusted_rand, b_cubed, box_f, cover, partition

Members = list[list[int]]

MEMBERS = st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=1, max_size=9)
COVERS = st.integers(1, 9).flatmap(
    lambda count: st.tuples(
        *(st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=count, max_size=count) for _ in range(2)),
        st.lists(st.integers(0, 3), min_size=count, max_size=count),
    )
)


def parts(*segments: Sequence[int], count: int) -> Cover:
    """Elements 1 to count, in segments that are listed."""
    return cover(
        [[place for place, segment in enumerate(segments) if element in segment] for element in range(1, count + 1)]
    )


def precision_by_definition(found: Members, right: Members) -> float:
    """Amigó et al. (2009), element by element."""
    covered = [element for element in range(len(found)) if found[element]]
    if not covered:
        return float(not any(right))
    means = []
    for element in covered:
        values = []
        for other in covered:
            shared = len({*found[element]} & {*found[other]})
            if shared:
                values.append(min(shared, len({*right[element]} & {*right[other]})) / shared)
        means.append(sum(values) / len(values))
    return sum(means) / len(means)


def repeated(members: Members, weights: list[int]) -> Members:
    return [segments for segments, weight in zip(members, weights, strict=True) for _ in range(weight)]


@given(COVERS)
def test_b_cubed_is_its_definition_with_overlaps_and_weights(case: tuple[Members, Members, list[int]]) -> None:
    found, right, weights = case
    quality = b_cubed(cover(found), cover(right), np.array(weights))
    many_found, many_right = repeated(found, weights), repeated(right, weights)
    assert quality.precision == pytest.approx(precision_by_definition(many_found, many_right))
    assert quality.recall == pytest.approx(precision_by_definition(many_right, many_found))


@given(COVERS)
def test_b_cubed_of_partitions_is_its_definition(case: tuple[Members, Members, list[int]]) -> None:
    found, right = ([segments[:1] for segments in side] for side in case[:2])
    quality = b_cubed(cover(found), cover(right))
    assert quality.precision == pytest.approx(precision_by_definition(found, right))
    assert quality.recall == pytest.approx(precision_by_definition(right, found))


@given(COVERS)
def test_memory_for_pairs_does_not_matter(case: tuple[Members, Members, list[int]]) -> None:
    found, right = cover(case[0]), cover(case[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segmentations, "_PAIRS_AT_ONCE", 1)
        slow = b_cubed(found, right)
    assert slow == pytest.approx(b_cubed(found, right))


@given(MEMBERS)
def test_a_segmentation_agrees_with_itself(members: Members) -> None:
    assert b_cubed(cover(members), cover(members)) == pytest.approx((1, 1, 1))
    assert adjusted_rand(cover(members), cover(members)) == pytest.approx(1)


def test_b_cubed_by_hand() -> None:
    """{a b c} {d} against {a b} {c d}: precision (2/3 + 2/3 + 1/3 + 1) / 4, recall (1 + 1 + 1/2 + 1/2) / 4."""
    quality = b_cubed(parts([1, 2, 3], [4], count=4), parts([1, 2], [3, 4], count=4))
    assert quality.precision == pytest.approx(2 / 3)
    assert quality.recall == pytest.approx(3 / 4)
    assert quality.f1 == pytest.approx(12 / 17)


def test_overlaps_by_hand() -> None:
    """Found {a b} {b c}, right {a b c}: every pair that is found together is right once, but b and b are found twice.

    Precision of a: with a 1, with b 1. Of b: with a 1, with b min(2, 1) / 2, with c 1. Of c as of a.
    Recall of a: with a 1, with b 1, with c 0; of b: 1, 1, 1; of c as of a.
    """
    quality = b_cubed(parts([1, 2], [2, 3], count=3), parts([1, 2, 3], count=3))
    assert quality.precision == pytest.approx((1 + (1 + 1 / 2 + 1) / 3 + 1) / 3)
    assert quality.recall == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)


def test_elements_in_no_found_segment_cost_recall_only() -> None:
    """Right {a b} {c}; only a and b were found: c has no pair it could share, so recall loses all of it."""
    quality = b_cubed(parts([1, 2], count=3), parts([1, 2], [3], count=3))
    assert quality.precision == 1
    assert quality.recall == pytest.approx(2 / 3)


def test_elements_in_no_right_segment_cost_precision_only() -> None:
    quality = b_cubed(parts([1, 2], [3], count=3), parts([1, 2], count=3))
    assert quality.precision == pytest.approx(2 / 3)
    assert quality.recall == 1


@pytest.mark.parametrize(
    ("found", "right", "expected"), [([], [], 1.0), ([[1]], [], 0.0), ([], [[1]], 0.0), ([[1]], [[1]], 1.0)]
)
def test_nothing_found_is_right_only_if_there_is_nothing(found: Members, right: Members, expected: float) -> None:
    for measure in (b_cubed, box_f):
        assert measure(parts(*found, count=1), parts(*right, count=1)) == (expected,) * 3


def test_a_page_without_elements_is_right() -> None:
    empty = partition(np.zeros(0, dtype=np.int64))
    assert b_cubed(empty, empty) == box_f(empty, empty) == (1, 1, 1)
    assert adjusted_rand(empty, empty) == 1


def test_weights_are_repetitions() -> None:
    found, right = np.array([0, 0, 1]), np.array([0, 1, 1])
    weighted = b_cubed(partition(found), partition(right), np.array([3, 1, 2]))
    assert weighted == pytest.approx(
        b_cubed(partition(np.repeat(found, [3, 1, 2])), partition(np.repeat(right, [3, 1, 2])))
    )


def test_millions_of_elements_cost_no_more_than_their_kinds() -> None:
    """A page of pixels: two columns against three rows, 4 million elements."""
    rows, columns = np.divmod(np.arange(4_000_000), 2000)
    quality = b_cubed(partition(columns // 1000), partition(rows // 700))
    shares = np.array([700, 700, 600]) / 2000
    assert quality.precision == pytest.approx((shares**2).sum())
    assert quality.recall == pytest.approx(0.5)


def test_the_example_of_the_specification() -> None:
    """TV-8: boxes 1 to 10, detected {1-4} {5-10}, selected {1-5} {6-10}; then {11, 12} selected, but not detected."""
    detected, selected = [range(1, 5), range(5, 11)], [range(1, 6), range(6, 11)]
    found, right = parts(*detected, count=10), parts(*selected, count=10)
    assert box_f(found, right) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert adjusted_rand(found, right) == pytest.approx(0.5970, abs=5e-5)
    found, right = parts(*detected, count=12), parts(*selected, [11, 12], count=12)
    assert box_f(found, right) == pytest.approx((2 / 3, 0.5, 0.5714), abs=5e-5)
    assert adjusted_rand(found, right) == pytest.approx(0.5970, abs=5e-5)


def test_a_box_in_two_areas_counts_twice() -> None:
    """Detected {1 2} {2 3}, selected {1 2 3}: precisions 1 and 1, recalls 2/3 and 2/3."""
    assert box_f(parts([1, 2], [2, 3], count=3), parts([1, 2, 3], count=3)) == pytest.approx((1, 2 / 3, 0.8))


def test_unassigned_boxes_cost_the_rand_index_nothing_unless_asked() -> None:
    found, right = parts([1, 2], [3], count=5), parts([1, 2], [3, 4, 5], count=5)
    assert adjusted_rand(found, right) == 1
    by_pairs = adjusted_rand(cover([[0], [0], [1], [2], [3]]), right)
    assert adjusted_rand(found, right, count_uncovered=True) == pytest.approx(by_pairs)
    assert by_pairs < 1


def test_an_unassigned_box_is_in_no_segment_of_another() -> None:
    found, right = partition(np.array([0, -1, 0, -1])), partition(np.array([0, 1, 0, 2]))
    assert adjusted_rand(found, right, count_uncovered=True) == 1


@given(COVERS)
def test_measures_are_shares(case: tuple[Members, Members, list[int]]) -> None:
    found, right = cover(case[0]), cover(case[1])
    values = [*b_cubed(found, right, np.array(case[2])), *box_f(found, right)]
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in values)
    assert -1 <= adjusted_rand(found, right) <= 1 + 1e-9


@given(COVERS)
def test_names_of_segments_do_not_matter(case: tuple[Members, Members, list[int]]) -> None:
    found, right, _ = case
    renamed = [[7 - segment for segment in segments] for segments in found]
    assert b_cubed(cover(renamed), cover(right)) == pytest.approx(b_cubed(cover(found), cover(right)))
    assert box_f(cover(renamed), cover(right)) == pytest.approx(box_f(cover(found), cover(right)))


def test_unequal_numbers_of_elements_are_refused() -> None:
    one, two = partition(np.zeros(1, dtype=np.int64)), partition(np.zeros(2, dtype=np.int64))
    with pytest.raises(InputError, match="1 elements are covered on the one side, 2 on the other"):
        b_cubed(one, two)
    with pytest.raises(InputError, match="there are 2 elements, but 1 weights"):
        b_cubed(two, two, np.ones(1))


def test_any_negative_number_is_no_segment() -> None:
    assert partition(np.array([-1, -7, -2, 3])).kinds == ((), (3,))


def test_kinds_are_shared_by_elements_of_the_same_segments() -> None:
    members: Members = [[0], [1, 0], [], [0, 1], [0, 0]]
    made = cover(members)
    assert [made.kinds[kind] for kind in made.kind.tolist()] == [(0,), (0, 1), (), (0, 1), (0,)]
    for (first, one), (second, other) in itertools.combinations(zip(made.kind.tolist(), members, strict=True), 2):
        assert (first == second) == ({*one} == {*other})
