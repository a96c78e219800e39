"""Whole sites: pages → groups made from one template → templates → the content of every page.

Work is kept in a folder and goes on where it ended: the groups in ``state.json``, for each group its template and its
pages under ``groups/``. A file that is there is complete.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from tamis import batch, clusterers, extractors, files, registry, templates
from tamis.batch import Outcome, Progress
from tamis.errors import InputError, TamisError
from tamis.page.model import Page
from tamis.results import WALL, Extraction, Template
from tamis.sites.memories import Memories
from tamis.sites.sections import misleading_sections
from tamis.sites.sources import SiteItem, read_or_none
from tamis.stored import DamageError, reading
from tamis.stored.documents import read_json, read_lines
from tamis.stored.keys import key_of
from tamis.stored.values import made

__all__ = ["Cleaned", "Options", "PageGroup", "clean_site"]

MAX_LINKED = 2_000  # pages; above it the comparison of all with all takes longer than reading them, and minhash is used
MAX_TRAINING = 60  # pages of a group that are held at once; more change no share of pages by more than a few percent
_SAME_TEXT_SHARE = 0.5  # of the pages with one and the same text, or behind one and the same wall


@dataclass(frozen=True, kw_only=True)
class Options:
    """How pages are grouped, and how templates are learned."""

    clusterer: str | None = None  # None: the default one, or minhash for very many pages
    clusterer_options: Mapping[str, Any] = field(default_factory=dict)  # such as distance and threshold
    template: str = templates.DEFAULT
    fallback: str | None = None  # the extractor for pages that are like too few others; None: the default one
    is_one_group: bool = False  # the pages are known to be of one template


class PageGroup(NamedTuple):
    """Pages made from one template; the last group may be of pages that are like few others."""

    number: int
    pages: tuple[int, ...]  # places in the list of items
    template: Template


@dataclass(frozen=True, kw_only=True)
class Cleaned:
    """How a site went."""

    groups: tuple[PageGroup, ...]
    alone: int  # pages that are like too few others to learn from; they are in the last group and extracted singly
    counts: dict[str, int]  # pages by status
    failures: tuple[str, ...]
    warnings: tuple[str, ...]


def clean_site(items: Sequence[SiteItem], out: Path, options: Options, progress: Progress) -> Cleaned:
    """Group the pages, learn the templates, and write the content of every page to ``pages.jsonl``."""
    folder = out / "groups"
    folder.mkdir(parents=True, exist_ok=True)
    plan = _plan(items, options)
    state = _read_state(out, plan, len(items))
    if state is None:
        for old in (*folder.glob("*.json"), *folder.glob("*.jsonl")):
            old.unlink()
        groups, alone = find_groups(items, options, progress)
        state = {"plan": plan, "groups": [*groups, alone] if alone else groups, "alone": len(alone)}
        write_text(out / "state.json", json.dumps(state))
    last = len(state["groups"]) if state["alone"] else 0
    memories = functools.cache(lambda: _remember(items))
    found = [
        _clean_group(number, tuple(pages), items, memories, folder, options, progress, alone=number == last)
        for number, pages in enumerate(state["groups"], start=1)
    ]
    _join(out, folder, len(found))
    records = _read_records(out / "pages.jsonl")
    return Cleaned(
        groups=tuple(found),
        alone=state["alone"],
        counts=dict(Counter(record["status"] for record in records)),
        failures=tuple(
            f"{record['name']}: {record['warnings'][0]}" for record in records if record["status"] == "failed"
        ),
        warnings=tuple(_warnings(records)),
    )


def find_groups(items: Sequence[SiteItem], options: Options, progress: Progress) -> tuple[list[list[int]], list[int]]:
    """Places of pages in groups, the largest first, and those of all pages whose group is too small to learn from."""
    readable: list[int] = []
    unreadable: list[int] = []

    def pages() -> Iterator[Page]:
        for place, item in enumerate(items):
            progress("grouping", place, len(items))
            try:
                page = item.read()
            except TamisError:
                unreadable.append(place)
                continue
            readable.append(place)
            yield page

    if options.is_one_group:
        found: Sequence[Sequence[int]] = [[number for number, _ in enumerate(pages())]]
    else:
        method = options.clusterer or ("minhash" if len(items) > MAX_LINKED else clusterers.DEFAULT)
        found = clusterers.cluster(pages(), method, **options.clusterer_options).groups
    progress("grouping", len(items), len(items))
    groups = [[readable[member] for member in group] for group in found]
    large = sorted((group for group in groups if len(group) >= templates.MIN_PAGES), key=lambda one: (-len(one), one))
    rest = sorted([place for group in groups if len(group) < templates.MIN_PAGES for place in group] + unreadable)
    return large, rest


def record(item: SiteItem, group: int | None, extraction: Extraction) -> dict[str, Any]:
    """What is written of one page; a page that is like too few others has no group."""
    return {
        "name": item.name,
        "url": item.url,
        "group": group,
        "status": extraction.status,
        "warnings": [*extraction.warnings, *map(str, misleading_sections(extraction))],
        "metadata": json.loads(json.dumps(dataclasses.asdict(extraction.metadata), default=str)),
        "text": extraction.text,
        "markdown": extraction.markdown,
    }


def write_parquet(lines: Path, path: Path) -> bool:
    """The pages once more as a table; false when pyarrow is not installed."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        return False
    rows = [{**one, "metadata": json.dumps(one["metadata"], ensure_ascii=False)} for one in _read_records(lines)]
    texts = ("name", "url", "status", "metadata", "text", "markdown")
    schema = arrow.schema(
        [
            *((name, arrow.string()) for name in texts),
            ("group", arrow.int64()),
            ("warnings", arrow.list_(arrow.string())),
        ]
    )
    with files.aside(path) as part:
        parquet.write_table(arrow.Table.from_pylist(rows, schema=schema), part, compression="zstd")
    return True


