"""How the blocks of plain text stand to each other: rows of tables and items of lists are lines, the rest paragraphs.

Only white space is laid out, so that the words are those of the page: cells are separated by tabs, rows and items by
line ends, and an item of a list in a list is indented. Marks before items are added where they are asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from tamis.outputs._holders import Holders, kept_holders
from tamis.outputs._lists import bare_lists, item_numbers
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._reference import ListPlaces
from tamis.outputs._tables import cell_columns, kept_tables
from tamis.outputs._twin import kernel
from tamis.page.html import mask
from tamis.page.model import PREFORMATTED, Page
from tamis.page.tables import GRID, LAYOUT
from tamis.page.text import Bools, Ints
from tamis.results import Extraction

_ITEMS = ("dd", "dt", "li")
_IS_LIST, _IS_ITEM = mask("dir", "dl", "menu", "ol", "ul"), mask(*_ITEMS)
_CELLS = ("td", "th")
_LISTINGS = ("listing", "pre", "xmp")
_INDENT = "  "
_MAX_INDENTS = 20  # of lists in lists; deeper ones add none, so that output stays in proportion to the page
PARAGRAPH = "\n\n"


class _Cells(NamedTuple):
    """Blocks that stand in tables which are written row by row: the number of each, and where it stands."""

    number: list[int]
    cell: list[int]
    row: list[int]
    table: list[int]
    column: list[int]


_NO_CELLS = _Cells([], [], [], [], [])


def laid_out(extraction: Extraction, starts: Ints, blocks: list[str], *, marks: bool) -> str:
    """Blocks as one text; ``starts`` are their first text nodes."""
    rows, items, lines = _cells(extraction, starts), _items(extraction, starts), _code_lines(extraction, starts)
    if not rows.number and items is None and not len(lines):
        return PARAGRAPH.join(blocks)
    parts = ["", *[PARAGRAPH] * (2 * len(blocks) - 1)]  # what stands before each block, and the block
    parts[1::2] = blocks
    if items is not None:
        parts[2::2] = ["\n" if is_next else PARAGRAPH for is_next in items.is_next.tolist()[1:]]
        for number in rows.number:  # no item is next to a cell
            parts[2 * number + 2 : 2 * number + 3] = [PARAGRAPH] * (number + 1 < len(blocks))
    _write_rows(rows, blocks, parts)
    cells = frozenset(rows.number)
    if items is not None:
        _indent(extraction.page, starts, blocks, parts, items, cells, marks=marks)
    for number in lines.tolist():
        if number not in cells:
            parts[2 * number] = "\n"
    return "".join(parts)


def _indent(
    page: Page,
    starts: Ints,
    blocks: list[str],
    parts: list[str],
    items: ListPlaces,
    cells: Collection[int],
    *,
    marks: bool,
) -> None:
    """Write the items of lists in lists anew, indented; with marks all items."""
    if not marks and not np.count_nonzero(items.depth):
        return
    chosen = np.flatnonzero((items.item > 0) & ((items.depth > 0) | marks))
    chosen = chosen[(page.nodes.flags[starts[chosen]] & PREFORMATTED) == 0]
    numbers = item_numbers(page, items.item[items.item > 0]) if marks else {}
    last_item = 0
    for number, item, depth in zip(
        chosen.tolist(), items.item[chosen].tolist(), items.depth[chosen].tolist(), strict=True
    ):
        mark = _mark(page, item, numbers) if marks else ""
        if number in cells or not (mark or depth):
            continue
        indent = _INDENT * min(depth, _MAX_INDENTS)
        first = indent + (mark if item != last_item else " " * len(mark))
        parts[2 * number + 1] = first + blocks[number].replace("\n", f"\n{indent}{' ' * len(mark)}")
        last_item = item


def _code_lines(extraction: Extraction, starts: Ints) -> Ints:
    """Numbers of the blocks that are the next line of a listing whose lines are elements; ``br`` are lines already."""
    nodes = extraction.page.nodes
    if not kept_holders(extraction).has(*_LISTINGS):
        return starts[:0]
    listing, breaks = nodes.nearest(nodes.named(*_LISTINGS))[starts], np.cumsum(nodes.named("br"))[starts]
    is_next = (listing[1:] > 0) & (listing[1:] == listing[:-1]) & (breaks[1:] == breaks[:-1])
    found: Ints = np.flatnonzero(is_next) + 1
    return found


def in_rows(extraction: Extraction) -> Bools:
    """Nodes of the cells of tables that are written row by row, with everything below them."""
    marked = np.zeros(len(extraction.page.nodes), dtype=np.bool_)
    marked[list(_columns(extraction))] = True
    return extraction.page.nodes.inside(marked)


def _items(extraction: Extraction, starts: Ints) -> ListPlaces | None:
    """Where the blocks stand in lists; None if there are no lists."""
    holders, nodes = kept_holders(extraction), extraction.page.nodes
    if not holders.has(*_ITEMS):
        return None
    bare = bare_lists(extraction.page) if holders.has("dl") else starts[:0]
    places = kernel.list_places(starts, nodes.tag, nodes.parent, nodes.end, _IS_LIST, _IS_ITEM, bare)
    if holders.has("dd") and holders.has("dt"):
        places = places._replace(depth=places.depth + _has_term(holders)[places.item])
    return places


def _has_term(holders: Holders) -> Bools:
    """True for descriptions whose term is kept; without it there is nothing to indent them under."""
    nodes = holders.page.nodes
    found = np.zeros(len(nodes), dtype=np.bool_)
    kept, is_term = set(holders.named("dt").tolist()), nodes.named("dt")
    terms: dict[int, int] = {}  # for an element, the last term in it
    parts = np.flatnonzero(is_term | nodes.named("dd"))
    for node, above, begins in zip(
        *(column.tolist() for column in (parts, nodes.parent[parts], is_term[parts])), strict=True
    ):
        if begins:
            terms[above] = node
        else:
            found[node] = terms.get(above) in kept
    return found


def _cells(extraction: Extraction, starts: Ints) -> _Cells:
    """Where the blocks stand in tables that are written row by row."""
    columns = _columns(extraction)
    if not columns:
        return _NO_CELLS
    nodes = extraction.page.nodes
    marked = np.zeros((2, len(nodes)), dtype=np.bool_)
    marked[0, list(columns)] = True
    marked[1, list(kept_tables(extraction))] = True
    cells, tables = nodes.nearest(marked[0])[starts], nodes.nearest(marked[1])[starts]
    inside = np.flatnonzero(cells)
    own, row, table = (column[inside].tolist() for column in (cells, nodes.parent[cells], tables))
    return _Cells(inside.tolist(), own, row, table, [columns[cell] for cell in own])


def _columns(extraction: Extraction) -> dict[int, int]:
    """The column of each cell of the tables that can be written row by row."""
    nodes = extraction.page.nodes
    kinds = kept_tables(extraction)
    if not kinds:
        return {}
    kept = kept_pieces(extraction)
    code = kept.node[(nodes.flags[kept.node] & PREFORMATTED) != 0]
    tables = np.flatnonzero(nodes.named("table"))
    found: dict[int, int] = {}
    for table, kind in kinds.items():
        end = int(nodes.end[table])
        has_inner = np.searchsorted(tables, end) - np.searchsorted(tables, table) > 1
        has_code = np.searchsorted(code, end) > np.searchsorted(code, table)
        if kind != LAYOUT and not has_inner and not has_code and table not in kept.code_roots:
            found |= cell_columns(extraction, table, with_spans=kind == GRID)
    return found


def _write_rows(cells: _Cells, blocks: list[str], parts: list[str]) -> None:
    """Write the blocks in cells anew, with what stands before each."""
    last_number = last_cell = last_row = last_table = last_column = -1
    for number, cell, row, table, column in zip(*cells, strict=True):
        if table != last_table or number != last_number + 1:
            before = (PARAGRAPH if number else "") + "\t" * column
        elif cell == last_cell:
            before = " "
        elif row == last_row:
            before = "\t" * max(column - last_column, 1)
        else:
            before = "\n" + "\t" * column
        parts[2 * number] = before
        parts[2 * number + 1] = blocks[number].replace("\n", " ")
        last_number, last_cell, last_row, last_table, last_column = number, cell, row, table, column


def _mark(page: Page, item: int, numbers: dict[int, int]) -> str:
    if page.name(item) != "li":
        return ""
    return f"{numbers[item]}. " if item in numbers else "- "
