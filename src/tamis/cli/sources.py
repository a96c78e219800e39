"""From what is named on the command line to a page: a file, standard input, or an address on the web."""

from __future__ import annotations

import functools
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

import tamis
from tamis.cli.items import STANDARD_INPUT, is_address, refuse_nothing, refuse_other_scheme, with_scheme
from tamis.errors import InputError, OptionError
from tamis.page.limits import Limits
from tamis.page.model import Page

if TYPE_CHECKING:
    from tamis.fetching.http import Fetcher, Options

AllowPrivate = Annotated[
    bool, Parameter(help="Also fetch from this machine and its private network.", negative="", show_default=False)
]
RespectRobots = Annotated[bool, Parameter(help="Obey robots.txt.", show_default=False)]
_RECORDS_ADVICE = "tamis run FILE --out DIR reads JSON lines and Parquet files with the columns html and url"
_ADVICE = {
    "a PDF file": "turn it into HTML first, for example with pdftohtml -s -noframes",
    "a WARC file": "use tamis run FILE --out DIR, or tamis site FILE",
    "JSON": _RECORDS_ADVICE,
    "a Parquet file": _RECORDS_ADVICE,
    "a sitemap": "-i reads the pages that it lists",
    "a feed": "-i reads the pages that it lists",
    "gzip-compressed data": "decompress a page first (gunzip -c FILE | tamis extract -); for archives use tamis run",
    "zstd-compressed data": "decompress a page first (zstd -dc FILE | tamis extract -); for archives use tamis run",
}
"""What to do with files that are no pages."""
_LISTING = re.compile(
    r"\ufeff?\s*+(?:(?><\?.*?\?>|<!--.*?-->)\s*+)*+<(urlset|sitemapindex|rss|feed|rdf:RDF)\b", re.DOTALL
)
_JSON = re.compile(r"\s*+\{\s*+\"[^\"\n]*+\"\s*+:")
_FEEDS = ("application/atom+xml", "application/rdf+xml", "application/rss+xml")


class Reader:
    """Reads pages, all of them in one way; pages of one host are fetched with a delay in between.

    ``headers`` (``Name: value``) and ``cookie`` are sent to the hosts that are named, ``proxy`` is asked for all pages.
    """

    def __init__(
        self,
        *,
        allow_private: bool,
        respect_robots: bool,
        url: str | None = None,
        encoding: str | None = None,
        headers: tuple[str, ...] = (),
        cookie: str | None = None,
        proxy: str | None = None,
    ) -> None:
        self._allow_private = allow_private
        self._respect_robots = respect_robots
        self._url = None if url is None else _base(url)
        self._encoding = encoding
        self._headers = (*map(_header, headers), *((("Cookie", _cookie(cookie)),) if cookie else ()))
        self._proxy = proxy
        if self._headers or proxy:
            _ = self.fetch_options  # wrong ones are told before the first page is read

    def read(self, source: str) -> Page:
        """The page that a file, an address or ``-`` stands for; what is no page is answered with what to do."""
        if is_address(source):
            page = tamis.parse(self.fetcher.fetch(with_scheme(source)).parse(encoding=self._encoding), self._url)
        else:
            page = tamis.parse(_content(source), self._url, encoding=self._encoding)
        if kind := _no_page(page, source):
            raise InputError(f"{source!r} is {kind}, not a page: {_ADVICE.get(kind, 'pass an HTML file')}")
        return page

    @functools.cached_property
    def fetcher(self) -> Fetcher:
        """Fetches what is on the web."""
        from tamis.fetching.http import Fetcher

        return Fetcher(self.fetch_options)

    @property
    def fetch_options(self) -> Options:
        """How pages are fetched."""
        from tamis.fetching.answers import CONTENT_TYPES
        from tamis.fetching.http import Options

        return Options(
            content_types=(*CONTENT_TYPES, *_FEEDS),  # feeds are told from pages by what they hold
            allow_private=self._allow_private,
            respect_robots=self._respect_robots,
            headers=self._headers,
            proxy=self._proxy,
        )


def _content(source: str) -> bytes | Path:
    if source != STANDARD_INPUT:
        refuse_other_scheme(source)
        refuse_nothing(source)
        return Path(source)
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed; pass a file or a URL")
    return sys.stdin.buffer.read(Limits().max_bytes + 1)


def _header(given: str) -> tuple[str, str]:
    name, colon, value = given.partition(":")
    if not colon or not name.strip():
        raise OptionError(f"--header {given!r} is not an HTTP header: write it as 'Name: value'")
    return name.strip(), value.strip()


def _cookie(given: str) -> str:
    if "=" not in given:  # other programs take such a value for the name of a file
        raise OptionError(f"--cookie {given!r} is not a cookie: write it as 'name=value', several as 'a=1; b=2'")
    return given


def _base(url: str) -> str:
    if not is_address(url) and "://" not in url:
        raise OptionError(f"--url {url!r} is not a URL: write it with https:// or http:// in front")
    return url if "://" in url else with_scheme(url)


def _no_page(page: Page, source: str) -> str | None:
    """What a file is that holds no page."""
    if ".warc" in Path(source).suffixes or page.source.startswith("WARC/"):
        return "a WARC file"
    if not {".jsonl", ".ndjson"}.isdisjoint(Path(source).suffixes) or _JSON.match(page.source):
        return "JSON"
    if ".parquet" in Path(source).suffixes:
        return "a Parquet file"
    if listing := _LISTING.match(page.source):
        return "a sitemap" if listing[1] in ("urlset", "sitemapindex") else "a feed"
    said = next((warning for warning in page.warnings if warning.startswith("binary: the input is ")), None)
    return said and said.removeprefix("binary: the input is ").removesuffix(", not a page")
