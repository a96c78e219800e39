"""JSON that was written to a file: read up to a limit, and never a raw error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Protocol

from tamis.stored import DamageError

MAX_BYTES = 64 << 20  # ours: the template of a large site has some 2 MB
MAX_VALUES = 8_000_000  # ours: a list in a list takes 64 bytes and is written as three, so bytes alone bound little


def read_json(path: Path, *, max_bytes: int = MAX_BYTES, max_values: int = MAX_VALUES) -> Any:
    """The value in a file; what is wrong with it is a ``DamageError``, or an ``OSError``."""
    with path.open("rb") as file:
        return parse_json(read_all(file, max_bytes), max_values=max_values)


class Readable(Protocol):
    """A file that is open for reading bytes, packed or not."""

    def read(self, size: int, /) -> bytes: ...


def read_all(file: Readable, max_bytes: int = MAX_BYTES) -> bytes:
    """What is in an open file; one that says little and unpacks to very much is not unpacked."""
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise DamageError(f"is damaged (it has more than {max_bytes} bytes)")
    return data


class OwnLine(NamedTuple):
    """A value that stands on a line of its own."""

    offset: int  # of the line, in bytes
    value: Any


def read_lines(path: Path, start: int = 0, *, max_bytes: int = MAX_BYTES) -> Iterator[OwnLine]:
    """The values in a file that has one on each line, from a line on; ``max_bytes`` is for a line."""
    with path.open("rb") as file:
        file.seek(start)
        while line := file.readline(max_bytes + 1):
            if len(line) > max_bytes:
                raise DamageError(f"is damaged (a line has more than {max_bytes} bytes)")
            yield OwnLine(start, parse_json(line))
            start += len(line)


def parse_json(data: bytes, *, max_values: int = MAX_VALUES, is_ours: bool = True) -> Any:
    """The value that some bytes stand for; others also write NaN, and in other encodings of Unicode than UTF-8.

    >>> parse_json(b'{"format": 1}'), parse_json(b'{"score": NaN}', is_ours=False)
    ({'format': 1}, {'score': nan})
    """
    if sum(data.count(mark) for mark in (b",", b"[", b"{")) > max_values:
        raise DamageError(f"is damaged (it holds more than {max_values} values)")
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refuse) if is_ours else json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DamageError(f"is damaged ({error})") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")
