"""What the service can do with a page: one entry per operation, each a dataclass of what is asked and a function.

Operations run in worker processes (``performing``). What is asked is read from the dataclass, and so are the OpenAPI
document and the forms of the inspector: nothing is said twice.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tamis import extractors, registry, segmenters, urls
from tamis.errors import InputError, OptionError, UnknownNameError
from tamis.page.model import Page
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction, Region
from tamis.service.problems import Answer
from tamis.sites.memories import Memories

JSON = "application/json"
MEDIA_TYPES = {
    "json": JSON,
    "chunks": "application/jsonl",
    "text": "text/plain",
    "markdown": "text/markdown",
    "tei": "application/tei+xml",
    **dict.fromkeys(("html", "mark", "delete", "hide", "replace", "restructure"), "text/html"),
}
"""Of our formats; those of other packages are sent as plain text."""
_MAX_WINDOW = 10_000  # ours: pictures of larger windows take gigabytes
_MEMORIES = Memories(max_hosts=64)  # of this worker, until it ends; ours: 20 MB at most
_KINDS = ("element", "text", "image")  # of boxes, by number


class Operation(NamedTuple):
    """Something that can be asked for."""

    request: type[Any]  # a dataclass; with the fields html and url if there is a page
    run: Callable[[Any, Page], Answer]
    summary: str
    kind: str = ""  # of the methods it runs, when the request names one


def check_output(name: str, options: Mapping[str, Any]) -> None:
    """Refuse options that a format does not have."""
    if not hasattr(registry.load("outputs", name), "Options"):
        raise OptionError(f"the format {name!r} has no options, but {', '.join(options)} is given")
    registry.make_options("outputs", name, options)


@dataclass(frozen=True, kw_only=True)
class Extract:
    """A page, and how its main content is found and written."""

    html: str | None = None  # the page; if there is none, it is fetched from url
    url: str | None = None  # address of the page, which its links are relative to
    method: str = extractors.DEFAULT  # how the content is found; /api/methods lists all extractors
    options: dict[str, Any] = field(default_factory=dict)  # of the method; /api/methods has their schemas
    format: str = "json"  # how the content is written; /api/methods lists all outputs, md and txt are short names
    output: dict[str, Any] = field(default_factory=dict)  # options of the format; see outputs in /api/methods
    keep: str | None = None  # CSS selector of elements to keep in any case
    drop: str | None = None  # CSS selector of elements to drop in any case
    site: bool = False  # remember the page, and use what pages of its host repeat that were remembered before

    def __post_init__(self) -> None:
        if self.site:
            extractors.check_site(self.method)
            if not urls.host(self.url):  # else pages of all sites would share one memory
                raise OptionError("site needs the url of the page, for its host: pass url")
        # All is checked before a page is fetched, and no option can be taken for another argument.
        registry.make_options("extractors", self.method, self.options)
        if registry.resolved("outputs", self.format) not in registry.names("outputs"):
            raise UnknownNameError("format", self.format, registry.names("outputs"))
        if self.output:
            check_output(self.format, self.output)


@dataclass(frozen=True, kw_only=True)
class Compare:
    """A page, and the methods that are compared on it."""

    html: str | None = None  # the page; if there is none, it is fetched from url
    url: str | None = None  # address of the page
    methods: tuple[str, ...] = ()  # names of extractors; all of them if none are named
    gold: str | None = None  # what the content really is; then every method is scored

    def __post_init__(self) -> None:
        for name in self.methods:
            registry.load("extractors", name)


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A page that is divided into regions."""

    html: str | None = None  # the page; if there is none, it is fetched from url
    url: str | None = None  # address of the page
    method: str = segmenters.DEFAULT  # how the page is divided; /api/methods lists all segmenters
    options: dict[str, Any] = field(default_factory=dict)  # of the method; /api/methods has their schemas

    def __post_init__(self) -> None:
        registry.make_options("segmenters", self.method, self.options)


@dataclass(frozen=True, kw_only=True)
class Render:
    """A page that a browser lays out; its scripts do not run, and nothing is loaded for it."""

    html: str | None = None  # the page; if there is none, it is fetched from url
    url: str | None = None  # address of the page
    width: int = 1366  # of the window, in pixels
    height: int = 768
    screenshot: bool = False  # also give a picture of the page: PNG in base64

    def __post_init__(self) -> None:
        check_ranges(self, width=Range(1, _MAX_WINDOW), height=Range(1, _MAX_WINDOW))


@dataclass(frozen=True, kw_only=True)
class ScoreTexts:
    """Two texts that are compared."""

    gold: str = ""  # what the content really is
    extracted: str = ""  # what was found


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """A request that says nothing."""


