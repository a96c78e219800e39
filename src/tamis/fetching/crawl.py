"""The pages that a page links to: a crawl that stays near its start (Gottron 2008, section 7.2.1).

Pages of a site link to each other densely, and those a page links to are often made from its template. The start
comes first, then the pages it links to, then, if asked for, those that these link to; on each level the addresses
most like that of the start come first, since they most likely share its template.

Departs: the thesis downloads every target of a link, from any site. By default other sites are left out here, as are
links to files that are no pages; robots.txt and delays are respected by the fetcher.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import numpy as np

from tamis import urls
from tamis.errors import TamisError
from tamis.fetching import addresses
from tamis.fetching.answers import Fetched
from tamis.fetching.http import Fetcher
from tamis.fetching.warc import Archive
from tamis.page.model import Page
from tamis.ranges import COUNT, NOT_NEGATIVE, POSITIVE, check_ranges

__all__ = ["Crawled", "Failure", "Options", "crawl"]

Fetch = Callable[[str], Fetched]

_MAX_LINKS = 10_000  # ours: of one page; far above any page that is not made to trap robots
# Files that are no pages, by the end of their address; anything else is asked for and judged by its content type.
_FILE_SUFFIXES = tuple(
    ".7z .apk .avi .bmp .bz2 .css .csv .doc .docx .dmg .eps .epub .exe .flac .gif .gz .ico .iso .jar .jpeg .jpg .js "
    ".json .m4a .m4v .mkv .mov .mp3 .mp4 .mpeg .mpg .odp .ods .odt .ogg .ogv .pdf .png .ppt .pptx .ps .rar .rss .rtf "
    ".svg .tar .tgz .tif .tiff .wav .webm .webp .wma .wmv .woff .woff2 .xls .xlsx .xz .zip".split()
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How far a crawl goes."""

    max_pages: int = 100  # with the start; the thesis has no limit, its seed pages had about as many links
    max_depth: int = 1  # links between the start and a page; 1 is the thesis's
    same_site: bool = True  # only hosts like that of the start, with or without www
    max_seconds: float = 3600.0  # no page is begun after this
    at_once: int = 1  # pages fetched at the same time; the order of the pages and the delays of a host stay the same

    def __post_init__(self) -> None:
        check_ranges(self, max_pages=COUNT, max_depth=NOT_NEGATIVE, max_seconds=POSITIVE, at_once=COUNT)


class Failure(NamedTuple):
    """A page that did not come."""

    url: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Crawled:
    """How a crawl went."""

    pages: int  # handed to ``on_page``
    failures: tuple[Failure, ...]
    repeated: int  # addresses that led to a page which was there already
    left: int  # addresses known and not asked for
    ended: str  # "complete", "max_pages", "max_seconds" or "stopped"


def crawl(
    start: str,
    options: Options | None = None,
    on_page: Callable[[Fetched], object] | None = None,
    *,
    fetch: Fetch | None = None,
    archive: Path | None = None,
) -> Crawled:
    """Hand a page and those it links to, nearest first, to ``on_page``, which ends the crawl by returning False.

    With ``archive``, pages are kept in that WARC file, and pages it holds already are not fetched again: a crawl that
    was cut off goes on where it ended. ``fetch`` replaces the web, for example by ``Archive(path).fetch``. A start that
    does not come is an error; any other page is a failure that is counted.
    """
    options = options or Options()
    if fetch is None:
        with Fetcher() as fetcher:
            return crawl(start, options, on_page, fetch=fetcher.fetch, archive=archive)
    with _Ahead(_kept(fetch, archive), options.at_once) as ahead:
        return _crawl(start, options, on_page, ahead)


def links(page: Page) -> list[str]:
    """The addresses that a page links to, in document order, each once, without fragment."""
    nodes = np.flatnonzero(page.nodes.named("a", "area"))[:_MAX_LINKS]
    home = _home(page)
    found = (addresses.join(home, href) for href in page.attribute(nodes, "href") if href)
    return list(dict.fromkeys(link for link in found if link))


def closeness(url: str, start: str) -> tuple[int, int]:
    """How near an address is to that of the start; the smaller, the nearer.

    First counts how many leading parts of the path they do not share, then how much they differ in their number.

    >>> start = "https://example.org/news/2024/a.html"
    >>> closeness("https://example.org/news/2024/b.html", start), closeness("https://example.org/about", start)
    ((1, 0), (3, 2))
    """
    parts, home = _parts(url), _parts(start)
    pairs = zip(parts, home, strict=False)
    shared = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return len(home) - shared, abs(len(parts) - len(home))


