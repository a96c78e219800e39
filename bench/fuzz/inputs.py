"""Inputs by number: the same seed and number give the same input, in every process."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from bench.fuzz import targets
from bench.fuzz.mutations import PIECES, changed

_HEADER_PIECES = tuple(
    b"\r\n \n \r\n\r\n : Content-Length: Content-Length:\x20-1 Transfer-Encoding:\x20chunked Content-Encoding:\x20gzip "
    b"Location:\x20 HTTP/1.1 WARC/1.1 WARC-Type:\x20response WARC-Target-URI: \x1f\x8b\x08\0\0\0\0\0\0\0 "
    b"\x28\xb5\x2f\xfd 0 -1 99999999999999999999 ffffffff 0x \xff \0 ; charset= utf-16 utf-7 ; //[x] http://[::1 @ % "
    b"%00 # ?".split(b" ")
)
_JOB_PIECES = tuple(
    b'= [ ] [[ ]] { } " \' \n # , . 0 -1 1e9 nan inf true "" [] {} 99999999999999999999 \xff "\\uD800" [limits] '
    b'[[filters]] name method="bte" format="tei" "length" "url" "language" only=["en"] min_words="x" a.b.c=1 '
    b"1979-05-27".split(b" ")
)
_VALUES = (
    *'null true 0 -1 1e308 9223372036854775808 "" "x" "\\ud800" [] {} [[]] {"":null} "slots" "sieve"'.split(),
    "1" + "0" * 400,
    "[" * 200 + "]" * 200,
)
"""What is put in the place of a value, in JSON."""


class Input(NamedTuple):
    """What is given to a target."""

    target: str
    choice: int  # decides what the target does with the data
    data: bytes


def make(seed: int, number: int, real: bool, only: Sequence[str] = ()) -> Input:
    """The input of a number."""
    chance = random.Random(f"{seed} {number}")
    names = only or tuple(targets.TARGETS)
    (name,) = chance.choices(names, [targets.TARGETS[name].share for name in names])
    known = targets.TARGETS[name].seeds(real)
    return Input(name, chance.randrange(1 << 20), _MAKERS.get(name, _plain)(known, chance))


def _plain(known: Sequence[bytes], chance: random.Random) -> bytes:
    return changed(chance.choice(known), known, chance)


def _several(known: Sequence[bytes], chance: random.Random) -> bytes:
    """Pages that resemble each other."""
    seed = changed(chance.choice(known), known, chance)[:2_000]
    pages = [changed(seed, (seed,), chance) for _ in range(chance.randint(0, 6))]
    return targets.PAGE_BREAK.join([seed, *pages])


def _packed(known: Sequence[bytes], chance: random.Random) -> bytes:
    """Data with headers, and often packed after it was changed."""
    data = changed(chance.choice(known), known, chance, _HEADER_PIECES)
    return gzip.compress(data, 1, mtime=0) if chance.random() < 0.3 else data


def _model(known: Sequence[bytes], chance: random.Random) -> bytes:
    seed = chance.choice(known)
    if seed[:1] == b"{":
        return _json((seed,), chance)
    return _archive_of_arrays(seed, chance) if chance.random() < 0.7 else _bytes_changed(seed, chance)


def _bytes_changed(seed: bytes, chance: random.Random) -> bytes:
    data = bytearray(seed)
    for _ in range(chance.randint(1, 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[: chance.randint(0, len(data))]) if chance.random() < 0.3 else bytes(data)


def _archive_of_arrays(seed: bytes, chance: random.Random) -> bytes:
    """The members of an archive, one of them changed; the checksums are right."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(seed)) as archive,
        zipfile.ZipFile(written, "w") as to,
    ):
        names = archive.namelist()
        victim = chance.choice(names)
        for name in names:
            data = archive.read(name)
            if name == victim:
                how = chance.randrange(5)
                if how == 0:
                    continue
                if how == 1:
                    data = archive.read(chance.choice(names))
                elif how == 2:  # the header, which says the type and the shape
                    data = _header_changed(data, chance)
                else:
                    data = _bytes_changed(data, chance)
            to.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 1)  # of no date: the same every time
    return written.getvalue()


def _header_changed(data: bytes, chance: random.Random) -> bytes:
    old = chance.choice((b"'<f4'", b"'|u1'", b"'<i8'", b"'<i4'", b"False", b"(", b"), }", b"'shape'", b"'descr'"))
    new = chance.choice((b"'<f8'", b"'|O'", b"'<U9'", b"True", b"(9999999999,", b"(-1,", b"(0,", b"((", b"", b"[]"))
    return data.replace(old, new, 1)


def _json(known: Sequence[bytes], chance: random.Random) -> bytes:
    """JSON in which some values are others."""
    seed = chance.choice(known)
    if chance.random() < 0.2:
        return changed(seed, known, chance)
    values = json.loads(seed)
    for _ in range(chance.randint(1, 3)):
        values = _value_changed(values, chance)
    return json.dumps(values).encode()


def _value_changed(values: Any, chance: random.Random) -> Any:
    place, last, key = values, None, cast(Any, None)
    while isinstance(place, dict | list) and place and chance.random() < 0.85:
        last, key = place, chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place = place[key]
    if last is None:
        return json.loads(chance.choice(_VALUES))
    if isinstance(last, dict) and chance.random() < 0.2:
        del last[key]
    else:
        last[key] = json.loads(chance.choice(_VALUES))
    return values


_MAKERS: dict[str, Callable[[Sequence[bytes], random.Random], bytes]] = {
    "several": _several,
    "response": _packed,
    "archive": _packed,
    "model": _model,
    "template": _json,
    "job": lambda known, chance: changed(chance.choice(known), known, chance, _JOB_PIECES),
    "address": lambda known, chance: changed(chance.choice(known), known, chance, (*_HEADER_PIECES, *PIECES)),
}
