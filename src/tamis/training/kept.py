"""Finished stages of the training of sieve, in files of arrays: tables of names and of words, trees, networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from tamis.extractors.sieve.class_names import NameTable
from tamis.extractors.sieve.features import NAMES
from tamis.extractors.sieve.features.wording import WordTable
from tamis.extractors.sieve.model import network_layout
from tamis.extractors.sieve.network import Network
from tamis.models.files import MAX_BYTES, as_bytes, check_trees, lines, tree_layout
from tamis.models.trees import ObliviousTrees
from tamis.stored import DamageError, reading
from tamis.stored.arrays import Arrays, Field, read, write

Value = TypeVar("Value")

_ALL = 16 * MAX_BYTES  # a table of names is cut down only when a model is written


@dataclass(frozen=True)
class Kept(Generic[Value]):
    """How the values of a stage are written, and read again."""

    name: str
    layout: Mapping[str, Field]
    to_arrays: Callable[[Value], Arrays]
    from_arrays: Callable[[Arrays], Value]

    def file(self, folder: Path, fold: int) -> Path:
        """Where the value that has not seen a fold is kept."""
        return folder / f"{self.name}-{fold}.npz"

    def write(self, file: Path, value: Value) -> None:
        """The whole file or none."""
        write(file, self.to_arrays(value))

    def read(self, file: Path) -> Value:
        """What was written; anything else is a ``FileFormatError``."""
        with reading("the stage", file, "delete it and run again"):
            arrays = read(file, self.layout, {"features": len(NAMES)}, _ALL)
            try:
                return self.from_arrays(arrays)
            except ValueError as error:
                raise DamageError(f"is damaged ({error})") from error


def _read_table(arrays: Arrays) -> NameTable:
    words = lines(arrays["words"])
    if len(words) != len(arrays["own"]):
        raise ValueError("there are not as many words as weights")
    return NameTable(words, arrays["own"], arrays["around"])


def _read_wording(arrays: Arrays) -> WordTable:
    if (np.diff(arrays["codes"]) <= 0).any():
        raise ValueError("phrases are not in order")
    return WordTable(arrays["codes"], arrays["weights"])


def _read_trees(arrays: Arrays) -> ObliviousTrees:
    check_trees(arrays, "tree", len(NAMES))
    parts = {name: arrays[f"tree_{name}"] for name in ("feature", "border", "leaf")}
    return ObliviousTrees(**parts, bias=float(arrays["tree_bias"]))


_AXES = ("tree trees", "tree levels")
TABLES: Kept[NameTable] = Kept(
    "tables",
    {"words": Field("uint8", ("characters",)), **dict.fromkeys(("own", "around"), Field("int64", ("words",)))},
    lambda table: {"words": as_bytes(table.words), "own": table.own, "around": table.around},
    _read_table,
)
WORDINGS: Kept[WordTable] = Kept(
    "wordings",
    dict.fromkeys(("codes", "weights"), Field("int64", ("phrases",))),
    lambda table: {"codes": table.codes, "weights": table.weights},
    _read_wording,
)
TREES: Kept[ObliviousTrees] = Kept(
    "trees",
    {
        **tree_layout("tree"),
        "tree_feature": Field("int64", _AXES),
        "tree_leaf": Field("float32", ("tree trees", "tree leaves")),
    },
    lambda trees: {f"tree_{name}": np.asarray(value) for name, value in vars(trees).items()},
    _read_trees,
)
NETWORKS: Kept[Network] = Kept(
    "networks",
    network_layout("float32"),
    lambda network: {field.name: np.asarray(getattr(network, field.name)) for field in fields(network)},
    Network.from_arrays,
)
