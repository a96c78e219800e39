"""How the blocks of plain text stand to each other: rows of tables and items of lists are lines, the rest paragraphs.

Only white space is laid out, so that the words are those of the page: cells are separated by tabs, rows and items by
line ends, and an item of a list in a list is indented. Marks before items are added where they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.outputs._lists import bare_lists, item_numbers
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._roles import table_roles
from tamis.outputs._tables import cell_columns, kept_tables
from tamis.page.model import PREFORMATTED, Page
from tamis.page.tables import GRID, LAYOUT
from tamis.page.text import Bools, Ints
from tamis.results import Extraction

_LISTS = ("dir", "dl", "menu", "ol", "ul")
_ITEMS = ("dd", "dt", "li")
_CELLS = ("td", "th")
_INDENT = "  "
_MAX_INDENTS = 20  # of lists in lists; deeper ones add none, so that output stays in proportion to the page
PARAGRAPH = "\n\n"


@dataclass(frozen=True, eq=False)
class _Places:
    """Where each block stands: its item and its cell, 0 if it is in none."""

    item: Ints
    is_tight: Bools  # the block is all that its item holds beside other lists
    root: Ints  # the outermost list
    depth: Ints
    cell: Ints
    row: Ints
    table: Ints
    column: Ints


def laid_out(extraction: Extraction, starts: Ints, blocks: list[str], *, marks: bool) -> str:
    """Blocks as one text; ``starts`` are their first text nodes."""
    page = extraction.page
    if not (page.nodes.named(*_ITEMS, *_CELLS)).any() and not table_roles(extraction):
        return PARAGRAPH.join(blocks)
    places = _places(extraction, starts)
    in_cell, in_item = places.cell > 0, (places.item > 0) & (places.cell == 0)
    if not in_cell.any() and not in_item.any():
        return PARAGRAPH.join(blocks)
    is_code = (page.nodes.flags[starts] & PREFORMATTED) != 0
    numbers = item_numbers(page, places.item[in_item]) if marks else {}
    between = _between(places, in_cell, in_item)
    parts: list[str] = []
    last_item = 0
    for number, block in enumerate(blocks):
        if in_cell[number]:
            parts += (between[number], " ".join(block.split()))
            continue
        parts.append(between[number])
        if in_item[number] and not is_code[number]:
            item = int(places.item[number])
            mark = _mark(page, item, numbers) if marks else ""
            indent = _INDENT * min(int(places.depth[number]), _MAX_INDENTS)
            first = indent + (mark if item != last_item else " " * len(mark))
            block = first + block.replace("\n", f"\n{indent}{' ' * len(mark)}")
            last_item = item
        parts.append(block)
    return "".join(parts)


def in_rows(extraction: Extraction) -> Bools:
    """Nodes of the cells of tables that are written row by row, with everything below them."""
    marked = np.zeros(len(extraction.page.nodes), dtype=np.bool_)
    marked[list(_columns(extraction))] = True
    return extraction.page.nodes.inside(marked)


def _places(extraction: Extraction, starts: Ints) -> _Places:
    nodes = extraction.page.nodes
    nothing = np.zeros(len(starts), dtype=np.int64)
    item = root = depth = cell = row = table = column = nothing
    is_tight = np.zeros(len(starts), dtype=np.bool_)
    is_item = nodes.named(*_ITEMS)
    if is_item.any():
        is_list = nodes.named(*_LISTS)
        is_list[bare_lists(extraction.page)] = False
        is_item &= is_list[nodes.parent]
        root = nodes.nearest(is_list & ~nodes.inside(is_item))[starts]
        item = np.where(root > 0, nodes.nearest(is_item)[starts], 0)
        steps = np.bincount(np.flatnonzero(is_list), minlength=len(nodes) + 1)
        steps -= np.bincount(nodes.end[is_list], minlength=len(nodes) + 1)
        levels = np.cumsum(steps)[:-1]
        depth = np.maximum(levels[item] - levels[root], 0) + nodes.named("dd")[item]
        _, which, counts = np.unique(item, return_inverse=True, return_counts=True)
        is_tight = counts[which] == 1
    if columns := _columns(extraction):
        marked = np.zeros((2, len(nodes)), dtype=np.bool_)
        marked[0, list(columns)] = True
        marked[1, list(kept_tables(extraction))] = True
        cell, table = nodes.nearest(marked[0])[starts], nodes.nearest(marked[1])[starts]
        row = nodes.parent[cell]
        column = np.array([columns.get(one, 0) for one in cell.tolist()], dtype=np.int64)
    return _Places(item, is_tight, root, depth, cell, row, table, column)


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


def _between(places: _Places, in_cell: Bools, in_item: Bools) -> list[str]:
    """What stands before each block."""
    found: list[str] = []
    rows = zip(
        in_cell.tolist(),
        in_item.tolist(),
        places.table.tolist(),
        places.row.tolist(),
        places.cell.tolist(),
        places.column.tolist(),
        places.root.tolist(),
        places.item.tolist(),
        places.is_tight.tolist(),
        strict=True,
    )
    last_cell = last_row = last_table = last_column = last_root = last_item = -1
    was_tight = False
    for is_cell, is_item, table, row, cell, column, root, item, is_tight in rows:
        space = PARAGRAPH if found else ""
        if is_cell and table == last_table:
            if cell == last_cell:
                space = " "
            elif row == last_row:
                space = "\t" * max(column - last_column, 1)
            else:
                space = "\n" + "\t" * column
        elif is_cell:
            space += "\t" * column
        elif is_item and root == last_root and item != last_item and is_tight and was_tight:
            space = "\n"
        found.append(space)
        last_table, last_row, last_cell, last_column = (table, row, cell, column) if is_cell else (-1, -1, -1, -1)
        last_root, last_item, was_tight = (root, item, is_tight) if is_item else (-1, -1, False)
    return found


def _mark(page: Page, item: int, numbers: dict[int, int]) -> str:
    if page.name(item) != "li":
        return ""
    return f"{numbers[item]}. " if item in numbers else "- "
