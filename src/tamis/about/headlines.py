"""The heading that shows the title of a page: which of its headings readers take for the headline.

Page authors call the same thing by several names: ``title``, ``og:title``, the ``headline`` of JSON-LD. A heading that
repeats one of them is the headline, wherever it stands; the name of the site is not, although it is often an ``h1`` and
part of the ``title`` too. Without any such heading the only ``h1`` of the page is taken.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tamis.about.declared import cleaned, kinds_of, texts_of
from tamis.about.kernel import kernel
from tamis.about.script_data import read_json_ld
from tamis.about.titles import folded, is_placeholder, title_parts, words_overlap
from tamis.page.html import TAG_CODES, mask
from tamis.page.model import LINK, Page
from tamis.page.text import Ints

_TITLES = ("og:title", "twitter:title", "dc.title", "citation_title", "headline", "parsely-title")
_SITES = ("og:site_name", "application-name", "apple-mobile-web-app-title")
_ASKED = frozenset((*_TITLES, *_SITES))
_MAX_HEADINGS = 200  # of each name that are compared
_MAX_LENGTH = 400  # characters of a headline
_MAX_BLOCK = 2_000  # characters of a block that are compared with it, white space included
_SET_APART = ("nav", "footer", "aside", "dialog")  # headings in them name a part of the page, not the page
_ANCHOR = TAG_CODES["a"]
_HOME = re.compile(r"(?:https?:)?(?://[^/?#]+)?/?(?:\./)*(?:(?:index|home|default)\.\w+)?/?")
_LEVELS = {"h1": 1, "h2": 2, "h3": 3}
_OTHER_LEVEL = 4  # of a paragraph or a cell that repeats the title
_MAX_NAME = 80  # characters of the name of a meta element; the longest above has 26
_MAX_MEMORY = 1000  # names of which it is remembered whether they are asked for
_BLANKS = " \t\n\r\f"  # white space as HTML knows it
_GROUPS = (("title",), ("meta",), *((name,) for name in _LEVELS), _SET_APART)
"""Names of the elements that the headline is found with; ``telling_nodes`` knows them by their place here."""
_FIRST_SHOWN = 3  # of these groups, counted from 1; the others are made for programs
_GROUP_OF_TAG = np.zeros(256, dtype=np.uint8)
for _place, _names in enumerate(_GROUPS, start=1):
    _GROUP_OF_TAG[np.flatnonzero(mask(*_names))] = _place
SAME, PART, ALIKE, ALONE, SITE = 5, 4, 3, 2, 1  # how a heading may be like the title, the best first


class HeadlineCandidate(NamedTuple):
    """A heading, or a block, that may be the headline."""

    node: int
    likeness: int
    is_free: bool  # no link to the first page of the site
    is_most: bool  # of the words of a title; the name of the site seldom is
    level: int

    @property
    def rank(self) -> tuple[int, bool, bool, int]:
        return self.likeness, self.is_free, self.is_most, -self.level


def headline_candidates(page: Page) -> list[HeadlineCandidate]:
    """The nodes that may be the headline, as good as each other; empty if the page shows none.

    Several are returned where the same words are shown more than once, for wide and for narrow screens say.
    """
    nodes = page.nodes
    written, metas, *places = kernel.telling_nodes(
        nodes.tag, nodes.flags, nodes.end, _GROUP_OF_TAG, _FIRST_SHOWN, len(_GROUPS)
    )
    titles, sites = _declared(page, written[:1], np.array(metas, dtype=np.int64))
    headings = _Headings(page, dict(zip(_LEVELS, places, strict=True)))
    if repeated := _repeated(page, headings, titles, sites):
        return repeated
    wanted = _wanted(titles)
    found = _like_titles(page, headings, wanted, sites)
    if max((one.likeness for one in found), default=0) < PART:
        if other_titles := _json_titles(page):
            found += _like_titles(page, headings, _wanted(other_titles), sites)
        found += _blocks(page, wanted, sites)
    if not found:
        return []
    best = max(one.rank for one in found)
    return list({one.node: one for one in found if one.rank == best}.values())


def _declared(page: Page, written: Sequence[int], metas: Ints) -> tuple[list[str], list[str]]:
    """What the page says it is called, and what its site is called, the latter folded."""
    named = [
        (asked, place)
        for key in ("property", "name")
        for place, name in enumerate(page.attribute(metas, key))
        if name and (asked := _asked(name) if len(name) <= _MAX_NAME else "")
    ]
    contents = page.attribute(metas[[place for _, place in named]], "content") if named else []
    values: dict[str, str] = {}
    for (asked, _), content in zip(named, contents, strict=True):
        if content and asked not in values:
            values[asked] = cleaned(content)[:_MAX_LENGTH]
    shown = [cleaned(page.node_text(node))[:_MAX_LENGTH] for node in written]
    titles = [*(values[name] for name in _TITLES if name in values), *shown]
    sites = [folded(values[name]) for name in _SITES if name in values]
    return [title for title in titles if title], [site for site in sites if site]


@functools.lru_cache(_MAX_MEMORY)
def _asked(name: str) -> str:
    """The name of a ``meta`` as it is asked for; empty if it is not. Pages use the same few."""
    name = name.strip(_BLANKS).lower()
    return name if name in _ASKED else ""


def _json_titles(page: Page) -> list[str]:
    """Headlines of the articles that JSON-LD describes."""
    objects = read_json_ld(page, with_word="headline")
    items = [item for item in objects if any("rticle" in kind or "osting" in kind for kind in kinds_of(item))]
    return [text[:_MAX_LENGTH] for item in items[:3] for text in texts_of(item.get("headline"))]


class _Headings:
    """The headings of a page that name no mere part of it, with their folded texts; each level is read when needed."""

    def __init__(self, page: Page, places: dict[str, list[int]]) -> None:
        self._page, self._places = page, places
        self._read: dict[str, list[tuple[int, str]]] = {}

    def named(self, name: str) -> list[tuple[int, str]]:
        if name not in self._read:
            text, nodes, places = self._page.text, self._page.nodes, self._places[name][:_MAX_HEADINGS]
            self._read[name] = kernel.folded_nodes(text, places, nodes.text_start, nodes.text_end, 2 * _MAX_LENGTH)
        return self._read[name]


def _repeated(page: Page, headings: _Headings, titles: Sequence[str], sites: Sequence[str]) -> list[HeadlineCandidate]:
    """The ``h1`` that are titles word by word: none can be better, so that nothing else needs to be compared."""
    whole = {folded(title) for title in titles}
    longest = max(map(len, whole), default=0)
    return [
        HeadlineCandidate(node, SAME, is_free=True, is_most=True, level=1)
        for node, text in headings.named("h1")
        if text in whole
        and 2 * len(text) >= longest
        and not is_placeholder(text, sites)
        and not _leads_home(page, node)
    ]


def _like_titles(page: Page, headings: _Headings, wanted: _Wanted, sites: Sequence[str]) -> list[HeadlineCandidate]:
    """Headings that are like a title; lower levels are read only where no higher one leaves nothing to wish for."""
    longest = max(map(len, wanted.whole), default=0)
    found: list[HeadlineCandidate] = []
    for name, level in _LEVELS.items():
        seen = headings.named(name)
        is_close = any(one.likeness >= PART for one in found)
        # What shares no word with a title is not like it; only a heading of the first level may be one all the same.
        shares = seen if level == 1 else [one for one in seen if not wanted.all_words.isdisjoint(one[1].split())]
        for node, text in shares:
            if is_close and text not in wanted.whole and text not in wanted.parts:
                continue  # cannot be better
            likeness = _likeness(text, wanted, sites) or (ALONE if level == 1 and len(seen) == 1 else 0)
            if likeness:
                is_most = 2 * len(text) >= longest
                found.append(HeadlineCandidate(node, likeness, not _leads_home(page, node), is_most, level))
        if any(one.likeness >= PART and one.is_free and one.is_most for one in found):
            break
    return found


def _blocks(page: Page, wanted: _Wanted, sites: Sequence[str]) -> Iterator[HeadlineCandidate]:
    """Blocks that are no headings and repeat the title word by word: old pages have no others."""
    texts = {text for text in wanted.whole | wanted.parts if " " in text and not is_placeholder(text, sites)}
    if not texts:
        return
    blocks, longest = page.blocks, 2 * max(map(len, texts))
    shortest = min(len(text.replace(" ", "")) for text in texts) // 2  # folding makes two letters of some
    is_near = (blocks.characters <= longest) & (blocks.characters >= shortest) & (blocks.link_words == 0)
    short = np.flatnonzero(is_near)
    # Most blocks begin with another letter than a title, and need not be folded.
    letters = "".join(text[0] for text in texts)
    short = short[kernel.may_begin(page.text, blocks.start[short], blocks.end[short], letters)]
    shown = kernel.folded_nodes(page.text, short.tolist(), blocks.start, blocks.end, _MAX_BLOCK)
    found = [(number, text) for number, text in shown if text in texts]
    if not found:
        return
    apart = page.nodes.inside(page.nodes.named(*_SET_APART))
    for number, text in found:
        if not apart[blocks.node[number]]:
            likeness = SAME if text in wanted.whole else PART
            yield HeadlineCandidate(int(blocks.node[number]), likeness, True, likeness == SAME, _OTHER_LEVEL)


@dataclass(frozen=True)
class _Wanted:
    """The titles and their parts, folded, and the words of each, which few pages need."""

    whole: frozenset[str]
    parts: frozenset[str]

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(text.split()) for text in self.whole | self.parts)

    @cached_property
    def all_words(self) -> frozenset[str]:
        return frozenset().union(*self.words)


def _wanted(titles: Sequence[str]) -> _Wanted:
    titles = list(dict.fromkeys(titles))  # most pages say the same in several places
    whole = frozenset(map(folded, titles)) - {""}
    parts = frozenset([folded(part) for title in titles for part in title_parts(title)]) - {""}
    return _Wanted(whole, parts)


def _leads_home(page: Page, node: int) -> bool:
    """Whether a heading is, holds or stands in a link to the first page of the site, as the name of the site does."""
    nodes = page.nodes
    held = nodes.tag[node : nodes.end[node]].tobytes()
    links = [place for place, code in enumerate(held, start=node) if code == _ANCHOR] if _ANCHOR in held else []
    if nodes.flags[node] & LINK:
        while page.name(node) != "a" and node:
            node = int(nodes.parent[node])
        links.append(node)
    if not links:
        return False
    hrefs = page.attribute(np.array(links, dtype=np.int64), "href")
    return any(href is not None and _HOME.fullmatch(href.strip()) for href in hrefs)


def _likeness(text: str, wanted: _Wanted, sites: Sequence[str]) -> int:
    """How much a folded heading is like what the page says it is called; 0 if it is not."""
    if text in wanted.whole:
        return SITE if is_placeholder(text, sites) else SAME
    if text in wanted.parts:
        return 0 if is_placeholder(text, sites) else PART
    said = text.split()
    if wanted.all_words.isdisjoint(said) or is_placeholder(text, sites):
        return 0
    own = set(said)
    return ALIKE if any(words_overlap(own, words) for words in wanted.words) else 0
