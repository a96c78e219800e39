"""Training of the trees: gradient boosting of oblivious trees with CatBoost, read out into plain arrays."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamis.models.trees import ObliviousTrees
from tamis.training.network import Example

_LEAST_WEIGHT = 0.003  # a quarter of the blocks, a fiftieth of the weight
PARAMETERS = {
    "loss_function": "CrossEntropy",  # labels are shares
    "iterations": 100,  # the prototype's notes: 50, 100, 200 trees differ by 0.002
    "depth": 6,
    "learning_rate": 0.15,
    "l2_leaf_reg": 3,
    "border_count": 64,
    "boosting_type": "Plain",
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
    "rsm": 0.5,
    "random_seed": 1,
    "thread_count": 1,
    "logging_level": "Silent",
    "allow_writing_files": False,
}


def fit_trees(examples: Sequence[Example]) -> ObliviousTrees:
    """Trees fitted to the blocks of pages."""
    from catboost import CatBoost, Pool

    features = np.concatenate([example.features for example in examples])
    labels = np.concatenate([example.labels for example in examples])
    weights = np.concatenate([example.weights for example in examples])
    counts = weights >= _LEAST_WEIGHT
    model = CatBoost(PARAMETERS)
    model.fit(Pool(features[counts], labels[counts], weight=weights[counts]))
    return read_trees(model)[0]


def read_trees(model: Any) -> tuple[ObliviousTrees, ...]:
    """The arrays of a CatBoost model, one entry for each of its outputs."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "trees.json")
        model.save_model(str(file), format="json")
        written = json.loads(file.read_text(encoding="utf-8"))
    return _from_json(written)


def _from_json(written: dict[str, Any]) -> tuple[ObliviousTrees, ...]:
    """The arrays of a model as CatBoost writes it; shallow trees get questions that nobody answers with yes."""
    trees = written["oblivious_trees"]
    depth = max((len(tree["splits"] or ()) for tree in trees), default=1)
    feature = np.zeros((len(trees), depth), dtype=np.int64)
    border = np.full((len(trees), depth), np.inf, dtype=np.float32)
    scale, bias = written["scale_and_bias"]
    biases = np.atleast_1d(bias).astype(np.float64).tolist()  # JSON has whole numbers too
    leaf = np.zeros((len(trees), 2**depth, len(biases)), dtype=np.float32)
    for row, tree in enumerate(trees):
        for level, split in enumerate(tree["splits"] or ()):
            feature[row, level], border[row, level] = int(split["float_feature_index"]), split["border"]
        values = np.reshape(tree["leaf_values"], (-1, len(biases)))
        leaf[row, : len(values)] = values
    leaf *= np.float32(scale)
    return tuple(ObliviousTrees(feature, border, leaf[:, :, place], bias) for place, bias in enumerate(biases))
