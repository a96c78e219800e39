"""JSON lines, plain or compressed: ``{id, html, gold, url, split, page_type, extra}``, one page per line."""

from __future__ import annotations

import dataclasses
import gzip
import json
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tamis.evaluation.datasets import Report, Sample
from tamis.files import aside
from tamis.stored import DamageError
from tamis.stored.documents import MAX_BYTES, parse_json

_OPENERS: dict[str, Any] = {".jsonl": open, ".gz": gzip.open, ".xz": lzma.open}
_PIECE = 1 << 20
_TYPES = {"gold": str, "dataset": str, "url": str, "split": str, "page_type": str, "extra": dict}
"""What a record may hold beside id and html; None stands for nothing."""


def recognises(path: Path) -> bool:
    return path.is_file() and any(path.name.endswith(f".jsonl{suffix}") for suffix in ("", ".gz", ".xz"))


def read(path: Path, report: Report) -> Iterator[Sample]:
    # As bytes, so that a line in another encoding costs this line only.
    with _OPENERS[path.suffix](path, "rb") as file:
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip():
                continue
            try:
                yield _sample(_record(line))
            except (DamageError, TypeError, KeyError) as error:
                report(f"{path}, line {number}", f"not a sample ({error!r}); expected an object with id, html and gold")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; of one that is too long, no more than shows it."""
    while line := file.readline(MAX_BYTES + 1):
        yield line
        while not line.endswith(b"\n") and (line := file.readline(_PIECE)):
            pass


def _record(line: bytes) -> Any:
    if len(line) > MAX_BYTES:
        raise DamageError(f"has more than {MAX_BYTES} bytes")
    return parse_json(line, is_ours=False)


def write(path: Path, samples: Iterable[Sample]) -> int:
    """Write samples as JSON lines, aside and then in one step; how many."""
    count = 0
    # A lone surrogate, which UTF-8 cannot hold, becomes the JSON escape that stands for it.
    with (
        aside(path) as part,
        _OPENERS[path.suffix](part, "wt", encoding="utf-8", errors="backslashreplace") as file,
    ):
        for sample in samples:
            record = {**_fields(sample), "html": sample.markup, "extra": dict(sample.extra)}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    return count


def _fields(sample: Sample) -> dict[str, Any]:
    return {field.name: getattr(sample, field.name) for field in dataclasses.fields(sample)}


def _sample(record: Any) -> Sample:
    if not isinstance(record, dict):
        raise TypeError("no object")
    if not isinstance(record["html"], str):
        raise TypeError("html is no string")
    known = {key: record[key] for key in _TYPES if record.get(key) is not None}
    for key, value in known.items():
        if not isinstance(value, _TYPES[key]):
            raise TypeError(f"{key} is {value!r:.40}")
    return Sample(id=str(record["id"]), html=record["html"], **known)
