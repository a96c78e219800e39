"""Blocks that stand or fall together: a table, a list, a listing of code, a quotation, a figure, a pair of a glossary.

A document is made of such units, and a part of one is worth less than its words: a row without the head of its table
says something wrong. So the choice is made between units. All of it is flat arrays over blocks and over units; nothing
is walked node by node:

    unit of each block       its outermost structure if it lies in one, else itself; headings are units of their own
    kind of each unit        plain, heading, table, list, code, quotation, figure, pair
    head of each unit        for headings: the range of blocks that they head
    neighbours of each unit  the paragraphs before and after it in the same part of the page
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.extractors.sieve.containers import CELL_SIGNS, TABLE_SIGNS, Containers
from tamis.page.html import HEADINGS, mask
from tamis.page.model import FOREIGN, Page
from tamis.page.table_parts import table_parts
from tamis.page.text import Bools, Ints

PLAIN, HEADING, TABLE, LIST, CODE, QUOTE, FIGURE, PAIR = range(8)
KIND_NAMES = ("block", "heading", "table", "list", "code", "quotation", "figure", "entry")
STRUCTURES = np.array([False, False, True, True, True, True, True, True])
"""Kinds that are structures: what is said of one of their blocks is said of all."""

HEADING_NAMES = (*HEADINGS, "summary")
IS_HEADING = mask(*HEADING_NAMES)
CODES = mask("pre", "listing", "xmp")
LISTS = mask("ul", "ol", "menu", "dir")
ITEMS, TERMS = mask("li"), mask("dt", "dd")
PAGE_PARTS = mask("article", "aside", "form", "h1", "h2", "h3", "h4", "header", "footer", "main", "nav", "section")
ENDS_SECTION = mask("article", "aside", "body", "details", "dd", "footer", "form", "li", "main", "nav", "section")
"""A heading that is the last thing in one of these heads nothing behind it."""
SHOWN = mask("audio", "canvas", "embed", "iframe", "img", "math", "object", "picture", "svg", "video")
ITEM_BLOCKS = 1.5  # blocks for each item of a list of plain items; lists of cards have three and more
_TABLE_SIGNS = frozenset(TABLE_SIGNS)
_CELL_WORDS = 12  # on average; what is called a table and has longer cells is how the page is built
MOST_OF_PAGE = 0.5  # of its words: a quotation, list or figure with more is how the page is built
HEADING_WORDS = 60  # an element with more is one that was never closed, or text made large; 9 of 40,014 on train pages
NEAR = 2  # blocks from a heading to the structure under it, the structure included
WRAPPERS = 5  # elements around a heading or a listing that hold nothing else


ROWS = ("kind", "level", "body_start", "body_end", "next_head", "before", "after", "follows", "under")
"""What is said of each unit in whole numbers, in this order; ``Units`` says what each of them is."""


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a page, in the order of their first blocks."""

    of_block: Ints
    rows: Ints  # one for each of ROWS
    shows: Bools  # whether pictures or players, and no text, stand between a heading and the next one

    def __len__(self) -> int:
        return len(self.shows)

    def _row(self, name: str) -> Ints:
        row: Ints = self.rows[ROWS.index(name)]
        return row

    @property
    def kind(self) -> Ints:
        """One of the kinds above."""
        return self._row("kind")

    @property
    def level(self) -> Ints:
        """Of headings: 1 to 6; 0 for all others."""
        return self._row("level")

    @property
    def body_start(self) -> Ints:
        """Headings head ``blocks[body_start:body_end]``; empty for all others."""
        return self._row("body_start")

    @property
    def body_end(self) -> Ints:
        """See ``body_start``."""
        return self._row("body_end")

    @property
    def next_head(self) -> Ints:
        """The block of the next heading that is as high, wherever it stands."""
        return self._row("next_head")

    @property
    def before(self) -> Ints:
        """For structures the last block of running text before them in the same part of the page, else -1."""
        return self._row("before")

    @property
    def after(self) -> Ints:
        """For structures the first block of running text behind them in the same part of the page, else -1."""
        return self._row("after")

    @property
    def follows(self) -> Ints:
        """The block just before a structure in the same part, whatever it is, else -1."""
        return self._row("follows")

    @property
    def under(self) -> Ints:
        """The heading that a structure stands under as the first thing, else -1."""
        return self._row("under")


