"""Files that name pages: a list of URLs, a sitemap, an index of sitemaps, an RSS, Atom or JSON feed.

    found = read_listing(data, "https://example.org/sitemap.xml")
    found.pages, found.listings

What kind a file is, is seen from its content. Damaged files give what stands before the damage.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from tamis import urls
from tamis.errors import InputError
from tamis.stored import DamageError
from tamis.stored.documents import parse_json

MAX_PAGES = 50_000  # URLs of one file: what the sitemap protocol allows
MAX_LISTINGS = 1_000  # files that an index leads to; the protocol allows 50,000
MAX_BYTES = 50 * 1024 * 1024  # of one file, unpacked: what the sitemap protocol allows
_PIECE = 1 << 16
_GZIP = b"\x1f\x8b"
_BLANK = b" \t\r\n"
_DECLARED = re.compile(rb"(?:\s|<\?.*?\?>|<!--.*?-->)*<!DOCTYPE", re.DOTALL)  # it can stand nowhere else


@dataclass(frozen=True, kw_only=True)
class Listing:
    """What a file names, in its order and each once."""

    pages: tuple[str, ...]
    listings: tuple[str, ...] = ()  # further files of this kind


def read_listing(data: bytes, url: str | None = None) -> Listing:
    """The pages that a file names; relative URLs in feeds are relative to ``url``."""
    data = _unpacked(data).removeprefix(codecs.BOM_UTF8)
    head = data.lstrip(_BLANK)[:1]
    if head == b"<":
        return _from_xml(data.lstrip(_BLANK), url or "")
    if head == b"{":
        return _from_json(data, url or "")
    lines = (line.strip() for line in data.decode("utf-8", "replace").splitlines())
    return Listing(pages=_each_once(line for line in lines if line and not line.startswith("#")))


def follow(first: Listing, fetch: Callable[[str], bytes]) -> tuple[str, ...]:
    """The pages of a listing and of all that it leads to; ``fetch`` gives the bytes at a URL."""
    pages, waiting, seen = dict.fromkeys(first.pages), list(first.listings), set(first.listings)
    for read in range(MAX_LISTINGS):
        if read >= len(waiting) or len(pages) >= MAX_PAGES:
            break
        found = read_listing(fetch(waiting[read]), waiting[read])
        pages.update(dict.fromkeys(found.pages))
        waiting += [url for url in found.listings if url not in seen]
        seen.update(found.listings)
    return tuple(pages)[:MAX_PAGES]


def _unpacked(data: bytes) -> bytes:
    """Sitemaps are often packed; a limit keeps a small file from becoming a huge one."""
    if not data.startswith(_GZIP):
        return data[:MAX_BYTES]
    try:
        with gzip.open(io.BytesIO(data)) as file:
            return file.read(MAX_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"the list of pages is damaged ({error}): fetch it again") from error


def _from_xml(data: bytes, home: str) -> Listing:
    pages: list[str] = []
    listings: list[str] = []
    parents: list[str] = []
    for event, element in _xml(data):
        name = element.tag.rpartition("}")[2].lower()
        if event == "start":
            parents.append(name)
            continue
        parents.pop()
        parent = parents[-1] if parents else ""
        said = (element.text or "").strip()
        if name == "loc" and parent in ("url", "sitemap"):
            (pages if parent == "url" else listings).append(said)
        elif name == "link" and parent == "entry" and element.get("rel", "alternate") == "alternate":
            pages.append(element.get("href", ""))
        elif name == "link" and parent == "item":
            pages.append(said)
        if parent in ("urlset", "sitemapindex", "channel", "feed"):
            element.clear()  # a list of fifty thousand is never held as a tree
    return Listing(pages=_resolved(pages, home), listings=_resolved(listings, home)[:MAX_LISTINGS])


def _xml(data: bytes) -> Iterator[tuple[str, Element]]:
    """Elements as they begin and end, until the end or the first fault.

    Neither sitemaps nor feeds need declarations, which are how XML is made to grow or to read files: with one, a file
    is refused.
    """
    if _DECLARED.match(data):
        raise InputError("the list of pages has a DOCTYPE, which sitemaps and feeds do not have: pass another file")
    parser: XMLPullParser[Element] = XMLPullParser(["start", "end"])
    try:
        for start in range(0, len(data), _PIECE):
            parser.feed(data[start : start + _PIECE])
            yield from parser.read_events()  # type: ignore[misc]
    except ParseError:
        return


def _from_json(data: bytes, home: str) -> Listing:
    try:
        items = parse_json(data, is_ours=False)["items"]
        found = [item["url"] for item in items if isinstance(item.get("url"), str)]
    except (DamageError, KeyError, TypeError, AttributeError) as error:
        raise InputError("the list of pages is JSON, but not a JSON feed: pass a list of URLs or a sitemap") from error
    return Listing(pages=_resolved(found, home))


def _resolved(found: list[str], home: str) -> tuple[str, ...]:
    absolute = (urls.resolve(url, home, urls.WEB_SCHEMES) for url in found)
    return _each_once(url for url in absolute if urls.host(url))


def _each_once(found: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))[:MAX_PAGES]
