"""The weights of sieve: one file in NumPy's open format, checked when it is read."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.extractors.sieve.class_names import ClassNames, NameTable
from tamis.extractors.sieve.features import NAMES, PLACES, Matrix
from tamis.extractors.sieve.features.wording import WordTable
from tamis.extractors.sieve.network import OFFSETS, Network
from tamis.extractors.sieve.page_types import PAGE_TYPES, PageTypes
from tamis.models import files as model_files
from tamis.models.trees import ObliviousTrees
from tamis.page.text import Ints
from tamis.stored.arrays import Arrays, Field

FORMAT = 3  # grows when the arrays change; a file of another format is refused
_SHIPPED = Path(__file__).with_name("sieve.npz")
_NAME_ARRAYS = ("own", "around")


def network_layout(kind: str) -> dict[str, Field]:
    """The arrays of a network whose weights are numbers of a kind; its scales are not rounded."""
    axes: dict[str, tuple[str | int, ...]] = {
        "dense": ("features", "units"),
        "pool": ("layers", "units", "summaries"),
        **dict.fromkeys(("key", "value", "mix"), ("layers", "units", "units")),
        **dict.fromkeys(("value_bias", "mix_bias", "down_bias"), ("layers", "units")),
        "taps": ("layers", len(OFFSETS), "units"),
        "up": ("layers", "units", "wide units"),
        "up_bias": ("layers", "wide units"),
        "down": ("layers", "wide units", "units"),
        **dict.fromkeys(("dense_bias", "out"), ("units",)),
        "out_bias": (),
    }
    scales = dict.fromkeys(("half", "centre", "spread"), Field("float32", ("features",)))
    return {**scales, **{name: Field(kind, shape) for name, shape in axes.items()}}


_LAYOUT = {
    "words": Field("uint8", ("characters of words",)),
    **dict.fromkeys(_NAME_ARRAYS, Field("int16", ("words",))),
    "phrases": Field("uint32", ("phrases",)),
    "phrase_weights": Field("int16", ("phrases",)),
    **model_files.tree_layout("tree"),
    **network_layout("float16"),
    "type_weights": Field("float16", ("two features", len(PAGE_TYPES))),
    "type_biases": Field("float16", (len(PAGE_TYPES),)),
}
"""What a file holds besides its format and its features."""


@dataclass(frozen=True, eq=False)
class SieveModel:
    """Everything that was learned.

    A file names its features. One that the code has and the file does not is not used; one that the file has and the
    code does not counts as what was usual in training.
    """

    features: tuple[str, ...]  # in the order of the weights
    class_names: ClassNames
    word_table: WordTable
    trees: ObliviousTrees
    network: Network
    page_types: PageTypes

    @cached_property
    def _rows(self) -> Ints:
        return np.array([PLACES.get(name, -1) for name in self.features], dtype=np.int64)

    @cached_property
    def _is_in_order(self) -> bool:
        return self.features == NAMES

    def arranged(self, columns: Matrix) -> Matrix:
        """The features of a page (a row for each of NAMES) as the weights expect them."""
        if self._is_in_order:
            return columns
        arranged = columns[self._rows]
        unknown = self._rows < 0
        arranged[unknown] = self.network.usual()[unknown, None]
        return arranged

    def usual(self) -> Matrix:
        """What was usual in training, for each of NAMES; 0 for a feature that is not used."""
        usual = np.zeros(len(NAMES), dtype=np.float32)
        known = self._rows >= 0
        usual[self._rows[known]] = self.network.usual()[known]
        return usual


def load_model(path: str) -> SieveModel:
    """The model in a file, or the one that is shipped if the path is empty; read once."""
    return model_files.load(path, _SHIPPED, _read) if path else _shipped(_SHIPPED)


@functools.cache
def _shipped(file: Path) -> SieveModel:
    """What was installed stays as it is: nobody asks anew whether the file has changed."""
    return model_files.load("", file, _read)


def _read(file: Path) -> SieveModel:
    return model_files.read_arrays(file, FORMAT, _LAYOUT, _checked)


def _checked(arrays: Arrays) -> SieveModel:
    """The model, if its numbers can be computed with."""
    features = len(arrays["half"])
    model_files.check_trees(arrays, "tree", features)
    if len(arrays["type_weights"]) != 2 * features:
        raise ValueError("page types are told by other features")
    if not arrays["pool"].size:
        raise ValueError("the network has no units or no summaries")
    if not features or arrays["half"].min() <= 0 or arrays["spread"].min() <= 0:
        raise ValueError("a feature has no spread")
    if (np.diff(arrays["phrases"].astype(np.int64)) <= 0).any():
        raise ValueError("phrases are not in order")
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
    features = model_files.lines(arrays["features"])
    network = Network.from_arrays(arrays)
    if len(features) != len(network.half):
        raise ValueError(f"{len(features)} features are named, but there are weights for {len(network.half)}")
    said = WordTable(arrays["phrases"].astype(np.int64), arrays["phrase_weights"].astype(np.int64))
    return SieveModel(features, ClassNames(table), said, trees, network, PageTypes.from_arrays(arrays))


def model_arrays(
    table: NameTable, said: WordTable, trees: ObliviousTrees, network: Network, page_types: PageTypes
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file; numbers are rounded to what they are worth."""
    arrays: dict[str, npt.NDArray[Any]] = {"format": np.array(FORMAT)}
    arrays |= {"words": model_files.as_bytes(table.words), "features": model_files.as_bytes(NAMES)}
    arrays |= {name: np.clip(getattr(table, name), -32768, 32767).astype(np.int16) for name in _NAME_ARRAYS}
    arrays |= {"phrases": said.codes.astype(np.uint32), "phrase_weights": said.weights.astype(np.int16)}
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
