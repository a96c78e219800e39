"""Articles that run over several pages: found by their links to the next page, and joined to one extraction."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from html import escape, unescape

import numpy as np

from tamis import urls
from tamis.errors import TamisError
from tamis.extractors import keep_all
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Bools, Ints
from tamis.results import Extraction

__all__ = ["joined"]

MAX_PARTS = 50  # ours: longer articles were not seen; a list of posts may go on for thousands of pages
_HEAD = re.compile(r"<head\b.*?</head\s*>", re.DOTALL | re.IGNORECASE)
_HEADLINE = re.compile(r"\s*<h1>(.*?)</h1>", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_TAG = re.compile("<[^>]*>")
_PART = re.compile(r"(?i)\b(?:page|part|of|seite|teil|von|pagina|página|partie|sur|de)\b(?=\W*\d)|\d+|[^\w\s]")


def joined(first: Extraction, read: Callable[[str], Extraction]) -> Extraction:
    """The article with the parts that follow on next pages; ``read`` gives the extraction of the page at a URL.

    A next page belongs to the article if it is on the same host and has the same title, but for numbers. The result is
    an extraction from a page made of the contents of all parts, with the head of the first.
    """
    parts, problem = _parts(first, read)
    if len(parts) == 1 and not problem:
        return first
    notes = (*first.notes, f"pages: joined from {len(parts)} pages", *problem)
    if len(parts) == 1:
        return dataclasses.replace(first, notes=(*first.notes, *problem))
    shown = first.shown.page
    head = _HEAD.search(shown.source)
    language = f' lang="{escape(first.metadata.language)}"' if first.metadata.language else ""
    body = "\n".join((first.html, *map(_continued, parts[1:])))
    page = parse(f"<!DOCTYPE html><html{language}>{head[0] if head else ''}<body>{body}</body></html>", shown.url)
    if any(part.shown.page.truncated for part in parts):
        page = page.described(truncated=True, warnings=tuple(w for part in parts for w in part.shown.page.warnings))
    whole = keep_all.extract(page, keep_all.Options())
    spans = page.text_spans(_without_pagers(page, parts))
    return dataclasses.replace(whole, spans=spans, page_type=first.page_type, notes=notes, made=first.made)


def _parts(first: Extraction, read: Callable[[str], Extraction]) -> tuple[list[Extraction], tuple[str, ...]]:
    """The parts in their order, and what kept from reading further."""
    parts, seen = [first], {_plain(first.page.url)}
    while url := parts[-1].metadata.next_page:
        if _plain(url) in seen:
            break
        if len(parts) == MAX_PARTS:
            return parts, (f"pages: there are more than {MAX_PARTS}; the rest was not read",)
        seen.add(_plain(url))
        try:
            following = read(url)
        except TamisError as error:
            return parts, (f"pages: the article goes on at {url}, which was not read: {error}",)
        if not _goes_on(first, following):
            return parts, (f"pages: {url} is linked as the next page, but is another article",)
        parts.append(following)
    return parts, ()


def _goes_on(first: Extraction, following: Extraction) -> bool:
    same_host = urls.host(first.page.url) == urls.host(following.page.url)
    return same_host and bool(following.spans) and _title(first) == _title(following)


def _title(extraction: Extraction) -> str:
    return _without_number(extraction.metadata.title or "")


def _without_number(title: str) -> str:
    """A title without the number of the part, which is all that may differ: the next post has another title.

    >>> _without_number("The long march - Page 2 of 3") == _without_number("The long march")
    True
    """
    return " ".join(_PART.sub(" ", title).split()).casefold()


def _continued(part: Extraction) -> str:
    """The markup of a later part without the headline that it repeats."""
    headline = _HEADLINE.match(part.html)
    if headline and _without_number(unescape(_TAG.sub("", headline[1]))) == _title(part):
        return part.html[headline.end() :]
    return part.html


def _without_pagers(page: Page, parts: Sequence[Extraction]) -> Ints:
    """The texts of the joined page but for the lines that only lead from one part to another."""
    linked = {_plain(url) for part in parts for url in (part.page.url, part.metadata.next_page)}
    is_pager = np.zeros(len(page.nodes), bool)
    links = np.flatnonzero(page.nodes.named("a"))
    is_pager[links] = [_plain(target) in linked for target in page.attribute(links, "href")]
    is_pager = page.nodes.inside(is_pager)
    blocks = [block.leaves for block in page.blocks]
    kept = [leaves for leaves in blocks if not _is_pager(page, leaves, is_pager)]
    return np.array([leaf for leaves in kept for leaf in leaves], np.int64)


def _is_pager(page: Page, leaves: Sequence[int], in_pager: Bools) -> bool:
    """Whether all that a block says is said by such links, but for numbers, marks, and "Page 2 of 3"."""
    others = " ".join(page.node_text(leaf) for leaf in leaves if not in_pager[leaf])
    return any(in_pager[leaf] for leaf in leaves) and not _LETTER.search(_without_number(others))


def _plain(url: str | None) -> str:
    return (url or "").partition("#")[0].rstrip("/")
