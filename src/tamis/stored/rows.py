"""Many small records, each made of arrays and of plain values, in one file of arrays.

Records of pages come by the ten thousand, so that an array of each would be too many: columns are joined, with the
length that each record has of them beside them. Plain values are one JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from tamis.stored import DamageError, reading
from tamis.stored.arrays import Array, Field, read, write
from tamis.stored.documents import parse_json

Built = TypeVar("Built")

_ABOUT = "about"
_SIZE = "size of "


class Column(NamedTuple):
    """An array that every record has, or may be without."""

    type: str  # as NumPy names it
    axis: str  # columns of one axis are equally long in a record
    rows: int = 1  # more: a matrix with so many rows
    points_at: str = ""  # the numbers are places on this axis
    up_to_end: bool = False  # of places: the one behind the last is one, too
    may_be_nan: bool = False
    is_optional: bool = False


Row = tuple[Any, Mapping[str, Array | None]]
"""The plain values of a record, and its columns."""


def write_rows(path: Path, rows: Sequence[Row], columns: Mapping[str, Column]) -> None:
    """Write records: the whole file or none."""
    about = json.dumps([plain for plain, _ in rows]).encode()
    arrays: dict[str, Array] = {_ABOUT: np.frombuffer(about, dtype=np.uint8)}
    for name, column in columns.items():
        found = [own[name] for _, own in rows]
        arrays[_SIZE + name] = np.array([-1 if one is None else one.size for one in found], dtype=np.int64)
        flat = [one.ravel().astype(column.type) for one in found if one is not None]
        arrays[name] = np.concatenate(flat) if flat else np.zeros(0, dtype=column.type)
    write(path, arrays, packed=False)


def read_rows(path: Path, columns: Mapping[str, Column], build: Callable[[Any, Any], Built]) -> list[Built]:
    """What ``write_rows`` wrote, each record built from its plain values and its columns.

    Anything else is a ``FileFormatError``; ``build`` raises a ``ValueError`` or a ``DamageError`` for it.
    """
    with reading("the cache", path, "delete it and run again"):
        layout = {_ABOUT: Field("uint8", (_ABOUT,))}
        for name, column in columns.items():
            layout[_SIZE + name] = Field("int64", ("records",))
            layout[name] = Field(column.type, (name,), not column.may_be_nan)
        # Nothing is packed, so that a file cannot hold more than it is long.
        arrays = read(path, layout, {}, path.stat().st_size)
        about = parse_json(arrays[_ABOUT].tobytes())
        if not isinstance(about, list) or len(about) != len(arrays[_SIZE + next(iter(columns))]):
            raise DamageError("is damaged (it does not say what its records are)")
        parts = {name: _parted(name, column, arrays) for name, column in columns.items()}
        found = [(plain, {name: next(part) for name, part in parts.items()}) for plain in about]
        for number, (_, row) in enumerate(found):
            _check(number, row, columns)
        try:
            return [build(plain, row) for plain, row in found]
        except ValueError as error:
            raise DamageError(f"is damaged ({error})") from error


def _parted(name: str, column: Column, arrays: Mapping[str, Array]) -> Iterator[Array | None]:
    sizes, flat = arrays[_SIZE + name], arrays[name]
    least = -1 if column.is_optional else 0
    if (sizes < least).any() or (sizes > len(flat)).any() or (sizes % column.rows * (sizes >= 0)).any():
        raise DamageError(f"is damaged (the lengths of {name!r} cannot be)")
    ends = np.cumsum(np.maximum(sizes, 0))
    if (int(ends[-1]) if len(ends) else 0) != len(flat):
        raise DamageError(f"is damaged (there are more or fewer numbers in {name!r} than the records have)")
    return (
        None if size < 0 else _shaped(flat[end - size : end], column)
        for size, end in zip(sizes.tolist(), ends.tolist(), strict=True)
    )


def _shaped(flat: Array, column: Column) -> Array:
    return flat.reshape(column.rows, -1) if column.rows > 1 else flat


def _check(number: int, row: Mapping[str, Array | None], columns: Mapping[str, Column]) -> None:
    """An error unless columns of one axis are equally long, and places lie on the axis they point at."""
    known: dict[str, int] = {}
    for name, column in columns.items():
        own = row[name]
        if own is not None and known.setdefault(column.axis, own.shape[-1]) != own.shape[-1]:
            raise DamageError(f"is damaged (record {number} has too many or too few {name!r})")
    for name, column in columns.items():
        own = row[name]
        if column.points_at and own is not None and own.size:
            most = known.get(column.points_at, 0) - (not column.up_to_end)
            if own.min() < 0 or own.max() > most:
                raise DamageError(f"is damaged (record {number} has a place in {name!r} that is none)")
