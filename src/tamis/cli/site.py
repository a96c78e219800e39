"""``tamis site``: a whole site, from a folder, a WARC file or the web, cleaned with the templates of its pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tamis import batch, registry, templates
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.flags import Input, offers
from tamis.cli.items import is_address, make_folder, with_scheme
from tamis.cli.progress import Bars
from tamis.cli.sources import AllowPrivate, RespectRobots
from tamis.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tamis.fetching.crawl import Options as CrawlOptions
    from tamis.fetching.http import Options as FetchOptions
    from tamis.sites.sources import Item

_SHOWN_FAILURES = 10  # links that lead nowhere; a site may have hundreds
_METHOD = Parameter(
    help="How templates are learned: tamis methods templates", completer=offers(*registry.names("templates"))
)
_CLUSTERER = Parameter(
    help="How pages are grouped: tamis methods clusterers", completer=offers(*registry.names("clusterers"))
)


def site(
    source: Annotated[Input, Parameter(help="An address, a folder of pages, or a WARC file.")],
    /,
    *,
    out: Annotated[Path, Parameter(help="Where everything goes; a rerun goes on where the last one ended.")] = Path(
        "site"
    ),
    method: Annotated[str, _METHOD] = templates.DEFAULT,
    clusterer: Annotated[str | None, _CLUSTERER] = None,
    max_pages: Annotated[int, Parameter(help="Pages to fetch at most, when the source is an address.")] = 100,
    max_depth: Annotated[int, Parameter(help="Links to follow from the address to a page, at most.")] = 1,
    allow_private: AllowPrivate = False,
    respect_robots: RespectRobots = True,
) -> int:
    """Group the pages of a site, learn their templates, and extract the content of all.

    What is found goes to the folder --out: the texts, pages.jsonl, and report.html to look at.

    Examples:
      tamis site https://example.org/ --out site/ --max-pages 200
      tamis site pages/ --out site/
      tamis site crawl/news.warc.gz --out site/
    """
    from tamis.sites import Options, clean_site, report, write_parquet, write_text

    for kind, name in (("templates", method), ("clusterers", clusterer)):
        if name is not None and name not in registry.names(kind):
            raise UnknownNameError(f"method in {kind}", name, registry.names(kind))
    make_folder(out)
    with Bars() as progress:
        if is_address(source):
            from tamis.fetching.crawl import Options as CrawlOptions
            from tamis.fetching.http import Options as FetchOptions

            crawl_options = CrawlOptions(max_pages=max_pages, max_depth=max_depth)
            fetch_options = FetchOptions(allow_private=allow_private, respect_robots=respect_robots)
            items, notes = _from_web(with_scheme(source), out, crawl_options, fetch_options, progress)
        else:
            items, notes = _from_disk(Path(source), out)
        cleaned = clean_site(items, out, Options(clusterer=clusterer, template=method), progress)
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


def _from_web(
    start: str, out: Path, crawl_options: CrawlOptions, fetch_options: FetchOptions, progress: Bars
) -> tuple[list[Item], list[str]]:
    from tamis.fetching.http import Fetcher
    from tamis.sites.sources import from_web

    def on_page(count: int) -> None:
        progress("fetching", count, crawl_options.max_pages)

    with Fetcher(fetch_options) as fetcher:
        items, crawled = from_web(start, out / "crawl.warc.gz", crawl_options, on_page, fetcher.fetch)
    notes = [f"not fetched: {failure.reason}" for failure in crawled.failures[:_SHOWN_FAILURES]]
    if len(crawled.failures) > _SHOWN_FAILURES:
        notes.append(f"not fetched: {counted(len(crawled.failures) - _SHOWN_FAILURES, 'more page')}")
    if crawled.ended != "complete":
        notes.append(f"the crawl ended at its limit ({crawled.ended}) with {counted(crawled.left, 'URL')} left")
    return items, notes


def _from_disk(path: Path, out: Path) -> tuple[list[Item], list[str]]:
    from tamis.sites.sources import WARC_SUFFIXES, from_folder, from_warc

    if path.is_dir():
        return from_folder(path, left_out=out), []
    if not path.exists():
        raise InputError(f"cannot read {str(path)!r}: it does not exist; pass an address, a folder or a WARC file")
    if not path.name.lower().endswith(WARC_SUFFIXES):
        raise InputError(f"{str(path)!r} is neither a folder nor a WARC file ({', '.join(WARC_SUFFIXES)})")
    items, problem = from_warc(path)
    return items, [] if problem is None else [f"read only the first {counted(len(items), 'page')}: {problem}"]
