"""What tables hold, counted: the readable twin of ``_kernel_tables.pxi``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.page import tree
from tamis.page.html import TAG_CODES, mask
from tamis.page.text import Bools, Ints

if TYPE_CHECKING:
    from tamis.page.model import Page

STRUCTURES = mask("blockquote", "dl", "figure", "ol", "pre", "table", "ul", "listing", "xmp", "details")
PAGE_PARTS = mask(
    "article", "aside", "footer", "form", "h1", "h2", "h3", "header", "main", "nav", "section", "textarea"
)
HEADS = mask("caption", "th", "thead")
CELLS = mask("td", "th")
_TABLE, _ROW, _CAPTION, _HEAD_CELL = (TAG_CODES[name] for name in ("table", "tr", "caption", "th"))
NO_TABLE, A_TABLE = frozenset({"none", "presentation"}), frozenset({"grid", "table"})  # roles
LONGEST_CELL = 1_000  # characters of a cell on average; tables with more hold the page itself
CELLS_PER_PART = 5  # with a heading or a section in more than one cell of five the table is the layout of a page


class TableContents(NamedTuple):
    """How much of a kind a table holds, and how its cells stand."""

    node: int
    first: int  # its cells, not those of tables in them, are cells[first:last]
    last: int
    characters: int  # in its cells
    structures: int  # in its cells
    page_parts: int
    heads: int  # of its own, not of tables in its cells
    tables: int
    has_late_caption: bool
    is_row: bool  # all cells in one row
    is_column: bool  # no two in one row
    is_all_heads: bool  # cells


def table_contents(
    tag: npt.NDArray[np.uint8], parent: Ints, end: Ints, lengths: Ints, is_foreign: Bools, texts: Ints
) -> tuple[list[TableContents], Ints]:
    """What each table holds that has some of these texts, in document order, and the cells of all of them."""
    is_table = (tag == _TABLE) & ~is_foreign
    tables = np.flatnonzero(is_table)
    tables = tables[np.searchsorted(texts, end[tables]) > np.searchsorted(texts, tables)]
    table_of = tree.nearest(is_table, parent)
    cells = np.flatnonzero(CELLS[tag])
    cells = cells[np.isin(table_of[cells], tables)]
    cells = cells[np.argsort(table_of[cells], kind="stable")]
    holder = table_of[cells]
    rows, captions = np.flatnonzero(tag == _ROW), np.flatnonzero(tag == _CAPTION)
    structures, parts, inner = (_running(marked) for marked in (STRUCTURES[tag], PAGE_PARTS[tag], tag == _TABLE))
    heads = np.bincount(table_of[HEADS[tag]], minlength=len(tag))
    found = []
    for table in tables.tolist():
        first, last = np.searchsorted(holder, (table, table + 1)).tolist()
        own, below, after = cells[first:last], table + 1, int(end[table])
        lines = parent[own]
        found.append(
            TableContents(
                node=table,
                first=first,
                last=last,
                characters=int(lengths[own].sum()),
                structures=int((structures[end[own]] - structures[own]).sum()),
                page_parts=int(parts[after] - parts[below]),
                heads=int(heads[table]),
                tables=int(inner[after] - inner[below]),
                has_late_caption=_last(captions, below, after) > _first(rows, below, after),
                is_row=bool((lines == lines[:1]).all()),
                is_column=len(set(lines.tolist())) == len(lines),
                is_all_heads=bool((tag[own] == _HEAD_CELL).all()),
            )
        )
    return found, cells


def roles_of(page: Page, tables: list[TableContents]) -> dict[int, str]:
    """The roles of those tables that say one."""
    if not tables:
        return {}
    said = page.said("role", np.array([table.node for table in tables], dtype=np.int64))
    return {table: role.lower() for table, role in said.items()}


def is_layout(page: Page, table: TableContents, cells: Ints, role: str) -> bool:
    """Whether a table is mere layout."""
    count = table.last - table.first
    if count < 2 or role in NO_TABLE or _is_line(page, table, cells):
        return True
    is_long = table.characters > LONGEST_CELL * count
    is_said = role in A_TABLE or table.heads > 0
    holds_page = table.tables > 0 or table.page_parts * CELLS_PER_PART > count or is_long
    return holds_page and (not is_said or (table.tables > 0 and is_long))


def _is_line(page: Page, table: TableContents, cells: Ints) -> bool:
    """Whether all its cells stand in one row or one column."""
    if table.is_row:
        return not table.is_all_heads
    return table.is_column and not any(page.attribute(cells[table.first : table.last], "colspan"))


def _running(marked: Bools) -> Ints:
    """How many nodes before each are marked."""
    return np.concatenate(([0], np.cumsum(marked)))


def _first(places: Ints, start: int, end: int) -> int:
    index = int(np.searchsorted(places, start))
    return int(places[index]) if index < len(places) and places[index] < end else end


def _last(places: Ints, start: int, end: int) -> int:
    index = int(np.searchsorted(places, end)) - 1
    return int(places[index]) if index >= 0 and places[index] >= start else -1
