"""Cells of tables that cover more than one place."""

from __future__ import annotations

import itertools
from operator import itemgetter

import numpy as np

from tamis.outputs._events import ONE_CELL, CellSpan
from tamis.outputs._holders import kept_holders
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._roles import table_roles
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.table_contents import STRUCTURES
from tamis.page.tables import COMPLEX, GRID, span_count, table_kinds
from tamis.page.text import Ints
from tamis.results import Extraction

_CELLS = mask("td", "th")


def cell_spans(page: Page, cells: Ints | None = None) -> dict[int, CellSpan]:
    """The cells, of some or of the whole page, that cover more than one place."""
    cells = np.flatnonzero(page.nodes.named("td", "th")) if cells is None else cells
    found = {}
    for node, wide, high in zip(
        cells.tolist(), page.attribute(cells, "colspan"), page.attribute(cells, "rowspan"), strict=True
    ):
        if (wide or high) and (span := CellSpan(span_count(wide), span_count(high))) != ONE_CELL:
            found[node] = span
    return found


def cell_columns(extraction: Extraction, table: int, *, with_spans: bool) -> dict[int, int]:
    """The column in which each cell of a table begins; cells that span rows or columns move those after them."""
    page, nodes = extraction.page, extraction.page.nodes
    below = np.arange(table + 1, int(nodes.end[table]))
    cells = below[_CELLS[nodes.tag[below]]]  # not of the whole page: a page may have thousands of tables
    if not len(cells):
        roles = table_roles(extraction)
        cells = below[[roles.get(node) in ("td", "th") for node in below.tolist()]]
    spans = cell_spans(page, cells) if with_spans else {}
    rows = itertools.groupby(zip(cells.tolist(), nodes.parent[cells].tolist(), strict=True), key=itemgetter(1))
    if not spans:
        return {cell: column for _, row in rows for column, (cell, _) in enumerate(row)}
    found: dict[int, int] = {}
    covered: dict[int, int] = {}  # for some columns, how many rows are still covered
    still: dict[int, int] = {}
    for _, row in rows:
        column = 0
        covered, still = still, {place: left - 1 for place, left in still.items() if left > 1}
        for cell, _ in row:
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
    return extraction.shared.once(_kept_tables, extraction)


def _kept_tables(extraction: Extraction) -> dict[int, str]:
    page = extraction.page
    if not kept_holders(extraction).has("table") and not table_roles(extraction):
        return {}
    seen = kept_pieces(extraction).seen
    return table_kinds(page, seen) | _by_roles(extraction, seen)


def _by_roles(extraction: Extraction, texts: Ints) -> dict[int, str]:
    """The kind of each kept table that is one by its role."""
    nodes = extraction.page.nodes
    kinds = {}
    for node, name in table_roles(extraction).items():
        end = int(nodes.end[node])
        if name == "table" and np.searchsorted(texts, end) > np.searchsorted(texts, node):
            kinds[node] = COMPLEX if STRUCTURES[nodes.tag[node:end]].any() else GRID
    return kinds
