"""Model files: the one that an option names or the one that is shipped, read once, and checked when it is read."""

from __future__ import annotations

import functools
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.errors import InputError

Model = TypeVar("Model")
Arrays = Mapping[str, npt.NDArray[Any]]

# What NumPy and zipfile raise for other files and damaged ones; a single array is a TypeError.
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


class BadModelError(Exception):
    """What is wrong with a file, to be said behind its name."""


def load(path: str, shipped: Path, read: Callable[[Path], Model]) -> Model:
    """The model in a file, or the one shipped in the folder of its method if the path is empty; read again only when
    the file has changed.
    """
    file = Path(path) if path else shipped
    again = f"train it again with tamis train --model {shipped.parent.name}, or leave the option model out"
    way_out = again if path else "install Tamis again"
    try:
        stamp = file.stat().st_mtime_ns
    except OSError as error:
        raise InputError(f"cannot read the model {str(file)!r}: {error.strerror}; {way_out}") from error
    try:
        model: Model = _read_once(read, file, stamp)
    except BadModelError as error:
        raise InputError(f"the model {str(file)!r} {error}; {way_out}") from error
    return model


def read_arrays(
    file: Path,
    format: int,  # noqa: A002
    build: Callable[[Arrays], Model],
    features: Sequence[str] | None = None,
) -> Model:
    """A model made of the arrays of a file in NumPy's open format, if it is of this format and has these features."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        found = int(arrays["format"])
        if features is not None and found == format and lines(arrays["features"]) != tuple(features):
            found = 0
    except _UNREADABLE as error:
        raise BadModelError(f"is damaged ({error})") from error
    if found != format:
        raise BadModelError(
            f"has format {found or 'unknown'}, this version of Tamis reads {format}: it is of another version of Tamis"
        )
    try:
        return build(arrays)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise BadModelError(f"is damaged ({error})") from error


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
def _read_once(read: Callable[[Path], Any], file: Path, stamp: int) -> Any:
    return read(file)
