from __future__ import annotations

import numpy as np
import pytest

from tamis.training.network import Example
from tamis.training.trees import _from_json, fit_trees

pytest.importorskip("catboost", reason="the extra train")


def examples_of(count: int) -> list[Example]:
    random = np.random.default_rng(0)
    made = []
    for _ in range(count):
        features = random.standard_normal((30, 5)).astype(np.float32)
        features[:, 1] = 2  # never differs, and so is never asked for
        labels = (features[:, 2] + 0.5 * features[:, 4] > 0).astype(np.float32)
        made.append(Example(features, np.ones(30, np.float32), labels, np.ones(30, np.float32)))
    return made


def test_trees_find_what_is_there_to_be_found_and_read_the_right_columns() -> None:
    trees = fit_trees(examples_of(20))
    assert set(trees.feature[np.isfinite(trees.border)].tolist()) <= {0, 2, 3, 4}
    right = [(trees.log_odds(page.features.T) > 0) == (page.labels > 0) for page in examples_of(5)]
    assert np.concatenate(right).mean() > 0.95


def test_a_fit_is_the_same_every_time() -> None:
    first, second = fit_trees(examples_of(4)), fit_trees(examples_of(4))
    assert np.array_equal(first.leaf, second.leaf)
    assert np.array_equal(first.border, second.border)


def test_trees_of_different_depth_are_read() -> None:
    split = {"float_feature_index": 1, "border": 0.5}
    (trees,) = _from_json(
        {
            "oblivious_trees": [
                {"splits": [split, {"float_feature_index": 0, "border": 2.0}], "leaf_values": [1, 2, 3, 4]},
                {"splits": [split], "leaf_values": [10, 20]},
                {"splits": None, "leaf_values": [100]},
            ],
            "scale_and_bias": [0.5, [7]],
        }
    )
    columns = np.array([[0, 0, 3, 3], [0, 1, 0, 1]], dtype=np.float32)
    sums = [1 + 10 + 100, 2 + 20 + 100, 3 + 10 + 100, 4 + 20 + 100]
    assert trees.log_odds(columns).tolist() == [0.5 * value + 7 for value in sums]
