"""What the headline is told by: declared titles, how a heading may be like one, and links to the first page of a site.

Both twins of the kernel are made of it.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import NamedTuple

import numpy as np

from tamis.page.html import TAG_CODES
from tamis.page.model import LINK, Page

SAME, PART, ALIKE, ALONE, SITE = 5, 4, 3, 2, 1  # how a heading may be like the title, the best first
OTHER_LEVEL = 4  # of a paragraph or a cell that repeats the title
MAX_HEADINGS = 200  # of each name that are compared
MAX_LENGTH = 400  # characters of a headline
MAX_BLOCK = 2_000  # characters of a block that are compared with it, white space included
MAX_NAME = 80  # characters of the name of a meta element; the longest below has 26
OVERLAP = 0.7  # of the words of the shorter of two titles that are like each other
TITLES = ("og:title", "twitter:title", "dc.title", "citation_title", "headline", "parsely-title")
SITES = ("og:site_name", "application-name", "apple-mobile-web-app-title")
DECLARED = frozenset((*TITLES, *SITES))
SET_APART = ("nav", "footer", "aside", "dialog")  # headings in them name a part of the page, not the page
PLACEHOLDERS = frozenset(
    "home,homepage,index,untitled,untitled document,new page,no title,title,null,undefined,none,start,startseite,"
    "accueil,inicio,welcome,default,page,document,blog,news,article,error,404,403 forbidden,just a moment".split(",")
)
_ANCHOR = TAG_CODES["a"]
_HOME = re.compile(r"(?:https?:)?(?://[^/?#]+)?/?(?:\./)*(?:(?:index|home|default)\.\w+)?/?")


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


def best_candidates(found: list[HeadlineCandidate]) -> list[HeadlineCandidate]:
    """Those that none is better than, each node once."""
    best = max((one.rank for one in found), default=None)
    return list({one.node: one for one in found if one.rank == best}.values())


def words_overlap(one: Set[str], two: Set[str]) -> bool:
    """True when two sets of words share most of the smaller, which has at least two."""
    smaller = min(len(one), len(two))
    return smaller > 1 and len(one & two) >= OVERLAP * smaller


def leads_home(page: Page, node: int) -> bool:
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
