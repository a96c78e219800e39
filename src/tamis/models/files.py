"""Model files: the one that an option names or the one that is shipped, read once, and checked when it is read."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.stored import DamageError, reading
from tamis.stored.arrays import Arrays, Field, opened
from tamis.stored.documents import read_json

Model = TypeVar("Model")

MAX_BYTES = 64 << 20  # ours: the largest model that is shipped has 0.3 MB
MAX_LEVELS = 8  # of a tree: the way to a leaf is one byte
ELEMENTS_KIND = "tamis elements"
"""What a model of the method elements says of itself; the others are known by an array that no other has."""
_MARKS = {"sieve": "taps", "mesh": "deepest_feature"}
_ARRAYS_BEGIN = b"PK"
_NUMBER, _TEXT = Field("int64"), Field("uint8", ("characters",))


def load(path: str, shipped: Path, read: Callable[[Path], Model]) -> Model:
    """The model in a file, or the one shipped in the folder of its method if the path is empty; read again only when
    the file has changed.
    """
    file = Path(path) if path else shipped
    again = f"train it again with tamis train --model {shipped.parent.name}, or leave the option model out"
    way_out = again if path else "install Tamis again"
    with reading("the model", file, way_out):
        known = file.stat()
        try:
            model: Model = _read_once(read, file, (known.st_mtime_ns, known.st_size))
        except DamageError as error:
            method = _method_of(file)
            if method in (None, shipped.parent.name):
                raise
            raise DamageError(
                f"is a model of the method {method}, not of {shipped.parent.name}: choose the method {method} to use it"
            ) from error
    return model


def read_arrays(
    file: Path,
    format: int,  # noqa: A002
    layout: Mapping[str, Field],
    build: Callable[[Arrays], Model],
    features: Sequence[str] | None = None,
) -> Model:
    """A model made of the arrays of a file in NumPy's open format, if it is of this format and has these features.

    The arrays are those of the layout, in which ``features`` is the number of features that the file names.
    """
    with opened(file, MAX_BYTES) as arrays:
        found = int(arrays.read("format", _NUMBER))
        named = _lines(arrays.read("features", _TEXT)) if found == format else ()
        if features is not None and found == format and named != tuple(features):
            found = 0
        if found != format:
            raise DamageError(
                f"has format {found or 'unknown'}, this version of Tamis reads {format}: "
                "it was written by another version of Tamis"
            )
        whole = {"format": _NUMBER, "features": _TEXT._replace(shape=("feature names",)), **layout}
        arrays.check(whole, {"features": len(named)})
        try:
            return build({name: arrays.read(name, field) for name, field in whole.items()})
        except ValueError as error:
            raise DamageError(f"is damaged ({error})") from error


def _lines(array: npt.NDArray[Any]) -> tuple[str, ...]:
    try:
        return lines(array)
    except UnicodeDecodeError as error:
        raise DamageError(f"is damaged ({error})") from error


def tree_layout(name: str, **leaves: Field) -> dict[str, Field]:
    """The arrays of oblivious trees whose names begin so."""
    axes = (f"{name} trees", f"{name} levels")
    return {
        f"{name}_feature": Field("uint8", axes),
        f"{name}_border": Field("float32", axes, is_finite=False),  # nobody is above infinity: no question at all
        f"{name}_leaf": Field("float16", (f"{name} trees", f"{name} leaves")),
        f"{name}_bias": Field("float64 int64"),
        **leaves,
    }


def check_trees(arrays: Arrays, name: str, features: int) -> None:
    """A ``ValueError`` unless trees ask for features there are, and have as many leaves as answers lead to."""
    asked, leaf = arrays[f"{name}_feature"], arrays[f"{name}_leaf"]
    levels = asked.shape[1]
    if not 1 <= levels <= MAX_LEVELS or not len(asked) or leaf.shape[1] != 1 << levels:
        raise ValueError(f"the trees {name!r} have {levels} levels and {leaf.shape[1]} leaves")
    if asked.max() >= features:
        raise ValueError(f"the trees {name!r} ask for a feature that there is not")


def _method_of(file: Path) -> str | None:
    """The method that a file is a model of, as far as it tells."""
    try:
        with file.open("rb") as stream:
            is_arrays = stream.read(2) == _ARRAYS_BEGIN
        if is_arrays:
            with opened(file, MAX_BYTES) as arrays:
                return next((method for method, mark in _MARKS.items() if mark in arrays.names), None)
        values = read_json(file, max_bytes=MAX_BYTES)
    except (DamageError, OSError):
        return None
    return "elements" if isinstance(values, dict) and values.get("kind") == ELEMENTS_KIND else None


def as_bytes(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Lines of text as an array; ``lines`` reads them."""
    return np.frombuffer("\n".join(texts).encode(), np.uint8)


def lines(array: npt.NDArray[Any]) -> tuple[str, ...]:
    """What ``as_bytes`` wrote.

    >>> lines(as_bytes(["one", "two"])), lines(as_bytes([]))
    (('one', 'two'), ())
    """
    text = bytes(array).decode()
    return tuple(text.split("\n")) if text else ()


@functools.lru_cache(maxsize=8)
def _read_once(read: Callable[[Path], Any], file: Path, stamp: tuple[int, int]) -> Any:
    return read(file)
