"""Shards: the inputs of a run cut into pieces that are worked on, finished and repeated as a whole."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.errors import InputError, MissingExtraError, OptionError
from tamis.files import PAGE_SUFFIXES

FOLDER_FILES = 1_000  # ours: files of a folder that make a shard
FOLDER_SHARDS = "pages"  # how their names begin
_KINDS = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".arc", ".arc.gz"),
    "jsonl": (".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.zst", ".ndjson", ".ndjson.gz"),
    "parquet": (".parquet",),
    "html": PAGE_SUFFIXES,
}


@dataclass(frozen=True, kw_only=True)
class Shard:
    """Some records: a file of them, or some files with one page each."""

    name: str  # of its output; the same inputs give the same name
    kind: str  # "warc", "jsonl", "parquet" or "html"
    sources: tuple[str, ...]
    root: str = ""  # what names of single pages are relative to


def plan(inputs: Sequence[str]) -> list[Shard]:
    """The shards of files, folders, patterns and fsspec addresses, in their order; no input twice."""
    files: dict[str, tuple[str, str]] = {}  # source and root, by what names the same file however it is written
    for given in inputs:
        found = _expanded(given)
        if not found:
            raise InputError(f"nothing matches {given!r}: pass files, folders or patterns of {', '.join(_suffixes())}")
        for source, root in found:
            files.setdefault(_absolute(source), (source, root))
    shards, pages = [], []
    for source, root in files.values():
        kind = _kind(source)
        if kind == "html":
            pages.append((source, root))
        else:
            shards.append(Shard(name=_name(source, [source]), kind=kind, sources=(source,)))
    for first in range(0, len(pages), FOLDER_FILES):
        part = pages[first : first + FOLDER_FILES]
        sources = tuple(source for source, _ in part)
        shards.append(Shard(name=_name(FOLDER_SHARDS, sources), kind="html", sources=sources, root=part[0][1]))
    return shards


def part_of(shards: Sequence[Shard], part: str | None) -> list[Shard]:
    """Every n-th shard, for ``i/n`` with i from 1: what one machine of several works on.

    >>> [shard.name for shard in part_of([Shard(name=name, kind="warc", sources=()) for name in "abcde"], "2/2")]
    ['b', 'd']
    """
    if part is None:
        return list(shards)
    found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", part)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise OptionError(f"--shard is {part!r}, but i/n with i from 1 to n is expected, such as 1/4")
    return list(shards)[int(found[1]) - 1 :: int(found[2])]


def open_source(source: str) -> Any:
    """A seekable binary file, of this machine or behind an fsspec address."""
    try:
        if not is_remote(source):
            return Path(source).open("rb", buffering=1 << 20)
        return _fsspec().open(source, "rb").open()
    except OSError as error:
        raise InputError(f"cannot read {source!r}: {error.strerror or error}") from error


def is_remote(source: str) -> bool:
    return "://" in source


def _expanded(given: str) -> list[tuple[str, str]]:
    if is_remote(given):
        file_system, path = _fsspec().core.url_to_fs(given)
        found = file_system.glob(path) if glob.has_magic(path) else _listed(file_system, path)
        return [(file_system.unstrip_protocol(name), "") for name in sorted(found) if _kind_or_none(name)]
    if Path(given).is_dir():
        paths = (Path(folder) / name for folder, _, names in os.walk(given) for name in names)
        return [(str(path), given) for path in sorted(paths) if _kind_or_none(path.name)]
    if Path(given).exists():
        return [(given, str(Path(given).parent))]
    names = sorted(glob.glob(given, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    return [(name, "") for name in names if Path(name).is_file()]


def _listed(file_system: Any, path: str) -> Iterable[str]:
    if file_system.isdir(path):
        names: list[str] = file_system.find(path)
        return names
    return [path] if file_system.exists(path) else []


def _kind(source: str) -> str:
    kind = _kind_or_none(source)
    if kind is None:
        raise InputError(f"{source!r} has none of the endings {', '.join(_suffixes())}: rename it, or pass others")
    return kind


def _kind_or_none(name: str) -> str | None:
    lower = name.lower()
    return next((kind for kind, endings in _KINDS.items() if lower.endswith(endings)), None)


def _suffixes() -> list[str]:
    return [ending for endings in _KINDS.values() for ending in endings]


def _name(source: str, sources: Sequence[str]) -> str:
    stem = re.sub(r"[^\w.-]+", "-", Path(source).name)[:80].strip(".-") or "shard"
    absolute = chr(0).join(map(_absolute, sources)).encode("utf-8", "surrogatepass")
    return f"{stem}-{hashlib.sha256(absolute).hexdigest()[:10]}"


def _absolute(source: str) -> str:
    return source if is_remote(source) else str(Path(source).resolve())


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError:
        raise MissingExtraError("scaling", "reading from s3://, hdfs:// and other URLs") from None
    return fsspec
