"""What tables are: grids, tables that hold more than a grid can, or mere layout."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from tamis.outputs._pieces import kept_pieces
from tamis.outputs._roles import table_roles
from tamis.page.html import mask
from tamis.page.model import FOREIGN, Page
from tamis.page.text import Bools, Ints
from tamis.results import Extraction

GRID, COMPLEX, LAYOUT = "grid", "complex", "layout"

_CELL_SPAN = re.compile(r"\s*0*([2-9]|[1-9][0-9]{1,2}|1000)\s*", re.ASCII)  # browsers read no more than 1000
_STRUCTURES = mask("blockquote", "dl", "figure", "ol", "pre", "table", "ul", "listing", "xmp", "details")
_PAGE_PARTS = mask(
    "article", "aside", "footer", "form", "h1", "h2", "h3", "header", "main", "nav", "section", "textarea"
)
_HEADS = mask("caption", "th", "thead")
_CELLS_PER_PART = 5  # with a heading or a section in more than one cell of five the table is the layout of a page
_LONGEST_CELL = 1_000  # characters of a cell on average; tables with more hold the page itself
_MOST_EMPTY = 4  # cells that spans add to a grid for each that is there; beyond, HTML says it shorter


class CellSpan(NamedTuple):
    """How many columns and rows a cell covers."""

    columns: int = 1
    rows: int = 1


ONE_CELL = CellSpan()


def cell_spans(page: Page, cells: Ints | None = None) -> dict[int, CellSpan]:
    """The cells, of some or of the whole page, that cover more than one place."""
    cells = np.flatnonzero(page.nodes.named("td", "th")) if cells is None else cells
    found = {}
    for node, wide, high in zip(
        cells.tolist(), page.attribute(cells, "colspan"), page.attribute(cells, "rowspan"), strict=True
    ):
        if (wide or high) and (span := CellSpan(_count(wide), _count(high))) != ONE_CELL:
            found[node] = span
    return found


def _count(value: str | None) -> int:
    number = _CELL_SPAN.fullmatch(value or "")
    return int(number[1]) if number else 1


def cell_columns(extraction: Extraction, table: int, *, with_spans: bool) -> dict[int, int]:
    """The column in which each cell of a table begins; cells that span rows or columns move those after them."""
    page, nodes = extraction.page, extraction.page.nodes
    below = np.arange(table + 1, int(nodes.end[table]))
    cells = below[nodes.named("td", "th")[below]]
    if not len(cells):
        roles = table_roles(extraction)
        cells = below[[roles.get(node) in ("td", "th") for node in below.tolist()]]
    spans = cell_spans(page, cells) if with_spans else {}
    found: dict[int, int] = {}
    covered: dict[int, int] = {}  # for some columns, how many rows are still covered
    still: dict[int, int] = {}
    row, column = -1, 0
    for cell, above in zip(cells.tolist(), nodes.parent[cells].tolist(), strict=True):
        if above != row:
            row, column = above, 0
            covered, still = still, {place: left - 1 for place, left in still.items() if left > 1}
        while covered.get(column):
            column += 1
        found[cell] = column
        span = spans.get(cell, ONE_CELL)
        if span.rows > 1:
            still.update(dict.fromkeys(range(column, column + span.columns), span.rows - 1))
        column += span.columns
    return found


def kept_tables(extraction: Extraction) -> dict[int, str]:
    """The kind of each table of which something is kept; found once, because several formats ask."""
    if "tables" not in extraction.shared:
        page, kept = extraction.page, kept_pieces(extraction)
        ranges = zip(kept.start.tolist(), kept.end.tolist(), strict=True)
        seen = kept.node[np.array([not page.text[start:end].isspace() for start, end in ranges], dtype=np.bool_)]
        extraction.shared["tables"] = table_kinds(page, seen) | _by_roles(extraction, seen)
    kinds: dict[int, str] = extraction.shared["tables"]
    return kinds


def _by_roles(extraction: Extraction, texts: Ints) -> dict[int, str]:
    """The kind of each kept table that is one by its role."""
    nodes = extraction.page.nodes
    kinds = {}
    for node, name in table_roles(extraction).items():
        end = int(nodes.end[node])
        if name == "table" and np.searchsorted(texts, end) > np.searchsorted(texts, node):
            kinds[node] = COMPLEX if _STRUCTURES[nodes.tag[node:end]].any() else GRID
    return kinds


def table_kinds(page: Page, texts: Ints) -> dict[int, str]:
    """The kind of each table that holds some of the kept texts."""
    nodes = page.nodes
    is_table = nodes.named("table") & ((nodes.flags & FOREIGN) == 0)
    tables = np.flatnonzero(is_table)
    tables = tables[np.searchsorted(texts, nodes.end[tables]) > np.searchsorted(texts, tables)]
    if not len(tables):
        return {}
    cells = np.flatnonzero(nodes.named("td", "th"))
    holder = nodes.nearest(is_table)[cells]
    order = np.argsort(holder, kind="stable")
    cells, holder = cells[order], holder[order]
    first, last = np.searchsorted(holder, tables), np.searchsorted(holder, tables, side="right")
    rows, captions = np.flatnonzero(nodes.named("tr")), np.flatnonzero(nodes.named("caption"))
    structures, parts, heads, inner = map(_running, (_STRUCTURES, _PAGE_PARTS, _HEADS, mask("table")), [nodes.tag] * 4)
    kinds = {}
    for table, start, end in zip(tables.tolist(), first.tolist(), last.tolist(), strict=True):
        own, below, after = cells[start:end], table + 1, int(nodes.end[table])
        contents = _Contents(
            structures=int((structures[nodes.end[own]] - structures[own]).sum()),
            page_parts=int(parts[after] - parts[below]),
            heads=int(heads[after] - heads[below]),
            tables=int(inner[after] - inner[below]),
            has_late_caption=_last(captions, below, after) > _first(rows, below, after),
        )
        kinds[table] = _kind(page, table, own, contents)
    return kinds


class _Contents(NamedTuple):
    """How much of a kind a table holds."""

    structures: int  # in its cells
    page_parts: int
    heads: int
    tables: int
    has_late_caption: bool


def _running(marked: Bools, tags: Any) -> Ints:
    """How many nodes before each are marked."""
    return np.concatenate(([0], np.cumsum(marked[tags])))


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
            spanned += _count(wide) * _count(high)
    return spanned <= _MOST_EMPTY * len(cells) + 10
