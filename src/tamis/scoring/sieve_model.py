"""The weights of sieve: one file in NumPy's open format, checked when it is read."""

from __future__ import annotations

import functools
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.errors import InputError
from tamis.scoring.class_names import ClassNames, NameTable
from tamis.scoring.features import NAMES
from tamis.scoring.network import Network
from tamis.scoring.page_types import PageTypes
from tamis.scoring.trees import ObliviousTrees

FORMAT = 1  # grows when features or arrays change; a file of another format is refused
_SHIPPED = "sieve.npz"
# What NumPy and zipfile raise for other files and damaged ones; a single array is a TypeError.
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
_NAME_ARRAYS = ("own", "around")


@dataclass(frozen=True, eq=False)
class SieveModel:
    """Everything that was learned."""

    class_names: ClassNames
    trees: ObliviousTrees
    network: Network
    page_types: PageTypes


def load_model(path: str) -> SieveModel:
    """The model in a file, or the one that is shipped if the path is empty; read once."""
    file = Path(path) if path else _folder() / _SHIPPED
    try:
        stamp = file.stat().st_mtime_ns
    except OSError as error:
        raise InputError(f"cannot read the model {str(file)!r}: {error.strerror}; {_way_out(path)}") from error
    return _read(file, stamp, _way_out(path))


@functools.cache
def _folder() -> Path:
    return Path(str(resources.files("tamis.scoring"))) / "weights"


@functools.lru_cache(maxsize=4)
def _read(file: Path, stamp: int, way_out: str) -> SieveModel:
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        found = int(arrays["format"])
        if found == FORMAT and bytes(arrays["features"]).decode().split("\n") != list(NAMES):
            found = 0
    except _UNREADABLE as error:
        raise InputError(f"the model {str(file)!r} is damaged ({error}); {way_out}") from error
    if found != FORMAT:
        raise InputError(
            f"the model {str(file)!r} has format {found or 'unknown'}, this version of Tamis reads {FORMAT}; {way_out}"
        )
    try:
        return model_from_arrays(arrays)
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"the model {str(file)!r} is damaged ({error}); {way_out}") from error


def _way_out(path: str) -> str:
    if path:
        return "train it again with tamis train --model sieve, or leave the option model out"
    return "install Tamis again"


def model_from_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> SieveModel:
    words = bytes(arrays["words"]).decode()
    weights = (arrays[name].astype(np.int64) for name in _NAME_ARRAYS)
    table = NameTable(tuple(words.split("\n")) if words else (), *weights)
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
    text = {"words": "\n".join(table.words), "features": "\n".join(NAMES)}
    arrays: dict[str, npt.NDArray[Any]] = {"format": np.array(FORMAT)}
    arrays |= {name: np.frombuffer(value.encode(), np.uint8) for name, value in text.items()}
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
