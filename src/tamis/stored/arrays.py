"""Arrays in NumPy's open format (``.npz``), read so that a file can neither run code nor fill the memory.

The heads of all arrays are read first, by a pattern that knows plain numbers only. What they say is held against the
sizes in the archive, a limit on the whole, and the layout that the reader expects; only then is anything allocated.
"""

from __future__ import annotations

import contextlib
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.files import aside
from tamis.stored import DamageError

Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]

_TYPES = {
    **{code: np.dtype(code) for code in ("|b1", "|i1", "|u1")},
    **{f"<{kind}": np.dtype(f"<{kind}") for kind in ("i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8")},
}
_SUFFIX = ".npy"
_MAX_ARRAYS = 1_000  # a model has some twenty
_MAX_HEAD = 4_096  # NumPy writes 128 bytes
_PIECE = 1 << 20  # read at a time
_HEAD = re.compile(
    r"\{'descr': '(?P<type>[<|][biuf][0-9])', 'fortran_order': (?P<turned>True|False), "
    r"'shape': \((?P<shape>(?:[0-9]{1,15}, ?)*(?:[0-9]{1,15})?)\), ?\} *\n"
)
# What zipfile and zlib raise for other files and damaged ones.
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, KeyError),
    *(NotImplementedError, RuntimeError, OverflowError, IndexError),
)


class Field(NamedTuple):
    """What an array must be: numbers of one of these types, and for each axis its length, or a name for it.

    Axes of one name have one length; ``sizes`` of ``checked`` says what is known of it beforehand.
    """

    types: str  # as NumPy names them, separated by blanks
    shape: tuple[int | str, ...] = ()
    is_finite: bool = True


class _Head(NamedTuple):
    """What an array says of itself."""

    member: zipfile.ZipInfo
    offset: int  # where the numbers begin
    type: np.dtype[Any]
    shape: tuple[int, ...]
    is_turned: bool  # columns first


class ArrayFile:
    """The arrays of a file that is open: what they say of themselves at once, their numbers when asked for."""

    def __init__(self, archive: zipfile.ZipFile, max_bytes: int) -> None:
        members = archive.infolist()
        if len(members) > _MAX_ARRAYS:
            raise DamageError(f"is damaged (it says that it holds {len(members)} arrays)")
        total = sum(member.file_size for member in members)
        if total > max_bytes:
            raise DamageError(f"is damaged (it says that it holds {total} bytes, and {max_bytes} are the most)")
        self._archive = archive
        self._heads = {member.filename.removesuffix(_SUFFIX): _read_head(archive, member) for member in members}
        if len(self._heads) != len(members):
            raise DamageError("is damaged (it holds two arrays of one name)")

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._heads)

    def check(self, layout: Mapping[str, Field], sizes: Mapping[str, int]) -> None:
        """An error unless there are these arrays and no others, with lengths that agree."""
        if wrong := sorted(self.names ^ set(layout)):
            missing = [name for name in wrong if name in layout]
            told = f"there is no array {missing[0]!r}" if missing else f"nobody knows its array {wrong[0]!r}"
            raise DamageError(f"is damaged ({told})")
        known = dict(sizes)
        for name, field in layout.items():
            head = self._heads[name]
            if head.type.name not in field.types.split():
                raise DamageError(f"is damaged (the array {name!r} holds {head.type.name}, not {field.types})")
            wanted = tuple(
                known.setdefault(axis, length) if isinstance(axis, str) else axis
                for axis, length in zip(field.shape, head.shape, strict=False)
            )
            if len(head.shape) != len(field.shape) or head.shape != wanted:
                raise DamageError(
                    f"is damaged (the array {name!r} has the shape {head.shape}, not {wanted or field.shape})"
                )

    def read(self, name: str, field: Field) -> Array:
        """The numbers of an array that was checked; all of them are finite, unless the field says otherwise."""
        head = self._heads.get(name)
        if head is None or head.type.name not in field.types.split() or len(head.shape) != len(field.shape):
            raise DamageError(f"is damaged (there is no array {name!r} of {field.types})")
        array = np.empty(math.prod(head.shape), dtype=head.type)
        left = memoryview(array.data).cast("B") if array.nbytes else memoryview(b"")
        with self._archive.open(head.member) as stream:
            stream.read(head.offset)
            while len(left):
                piece = stream.read(min(len(left), _PIECE))
                if not piece:
                    raise DamageError(f"is damaged (the array {name!r} was cut off)")
                left[: len(piece)] = piece
                left = left[len(piece) :]
        if array.dtype.kind == "b":
            array = array.view(np.uint8) != 0  # a byte that is neither 0 nor 1 is no truth value
        if array.dtype.kind == "f" and field.is_finite and not np.isfinite(array).all():
            raise DamageError(f"is damaged (the array {name!r} holds numbers that are not finite)")
        return array.reshape(head.shape, order="F" if head.is_turned else "C")


@contextlib.contextmanager
def opened(path: Path, max_bytes: int) -> Iterator[ArrayFile]:
    """The arrays of a file; what is wrong with it is a ``DamageError``, wherever it shows."""
    try:
        with path.open("rb") as stream, _archive(stream, max_bytes) as archive:
            yield ArrayFile(archive, max_bytes)
    except _UNREADABLE as error:
        raise DamageError(f"is damaged ({error or type(error).__name__})") from error


def read(path: Path, layout: Mapping[str, Field], sizes: Mapping[str, int], max_bytes: int) -> dict[str, Array]:
    """All arrays of a file, if they are what the layout says."""
    with opened(path, max_bytes) as file:
        file.check(layout, sizes)
        return {name: file.read(name, field) for name, field in layout.items()}


def write(path: Path, arrays: Mapping[str, npt.ArrayLike], *, packed: bool = True) -> None:
    """Write arrays of plain numbers: the whole file or none."""
    save = np.savez_compressed if packed else np.savez
    with aside(path) as part, part.open("wb") as file:
        save(file, allow_pickle=False, **{name: np.asarray(array) for name, array in arrays.items()})


def _archive(stream: BinaryIO, max_bytes: int) -> zipfile.ZipFile:
    size = stream.seek(0, 2)
    if size > max_bytes + _MAX_ARRAYS * _MAX_HEAD:
        raise DamageError(f"is damaged (it has {size} bytes, and {max_bytes} are the most)")
    stream.seek(0)
    return zipfile.ZipFile(stream)


def _read_head(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Head:
    name = member.filename.removesuffix(_SUFFIX)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or member.flag_bits & 1:
        raise DamageError(f"is damaged ({name[:60]!r} is compressed in a way that NumPy does not write)")
    with archive.open(member) as stream:
        magic = stream.read(8)
        width = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4, b"\x93NUMPY\x03\x00": 4}.get(magic)
        if width is None:
            raise DamageError(f"is damaged ({name[:60]!r} is not an array)")
        length = int.from_bytes(stream.read(width), "little")
        text = stream.read(min(length, _MAX_HEAD)).decode("latin-1")
    found = _HEAD.fullmatch(text)
    if length > _MAX_HEAD or found is None or found["type"] not in _TYPES:
        raise DamageError(f"is damaged (the array {name[:60]!r} holds no plain numbers)")
    shape = tuple(int(axis) for axis in found["shape"].replace(" ", "").split(",") if axis)
    offset, kind = len(magic) + width + length, _TYPES[found["type"]]
    if math.prod(shape) * kind.itemsize != member.file_size - offset:
        raise DamageError(
            f"is damaged (the array {name[:60]!r} has the shape {shape}, for which it is too short or long)"
        )
    return _Head(member, offset, kind, shape, found["turned"] == "True")
