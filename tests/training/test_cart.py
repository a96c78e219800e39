from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.errors import InputError, OptionError
from tamis.extractors.elements.trees import DecisionTree
from tamis.training.cart import MAX_BORDERS, RPART_DEFAULT, Growth, fit_tree

FREE = Growth(minsplit=2, minbucket=1, cp=0.0)
SMALL = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), min_size=4, max_size=14)


def tree(values: list[list[float]], is_main: list[int], growth: Growth = FREE) -> DecisionTree:
    return fit_tree(np.array(values, dtype=np.float64), np.array(is_main, dtype=np.bool_), growth)


def test_the_defaults_are_those_of_rpart() -> None:
    assert (RPART_DEFAULT.minsplit, RPART_DEFAULT.minbucket, RPART_DEFAULT.cp, RPART_DEFAULT.maxdepth) == (
        20,
        7,
        0.01,
        30,
    )


def test_the_split_with_the_largest_gain_is_chosen() -> None:
    found = tree([[0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 6]], [0, 0, 0, 1, 1, 1])
    assert (found.feature[0], found.border[0]) == (1, 3.5)
    assert found.feature.tolist() == [1, -1, -1]
    assert (found.noisy.tolist(), found.main.tolist()) == ([3, 3, 0], [3, 0, 3])


def test_a_small_pure_group_loses_against_a_large_one_that_is_nearly_pure() -> None:
    """Why rare rules are written by hand: gain weighs by size (figure 4.3 of the thesis)."""
    rare = [1.0] * 2 + [0.0] * 38
    common = [0.0] * 20 + [1.0] * 20
    is_main = [0] * 18 + [1] * 2 + [1] * 19 + [0]
    assert tree([rare, common], is_main).feature[0] == 1


def test_of_equal_splits_the_first_is_taken() -> None:
    assert tree([[0, 0, 1, 1], [0, 0, 1, 1]], [0, 0, 1, 1]).feature[0] == 0


@pytest.mark.parametrize(("count", "is_split"), [(19, False), (20, True)])
def test_a_node_needs_twenty_elements_to_be_split(count: int, is_split: bool) -> None:
    values = [[0.0] * 10 + [1.0] * (count - 10)]
    assert (len(tree(values, [0] * 10 + [1] * (count - 10), RPART_DEFAULT)) == 3) is is_split


@pytest.mark.parametrize(("few", "is_split"), [(6, False), (7, True)])
def test_each_side_needs_seven(few: int, is_split: bool) -> None:
    values = [[0.0] * few + [1.0] * (30 - few)]
    assert (len(tree(values, [0] * few + [1] * (30 - few), RPART_DEFAULT)) == 3) is is_split


def test_depth_is_limited() -> None:
    values, is_main = [[float(number) for number in range(8)]], [0, 1] * 4
    assert len(tree(values, is_main, Growth(minsplit=2, minbucket=1, cp=0, maxdepth=1))) == 3
    assert len(tree(values, is_main)) == 15


@pytest.mark.parametrize(("cp", "leaves"), [(0.19, 2), (0.2, 1), (0.21, 1)])
def test_a_split_must_save_a_share_of_the_errors_of_the_root(cp: float, leaves: int) -> None:
    """One of five errors is saved by the only split: more than 0.19 of them, not more than 0.2."""
    values = [[0.0] + [1.0] * 11]
    is_main = [1] + [1] * 4 + [0] * 7
    found = tree(values, is_main, Growth(minsplit=2, minbucket=1, cp=cp))
    assert (len(found) + 1) // 2 == leaves


def test_numbers_that_are_not_known_are_not_asked_for() -> None:
    assert tree([[math.nan, 0, 1, 1], [0, 1, 0, 1]], [0, 0, 1, 1]).feature.tolist() == [-1]


