"""The weights of sieve: one file in NumPy's open format, checked when it is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.scoring import model_files
from tamis.scoring.class_names import ClassNames, NameTable
from tamis.scoring.features import NAMES
from tamis.scoring.network import DILATIONS, Network
from tamis.scoring.page_types import PAGE_TYPES, PageTypes
from tamis.scoring.trees import ObliviousTrees
from tamis.stored.arrays import Arrays, Field

FORMAT = 1  # grows when features or arrays change; a file of another format is refused
_SHIPPED = "sieve.npz"
_NAME_ARRAYS = ("own", "around")
_LAYOUT = {
    "words": Field("uint8", ("characters of words",)),
    **dict.fromkeys(_NAME_ARRAYS, Field("int16", ("words",))),
    **model_files.tree_layout("tree"),
    **dict.fromkeys(("half", "centre", "spread"), Field("float32", ("features",))),
    "dense": Field("float16", ("features", "hidden")),
    "convolutions": Field("float16", (len(DILATIONS), "three hidden", "hidden")),
    "convolution_biases": Field("float16", (len(DILATIONS), "hidden")),
    "pool": Field("float16", ("hidden", "hidden")),
    **dict.fromkeys(("dense_bias", "pool_bias", "out"), Field("float16", ("hidden",))),
    "out_bias": Field("float16"),
    "type_weights": Field("float16", (2 * len(NAMES), len(PAGE_TYPES))),
    "type_biases": Field("float16", (len(PAGE_TYPES),)),
}
"""What a file holds besides its format and its features."""


@dataclass(frozen=True, eq=False)
class SieveModel:
    """Everything that was learned."""

    class_names: ClassNames
    trees: ObliviousTrees
    network: Network
    page_types: PageTypes


def load_model(path: str) -> SieveModel:
    """The model in a file, or the one that is shipped if the path is empty; read once."""
    return model_files.load(path, _SHIPPED, _read)


def _read(file: Path) -> SieveModel:
    return model_files.read_arrays(file, FORMAT, NAMES, _LAYOUT, _checked)


def _checked(arrays: Arrays) -> SieveModel:
    """The model, if its numbers can be computed with."""
    model_files.check_trees(arrays, "tree", len(NAMES))
    if arrays["convolutions"].shape[1] != 3 * arrays["convolutions"].shape[2]:
        raise ValueError("a convolution reads three blocks")
    if arrays["half"].min() <= 0 or arrays["spread"].min() <= 0:
        raise ValueError("a feature has no spread")
    return model_from_arrays(arrays)


def model_from_arrays(arrays: Arrays) -> SieveModel:
    weights = (arrays[name].astype(np.int64) for name in _NAME_ARRAYS)
    table = NameTable(model_files.lines(arrays["words"]), *weights)
    trees = ObliviousTrees(
        feature=arrays["tree_feature"].astype(np.int64),
        border=arrays["tree_border"],
        leaf=arrays["tree_leaf"].astype(np.float32),
        bias=float(arrays["tree_bias"]),
    )
    return SieveModel(ClassNames(table), trees, Network.from_arrays(arrays), PageTypes.from_arrays(arrays))


def model_arrays(
    table: NameTable, trees: ObliviousTrees, network: Network, page_types: PageTypes
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file; numbers are rounded to what they are worth."""
    arrays: dict[str, npt.NDArray[Any]] = {"format": np.array(FORMAT)}
    arrays |= {"words": model_files.as_bytes(table.words), "features": model_files.as_bytes(NAMES)}
    arrays |= {name: np.clip(getattr(table, name), -32768, 32767).astype(np.int16) for name in _NAME_ARRAYS}
    # Borders stay exact: a feature that equals one must fall on the same side as in training.
    arrays |= {"tree_feature": trees.feature.astype(np.uint8), "tree_border": trees.border.astype(np.float32)}
    arrays |= {"tree_leaf": trees.leaf.astype(np.float16), "tree_bias": np.array(trees.bias)}
    scales = ("half", "centre", "spread")
    arrays |= {
        name: np.asarray(value, dtype=np.float32 if name in scales else np.float16)
        for name, value in vars(network).items()
    }
    arrays |= {f"type_{name}": value.astype(np.float16) for name, value in vars(page_types).items()}
    return arrays
