from __future__ import annotations

import numpy as np
import pytest

from tamis.extractors.sieve.page_types import PAGE_TYPES, PageTypes, summarise
from tests.toy_model import toy_types


def test_chances_add_up_and_order_as_the_log_odds_do() -> None:
    types = toy_types(inputs=3)
    summary = np.array([0.5, -1, 2, 0, 1, 0.25], dtype=np.float32)
    odds = [
        sum(float(summary[row] * types.weights[row, column]) for row in range(6)) + float(types.biases[column])
        for column in range(len(PAGE_TYPES))
    ]
    powers = np.exp(odds)
    assert types.chances(summary) == pytest.approx(powers / powers.sum(), rel=1e-5)


def test_extreme_odds_give_chances_all_the_same() -> None:
    types = PageTypes(np.full((2, 7), 1e30, dtype=np.float32), np.zeros(7, dtype=np.float32))
    assert types.chances(np.ones(2, dtype=np.float32)) == pytest.approx([1 / 7] * 7)


def test_a_summary_is_two_means_over_words() -> None:
    features = np.array([[1, 0], [3, 2]], dtype=np.float32)
    words, chances = np.array([0, 2], dtype=np.float32), np.array([1, 0.5], dtype=np.float32)
    # All words: weights 1 and 3. Kept ones: 1 and 1.5, and one word that is worth nothing, for pages that keep none.
    expected = [(1 + 9) / 4, 6 / 4, (1 + 4.5) / 3.5, 3 / 3.5]
    assert summarise(features, words, chances).tolist() == pytest.approx(expected)


def test_types_survive_their_arrays() -> None:
    types = toy_types()
    again = PageTypes.from_arrays({"type_weights": types.weights, "type_biases": types.biases})
    assert np.array_equal(again.weights, types.weights)
    assert np.array_equal(again.biases, types.biases)
