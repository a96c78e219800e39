"""What tables are: grids, tables that hold more than a grid can, or mere layout."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis.page.html import mask
from tamis.page.model import FOREIGN, Page
from tamis.page.text import Bools, Ints

GRID, COMPLEX, LAYOUT = "grid", "complex", "layout"

_CELL_SPAN = re.compile(r"\s*0*([2-9]|[1-9][0-9]{1,2}|1000)\s*", re.ASCII)  # browsers read no more than 1000
STRUCTURES = mask("blockquote", "dl", "figure", "ol", "pre", "table", "ul", "listing", "xmp", "details")
PAGE_PARTS = mask(
    "article", "aside", "footer", "form", "h1", "h2", "h3", "header", "main", "nav", "section", "textarea"
)
_HEADS = mask("caption", "th", "thead")
_CELLS_PER_PART = 5  # with a heading or a section in more than one cell of five the table is the layout of a page
_LONGEST_CELL = 1_000  # characters of a cell on average; tables with more hold the page itself
_MOST_EMPTY = 4  # cells that spans add to a grid for each that is there; beyond, HTML says it shorter


def span_count(value: str | None) -> int:
    """How many columns or rows the attribute of a cell says that it covers."""
    number = _CELL_SPAN.fullmatch(value or "")
    return int(number[1]) if number else 1


def table_kinds(page: Page, texts: Ints) -> dict[int, str]:
    """The kind of each table that holds some of these texts."""
    nodes = page.nodes
    if not nodes.has("table"):
        return {}
    is_table = nodes.named("table") & ((nodes.flags & FOREIGN) == 0)
    tables = np.flatnonzero(is_table)
    tables = tables[np.searchsorted(texts, nodes.end[tables]) > np.searchsorted(texts, tables)]
    if not len(tables):
        return {}
    cells = np.flatnonzero(nodes.named("td", "th"))
    table_of = nodes.nearest(is_table)
    holder = table_of[cells]
    order = np.argsort(holder, kind="stable")
    cells, holder = cells[order], holder[order]
    first, last = np.searchsorted(holder, tables), np.searchsorted(holder, tables, side="right")
    rows, captions = np.flatnonzero(nodes.named("tr")), np.flatnonzero(nodes.named("caption"))
    structures, parts, inner = (_running(is_so[nodes.tag]) for is_so in (STRUCTURES, PAGE_PARTS, mask("table")))
    heads = np.bincount(table_of[_HEADS[nodes.tag]], minlength=len(nodes))
    kinds = {}
    for table, start, end in zip(tables.tolist(), first.tolist(), last.tolist(), strict=True):
        own, below, after = cells[start:end], table + 1, int(nodes.end[table])
        contents = _Contents(
            structures=int((structures[nodes.end[own]] - structures[own]).sum()),
            page_parts=int(parts[after] - parts[below]),
            heads=int(heads[table]),
            tables=int(inner[after] - inner[below]),
            has_late_caption=_last(captions, below, after) > _first(rows, below, after),
        )
        kinds[table] = _kind(page, table, own, contents)
    return kinds


class _Contents(NamedTuple):
    """How much of a kind a table holds."""

    structures: int  # in its cells
    page_parts: int
    heads: int  # of its own, not of tables in its cells
    tables: int
    has_late_caption: bool


def _running(marked: Bools) -> Ints:
    """How many nodes before each are marked."""
    return np.concatenate(([0], np.cumsum(marked)))


def _first(places: Ints, start: int, end: int) -> int:
    index = int(np.searchsorted(places, start))
    return int(places[index]) if index < len(places) and places[index] < end else end


def _last(places: Ints, start: int, end: int) -> int:
    index = int(np.searchsorted(places, end)) - 1
    return int(places[index]) if index >= 0 and places[index] >= start else -1


def _kind(page: Page, table: int, cells: Ints, contents: _Contents) -> str:
    nodes = page.nodes
    role = page.attributes(table).get("role", "").lower()
    if role in ("none", "presentation") or len(cells) < 2 or _is_line(page, cells):
        return LAYOUT
    is_long = int((nodes.text_end[cells] - nodes.text_start[cells]).sum()) > _LONGEST_CELL * len(cells)
    is_said = role in ("grid", "table") or contents.heads > 0
    holds_page = contents.tables or contents.page_parts * _CELLS_PER_PART > len(cells) or is_long
    if holds_page and (not is_said or (contents.tables and is_long)):
        return LAYOUT
    is_grid = not contents.structures and not contents.has_late_caption and _fits(page, cells)
    return GRID if is_grid else COMPLEX


def _is_line(page: Page, cells: Ints) -> bool:
    """Whether all cells stand in one row or one column."""
    rows = page.nodes.parent[cells]
    if (rows == rows[0]).all():
        return not mask("th")[page.nodes.tag[cells]].all()
    return bool((np.diff(np.sort(rows)) > 0).all()) and not any(page.attribute(cells, "colspan"))


def _fits(page: Page, cells: Ints) -> bool:
    """Whether the cells, with those that spans add, are not many more than there are."""
    spanned = 0
    for wide, high in zip(page.attribute(cells, "colspan"), page.attribute(cells, "rowspan"), strict=True):
        if wide or high:
            spanned += span_count(wide) * span_count(high)
    return spanned <= _MOST_EMPTY * len(cells) + 10
