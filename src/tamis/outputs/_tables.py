"""Cells of tables that cover more than one place."""

from __future__ import annotations

import itertools
from operator import itemgetter

import numpy as np

from tamis.outputs._events import ONE_CELL, CellSpan
from tamis.outputs._holders import kept_holders
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._roles import table_roles
from tamis.outputs._twin import kernel
from tamis.page.html import TAG_CODES, TEXT, mask
from tamis.page.kernel import kernel as page_kernel
from tamis.page.table_contents import STRUCTURES
from tamis.page.tables import COMPLEX, GRID, spanning, table_kinds
from tamis.page.text import Ints
from tamis.results import Extraction

_CELLS, _CELL = mask("td", "th"), TAG_CODES["td"]


def cell_spans(extraction: Extraction) -> dict[int, CellSpan]:
    """The cells that cover more than one place."""
    found = {node: CellSpan(*span) for node, span in _spanning(extraction).items()}
    return {node: span for node, span in found.items() if span != ONE_CELL}


def _spanning(extraction: Extraction) -> dict[int, tuple[int, int]]:
    return extraction.shared.once(_read_spans, extraction)


def _read_spans(extraction: Extraction) -> dict[int, tuple[int, int]]:
    return spanning(extraction.page)


def cell_columns(extraction: Extraction, table: int, *, with_spans: bool) -> tuple[Ints, Ints]:
    """The cells of a table, and the column in which each begins; cells that span others move those after them."""
    nodes = extraction.page.nodes
    first, end = table + 1, nodes.end.item(table)  # not the whole page: a page may have thousands of tables
    cells, columns = kernel.table_cells(nodes.tag[first:end], nodes.parent[first:end], _CELLS)
    if not len(cells):
        roles = table_roles(extraction)
        names = [_CELL if roles.get(node) in ("td", "th") else TEXT for node in range(first, end)]
        cells, columns = kernel.table_cells(np.array(names, dtype=np.uint8), nodes.parent[first:end], _CELLS)
    cells = cells + first
    spans = _spanning(extraction) if with_spans else {}
    if not spans or spans.keys().isdisjoint(cells.tolist()):
        return cells, columns
    rows = itertools.groupby(zip(cells.tolist(), nodes.parent[cells].tolist(), strict=True), key=itemgetter(1))
    found: list[int] = []
    covered: dict[int, int] = {}  # for some columns, how many rows are still covered
    still: dict[int, int] = {}
    for _, row in rows:
        column = 0
        covered, still = still, {place: left - 1 for place, left in still.items() if left > 1}
        for cell, _ in row:
            while covered.get(column):
                column += 1
            found.append(column)
            wide, high = spans.get(cell, ONE_CELL)
            if high > 1:
                still.update(dict.fromkeys(range(column, column + wide), high - 1))
            column += wide
    return cells, np.array(found, dtype=np.int64)


def kept_tables(extraction: Extraction) -> dict[int, str]:
    """The kind of each table of which something is kept; found once, because several formats ask."""
    return extraction.shared.once(_kept_tables, extraction)


def is_all_layout(extraction: Extraction) -> bool:
    """Whether no table of which something is kept says more than its layout; quicker than to tell all kinds apart."""
    page = extraction.page
    if table_roles(extraction):
        return False
    if not kept_holders(extraction).has("table"):
        return True
    seen = kept_pieces(extraction).seen
    if all(page.layout_tables.values()) and np.count_nonzero(page.flow.characters[seen]) == len(seen):
        return True  # all that is kept can be seen, so that its tables are among these
    return all(page_kernel.layout_tables(page, seen).values())


def _kept_tables(extraction: Extraction) -> dict[int, str]:
    page, roles = extraction.page, table_roles(extraction)
    if not roles and not kept_holders(extraction).has("table"):
        return {}
    seen = kept_pieces(extraction).seen
    kinds = table_kinds(page, seen, {})
    if GRID in kinds.values() and (spans := _spanning(extraction)):  # which are only looked for where they matter
        kinds = table_kinds(page, seen, spans)
    return kinds | _by_roles(extraction, seen) if roles else kinds


def _by_roles(extraction: Extraction, texts: Ints) -> dict[int, str]:
    """The kind of each kept table that is one by its role."""
    nodes = extraction.page.nodes
    kinds = {}
    for node, name in table_roles(extraction).items():
        end = int(nodes.end[node])
        if name == "table" and np.searchsorted(texts, end) > np.searchsorted(texts, node):
            kinds[node] = COMPLEX if STRUCTURES[nodes.tag[node:end]].any() else GRID
    return kinds
