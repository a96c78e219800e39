"""Pages that a file or a URL names: lists, sitemaps and feeds given with ``-i``."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tamis.cli.items import STANDARD_INPUT, is_address, with_scheme
from tamis.cli.sources import Reader
from tamis.errors import InputError, OptionError


def listed_pages(sources: Sequence[str], reader: Reader) -> Iterator[str]:
    """The URLs that some sources name; a file or - may hold them, or a URL lead to them."""
    if not sources:
        return
    from tamis.fetching.http import Fetcher
    from tamis.fetching.page_lists import MAX_BYTES, follow, read_listing

    def fetch(url: str) -> bytes:
        return fetcher.fetch(url).body

    # Feeds and packed sitemaps come with many content types, and may be longer than pages.
    with Fetcher(dataclasses.replace(reader.fetch_options, content_types=(), max_bytes=MAX_BYTES)) as fetcher:
        for source in sources:
            url = with_scheme(source) if is_address(source) else None
            listing = read_listing(fetch(url) if url else _read(source), url)
            pages = follow(listing, fetch)
            if not pages:
                raise InputError(f"{source!r} names no pages: pass a list of URLs, a sitemap or a feed")
            for page in pages:
                if not is_address(page):  # a list from elsewhere must not read files of this machine
                    raise OptionError(f"{source!r} names {page[:80]!r}, which is not a URL: write one URL per line")
                yield page


def _read(source: str) -> bytes:
    if source == STANDARD_INPUT:
        return sys.stdin.buffer.read() if sys.stdin else b""
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {source!r}: {error.strerror}; pass a list of URLs that exists") from error