def as_json(value: Any) -> bytes:
    """JSON in UTF-8; half characters, which cannot be sent, become question marks."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def extract(request: Extract, page: Page) -> Answer:
    """The main content of a page in the format that is asked for."""
    memory = None
    if request.site:
        memory = _MEMORIES.of(request.url)
        memory.add(page)
    result = extractors.extract(
        page, request.method, site=memory, keep=request.keep, drop=request.drop, **request.options
    )
    media_type = MEDIA_TYPES.get(registry.resolved("outputs", request.format), "text/plain")
    body = result.render(request.format, **request.output).encode("utf-8", "replace")
    return Answer(200, media_type, body, status_headers(result))


def status_headers(extraction: Extraction) -> dict[str, str]:
    """How an extraction went, for who asks for a format that has no warnings."""
    wall = {} if extraction.wall is None else {"Tamis-Wall": extraction.wall.kind}
    return {"Tamis-Status": extraction.status, **wall}


def _compare(request: Compare, page: Page) -> Answer:
    from tamis.evaluation.compare import compare

    found = compare(page, request.methods, request.gold)
    rows = [
        {
            "method": one.method,
            "status": one.extraction.status,
            "words": one.words,
            "share": one.share,
            "agreement": one.agreement,
            "seconds": one.seconds,
            "text": one.text,
            "spans": [list(span) for span in one.extraction.spans],
            **({} if one.gold_bag is None else {"gold_bag": one.gold_bag._asdict()}),
            **({} if one.gold_sequence is None else {"gold_sequence": one.gold_sequence._asdict()}),
        }
        for one in found
    ]
    return Answer(200, JSON, as_json({"methods": rows}))


def _segment(request: Segment, page: Page) -> Answer:
    found = segmenters.segment(page, request.method, **request.options)
    return Answer(200, JSON, as_json({"method": found.made.method, "regions": region_rows(found.root)}))


def region_rows(root: Region) -> list[dict[str, Any]]:
    """A tree of regions as a list, in which each names its parent: trees may be deeper than JSON can be nested."""
    rows: list[dict[str, Any]] = []
    waiting: list[tuple[Region, int | None]] = [(root, None)]
    while waiting:
        region, parent = waiting.pop()
        waiting += [(part, len(rows)) for part in reversed(region.parts)]
        rows.append(
            {
                "parent": parent,
                "nodes": list(map(int, region.nodes)),
                "box": None if region.box is None else list(map(float, region.box)),
                "score": None if region.score is None else float(region.score),
                "label": region.label,
            }
        )
    return rows


def _render(request: Render, page: Page) -> Answer:
    from tamis.rendering.render import render_full

    found = render_full(page, width=request.width, height=request.height)
    boxes = found.page.boxes
    if boxes is None:
        raise InputError(f"the browser could not show the page: {'; '.join(found.page.warnings)}")
    columns = zip(
        boxes.node.tolist(),
        boxes.kind.tolist(),
        boxes.rect.tolist(),
        boxes.visible.tolist(),
        boxes.start.tolist(),
        boxes.end.tolist(),
        boxes.font_size.tolist(),
        boxes.font_weight.tolist(),
        strict=True,
    )
    rows = [
        {
            "node": node,
            "kind": _KINDS[kind],
            "rect": rect,
            "visible": visible,
            "span": [start, end],
            "font_size": size,
            "font_weight": weight,
        }
        for node, kind, rect, visible, start, end, size, weight in columns
    ]
    shown = {"width": boxes.width, "height": boxes.height, "warnings": list(found.page.warnings), "boxes": rows}
    if request.screenshot and found.screenshot is not None:
        shown["screenshot"] = base64.b64encode(found.screenshot).decode()
    return Answer(200, JSON, as_json(shown))


def _score(request: ScoreTexts, page: Page) -> Answer:
    import tamis

    scores = tamis.score(request.gold, request.extracted)
    return Answer(200, JSON, as_json({name: score._asdict() for name, score in scores.items()}))


def _methods(request: Nothing, page: Page) -> Answer:
    from tamis.service.schemas import methods_document

    return Answer(200, JSON, as_json(methods_document()))


def _openapi(request: Nothing, page: Page) -> Answer:
    from tamis.service.openapi import openapi_document

    return Answer(200, JSON, as_json(openapi_document()))


OPERATIONS: dict[str, Operation] = {
    "extract": Operation(Extract, extract, "The main content of a page, in any format.", "extractors"),
    "compare": Operation(Compare, _compare, "Several methods on one page, side by side."),
    "segment": Operation(Segment, _segment, "The regions of a page, as a tree.", "segmenters"),
    "render": Operation(Render, _render, "Where a browser shows the parts of a page."),
    "score": Operation(ScoreTexts, _score, "Precision, recall and F1 of a text against its gold standard."),
    "methods": Operation(Nothing, _methods, "All methods, with the schemas of their options."),
    "openapi.json": Operation(Nothing, _openapi, "This document, in OpenAPI 3.1."),
}