def write_text(path: Path, text: str) -> None:
    """The whole file or none; an ``InputError`` if it cannot be written."""
    try:
        files.write_text(path, text)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}; make room or choose another folder") from error


def _clean_group(
    number: int,
    pages: tuple[int, ...],
    items: Sequence[SiteItem],
    memories: Callable[[], Memories],
    folder: Path,
    options: Options,
    progress: Progress,
    *,
    alone: bool,
) -> PageGroup:
    """Learn the template of one group and write its pages, unless an earlier run has done it.

    Nothing is learned from pages that are ``alone``: they have nothing in common.
    """
    template_file, pages_file = folder / f"{number:04}.json", folder / f"{number:04}.jsonl"
    if template_file.exists():
        template = Template.load(template_file)
    else:
        template = _by_itself(options) if alone else _learned(pages, items, options)
        template.save(template_file)
    if not pages_file.exists():
        group = None if alone else number

        def process(item: SiteItem) -> Outcome[dict[str, Any]]:
            extraction = _content(item.read(), template, memories)
            return Outcome(extraction.status, record(item, group, extraction))

        found = batch.run((items[place] for place in pages), process, name=lambda item: item.name)
        told = batch.watched(found, progress, f"group {number}", len(pages))
        records = (outcome.value or _failed(item, group, outcome.reason) for item, outcome in told)
        write_text(pages_file, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records))
    return PageGroup(number, pages, template)


def _by_itself(options: Options) -> Template:
    reason = f"fewer than {templates.MIN_PAGES} pages are like this one"
    return templates.by_itself(reason, options.template, options.fallback)


def _learned(pages: tuple[int, ...], items: Sequence[SiteItem], options: Options) -> Template:
    step = -(-len(pages) // MAX_TRAINING)
    training = [page for place in pages[::step] if (page := read_or_none(items[place])) is not None]
    return templates.learn(training, options.template, {}, options.fallback)


def _failed(item: SiteItem, group: int | None, reason: str) -> dict[str, Any]:
    empty = {"metadata": {}, "text": "", "markdown": ""}
    return {"name": item.name, "url": item.url, "group": group, "status": "failed", "warnings": [reason], **empty}


def _content(page: Page, template: Template, memories: Callable[[], Memories]) -> Extraction:
    """By the template; where there is none, what other pages of the site repeat is evidence all the same."""
    if not template.fallback:
        return template.extract(page)
    site = memories().of(page.url) if extractors.uses_site(template.fallback) else None
    found = extractors.extract(page, template.fallback, site=site)
    return dataclasses.replace(found, notes=(*template.notes, *found.notes), made=template.made)


def _remember(items: Sequence[SiteItem]) -> Memories:
    memories = Memories()
    for item in items:
        if (page := read_or_none(item)) is not None:
            memories.add(page)
    return memories


def _plan(items: Sequence[SiteItem], options: Options) -> str:
    """The same for the same pages, options and code: then earlier work can be used."""
    kinds = ("clusterers", "distances", "templates", "outputs")
    modules = [f"tamis.{kind}.{name}" for kind in kinds for name in registry.names(kind)]
    modules += [__name__, "tamis.templates", "tamis.clusterers", f"tamis.extractors.{registry.default('extractors')}"]
    return key_of([item.key for item in items], dataclasses.asdict(options), modules, resources=True)


class _State(TypedDict):
    """What is remembered of a run."""

    plan: str
    groups: list[list[int]]
    alone: int  # pages of the last group, if it is of pages that are like few others


def _read_state(out: Path, plan: str, count: int) -> _State | None:
    """How an earlier run grouped the pages; None if there was none, or of something else."""
    try:
        state: _State = made(_State, read_json(out / "state.json"))
    except (OSError, DamageError):
        return None
    is_whole = sorted(page for group in state["groups"] for page in group) == list(range(count))
    return state if state["plan"] == plan and is_whole else None


def _join(out: Path, folder: Path, groups: int) -> None:
    """All lines of all groups in one file."""
    text = "".join((folder / f"{number:04}.jsonl").read_text(encoding="utf-8") for number in range(1, groups + 1))
    write_text(out / "pages.jsonl", text)


def _read_records(path: Path) -> list[dict[str, Any]]:
    with reading("the pages", path, "remove the folder and run again"):
        return [made(dict[str, Any], line.value, f"the line at {line.offset}") for line in read_lines(path)]


def _warnings(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with a site as a whole."""
    walls = Counter(said for record in records for said in record["warnings"] if said.startswith(WALL))
    texts = Counter(record["text"] for record in records if record["text"])
    for said, count in (walls + texts).most_common(1):
        if count > 2 and count > _SAME_TEXT_SHARE * len(records):
            told = said if said in walls else "a page that is not of the site may stand in its place"
            yield f"{count} of {len(records)} pages have the same content: {told}"