def test_a_border_lies_between_numbers_that_hardly_differ() -> None:
    low = 1.0
    high = math.nextafter(low, 2)
    found = tree([[low, low, high, high]], [0, 0, 1, 1])
    assert found.chances(found.leaves(np.array([[low, high]]))).tolist() == [0, 1]


def test_features_with_very_many_values_are_compared_at_quantiles() -> None:
    count = 4 * MAX_BORDERS
    values = np.arange(count, dtype=np.float64)
    found = fit_tree(values[None], values >= count / 2, FREE)
    assert abs(found.border[0] - count / 2) <= count / MAX_BORDERS


@pytest.mark.parametrize("is_main", [[], [1, 1], [0, 0, 0]])
def test_one_class_is_an_error(is_main: list[int]) -> None:
    with pytest.raises(InputError, match=r"both classes|no elements"):
        tree([[0.0] * len(is_main)], is_main)


def test_wrong_numbers_are_refused() -> None:
    for wrong in ({"minsplit": 1}, {"minbucket": 0}, {"cp": 2.0}, {"maxdepth": 0}):
        with pytest.raises(OptionError):
            Growth(**wrong)


@settings(deadline=None)
@given(SMALL, st.integers(1, 3), st.sampled_from([0.0, 0.1, 0.3]))
def test_the_tree_is_the_one_that_trying_everything_gives(
    rows: list[tuple[int, int, bool]], minbucket: int, cp: float
) -> None:
    labels = [row[2] for row in rows]
    if len(set(labels)) < 2:
        return
    growth = Growth(minsplit=3, minbucket=minbucket, cp=cp, maxdepth=3)
    values = np.array([[row[0] for row in rows], [row[1] for row in rows]], dtype=np.float64)
    found = fit_tree(values, np.array(labels), growth)
    price = cp * min(sum(labels), len(labels) - sum(labels))
    assert _nested(found, 0) == _pruned(_grown(rows, growth, 0), price)[0]


def _entropy(rows: list[tuple[int, int, bool]]) -> float:
    shares = [sum(row[2] is kind for row in rows) for kind in (True, False)]
    return -sum(count * math.log(count / len(rows)) for count in shares if count)


def _grown(rows: list[tuple[int, int, bool]], growth: Growth, depth: int) -> tuple:  # type: ignore[type-arg]
    """(errors, split, low, high): every border of every feature is tried."""
    errors = min(sum(row[2] for row in rows), sum(not row[2] for row in rows))
    leaf = (errors, None, None, None)
    if len(rows) < growth.minsplit or depth >= growth.maxdepth or not errors:
        return leaf
    best = None
    for feature in (0, 1):
        present = sorted({row[feature] for row in rows})
        for border in [place + 0.5 for place in range(3)]:
            low = [row for row in rows if row[feature] < border]
            high = [row for row in rows if row[feature] >= border]
            if not present or min(len(low), len(high)) < growth.minbucket:
                continue
            gain = _entropy(rows) - _entropy(low) - _entropy(high)
            if gain > 1e-9 and (best is None or gain > best[0] + 1e-7):
                best = gain, frozenset(map(id, low)), low, high
    if best is None:
        return leaf
    return errors, best[1], _grown(best[2], growth, depth + 1), _grown(best[3], growth, depth + 1)


def _pruned(node: tuple, price: float) -> tuple:  # type: ignore[type-arg]
    """(tree as nested counts of errors, cost)."""
    errors, split, low, high = node
    if split is not None:
        (low_tree, low_cost), (high_tree, high_cost) = _pruned(low, price), _pruned(high, price)
        if low_cost + high_cost < errors + price - 1e-9:
            return (errors, low_tree, high_tree), low_cost + high_cost
    return (errors,), errors + price


def _nested(found: DecisionTree, node: int) -> tuple:  # type: ignore[type-arg]
    errors = min(found.noisy[node], found.main[node])
    if found.feature[node] < 0:
        return (errors,)
    return errors, _nested(found, node + 1), _nested(found, int(found.other[node]))
