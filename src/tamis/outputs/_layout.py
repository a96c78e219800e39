"""How the blocks of plain text stand to each other: rows of tables and items of lists are lines, the rest paragraphs.

Only white space is laid out, so that the words are those of the page: cells are separated by tabs, rows and items by
line ends, and an item of a list in a list is indented. Marks before items are added where they are asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from tamis.outputs._holders import Holders, kept_holders
from tamis.outputs._lists import bare_lists, item_numbers
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._reference import ListPlaces, RowPlaces
from tamis.outputs._tables import cell_columns, is_all_layout, kept_tables
from tamis.outputs._twin import kernel
from tamis.page.html import TAG_CODES, bits, mask
from tamis.page.model import PREFORMATTED, Page
from tamis.page.tables import GRID, LAYOUT
from tamis.page.text import Bools, Ints
from tamis.results import Extraction

_ITEMS = ("dd", "dt", "li")
_IS_LIST, _IS_ITEM = mask("dir", "dl", "menu", "ol", "ul"), mask(*_ITEMS)
_ITEM_BITS = bits(*_ITEMS)
_LISTINGS = ("listing", "pre", "xmp")
_LISTING_BITS = bits(*_LISTINGS)
_NO_BLOCKS = np.zeros(0, dtype=np.int64)


class LinePlaces(NamedTuple):
    """Where the blocks of a text stand."""

    items: ListPlaces | None  # None without lists
    rows: RowPlaces | None  # None without tables that are written row by row
    listed: Ints  # numbers of the blocks that are the next line of a listing


def find_layout(extraction: Extraction, starts: Ints) -> LinePlaces:
    """Where the blocks stand that begin with some text nodes."""
    holders, columns, rows = kept_holders(extraction), _columns(extraction), None
    if columns is not None:
        nodes = extraction.page.nodes
        rows = kernel.row_places(starts, columns, nodes.marked(list(kept_tables(extraction))), nodes.parent)
    return LinePlaces(_items(holders, starts), rows, _code_lines(holders, starts))


def item_marks(page: Page, starts: Ints, layout: LinePlaces) -> dict[int, str]:
    """What stands before blocks of items, by their numbers: their marks, or before further blocks as many blanks."""
    items, rows = layout.items, layout.rows
    if items is None:
        return {}
    is_free = (page.nodes.flags[starts] & PREFORMATTED) == 0
    if rows is not None:
        is_free &= ~rows.is_cell
    numbers = item_numbers(page, items.item[items.item > 0])
    marks = {}
    last_item = 0
    for number in np.flatnonzero((items.item > 0) & is_free).tolist():
        item = items.item.item(number)
        mark = _mark(page, item, numbers)
        if mark or items.depth[number]:
            marks[number] = mark if item != last_item else " " * len(mark)
            last_item = item
    return marks


def _code_lines(holders: Holders, starts: Ints) -> Ints:
    """Numbers of the blocks that are the next line of a listing whose lines are elements; ``br`` are lines already."""
    nodes = holders.page.nodes
    if not holders.names & _LISTING_BITS:
        return _NO_BLOCKS
    listing, breaks = nodes.nearest(nodes.named(*_LISTINGS))[starts], np.cumsum(nodes.named("br"))[starts]
    is_next = (listing[1:] > 0) & (listing[1:] == listing[:-1]) & (breaks[1:] == breaks[:-1])
    found: Ints = np.flatnonzero(is_next) + 1
    return found


def in_rows(extraction: Extraction) -> Bools:
    """Nodes of the cells of tables that are written row by row, with everything below them."""
    nodes, columns = extraction.page.nodes, _columns(extraction)
    return np.zeros(len(nodes), dtype=np.bool_) if columns is None else nodes.inside(columns >= 0)


def _items(holders: Holders, starts: Ints) -> ListPlaces | None:
    """Where the blocks stand in lists; None if there are no lists."""
    nodes = holders.page.nodes
    if not holders.names & _ITEM_BITS:
        return None
    bare = bare_lists(holders.page) if holders.has("dl") else _NO_BLOCKS
    places = kernel.list_places(starts, nodes.tag, nodes.parent, nodes.end, _IS_LIST, _IS_ITEM, bare)
    if holders.has("dd") and holders.has("dt"):
        places = places._replace(depth=places.depth + _has_term(holders)[places.item])
    return places


def _has_term(holders: Holders) -> Bools:
    """True for descriptions whose term is kept; without it there is nothing to indent them under."""
    nodes = holders.page.nodes
    is_kept = nodes.marked(holders.node)
    return kernel.described(nodes.tag, nodes.parent, is_kept, TAG_CODES["dt"], TAG_CODES["dd"])


def _columns(extraction: Extraction) -> Ints | None:
    """The column of each node that is a cell of a table that can be written row by row, else -1; None without any."""
    if is_all_layout(extraction):
        return None
    kinds = {table: kind for table, kind in kept_tables(extraction).items() if kind != LAYOUT}
    nodes, kept = extraction.page.nodes, kept_pieces(extraction)
    code = kept.node[(nodes.flags[kept.node] & PREFORMATTED) != 0].tolist()
    tables, code_roots = [*nodes.each("table")], frozenset(kept.code_roots.tolist())
    columns = np.full(len(nodes), -1, dtype=np.int64)
    is_any = False
    for table, kind in kinds.items():
        end = nodes.end.item(table)
        has_inner = bisect_left(tables, end) - bisect_left(tables, table) > 1
        has_code = bisect_left(code, end) > bisect_left(code, table)
        if not has_inner and not has_code and table not in code_roots:
            cells, column = cell_columns(extraction, table, with_spans=kind == GRID)
            columns[cells] = column
            is_any = is_any or len(cells) > 0
    return columns if is_any else None


def _mark(page: Page, item: int, numbers: dict[int, int]) -> str:
    if page.name(item) != "li":
        return ""
    return f"{numbers[item]}. " if item in numbers else "- "