def build_units(page: Page, containers: Containers) -> Units:
    """The units of a page that has blocks."""
    blocks, nodes = page.blocks, page.nodes
    root, kind_of_root = _structures(page, containers)
    count = len(blocks)
    holder = root[blocks.node]
    kind = np.where(holder > 0, kind_of_root[holder], PLAIN)
    heading = nodes.nearest(_headings(page, containers))[blocks.node]
    is_heading = (holder == 0) & (heading > 0)
    kind[is_heading] = HEADING
    # Numbers of nodes for structures and headings, and numbers beyond them for blocks that stand alone.
    key = np.where(holder > 0, holder, np.where(is_heading, heading, len(nodes) + np.arange(count)))
    if (kind == PAIR).any():
        key = np.where(kind == PAIR, pair_keys(page, holder), key)
    _, first, of_block = np.unique(key, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    order = np.argsort(first, kind="stable")
    rank[order] = np.arange(len(first))
    of_block, first = rank[of_block.ravel()], first[order]
    unit_kind = kind[first]
    last = np.zeros(len(first), dtype=np.int64)
    np.maximum.at(last, of_block, np.arange(count))
    level = np.where(unit_kind == HEADING, _levels(page)[heading[first]], 0)
    place = _outermost_wrappers(containers, np.where(is_heading, heading, holder)[first], first, last)
    next_head = _next_heads(level, first, count)
    body_start, body_end = _bodies(containers, place, level, last, next_head)
    before, after, follows = _neighbours(containers, place, kind, unit_kind, first, last)
    shows = _shows(page, last, next_head) & (level > 0) & (next_head == last + 1)
    under = _under(unit_kind, first, last, body_end)
    columns = {
        "kind": unit_kind,
        "level": level,
        "body_start": body_start,
        "body_end": body_end,
        "next_head": next_head,
    }
    columns |= {"before": before, "after": after, "follows": follows, "under": under}
    return Units(of_block, np.stack([columns[name] for name in ROWS]), shows)


def _headings(page: Page, containers: Containers) -> Bools:
    """The nodes that are headings, by name and by length."""
    found = IS_HEADING[page.nodes.tag]
    before = np.concatenate(([0], np.cumsum(page.blocks.words)))
    found[containers.node[before[containers.last] - before[containers.first] > HEADING_WORDS]] = False
    return found


def _levels(page: Page) -> Ints:
    """The level of each node that is a heading."""
    levels = np.zeros(len(page.nodes), dtype=np.int64)
    for number, name in enumerate(HEADING_NAMES):
        levels[page.nodes.named(name)] = min(number + 1, 6)
    return levels


def _structures(page: Page, containers: Containers) -> tuple[Ints, Ints]:
    """For each node the root of the outermost structure it lies in, or 0; and the kind of each root."""
    nodes, blocks = page.nodes, page.blocks
    tag = nodes.tag
    kind = np.zeros(len(nodes), dtype=np.int64)
    words = np.zeros(len(nodes), dtype=np.int64)
    np.add.at(words, blocks.node, blocks.words)
    inside, held = nodes.totals(words), nodes.totals(np.bincount(blocks.node, minlength=len(nodes)))
    is_small = inside <= MOST_OF_PAGE * max(int(blocks.words.sum()), 1)
    has_parts = nodes.totals(PAGE_PARTS[tag].astype(np.int64)) > 0
    items = nodes.totals(ITEMS[tag].astype(np.int64))
    is_plain_list = LISTS[tag] & ~has_parts & is_small & (held <= ITEM_BLOCKS * items)
    kind[is_plain_list] = LIST
    kind[nodes.named("blockquote") & ~has_parts & is_small] = QUOTE
    kind[nodes.named("figure") & ~has_parts & is_small] = FIGURE
    kind[CODES[tag]] = CODE
    kind[nodes.named("dl") & ~has_parts] = PAIR
    tables = page.layout_tables
    kind[[table for table, is_layout in tables.items() if not is_layout]] = TABLE
    listings = nodes.totals(CODES[tag].astype(np.int64))
    gutters = [table for table, is_layout in tables.items() if is_layout and listings[table] > 1 and held[table] < 4]
    kind[gutters] = CODE  # numbers of lines in one cell, the lines in the other
    kind[named_tables(page, containers)] = TABLE
    kind[(nodes.flags & FOREIGN) != 0] = PLAIN
    above = nodes.inside(kind > 0)[np.maximum(nodes.parent, 0)]
    kind[above & (nodes.parent > 0)] = PLAIN
    return nodes.nearest(kind > 0) * nodes.inside(kind > 0), kind


def named_tables(page: Page, containers: Containers) -> list[int]:
    """Tables that are no ``table``, by roles or classes; those with long cells or most of the page are no units."""
    if _TABLE_SIGNS.isdisjoint(containers.signs):
        return []
    names = "\n" + "\n".join(containers.names)
    if "\ntd" not in names and not any(sign in names for sign in CELL_SIGNS if sign in containers.signs):
        return []
    parts = table_parts(page, containers.node)
    words = np.append(0, np.cumsum(page.blocks.words))
    found = []
    for table in (node for node, name in parts.items() if name == "table"):
        place = int(np.searchsorted(containers.node, table))
        held = int(words[containers.last[place]] - words[containers.first[place]])
        cells = sum(name in ("td", "th") and table < node < page.nodes.end[table] for node, name in parts.items())
        if held <= min(MOST_OF_PAGE * words[-1], _CELL_WORDS * cells):
            found.append(table)
    return found


def pair_keys(page: Page, holder: Ints) -> Ints:
    """For each block of a definition list a number for its terms and what explains them."""
    nodes, blocks = page.nodes, page.blocks
    is_term = TERMS[nodes.tag]
    owner = nodes.nearest(nodes.named("dl"))
    entry = nodes.nearest(is_term & ~nodes.inside(is_term)[np.maximum(nodes.parent, 0)])[blocks.node]
    entries = np.flatnonzero(nodes.marked(entry))
    is_dt = nodes.named("dt")[entries]
    begins = is_dt & ~np.append(False, is_dt[:-1])
    begins |= np.append(True, owner[entries[1:]] != owner[entries[:-1]])
    number = np.cumsum(begins)[np.searchsorted(entries, entry)]
    # Below all other keys, and never that of a node.
    return np.where(entry > 0, -number, holder)


def _outermost_wrappers(containers: Containers, node: Ints, first: Ints, last: Ints) -> Ints:
    """The container of each unit, or the largest around it that holds nothing else; units without a root are their own.

    Headings climb as long as nothing follows them, because what stands before a heading is not headed by it.
    """
    place = np.minimum(np.searchsorted(containers.node, node), len(containers) - 1)
    for _ in range(WRAPPERS):
        above = containers.parent[place]
        is_wrapped = (containers.first[above] == first) & (containers.last[above] == last + 1)
        can_climb = is_wrapped & (above > 0) & ~ENDS_SECTION[containers.tag[place]]
        place = np.where(can_climb, above, place)
    return place


def _next_heads(level: Ints, first: Ints, count: int) -> Ints:
    """For each heading the block of the next one that is as high, or the number of blocks."""
    result = np.full(len(first), count)
    for high in range(1, 7):
        places = first[(level > 0) & (level <= high)]
        own = np.flatnonzero(level == high)
        result[own] = np.append(places, count)[np.searchsorted(places, first[own], side="right")]
    return result


def _bodies(containers: Containers, place: Ints, level: Ints, last: Ints, next_head: Ints) -> tuple[Ints, Ints]:
    """The blocks that each heading heads: up to the next that is as high, and not beyond its part of the page."""
    scope = place
    for _ in range(WRAPPERS):
        is_last = (containers.last[scope] == last + 1) & ~ENDS_SECTION[containers.tag[scope]]
        scope = np.where(is_last, containers.parent[scope], scope)
    start, end = last + 1, np.minimum(containers.last[scope], next_head)
    return start, np.where(level > 0, np.maximum(end, start), start)


def _shows(page: Page, last: Ints, next_head: Ints) -> Bools:
    """Whether something that is no text stands between the last block of a unit and another block."""
    blocks = page.blocks
    shown = np.append(0, np.cumsum(SHOWN[page.nodes.tag]))
    first_leaf = np.append(blocks.leaves[blocks.first_leaf[:-1]], len(page.nodes))
    result: Bools = shown[first_leaf[next_head]] > shown[blocks.leaves[blocks.first_leaf[1:] - 1][last]]
    return result


def _under(unit_kind: Ints, first: Ints, last: Ints, body_end: Ints) -> Ints:
    """For each structure the heading before it, if no more than a line such as "Swipe to see all" is between."""
    numbers = np.arange(len(first))
    heading = np.maximum.accumulate(np.where(unit_kind == HEADING, numbers, -1))
    is_near = (heading >= 0) & (first - last[heading] <= NEAR) & (first < body_end[heading])
    return np.where(STRUCTURES[unit_kind] & is_near, heading, -1)


def _neighbours(
    containers: Containers, place: Ints, kind: Ints, unit_kind: Ints, first: Ints, last: Ints
) -> tuple[Ints, Ints, Ints]:
    """For each structure the blocks around it, within the element that holds it."""
    count = len(kind)
    numbers = np.arange(count)
    before = np.append(-1, np.maximum.accumulate(np.where(kind == PLAIN, numbers, -1)))[first]
    after = np.minimum.accumulate(np.where(kind == PLAIN, numbers, count)[::-1])[::-1]
    after = np.append(after, count)[last + 1]
    scope = containers.parent[place]
    is_structure = STRUCTURES[unit_kind]
    before = np.where(is_structure & (before >= containers.first[scope]), before, -1)
    after = np.where(is_structure & (after < containers.last[scope]), after, -1)
    follows = np.where(is_structure & (first > containers.first[scope]), first - 1, -1)
    return before, after, follows
