"""``tamis segment``: the regions of pages, as JSON and as pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from tamis import registry, segmenters
from tamis.batch import Outcome
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.delivery import work_off, write_file
from tamis.cli.flags import Input, flags_of, offers, with_flags
from tamis.cli.items import STANDARD_INPUT, Item, is_address, make_folder, plan, with_scheme
from tamis.cli.progress import Bars
from tamis.cli.sources import AllowPrivate, Reader, RespectRobots
from tamis.errors import MissingExtraError, MissingProgramError, OptionError, UnknownNameError
from tamis.options import options_of
from tamis.page.model import Page
from tamis.results import Segmentation

ALL = "all"
FORMATS = ("json", "svg", "html")

# A single dash would be taken for a flag; flags that are taken for inputs instead are refused by ``unknown_flag``.
_INPUTS = Parameter(help="Files, folders, URLs, or - for standard input.", allow_leading_hyphen=True)
_RESUME = Parameter(help="Skip pages whose file in --out exists.", negative="", show_default=False)
_FORMAT = Parameter(help="json, svg or html; default with --out: JSON and a picture.", completer=offers(*FORMATS))
_MAX_PAGES = Parameter(help="Crawl: largest number of pages of the site to take, starting at the URL; needs --out.")
_REUSE = Parameter(help="Reuse the regions of pages with the same template.", negative="", show_default=False)


def segment(
    *inputs: Annotated[Input, _INPUTS],
    method: Annotated[
        str,
        Parameter(
            help=f"One of: {', '.join(registry.names('segmenters'))}; or all.",
            completer=offers(*registry.names("segmenters"), ALL),
        ),
    ] = (segmenters.DEFAULT),
    format: Annotated[str | None, _FORMAT] = None,  # noqa: A002 - a flag's name
    out: Annotated[Path | None, Parameter(help="Write the results into this folder.")] = None,
    render: Annotated[
        bool, Parameter(help="Render pages in a browser; else the layout is estimated.", show_default=False)
    ] = True,
    width: Annotated[int | None, Parameter(help="Width of the window in pixels; default 1366.")] = None,
    scripts: Annotated[bool, Parameter(help="Run the scripts of the pages.", negative="", show_default=False)] = False,
    assets: Annotated[Path | None, Parameter(help="Folder with style sheets and images that pages may load.")] = None,
    reuse: Annotated[bool, _REUSE] = False,
    max_pages: Annotated[int, _MAX_PAGES] = 1,
    max_depth: Annotated[int, Parameter(help="With --max-pages: largest link depth from the URL.")] = 1,
    resume: Annotated[bool, _RESUME] = False,
    allow_private: AllowPrivate = False,
    respect_robots: RespectRobots = True,
    **options: Any,
) -> int:
    """Divide pages into regions.

    Pages are rendered in Chromium for their layout; with --no-render the layout is estimated from the HTML.

    Examples:
      tamis segment page.html
      tamis segment page.html --out regions/
      tamis segment page.html --method all --format html > look.html
      tamis segment pages/ --no-render --out regions/ --resume
      tamis segment https://example.org/ --max-pages 50 --reuse --out regions/
    """
    every = sorted(registry.names("segmenters"), key=lambda name: (name != segmenters.DEFAULT, name))
    methods = every if method == ALL else [method]
    if method != ALL:
        registry.make_options("segmenters", method, options)
    if format is not None and format not in FORMATS:
        raise UnknownNameError("format", format, FORMATS)
    if resume and out is None:
        raise OptionError("--resume skips pages whose file in --out exists: pass --out as well")
    if not render and (flag := _for_the_browser(width, scripts, assets)):
        raise OptionError(f"{flag} needs a browser: remove it, or remove --no-render")
    picture = format if format in ("svg", "html") else "html" if method == ALL else "svg"
    if method == ALL and picture == "svg":
        raise OptionError("--format svg shows one method: pass --format html to see all of them")
    if reuse and (method == ALL or format in ("svg", "html")):
        raise OptionError("--reuse renders one page of each template and uses one method: it writes --format json only")
    with_picture = out is not None and format is None and not reuse
    reader = Reader(allow_private=allow_private, respect_robots=respect_robots)
    crawled = _crawled(inputs, out, reader, max_pages, max_depth) if max_pages != 1 else {}
    items = plan(tuple(crawled) or inputs, format or "json", out)
    if out is None and len(items) > 1 and format in ("svg", "html"):
        raise OptionError(f"--format {format} makes a picture of each of {len(items)} pages: pass --out DIR for them")
    viewer = _Viewer(
        lambda source: crawled[source]() if source in crawled else reader.read(source),
        _rendering(width, scripts, assets, with_picture or format in ("svg", "html")) if render else None,
    )
    if out is not None:
        make_folder(out)
    if reuse:
        return _segment_by_example(items, viewer, method, options, resume=resume)
    targets = {item.source: item.target for item in items}

    def process(source: str) -> Outcome[str]:
        shown = viewer.show(viewer.read(source))
        found = [segmenters.segment(shown, name, **options) for name in methods]
        text = (
            _to_json(source, found) if format in (None, "json") else _drawn(found, viewer.screenshot, source, picture)
        )
        target = targets[source]
        if with_picture and target is not None:
            write_file(target.with_suffix(f".{picture}"), _drawn(found, viewer.screenshot, source, picture))
        return _result(found, text)

    return work_off(items, process, resume=resume, titled=False)


def _segment_by_example(
    items: Sequence[Item], viewer: _Viewer, method: str, options: Mapping[str, Any], *, resume: bool
) -> int:
    """One page of each template is segmented, the others take its regions over."""
    from tamis.sites.segment_cache import CacheReport, SegmentCache

    cache, report = SegmentCache(method, render=viewer.show, options=options), CacheReport()

    def process(source: str) -> Outcome[str]:
        nonlocal report
        answer = cache.segment(viewer.read(source))
        report = report.plus(answer)
        return _result([answer.segmentation], _to_json(source, [answer.segmentation]))

    code = work_off(items, process, resume=resume, titled=False)
    saved = f"; about {report.seconds_saved:.1f} s saved" if report.seconds_saved > 0 else ""
    streams.say(f"{report.hits} of {report.pages} pages reused the regions of another{saved}")
    return code


def _crawled(
    inputs: Sequence[str], out: Path | None, reader: Reader, max_pages: int, max_depth: int
) -> dict[str, Callable[[], Page]]:
    """What reads each page that some addresses lead to; pages are kept in ``out``, and not fetched again."""
    if out is None:
        raise OptionError("--max-pages keeps the pages it fetches: pass --out DIR as well")
    if not inputs or not all(map(is_address, inputs)):
        raise OptionError("--max-pages follows the links of a page on the web: pass its address")
    from tamis.fetching.crawl import Options
    from tamis.sites.sources import from_web

    limits = Options(max_pages=max_pages, max_depth=max_depth)
    make_folder(out)
    found: dict[str, Callable[[], Page]] = {}
    with Bars() as progress:
        for start in map(with_scheme, inputs):
            items, crawled = from_web(
                start,
                out / "crawl.warc.gz",
                limits,
                lambda count: progress("fetching", count, max_pages),
                reader.fetcher.fetch,
            )
            found |= {item.name: item.read for item in items}
            if crawled.failures:
                streams.say(f"warning: not fetched: {counted(len(crawled.failures), 'page')}")
    return found


class _Viewer:
    """Reads pages, and shows them to the browser if there are options for that."""

    def __init__(self, read: Callable[[str], Page], rendering: Mapping[str, Any] | None) -> None:
        self.screenshot: bytes | None = None  # of the page that was shown last
        self._read = read
        self._rendering = rendering
        self._file: Path | None = None

    def read(self, source: str) -> Page:
        self.screenshot = None
        self._file = None if is_address(source) or source == STANDARD_INPUT else Path(source)
        return self._read(source)

    def show(self, page: Page) -> Page:
        """The page that was read last, with boxes; if it is a file, assets are found where its links lead."""
        if self._rendering is None:
            return _estimated(page)
        from tamis.rendering.render import render_full

        rendering = render_full(page if self._file is None else self._file, page.url, **self._rendering)
        self.screenshot = rendering.screenshot
        return rendering.page if rendering.page.boxes is not None else _estimated(rendering.page)


def _for_the_browser(width: int | None, scripts: bool, assets: Path | None) -> str:
    """A flag that was given and means nothing without a browser; empty if there is none."""
    given = {"--width": width is not None, "--scripts": scripts, "--assets": assets is not None}
    return next((flag for flag, is_given in given.items() if is_given), "")


def _rendering(width: int | None, scripts: bool, assets: Path | None, screenshot: bool) -> dict[str, Any]:
    """Options for the browser; that they are wrong, or that there is none, is told before the first page is read."""
    from tamis.rendering.browser import check_browser
    from tamis.rendering.render import Options

    try:
        check_browser()
    except (MissingExtraError, MissingProgramError) as error:
        raise OptionError(f"{error}; or pass --no-render to have the layout estimated") from error
    given: dict[str, Any] = {"scripts": scripts, "assets": assets, "screenshot": screenshot} | (
        {"width": width} if width is not None else {}
    )
    Options(**given)
    return given


def command(method: str) -> Callable[..., int]:
    """The function ``segment`` with the options of one method in the place of ``**options``."""
    own = options_of(registry.load("segmenters", method)) if method != ALL else ()
    return with_flags(segment, {f"Options of {method}": own})


def flags(method: str) -> list[str]:
    """The flags of the command with the options of one method."""
    return flags_of(command(method))


def _estimated(page: Page) -> Page:
    from tamis.page.layout import estimate_boxes

    return page.with_boxes(estimate_boxes(page))


def _result(found: list[Segmentation], text: str) -> Outcome[str]:
    statuses = {one.status for one in found}
    status = next(status for status in ("truncated", "ok", "empty") if status in statuses)
    return Outcome(status, text, warnings=found[0].page.warnings)


def _to_json(source: str, found: list[Segmentation]) -> str:
    told = [{"source": source, **one.to_dict()} for one in found]
    text = json.dumps(told[0] if len(told) == 1 else told, ensure_ascii=False)
    # A name of a file that is no UTF-8 is written with the escapes that JSON has for it.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def _drawn(found: list[Segmentation], screenshot: bytes | None, source: str, picture: str) -> str:
    from tamis.pictures.overlays import to_sheet, to_svg

    title = (found[0].page.url or source).encode("utf-8", "backslashreplace").decode()
    return to_svg(found[0], screenshot, title) if picture == "svg" else to_sheet(found, screenshot, title)
