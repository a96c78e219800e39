"""Figures of the methods that choose a node: the tree of the page with the number each method looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from bench.block_figures import opening_words
from bench.drawing import GREEN, GREY, LINE, SKY, box, figure, legend, text
from tamis.extractors import hf, lp, lsi, ltc, nce
from tamis.page.model import LINK, Page
from tamis.page.text import Ints
from tamis.templates._partition import links_of, pagelets

_LEFT, _REACH = 330, 340


class Reading(NamedTuple):
    """A number for every node, those that stand out, and the one that is chosen."""

    values: Ints
    chosen: int
    marked: Ints
    meaning: str  # of a mark
    unit: str


def size_increase(page: Page) -> str:
    sizes = page.nodes.totals(page.flow.characters)
    largest = np.zeros_like(sizes)
    np.maximum.at(largest, page.nodes.parent[1:], sizes[1:])
    reading = Reading(
        sizes - largest, lsi.locate(page, lsi.Options()), _none(), "", "characters more than its largest child"
    )
    return _tree(page, reading, "lsi: what each node adds to its largest child")


def largest_pagelet(page: Page) -> str:
    options = lp.Options()
    sizes = page.nodes.totals(page.flow.characters)
    found = pagelets(page, options.min_links)
    links = page.nodes.totals(links_of(page.nodes).astype(np.int64))
    values = np.where(np.isin(np.arange(len(sizes)), found), sizes, 0)
    reading = Reading(values, lp.locate(page, options), found, "pagelet", "characters")
    title = f"lp: the page, cut where a child holds {options.min_links} of its {links[0]} links, and the largest piece"
    return _tree(page, reading, title)


def fan_out(page: Page) -> str:
    has_text = page.nodes.totals(page.flow.characters) > 0
    values = np.bincount(page.nodes.parent[1:][has_text[1:]], minlength=len(page.nodes))
    reading = Reading(values, hf.locate(page, hf.Options()), _none(), "", "children with text")
    return _tree(page, reading, "hf: how many children with text each node has")


def tag_count(page: Page) -> str:
    counted = page.nodes.elements & (page.nodes.totals(page.flow.characters) > 0)
    values = page.nodes.totals(counted.astype(np.int64))
    reading = Reading(values, ltc.locate(page, ltc.Options()), _none(), "", "tags that hold text")
    title = "ltc: tags in each sub-tree; nodes above the chosen one give way, because it repeats a tag more often"
    return _tree(page, reading, title)


def link_density(page: Page) -> str:
    nodes, characters = page.nodes, page.flow.characters
    link_sizes = nodes.totals(np.where(nodes.flags & LINK, characters, 0))
    sizes = nodes.totals(characters)
    options = nce.Options()
    few = np.flatnonzero((link_sizes <= options.max_link_density * sizes) & (sizes > 0))
    reading = Reading(
        sizes - link_sizes,
        nce.locate(page, options),
        few,
        f"at most {options.max_link_density:.0%} links",
        "characters outside links",
    )
    return _tree(page, reading, "nce: of the chosen node, the children with few links are kept")


def _tree(page: Page, reading: Reading, title: str) -> str:
    """The nodes that hold other elements with text, indented, each with its bar."""
    shown = _shown(page)
    full = int(reading.values[shown].max())
    key = [(GREEN, "chosen"), (SKY, reading.meaning)] if reading.meaning else [(GREEN, "chosen")]
    top = 52
    parts = [legend(8, 38, [*key, (GREY, reading.unit)])]
    marked = set(reading.marked.tolist())
    for place, node in enumerate(shown):
        y = top + place * LINE
        value = int(reading.values[node])
        colour = GREEN if node == reading.chosen else SKY if node in marked else GREY
        indent = 8 + 12 * (int(page.nodes.depth[node]) - 1)
        words = opening_words(page, node, 44 - indent // 7 - len(page.name(node)))
        reach = _REACH * value / full
        parts += [
            text(indent, y + 12, page.name(node), bold=node == reading.chosen, faint=words),
            box(_LEFT, y + 2, reach, LINE - 5, colour, 0.85) if value else "",
            text(_LEFT + reach + 6, y + 12, str(value)) if value else "",
        ]
    return figure(title, parts, top + len(shown) * LINE + 8)


def _shown(page: Page) -> list[int]:
    nodes = page.nodes
    has_text = nodes.totals(page.flow.characters) > 0
    elements = nodes.elements & has_text
    is_small = nodes.named("li", "tr", "td", "th", "a", "em", "time", "code", "b", "i") | (nodes.depth > 5)
    found: list[int] = np.flatnonzero(elements & ~is_small).tolist()
    return found


def _none() -> Ints:
    return np.zeros(0, dtype=np.int64)


FIGURES: Mapping[str, Callable[[Page], str]] = {
    "lsi": size_increase,
    "lp": largest_pagelet,
    "hf": fan_out,
    "ltc": tag_count,
    "nce": link_density,
}
