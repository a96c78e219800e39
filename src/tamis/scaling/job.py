"""A job: what is done with every record, written in a small TOML file, and what makes two jobs the same."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tamis import extractors, registry, templates
from tamis._version import VERSION
from tamis.errors import InputError, OptionError, UnknownNameError
from tamis.page.limits import Limits as PageLimits
from tamis.ranges import COUNT, POSITIVE, Range, check_ranges
from tamis.scaling import filters

__all__ = ["Columns", "Duplicates", "Filter", "Job", "RecordLimits", "Templates", "load_job"]

MEGABYTE = 1 << 20
_LIBRARIES_MB = 256  # of address space that the libraries take before the first record


@dataclass(frozen=True, kw_only=True)
class RecordLimits:
    """What one record may cost; more than that, and it is set aside."""

    seconds: float = 30.0  # ours: the slowest page of the public sets takes less than one
    memory_mb: int = 4096  # address space of the process that works on the record, the libraries included
    bytes: int = PageLimits().max_bytes  # of a page; the rest of it is cut off

    def __post_init__(self) -> None:
        check_ranges(self, seconds=POSITIVE, memory_mb=Range(_LIBRARIES_MB), bytes=COUNT)


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Where JSON lines and Parquet files hold what is read."""

    html: str = "html"
    url: str = "url"
    id: str = "id"


@dataclass(frozen=True, kw_only=True)
class Duplicates:
    """When two texts are the same: the first one in the order of the inputs is kept."""

    resemblance: float = 0.8  # share of all runs of five words that both have; 1: the same words. Ours, not swept

    def __post_init__(self) -> None:
        check_ranges(self, resemblance=Range(0.5, 1))


@dataclass(frozen=True, kw_only=True)
class Templates:
    """From how many pages of a host its template is learned, and how."""

    method: str = templates.DEFAULT
    min_pages: int = 10  # different ones; hosts with fewer have no template. Ours, not swept
    max_pages: int = 40  # those with the smallest hashes, which is a sample that no order changes. Ours, not swept

    def __post_init__(self) -> None:
        registry.make_options("templates", self.method, {})
        check_ranges(self, max_pages=Range(templates.MIN_PAGES, templates.MAX_PAGES))
        check_ranges(self, min_pages=Range(templates.MIN_PAGES, self.max_pages))


@dataclass(frozen=True, kw_only=True)
class Filter:
    """A check that skips records: the name of one of ours, or ``module:function``, and its parameters."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is done with every record. Two jobs that differ in anything do not share an output folder."""

    method: str = extractors.DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)
    format: Literal["text", "markdown", "html"] = "text"
    output: Literal["parquet", "jsonl"] = "parquet"
    metadata: bool = True  # title, authors, date and so on; costs about as much as the extraction
    limits: RecordLimits = RecordLimits()
    columns: Columns = Columns()
    filters: tuple[Filter, ...] = ()
    duplicates: Duplicates | None = None
    templates: Templates | None = None
    sites: bool = False  # two passes: what the pages of a host repeat is evidence for each of them
    version: str = VERSION

    def __post_init__(self) -> None:
        registry.make_options("extractors", self.method, self.options)
        if self.sites:
            extractors.check_site(self.method)
        if self.sites and self.templates:
            raise OptionError("'sites' and 'templates' both learn what a host repeats: choose one of them")
        for chosen in self.filters:
            filters.load(chosen.name, chosen.parameters)
            if chosen.name == "language" and not self.metadata:
                raise OptionError("the filter 'language' needs the metadata, but 'metadata' is false")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; ``from_dict`` makes the same job of it."""
        plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        plain["filters"] = [{"name": chosen["name"], **chosen["parameters"]} for chosen in plain["filters"]]
        return plain

    def digest(self) -> str:
        """The same for the same job of the same version."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:16]


_TABLES = {"limits": RecordLimits, "columns": Columns, "duplicates": Duplicates, "templates": Templates}


def from_dict(values: Mapping[str, Any]) -> Job:
    """A job from plain values; a mistake is answered with what would be right."""
    values = dict(values)
    chosen = [_filter(item) for item in _list(values.pop("filters", []), "filters")]
    nested = {
        name: _filled(kind, _table(values.pop(name), name), name)
        for name, kind in _TABLES.items()
        if values.get(name) is not None
    }
    if "options" in values:
        nested["options"] = _table(values.pop("options"), "options")
    job: Job = _filled(Job, {**values, **nested, "filters": tuple(chosen)}, "the job")
    return job


def load_job(path: Path) -> Job:
    """A job from a TOML file; a mistake is named with its line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the job file {str(path)!r}: {error}") from error
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise OptionError(f"{path}: not valid TOML: {error}") from error
    try:
        return from_dict(values)
    except OptionError as error:
        raise OptionError(f"{path}{_line_of(text, str(error))}: {error}") from error


def _line_of(text: str, message: str) -> str:
    """The line on which something stands that the message quotes, or begins with."""
    for quoted in re.findall(r"'([^']+)'", message) + re.findall(r"\A(\w+) is ", message):
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(rf"(?<![\w-]){re.escape(quoted)}(?![\w-])", line):
                return f", line {number}"
    return ""


def _filter(item: Any) -> Filter:
    table = dict(_table(item, "filters"))
    name = table.pop("name", None)
    if not isinstance(name, str):
        raise OptionError("'filters' needs a 'name' in every table")
    return Filter(name=name, parameters=table)


def _table(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise OptionError(f"{name!r} is {value!r}, but a table is expected")
    return value


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise OptionError(f"{name!r} is {value!r}, but a list of tables is expected")
    return value


def _filled(kind: Any, values: Mapping[str, Any], name: str) -> Any:
    known = typing.get_type_hints(kind)
    for key, value in values.items():
        if key not in known:
            raise UnknownNameError(f"key of {name}", key, known)
        if not _fits(value, known[key]):
            wanted = " or ".join(map(repr, typing.get_args(known[key]))) or getattr(known[key], "__name__", "a table")
            raise OptionError(f"{key!r} of {name} is {value!r}, but {wanted} is expected")
    return kind(**values)


def _fits(value: Any, annotation: Any) -> bool:
    origin = typing.get_origin(annotation)
    if origin is Literal:
        return value in typing.get_args(annotation)
    if origin is types.UnionType:
        return isinstance(value, annotation)
    if annotation is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if annotation is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or annotation)
