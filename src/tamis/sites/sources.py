"""Where the pages of a site come from: a folder, a WARC file, or the web. Pages are read when they are asked for."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import os
import tempfile
import weakref
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tamis.errors import InputError, TamisError
from tamis.files import PAGE_SUFFIXES, find_pages
from tamis.page.load import parse
from tamis.page.model import Page

if TYPE_CHECKING:
    from tamis.fetching.answers import Fetched
    from tamis.fetching.crawl import Crawled, Fetch
    from tamis.fetching.crawl import Options as CrawlOptions

__all__ = ["SiteItem", "from_address", "from_file", "from_folder", "from_warc", "from_web"]

WARC_SUFFIXES = (".warc", ".warc.gz")


class SiteItem(NamedTuple):
    """A page that can be read."""

    name: str
    url: str | None
    key: str  # changes when the page changes
    read: Callable[[], Page]


def read_or_none(item: SiteItem) -> Page | None:
    """The page, or None if it cannot be read."""
    try:
        return item.read()
    except TamisError:
        return None


def from_folder(folder: Path, left_out: Path | None = None) -> list[SiteItem]:
    """The pages below a folder, in the order of their names; results that are written below it are no pages."""
    try:
        found = find_pages(folder, left_out)
    except OSError as error:
        raise InputError(f"cannot read {error.filename!r}: {error.strerror}; pass something readable") from error
    if not found:
        raise InputError(f"no pages ({', '.join(PAGE_SUFFIXES)}) below {str(folder)!r}: pass a folder with pages")
    return [_file_item(path, folder) for path in found]


def from_warc(path: Path) -> tuple[list[SiteItem], str | None]:
    """The pages of a WARC file, and what is wrong with it; pages before the damage are not lost.

    They are unpacked into a file of their own that lasts as long as the items.
    """
    from tamis.fetching.warc import read_pages

    store = _Store()
    items: list[SiteItem] = []
    problem = None
    try:
        for answer in read_pages(path):
            items.append(store.item(answer))  # noqa: PERF401 - what was read before an error is kept
    except TamisError as error:
        if not items:
            raise
        problem = str(error)
    if not items:
        raise InputError(f"{str(path)!r} contains no pages: pass a WARC file with HTML responses")
    return items, problem


def from_file(path: Path) -> SiteItem:
    """The page in a file."""
    return _file_item(path, path.parent)


def from_address(url: str, fetch: Fetch) -> SiteItem:
    """The page at an address."""
    return _Store().item(fetch(url))


def from_web(
    start: str,
    archive: Path,
    options: CrawlOptions,
    on_page: Callable[[int], object],
    fetch: Fetch | None = None,
    ends_with: Callable[[Page], bool] | None = None,
) -> tuple[list[SiteItem], Crawled]:
    """A page and those it links to; they are kept in an archive, and what it holds already is not fetched again.

    ``ends_with`` is shown each page, and ends the crawl by returning True.
    """
    from tamis.fetching.crawl import crawl

    store = _Store()
    items: list[SiteItem] = []

    def keep(answer: Fetched) -> bool:
        items.append(store.item(answer))
        on_page(len(items))
        return ends_with is None or not ends_with(answer.parse())

    crawled = crawl(start, options, keep, fetch=fetch, archive=archive)
    return items, crawled


class _Store:
    """Pages on disk, packed, in a file without a name that vanishes when nobody uses it any more."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as there are items
        weakref.finalize(self, self._file.close)

    def item(self, answer: Fetched) -> SiteItem:
        packed = zlib.compress(answer.body, 1)
        place = self._file.seek(0, os.SEEK_END)
        self._file.write(packed)
        key = hashlib.blake2b(answer.body, digest_size=8).hexdigest()
        read = functools.partial(self._read, place, len(packed), dataclasses.replace(answer, body=b""))
        return SiteItem(answer.url, answer.url, f"{answer.url} {key}", read)

    def _read(self, place: int, size: int, answer: Fetched) -> Page:
        self._file.seek(place)
        return dataclasses.replace(answer, body=zlib.decompress(self._file.read(size))).parse()


def _file_item(path: Path, folder: Path) -> SiteItem:
    name = os.fsencode(path.relative_to(folder)).decode("utf-8", "backslashreplace")
    try:
        known = path.stat()
        key = f"{name} {known.st_size} {known.st_mtime_ns}"
    except OSError:
        key = name  # reading it will say why
    return SiteItem(name, None, key, functools.partial(parse, path))
