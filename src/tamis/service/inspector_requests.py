"""What the inspector asks of a worker: to open a page, to inspect it, to lay it out, to compare texts.

These belong to the inspector's page and change with it; they are no part of the API that others may rely on.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tamis import extractors, registry
from tamis.errors import InputError, UnknownNameError
from tamis.page.model import Page
from tamis.service.operations import JSON, Operation, as_json
from tamis.service.problems import Answer

MAX_LISTED = 500  # pages of a dataset to choose from: a list for a person, and quick to read
_TITLE_CHARACTERS = 100


@dataclass(frozen=True, kw_only=True)
class Open:
    """A page that is to be read as text, wherever it comes from."""

    html: str | None = None
    url: str | None = None


@dataclass(frozen=True, kw_only=True)
class Inspect:
    """A page and a method, and another method to compare it with."""

    html: str | None = None
    url: str | None = None
    method: str = extractors.DEFAULT
    options: dict[str, Any] = field(default_factory=dict)
    rival: str = ""


@dataclass(frozen=True, kw_only=True)
class LayOut:
    """A page that is rendered, or laid out by an estimate, and divided into regions."""

    html: str | None = None
    url: str | None = None
    rendered: bool = False
    revealed: bool = False  # number the blocks as methods do that see hidden ones
    segmenter: str = ""
    options: dict[str, Any] = field(default_factory=dict)  # of the segmenter


@dataclass(frozen=True, kw_only=True)
class Differ:
    """Two texts; with ``is_gold`` the left one is what the right one should be."""

    left: str = ""
    right: str = ""
    is_gold: bool = False


@dataclass(frozen=True, kw_only=True)
class Datasets:
    """All datasets, or the pages of one, or one page of it."""

    name: str = ""
    position: int | None = None


def _open(request: Open, page: Page) -> Answer:
    return _json({"html": page.source, "url": page.url, "title": page.metadata.title or "", "gold": None})


def _inspect(request: Inspect, page: Page) -> Answer:
    from tamis.service.inspector_view import inspect_page

    _check_options("extractors", request.method, request.options)
    return _json(inspect_page(page, request.method, request.options, request.rival))


def _lay_out(request: LayOut, page: Page) -> Answer:
    from tamis.service.inspector_view import lay_out

    _check_options("segmenters", request.segmenter, request.options)
    picture = None
    if request.rendered:
        from tamis.rendering.render import render_full

        found = render_full(page)
        if found.page.boxes is None or found.screenshot is None:
            raise InputError(f"the browser could not show the page: {'; '.join(found.page.warnings)}")
        page = found.page
        picture = "data:image/png;base64," + base64.b64encode(found.screenshot).decode()
    return _json({**lay_out(page, request.segmenter, request.options, revealed=request.revealed), "picture": picture})


def _differ(request: Differ, page: Page) -> Answer:
    import tamis
    from tamis.service.alignment import differences

    pieces = differences(request.left, request.right)
    scores = tamis.score(request.left, request.right) if request.is_gold else {}
    return _json({"pieces": pieces, "scores": {name: score._asdict() for name, score in scores.items()}})


def _datasets(request: Datasets, page: Page) -> Answer:
    from tamis.evaluation.datasets import data_folder, open_dataset

    folder = data_folder()
    names = (
        [] if folder is None else sorted(_dataset_name(file.relative_to(folder)) for file in folder.glob("*/*.jsonl*"))
    )
    if not request.name:
        return _json({"datasets": names})
    if request.name not in names:  # nothing but what is in the folder is read
        raise UnknownNameError("dataset", request.name, names)
    samples = open_dataset(request.name)
    if request.position is None:
        listed = [{"id": sample.id, "type": sample.page_type or ""} for sample in islice(samples, MAX_LISTED)]
        return _json({"pages": listed})
    sample = next(islice(samples, max(request.position, 0), None), None)
    if sample is None:
        raise InputError(f"the dataset {request.name!r} has no page number {request.position}")
    title = f"{request.name}, {sample.id}"[:_TITLE_CHARACTERS]
    return _json({"html": sample.markup, "url": sample.url, "title": title, "gold": sample.gold})


def _dataset_name(path: Any) -> str:
    return str(path).partition(".jsonl")[0]


def _check_options(kind: str, method: str, options: Mapping[str, Any]) -> None:
    """An error unless all options are the method's own, or selectors of what is kept and dropped."""
    own = {name: value for name, value in options.items() if kind != "extractors" or name not in ("keep", "drop")}
    if method:
        registry.make_options(kind, method, own)


def _json(value: Any) -> Answer:
    return Answer(200, JSON, as_json(value))


OPERATIONS: dict[str, Operation] = {
    "inspect": Operation(Inspect, _inspect, "All that the inspector shows of a page and a method."),
    "inspect/open": Operation(Open, _open, "A page as text."),
    "inspect/layout": Operation(LayOut, _lay_out, "Where the blocks of a page are shown, and its regions."),
    "inspect/difference": Operation(Differ, _differ, "How two texts differ."),
    "inspect/datasets": Operation(Datasets, _datasets, "Datasets on this machine, and their pages."),
}
