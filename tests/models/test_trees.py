from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.models.trees import ObliviousTrees
from tests.toy_model import toy_trees


@given(st.integers(0, 6), st.integers(1, 4), st.integers(1, 9), st.integers(0, 50))
@settings(max_examples=60)
def test_the_sum_is_that_of_a_walk_from_question_to_question(trees: int, depth: int, blocks: int, seed: int) -> None:
    ensemble = toy_trees(inputs=4, trees=trees, depth=depth, seed=seed)
    columns = (np.random.default_rng(seed).random((4, blocks)) * 3).astype(np.float32)
    found = ensemble.log_odds(columns)
    assert found.shape == (blocks,)
    for block in range(blocks):
        total = ensemble.bias
        for tree in range(trees):
            leaf = 0
            for level in range(depth):
                if columns[ensemble.feature[tree, level], block] > ensemble.border[tree, level]:
                    leaf += 2**level
            total += float(ensemble.leaf[tree, leaf])
        assert found[block] == pytest.approx(total, abs=1e-5)


@pytest.mark.parametrize(("value", "expected"), [(1.4, -1.0), (1.5, -1.0), (1.6, 1.0)])
def test_the_answer_is_yes_above_the_border_and_no_at_it(value: float, expected: float) -> None:
    borders, leaves = np.array([[1.5]], dtype=np.float32), np.array([[-1, 1]], dtype=np.float32)
    tree = ObliviousTrees(np.array([[0]]), borders, leaves, 0.0)
    assert tree.log_odds(np.array([[value]], dtype=np.float32)).tolist() == [expected]


def test_a_question_that_nobody_answers_with_yes_changes_nothing() -> None:
    one = toy_trees(inputs=2, trees=1, depth=1)
    two = ObliviousTrees(
        np.append(one.feature, [[0]], axis=1),
        np.append(one.border, [[np.inf]], axis=1).astype(np.float32),
        np.append(one.leaf, [[9, 9]], axis=1).astype(np.float32),
        one.bias,
    )
    columns = np.linspace(-5, 5, 22, dtype=np.float32).reshape(2, 11)
    assert two.log_odds(columns).tolist() == one.log_odds(columns).tolist()
