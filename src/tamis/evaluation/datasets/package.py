"""Evaluation packages: a zip with a description and, for each page, source, gold text and metadata (Gottron 2008, 5.3).

    description.json          name, text, and the order of the pages
    ID.html ID.txt ID.json    source, gold text (if any), metadata, with a common base name

Pages that the page links to, for methods that read several, are metadata: ``extra["linked_pages"]``, by address.
A package is changed by writing a new one aside; it takes the place of the old one when it is complete. The same pages
give the same bytes.
"""

from __future__ import annotations

import dataclasses
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tamis.errors import InputError
from tamis.evaluation.datasets import UNREADABLE, Report, Sample, with_unique_ids
from tamis.files import aside
from tamis.stored import DamageError
from tamis.stored.documents import MAX_BYTES, parse_json, read_all
from tamis.stored.values import made

_DESCRIPTION = "description.json"
_METADATA = ("id", "dataset", "url", "split", "page_type", "extra")


def recognises(path: Path) -> bool:
    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as package:
        return _DESCRIPTION in package.namelist()


def read(path: Path, report: Report) -> Iterator[Sample]:
    """Samples in the order of the description, read one by one from the zip."""
    with zipfile.ZipFile(path) as package:
        names = set(package.namelist())
        for base in _description(package, path)["pages"]:
            try:
                yield _sample(package, names, base)
            except (*UNREADABLE, ValueError, KeyError, TypeError, AttributeError, DamageError) as error:
                report(f"{path}, {base}", f"source, gold text or metadata is missing or damaged: {error}")


def create(path: Path, samples: Iterable[Sample], *, name: str = "", text: str = "") -> int:
    """Write a package; how many pages."""
    bases: dict[str, None] = {}
    with aside(path) as part, zipfile.ZipFile(part, "w") as package:
        for sample in samples:
            base = _base(sample.id)
            if base in bases:
                raise InputError(f"two pages have the id {sample.id!r}; ids must differ within a package")
            bases[base] = None
            _write_sample(package, base, sample)
        description = {"name": name or path.stem, "text": text, "pages": list(bases)}
        _write(package, _DESCRIPTION, json.dumps(description, indent=1).encode())
    return len(bases)


def add(path: Path, samples: Iterable[Sample]) -> int:
    """Add pages; one with a known id takes the place of the old page. How many there are now."""
    new = {sample.id: sample for sample in samples}
    changed = (new.pop(sample.id, sample) for sample in read(path, _refuse))
    return create(path, _then(changed, new), **_kept(path))


def remove(path: Path, ids: Iterable[str]) -> int:
    """Remove pages by id; how many are left."""
    unwanted = set(ids)
    return select([path], path, lambda sample: sample.id not in unwanted)


def join(sources: Iterable[Path], target: Path) -> int:
    """A new package of all pages of some packages; how many. Of two pages with one id the second gets a number."""
    return select(sources, target, lambda _: True)


def select(sources: Iterable[Path], target: Path, wanted: Callable[[Sample], bool]) -> int:
    """A new package of the wanted pages of some packages; how many."""
    paths = list(sources)
    samples = (sample for path in paths for sample in read(path, _refuse) if wanted(sample))
    return create(target, with_unique_ids(samples, lambda *_: None), **(_kept(target) if target in paths else {}))


def _then(first: Iterable[Sample], rest: dict[str, Sample]) -> Iterator[Sample]:
    """Samples, then those of the others that are still there."""
    yield from first
    yield from rest.values()


def _base(page_id: str) -> str:
    """The name of a page's files; none of them is the description."""
    base = quote(page_id, safe=" ()[]#", errors="replace")
    return "%64escription" if f"{base}.json" == _DESCRIPTION else base


def _sample(package: zipfile.ZipFile, names: set[str], base: str) -> Sample:
    html = _read(package, f"{base}.html")
    gold = _read(package, f"{base}.txt").decode() if f"{base}.txt" in names else None
    metadata: dict[str, Any] = {}
    if f"{base}.json" in names:
        metadata = made(dict[str, Any], parse_json(_read(package, f"{base}.json")), f"{base}.json")
    encoding = metadata.get("encoding")
    known = {"id": base, **{key: value for key, value in metadata.items() if key in _METADATA}}
    return Sample(html=html.decode(encoding) if encoding else html, gold=gold, **known)


def _write_sample(package: zipfile.ZipFile, base: str, sample: Sample) -> None:
    _write(package, f"{base}.html", sample.data)
    if sample.gold is not None:
        _write(package, f"{base}.txt", sample.gold.encode("utf-8", "replace"))
    # What was text is text again when it is read, whatever encoding the page speaks of.
    encoding = {"encoding": "utf-8"} if isinstance(sample.html, str) else {}
    metadata = {field.name: getattr(sample, field.name) for field in dataclasses.fields(sample)}
    kept = {key: value for key, value in metadata.items() if key in _METADATA and value} | encoding
    _write(package, f"{base}.json", json.dumps(kept).encode())


def _read(package: zipfile.ZipFile, name: str) -> bytes:
    with package.open(name) as file:
        try:
            return read_all(file, MAX_BYTES)
        except DamageError as error:
            raise DamageError(f"{name} {error}") from error


def _write(package: zipfile.ZipFile, name: str, data: bytes) -> None:
    package.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)  # ZipInfo: no date, so that digests stay


def _kept(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as package:
        description = _description(package, path)
    return {"name": str(description.get("name", "")), "text": str(description.get("text", ""))}


def _description(package: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    try:
        description: dict[str, Any] = made(dict[str, Any], parse_json(_read(package, _DESCRIPTION)))
        made(list[str], description["pages"], "pages")
    except (ValueError, KeyError, TypeError, DamageError) as error:
        raise InputError(f"{path}: {_DESCRIPTION} is damaged ({error!r}); expected an object with pages") from error
    return description


def _refuse(place: str, reason: str) -> None:
    """A damaged page stops a change of the package: leaving it out would lose it."""
    raise InputError(f"{place}: {reason}")
