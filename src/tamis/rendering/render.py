"""Rendering: a source becomes a page with the boxes that a browser shows (extra ``rendering``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis import batch
from tamis.errors import OptionError
from tamis.page.load import Source, parse
from tamis.page.model import Page
from tamis.ranges import FINITE, Range, check_ranges
from tamis.registry import fill
from tamis.rendering.boxes import build_boxes
from tamis.rendering.browser import Browser, BrowserDied, check_browser, shared_browser
from tamis.rendering.colors import with_image_colors
from tamis.rendering.doorkeeper import Doorkeeper, served_address
from tamis.rendering.snapshot import read_snapshot
from tamis.rendering.visit import Request, Visit, visit

__all__ = ["Options", "RenderOutcome", "Rendering", "render", "render_full", "render_many"]

_MAX_LOST = 0.01  # of the shown characters: a warning is given from here on; ours, not swept
_MAX_SIDE = 10_000  # of a window; ours: browsers refuse much larger ones
_OPENING = re.compile("<[a-zA-Z]")


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a page is rendered."""

    width: int = 1366  # of the window, in pixels: the most common one of the years the labelled pages are from
    height: int = 768
    scripts: bool = False  # run the scripts of the page
    screenshot: bool = True  # also read the colours of images from it
    assets: Path | None = None  # a folder whose files the page may load; it can load nothing else
    timeout_seconds: float = 30.0  # for everything the browser does for one page
    max_elements: int = 50_000  # the markup of more is not given to the browser; ordinary pages have 500-5000
    max_bytes: int = 16 * 1024 * 1024  # of markup, and of each file the page loads

    def __post_init__(self) -> None:
        side = Range(0, _MAX_SIDE, is_open=True)
        check_ranges(self, width=side, height=side, timeout_seconds=FINITE, max_elements=FINITE, max_bytes=FINITE)
        if self.assets is not None and not self.assets.is_dir():
            raise OptionError(f"assets is {str(self.assets)!r}, but must be a folder that exists")


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """A rendered page and the picture of it."""

    page: Page  # ``page.boxes`` is None when the browser could not show it; the warnings say why
    screenshot: bytes | None = None  # PNG


@dataclass(frozen=True, kw_only=True)
class RenderOutcome:
    """What became of one of many sources."""

    source: Source
    rendering: Rendering | None = None
    error: str = ""


def render(source: Source, url: str | None = None, *, browser: Browser | None = None, **options: Any) -> Page:
    """A page with the boxes a browser shows; the page itself is the one that ``tamis.parse`` gives.

    When scripts run, it is the page that they leave behind.
    """
    return render_full(source, url, browser=browser, **options).page


def render_full(source: Source, url: str | None = None, *, browser: Browser | None = None, **options: Any) -> Rendering:
    """The same, together with the screenshot."""
    chosen: Options = fill(Options, "option of render", options)
    page = parse(source, url)
    file = source if isinstance(source, Path) else None
    return _rendered(page, file, browser or shared_browser(), chosen)


def render_many(
    sources: Iterable[Source], *, workers: int = 2, browser: Browser | None = None, **options: Any
) -> Iterator[RenderOutcome]:
    """Render many pages, some side by side; one outcome for each, in their order."""
    chosen: Options = fill(Options, "option of render", options)
    if browser is None:
        check_browser()  # what is missing for all of them is told at once
    shown_by = browser or shared_browser()

    def process(source: Source) -> batch.Outcome[Rendering]:
        file = source if isinstance(source, Path) else None
        return batch.Outcome("ok", _rendered(parse(source), file, shown_by, chosen))

    for source, done in batch.run(sources, process, threads=workers, name=lambda _: "the page"):
        yield RenderOutcome(source=source, rendering=done.value, error=done.reason)


def _rendered(page: Page, file: Path | None, browser: Browser, options: Options) -> Rendering:
    markup, warnings = _served(page, options)
    doorkeeper = Doorkeeper(
        served_address(page.url, file, options.assets),
        markup,
        scripts=options.scripts,
        assets=options.assets,
        max_bytes=options.max_bytes,
    )
    request = Request(
        doorkeeper=doorkeeper,
        width=options.width,
        height=options.height,
        scripts=options.scripts,
        screenshot=options.screenshot,
        timeout_seconds=options.timeout_seconds,
        max_elements=options.max_elements,
    )
    try:
        seen = visit(browser, request)
    except BrowserDied as error:
        seen = Visit(warnings=(f"truncated: the browser failed on the page: {error}",))
    if seen.markup is not None:
        page = parse(seen.markup, page.url)
    warnings = (*warnings, *seen.warnings)
    if seen.snapshot is not None:
        boxes, lost = build_boxes(read_snapshot(seen.snapshot), page, (options.width, options.height))
        if seen.screenshot is not None:
            boxes = with_image_colors(boxes, seen.screenshot)
        if lost >= _MAX_LOST:
            warnings = (*warnings, f"rendering: {lost:.0%} of the text on the screen is not in the page")
        page = page.with_boxes(boxes)
    is_cut = any(warning.startswith("truncated:") for warning in warnings)
    page = page.described(warnings=(*page.warnings, *warnings), truncated=page.truncated or is_cut)
    return Rendering(page=page, screenshot=seen.screenshot)


def _served(page: Page, options: Options) -> tuple[bytes, tuple[str, ...]]:
    """What the browser gets to read: the markup as it was parsed, up to the limits."""
    markup, warnings = page.source, []
    for count, opening in enumerate(_OPENING.finditer(markup)):
        if count == options.max_elements:
            markup = markup[: opening.start()]
            warnings.append(f"truncated: only the first {options.max_elements} elements were rendered (max_elements)")
            break
    served = markup.encode()
    if len(served) > options.max_bytes:
        served = served[: options.max_bytes]
        warnings.append(f"truncated: only the first {options.max_bytes} bytes were rendered (max_bytes)")
    return served, tuple(warnings)
