"""``tamis site``: a whole site, from a folder, a WARC file or the web, cleaned with the templates of its pages."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tamis import batch, clusterers, extractors, registry, templates
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.flags import Input, offers
from tamis.cli.items import is_address, make_folder, refuse_nothing, refuse_other_scheme, with_scheme
from tamis.cli.progress import Bars
from tamis.cli.sources import AllowPrivate, RespectRobots
from tamis.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tamis.fetching.crawl import Fetch
    from tamis.fetching.crawl import Options as CrawlOptions
    from tamis.fetching.http import Options as FetchOptions
    from tamis.page.model import Page
    from tamis.sites import bootstrap
    from tamis.sites.sources import SiteItem

_SHOWN_FAILURES = 10  # links that lead nowhere; a site may have hundreds
_METHOD = Parameter(
    help="Template method; list: tamis methods templates", completer=offers(*registry.names("templates"))
)
_DISTANCE = Parameter(
    help="Distance for the clusterer; list: tamis methods distances",
    completer=offers(*registry.names("distances")),
)
_FALLBACK = Parameter(
    help="Extractor for pages without a large enough group; list: tamis methods extractors",
    completer=offers(*registry.names("extractors")),
)
_CLUSTERER = Parameter(
    help="Clusterer; list: tamis methods clusterers", completer=offers(*registry.names("clusterers"))
)


def site(
    source: Annotated[Input, Parameter(help="A URL, a folder of pages, or a WARC file.")],
    /,
    *,
    out: Annotated[Path, Parameter(help="Output folder; run the same command again to continue.")] = Path("site"),
    method: Annotated[str, _METHOD] = templates.DEFAULT,
    like: Annotated[str | None, Parameter(help="A URL or a file: extract only pages with the same template.")] = None,
    clusterer: Annotated[str | None, _CLUSTERER] = None,
    distance: Annotated[str | None, _DISTANCE] = None,
    threshold: Annotated[
        float | None, Parameter(help="Largest distance between pages of one template; default: that of the distance.")
    ] = None,
    fallback: Annotated[str, _FALLBACK] = extractors.DEFAULT,
    enough: Annotated[
        int, Parameter(help="With --like: end the crawl when this many pages of the template are found.")
    ] = 20,
    max_pages: Annotated[int, Parameter(help="Largest number of pages to fetch, if the source is a URL.")] = 100,
    max_depth: Annotated[int, Parameter(help="Largest link depth from the URL.")] = 1,
    allow_private: AllowPrivate = False,
    respect_robots: RespectRobots = True,
) -> int:
    """Extract a whole site: group its pages, learn their templates, remove what they share.

    Writes to the folder --out: pages.jsonl with the content of every page, the templates, and report.html.

    Examples:
      tamis site https://example.org/ --out site/ --max-pages 200
      tamis site pages/ --out site/
      tamis site crawl/news.warc.gz --out site/
      tamis site pages/ --like pages/story.html --fallback accb
    """
    from tamis.sites import Options, bootstrap, clean_site, report, write_parquet, write_text

    for kind, name in (("templates", method), ("clusterers", clusterer), ("extractors", fallback)):
        if name is not None and name not in registry.names(kind):
            raise UnknownNameError(f"method in {kind}", name, registry.names(kind))
    given = {name: value for name, value in (("distance", distance), ("threshold", threshold)) if value is not None}
    chosen = bootstrap.Options(
        template=method,
        clusterer=clusterer or clusterers.DEFAULT,
        clusterer_options=given,
        fallback=fallback,
        enough=enough,
    )
    saved = None if is_address(source) else _from_disk(source, out)
    make_folder(out)
    with Bars() as progress:
        wanted = None if like is None else _Wanted(like, chosen)
        if saved is None:
            from tamis.fetching.crawl import Options as CrawlOptions
            from tamis.fetching.http import Options as FetchOptions

            at_once = bootstrap.AT_ONCE if wanted else 1
            crawl_options = CrawlOptions(max_pages=max_pages, max_depth=max_depth, at_once=at_once)
            fetch_options = FetchOptions(allow_private=allow_private, respect_robots=respect_robots)
            items, notes = _from_web(with_scheme(source), out, crawl_options, fetch_options, progress, wanted)
        else:
            items, notes = saved
            if wanted is not None:
                wanted.find(None)
        if wanted is not None:
            items, note = wanted.among(items)
            notes.append(note)
        options = Options(
            clusterer=clusterer,
            clusterer_options=given,
            template=method,
            fallback=fallback,
            is_one_group=like is not None,
        )
        cleaned = clean_site(items, out, options, progress)
        write_text(out / "report.html", report.to_html(f"Site: {source}", items, cleaned))
        write_parquet(out / "pages.jsonl", out / "pages.parquet")
    for line in (*notes, *cleaned.warnings):
        streams.say(f"warning: {line}")
    for failure in cleaned.failures:
        streams.say(f"failed: {failure}")
    counts = batch.told(cleaned.counts, batch.OF_ONE_PROCESS)
    groups = len(cleaned.groups) - bool(cleaned.alone)
    found = f"{counted(len(items), 'page')} in {counted(groups, 'group')}"
    if cleaned.alone:
        found += f", {cleaned.alone} of them on their own"
    streams.say(f"{found}: {counts}; report: {out / 'report.html'}")
    return batch.exit_code(cleaned.counts)


class _Wanted:
    """The page that others must be like."""

    def __init__(self, name: str, options: bootstrap.Options) -> None:
        from tamis.sites.bootstrap import Enough

        self.name = name
        self._options = options
        self._enough = Enough(options)
        self._item: SiteItem | None = None
        self._pages: list[Page] = []

    def find(self, fetch: Fetch | None) -> None:
        """Read the page: from the web if there is a way to it."""
        from tamis.sites.sources import from_address, from_file

        if not is_address(self.name):
            self._item = from_file(Path(self.name))
        elif fetch is None:
            raise InputError(f"--like {self.name!r} is a URL, but the source is not: pass a file, or crawl a site")
        else:
            self._item = from_address(with_scheme(self.name), fetch)
        self._pages = [self._item.read()]

    def is_enough(self, page: Page) -> bool:
        """Whether a crawl can end with this page."""
        if page.url is None or page.url != self._pages[0].url:
            self._pages.append(page)
        return self._enough.reached(self._pages)

    def among(self, items: list[SiteItem]) -> tuple[list[SiteItem], str]:
        """The page and those of some others that are like it; and a sentence about it."""
        from tamis.sites.bootstrap import alike
        from tamis.sites.sources import read_or_none

        if self._item is None:
            raise AssertionError("the page was read before")
        others = [item for item in items if item.url is None or item.url != self._item.url]
        readable: list[SiteItem] = []

        def pages() -> Iterator[Page]:
            for item in (self._item, *others):
                if item is not None and (page := read_or_none(item)) is not None:
                    readable.append(item)
                    yield page

        found = [readable[place] for place in alike(pages(), self._options)]
        return found, f"of {counted(len(others), 'other page')}, {len(found) - 1} are like {self.name}"


def _from_web(
    start: str,
    out: Path,
    crawl_options: CrawlOptions,
    fetch_options: FetchOptions,
    progress: Bars,
    wanted: _Wanted | None,
) -> tuple[list[SiteItem], list[str]]:
    from tamis.fetching.http import Fetcher
    from tamis.sites.sources import from_web

    def on_page(count: int) -> None:
        progress("fetching", count, crawl_options.max_pages)

    with Fetcher(fetch_options) as fetcher:
        fetch = functools.lru_cache(maxsize=1)(fetcher.fetch)  # the page and the start are mostly the same
        if wanted is not None:
            wanted.find(fetch)
        ends_with = None if wanted is None else wanted.is_enough
        archive = out / "crawl.warc.gz"
        items, crawled = from_web(start, archive, crawl_options, on_page, fetch, ends_with)
    notes = [f"not fetched: {failure.reason}" for failure in crawled.failures[:_SHOWN_FAILURES]]
    if len(crawled.failures) > _SHOWN_FAILURES:
        notes.append(f"not fetched: {counted(len(crawled.failures) - _SHOWN_FAILURES, 'more page')}")
    if crawled.ended in ("max_pages", "max_seconds"):
        notes.append(f"the crawl ended at its limit ({crawled.ended}) with {counted(crawled.left, 'URL')} left")
    return items, notes


def _from_disk(source: str, out: Path) -> tuple[list[SiteItem], list[str]]:
    from tamis.sites.sources import WARC_SUFFIXES, from_folder, from_warc

    refuse_other_scheme(source)
    refuse_nothing(source)
    path = Path(source)
    if path.is_dir():
        return from_folder(path, left_out=out), []
    if not path.exists():
        raise InputError(f"cannot read {str(path)!r}: it does not exist; pass a URL, a folder or a WARC file")
    if not path.name.lower().endswith(WARC_SUFFIXES):
        raise InputError(f"{str(path)!r} is neither a folder nor a WARC file ({', '.join(WARC_SUFFIXES)})")
    items, problem = from_warc(path)
    return items, [] if problem is None else [f"read only the first {counted(len(items), 'page')}: {problem}"]
