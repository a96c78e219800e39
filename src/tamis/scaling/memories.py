"""Site memories of hosts: what every page repeats is noted in a first pass, joined, and used in the second one.

A row of the first pass is the sketch of one page. Which of them a host's memory holds depends on the pages alone, so
that neither shards nor their order change it, and a page that was crawled twice counts once.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tamis import urls
from tamis.batch import Outcome
from tamis.extractors.sieve.memory import MAX_PAGES, Site, Sketch, make_sketch, text_hashes
from tamis.page.load import parse
from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import Job
from tamis.scaling.process import ResultRow, limit_memory
from tamis.scaling.writing import read_places

_HELD = 64  # memories of hosts that a process has at hand, some 20 MB at most


def sketcher(job: Job) -> Callable[[InputRecord], Outcome[ResultRow]]:
    """What a process does that may be lost: a row for every page of a host."""
    limit_memory(job)
    return sketch_record


def sketch_record(record: InputRecord) -> Outcome[ResultRow]:
    """The sketch of a page; a record that is no whole page of a host has none."""
    host = urls.host(record.url)
    if not host or record.problem or record.skip or record.cut:
        return Outcome("skipped", {}, "sites: it is no whole page of a host")
    page = parse(record.html, record.url, encoding=record.encoding).revealed()
    if not len(page.blocks):
        return Outcome("skipped", {}, "sites: it has no text")
    sketch = make_sketch(*text_hashes(page))
    is_long = np.flatnonzero(sketch.is_long).tolist()
    return Outcome("ok", _SketchRow(host, sketch.name, sketch.limit, sketch.text.tolist(), is_long)._asdict())


class _SketchRow(NamedTuple):
    """The sketch of a page, as it is written."""

    host: str
    name: int
    limit: int
    text: list[int]
    is_long: list[int]


class _WrittenSketch(NamedTuple):
    """Where the sketch of a page is written."""

    file: Path
    offset: int


def join_memories(files: Iterable[Path], folder: Path) -> dict[str, list[int]]:
    """The memories of hosts with several pages, written to a folder; by host the names of the pages that it holds."""
    chosen = {host: places for host, places in _chosen(files).items() if len(places) > 1}
    folder.mkdir(parents=True, exist_ok=True)
    for host, places in chosen.items():
        site = Site()
        site.take(map(_read, places.values()))
        site.save(memory_path(folder, host))
    return {host: sorted(places) for host, places in sorted(chosen.items())}


def _chosen(files: Iterable[Path]) -> dict[str, dict[int, _WrittenSketch]]:
    """By host the pages that its memory holds; no more than places is held here."""
    found: dict[str, dict[int, _WrittenSketch]] = {}
    for path in files:
        for offset, row in read_places(path, _SketchRow):
            places = found.setdefault(row.host, {})
            places[row.name] = _WrittenSketch(path, offset)
            if len(places) > MAX_PAGES:
                del places[max(places)]
    return found


def _read(place: _WrittenSketch) -> Sketch:
    _, row = next(read_places(place.file, _SketchRow, place.offset))
    text = np.array(row.text, dtype=np.uint32)
    is_long = np.zeros(len(text), dtype=np.bool_)
    is_long[row.is_long] = True
    return Sketch(row.name, row.limit, text, is_long)


def memory_path(folder: Path, host: str) -> Path:
    """Hosts may have names that no file can have."""
    return folder / f"{hashlib.sha256(host.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.npz"


def site_finder(folder: Path) -> Callable[[str | None], Site | None]:
    """The memory of an address's host, if there is one."""

    @functools.lru_cache(maxsize=_HELD)
    def of_host(host: str) -> Site | None:
        path = memory_path(folder, host)
        return Site.load(path) if host and path.exists() else None

    return lambda url: of_host(urls.host(url))
