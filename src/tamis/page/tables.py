"""What tables are: grids, tables that hold more than a grid can, or mere layout."""

from __future__ import annotations

import re

import numpy as np

from tamis.page.kernel import kernel
from tamis.page.model import Page
from tamis.page.table_contents import TableContents, is_layout, roles_of
from tamis.page.text import Ints

GRID, COMPLEX, LAYOUT = "grid", "complex", "layout"

_CELL_SPAN = re.compile(r"\s*0*([2-9]|[1-9][0-9]{1,2}|1000)\s*", re.ASCII)  # browsers read no more than 1000
_MOST_EMPTY = 4  # cells that spans add to a grid for each that is there; beyond, HTML says it shorter


def span_count(value: str | None) -> int:
    """How many columns or rows the attribute of a cell says that it covers."""
    number = _CELL_SPAN.fullmatch(value or "")
    return int(number[1]) if number else 1


def spanning(page: Page) -> dict[int, tuple[int, int]]:
    """How many columns and rows those cells cover that say it."""
    found = np.flatnonzero(page.nodes.named("td", "th"))
    columns, rows = page.attribute(found, "colspan"), page.attribute(found, "rowspan")
    return {
        node: (span_count(wide), span_count(high))
        for node, wide, high in zip(found.tolist(), columns, rows, strict=True)
        if wide or high
    }


def table_kinds(page: Page, texts: Ints, spans: dict[int, tuple[int, int]]) -> dict[int, str]:
    """The kind of each table that holds some of these texts; ``spans`` as ``spanning`` finds them."""
    tables, cells = _tables(page, texts)
    roles = roles_of(page, tables)
    kinds = {}
    for table in tables:
        is_simple = not table.structures and not table.has_late_caption
        kinds[table.node] = (
            LAYOUT
            if is_layout(page, table, cells, roles.get(table.node, ""))
            else GRID
            if is_simple and _fits(cells[table.first : table.last], spans)
            else COMPLEX
        )
    return kinds


def _tables(page: Page, texts: Ints) -> tuple[list[TableContents], Ints]:
    nodes = page.nodes
    if not nodes.has("table"):
        return [], texts[:0]
    return kernel.table_contents(
        nodes.tag, nodes.flags, nodes.parent, nodes.end, nodes.text_start, nodes.text_end, texts
    )


def _fits(cells: Ints, spans: dict[int, tuple[int, int]]) -> bool:
    """Whether the cells, with those that spans add, are not many more than there are."""
    if not spans:
        return True
    spanned = sum(columns * rows for columns, rows in (spans[cell] for cell in cells.tolist() if cell in spans))
    return spanned <= _MOST_EMPTY * len(cells) + 10