def same_site(url: str, start: str) -> bool:
    """True if two addresses have the same host, with or without ``www``.

    >>> same_site("http://www.example.org/a", "https://example.org/")
    True
    >>> same_site("https://blog.example.org/", "https://example.org/")
    False
    """
    return _site(url) == _site(start)


def _crawl(start: str, options: Options, on_page: Callable[[Fetched], object] | None, ahead: _Ahead) -> Crawled:
    home = start = str(addresses.read(start))
    end = time.monotonic() + options.max_seconds
    waiting: list[_Waiting] = [(0, (0, 0), 0, start)]  # depth, closeness, order of discovery, address
    known, delivered = {start}, set[str]()
    failures: list[Failure] = []
    repeated, ended = 0, "complete"
    while waiting:
        if len(delivered) >= options.max_pages or time.monotonic() > end:
            ended = "max_pages" if len(delivered) >= options.max_pages else "max_seconds"
            break
        depth, _, _, url = heapq.heappop(waiting)
        try:
            answer = ahead.fetch(
                url, _next(waiting, depth, min(options.at_once, options.max_pages - len(delivered)) - 1)
            )
        except TamisError as error:
            if not depth:
                raise
            failures.append(Failure(url, str(error)))
            continue
        if not depth:
            home = answer.url
        if answer.url in delivered:
            repeated += 1
            continue
        if options.same_site and not same_site(answer.url, home):
            failures.append(Failure(url, f"{url!r} is redirected to another site, {answer.url!r}"))
            continue
        delivered.add(answer.url)
        known.add(answer.url)
        if on_page is not None and on_page(answer) is False:
            ended = "stopped"
            break
        for link in links(answer.parse()) if depth < options.max_depth else ():
            if link not in known and _is_wanted(link, home, options):
                known.add(link)
                heapq.heappush(waiting, (depth + 1, closeness(link, home), len(known), link))
    return Crawled(pages=len(delivered), failures=tuple(failures), repeated=repeated, left=len(waiting), ended=ended)


_Waiting = tuple[int, tuple[int, int], int, str]


def _next(waiting: list[_Waiting], depth: int, count: int) -> list[str]:
    """The addresses that come next; those of a deeper level may still be overtaken by nearer ones."""
    return [entry[-1] for entry in heapq.nsmallest(count, waiting) if entry[0] == depth] if count > 0 else []


class _Ahead:
    """Fetches pages before their turn comes, a few at a time."""

    def __init__(self, fetch: Fetch, at_once: int) -> None:
        self._fetch = fetch
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="crawl") if at_once > 1 else None
        self._begun: dict[str, Future[Fetched]] = {}

    def __enter__(self) -> _Ahead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def fetch(self, url: str, following: Sequence[str]) -> Fetched:
        """The page at an address; those at the following ones are begun."""
        if self._pool is None:
            return self._fetch(url)
        for address in (url, *following):
            if address not in self._begun:
                self._begun[address] = self._pool.submit(self._fetch, address)
        return self._begun.pop(url).result()


def _kept(fetch: Fetch, path: Path | None) -> Fetch:
    """The same source of pages, which are kept in an archive and taken from it if they are there."""
    if path is None:
        return fetch
    archive = Archive(path)
    lock = threading.Lock()  # of the archive; pages are fetched at the same time

    def fetch_once(url: str) -> Fetched:
        with lock:
            if url in archive:
                return archive.fetch(url)
        answer = fetch(url)
        with lock:
            archive.add(answer)
        return answer

    return fetch_once


def _is_wanted(link: str, home: str, options: Options) -> bool:
    if options.same_site and not same_site(link, home):
        return False
    return not urls.split(link).path.lower().endswith(_FILE_SUFFIXES)


def _home(page: Page) -> str:
    """What the links of a page are relative to."""
    url = page.url or ""
    bases = page.attribute(np.flatnonzero(page.nodes.named("base")), "href")
    base = next((href for href in bases if href is not None), None)
    return url if base is None else addresses.join(url, base) or url


def _parts(url: str) -> list[str]:
    return urls.split(url).path.split("/")[1:]


def _site(url: str) -> str:
    return urls.host(url).removeprefix("www.")
