"""Pagelets: regions of a page, split where links gather, that recur on other pages.

Idea:      split every page where links gather; a piece whose text recurs on other pages is template. Local: any two
           pages suffice. Global: the pages must be connected by links, which shows that they have one author.
Reference: Bar-Yossef & Rajagopalan (2002), as described by Gottron (2008), section 3.3.1.
Departs:   texts are the same if the smallest of their hashed word shingles are equal. The thesis compares whole sets,
           which differ after any change (``same="set"``). Text directly below a cut is a pagelet of its own. Global: a
           piece that is template among connected pages is removed from all others that have it, too.
Strong at: menus and link lists; a formal idea of what a template is.
Weak at:   a list of links among the paragraphs cuts the article up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints, words
from tamis.ranges import COUNT, Range, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._links import connected, link_graph
from tamis.templates._partition import pagelets
from tamis.templates._texts import digest, filled_leaves, kept_spans, owned_texts, shingles

_MINIMA = 8  # "one or few": enough to tell short texts that share a phrase apart


@dataclass(frozen=True, kw_only=True)
class Options:
    """How pages are cut, when texts are the same, and which pages count together."""

    scope: Literal["local", "global"] = "local"  # global for large sets only: small ones have too few links
    min_links: int = 3  # Bar-Yossef & Rajagopalan
    shingle_words: int = 4  # not given; our choice
    same: Literal["sketch", "set"] = "sketch"
    min_pages: int = 2  # other pages are at least one; not given for local detection

    def __post_init__(self) -> None:
        check_ranges(self, min_links=COUNT, shingle_words=COUNT, min_pages=Range(2))


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    pagelets: dict[str, int]  # pages that have one


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    holders: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        for key in dict.fromkeys(_keys(page, options).values()):
            holders.setdefault(key, []).append(number)
    repeated = {key: found for key, found in holders.items() if len(found) >= options.min_pages}
    if options.scope == "global":
        graph = link_graph(pages)
        groups = {key: _largest(connected(found, graph)) for key, found in repeated.items()}
        repeated = {key: found for key, found in groups.items() if len(found) >= options.min_pages}
    return Template(model={"pagelets": {key: len(found) for key, found in repeated.items()}})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    repeated = template.model["pagelets"]  # each on two pages or more, so on another one than this in any case
    leaves = filled_leaves(page)
    removed = {node for node, key in _keys(page, options).items() if key in repeated}
    kept = np.array([node not in removed for node in _owners(page, leaves, options).tolist()], dtype=np.bool_)
    return Extraction(page=page, spans=kept_spans(page, leaves, kept))


def _keys(page: Page, options: Options) -> dict[int, str]:
    """A name for the text of each pagelet that has one."""
    leaves = filled_leaves(page)
    texts = owned_texts(page, leaves, _owners(page, leaves, options))
    return {node: _key(text, options) for node, text in texts.items()}


def _key(text: str, options: Options) -> str:
    found = sorted(shingles(words(text), options.shingle_words))
    return digest(*(found if options.same == "set" else found[:_MINIMA]))


def _owners(page: Page, leaves: Ints, options: Options) -> Ints:
    """The pagelet each text node belongs to; text right below a cut owns itself."""
    marked = page.nodes.marked(pagelets(page, options.min_links))
    return page.nodes.nearest(marked)[leaves]


def _largest(groups: Sequence[list[int]]) -> list[int]:
    return max(groups, key=len, default=[])
