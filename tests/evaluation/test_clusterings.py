from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.evaluation.clusterings import (
    adjusted_rand_index,
    contingency,
    dunn_index,
    mean_purity,
    mutual_information,
    rand_index,
)

PERFECT = np.diag([100] * 5)
ONE_OUTLIER = [[100, 0, 0, 0, 0], [0, 100, 0, 0, 0], [0, 0, 100, 0, 0], [0, 0, 0, 99, 100], [0, 0, 0, 1, 0]]
THREE_MERGED = [[100, 100, 100, 0, 0], [0, 0, 0, 100, 0], [0, 0, 0, 0, 100]]

LABELLINGS = st.integers(1, 12).flatmap(
    lambda count: st.tuples(*(st.lists(st.integers(0, 4), min_size=count, max_size=count) for _ in range(2)))
)


def labels_of(table: object) -> tuple[list[int], list[int]]:
    """Labels with this contingency table."""
    cells = np.array(table)
    places = [place for place in np.ndindex(cells.shape) for _ in range(cells[place])]
    return [row for row, _ in places], [column for _, column in places]


@pytest.mark.parametrize(
    ("table", "all_pairs", "distinct_pairs", "purity", "information", "printed"),
    [
        (PERFECT, 1.0, 1.0, 1.0, 0.5, 0.1553),
        (ONE_OUTLIER, 0.92, 0.9198, 0.9005, 0.4143, 0.1287),
        (THREE_MERGED, 0.76, 0.7595, 0.7778, 0.3509, 0.1296),
    ],
)
def test_the_rows_of_the_thesis_are_reproduced(
    table: object, all_pairs: float, distinct_pairs: float, purity: float, information: float, printed: float
) -> None:
    found, right = labels_of(table)
    assert contingency(found, right).tolist() == np.array(table).tolist()
    assert rand_index(found, right, pairs="all") == pytest.approx(all_pairs, abs=5e-5)
    assert rand_index(found, right) == pytest.approx(distinct_pairs, abs=5e-5)
    assert mean_purity(found, right) == pytest.approx(purity, abs=5e-5)
    assert mutual_information(found, right) == pytest.approx(information, abs=5e-5)
    assert mutual_information(found, right, thesis_scale=True) == pytest.approx(printed, abs=5e-5)


@given(labels=LABELLINGS)
def test_the_rand_index_counts_pairs(labels: tuple[list[int], list[int]]) -> None:
    found, right = labels
    agree = [
        (found[first] == found[second]) == (right[first] == right[second])
        for first, second in itertools.combinations(range(len(found)), 2)
    ]
    assert rand_index(found, right) == pytest.approx(sum(agree) / len(agree) if agree else 1)
    everything = 2 * sum(agree) + len(found)
    assert rand_index(found, right, pairs="all") == pytest.approx(everything / len(found) ** 2)


@given(labels=LABELLINGS, names=st.permutations("abcde"))
def test_indices_are_bounded_symmetric_where_they_should_be_and_blind_to_names(
    labels: tuple[list[int], list[int]], names: list[str]
) -> None:
    found, right = labels
    renamed = [names[label] for label in found]
    for index in (rand_index, adjusted_rand_index, mutual_information):
        value = index(found, right)
        assert value == pytest.approx(index(right, found))
        assert value == pytest.approx(index(renamed, right))
        assert -1 - 1e-9 <= value <= 1 + 1e-9
    assert 0 < mean_purity(found, right) <= 1
    assert adjusted_rand_index(found, found) == 1
    assert rand_index(found, found) == mean_purity(found, found) == 1


def test_chance_is_worth_nothing() -> None:
    chance = np.random.default_rng(0)
    found, right = (chance.integers(5, size=3000).tolist() for _ in range(2))
    assert rand_index(found, right) > 0.6
    assert abs(adjusted_rand_index(found, right)) < 0.01


def test_a_known_value_of_the_adjusted_index() -> None:
    """Worked by hand: of 15 pairs 2 agree, 4 and 4 are possible, 16 / 15 come by chance."""
    assert adjusted_rand_index("aaabbc", "xxyyyz") == pytest.approx((2 - 16 / 15) / (4 - 16 / 15))


def test_no_pages_and_one_page_agree() -> None:
    for labels in ("", "a"):
        assert rand_index(labels, labels) == adjusted_rand_index(labels, labels) == mean_purity(labels, labels) == 1
        assert mutual_information(labels, labels) == 0


def test_labels_of_other_pages_are_refused() -> None:
    with pytest.raises(InputError):
        rand_index("ab", "abc")
    with pytest.raises(InputError):
        dunn_index(np.zeros((2, 2)), "abc")


@pytest.mark.parametrize(("within", "expected"), [(0.5, 2.0), (1.0, 1.0), (2.0, 0.5), (0.0, math.inf)])
def test_the_dunn_index_is_above_one_if_a_threshold_separates(within: float, expected: float) -> None:
    distances = np.array([[0, within, 1], [within, 0, 3], [1, 3, 0]])
    assert dunn_index(distances, "xxy") == expected


def test_one_template_is_separate_from_nothing() -> None:
    assert dunn_index(np.array([[0.0, 1.0], [1.0, 0.0]]), "xx") == math.inf
