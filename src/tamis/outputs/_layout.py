"""How the blocks of plain text stand to each other: rows of tables and items of lists are lines, the rest paragraphs.

Only white space is laid out, so that the words are those of the page: cells are separated by tabs, rows and items by
line ends, and an item of a list in a list is indented. Marks before items are added where they are asked for.
"""

from __future__ import annotations

import numpy as np

from tamis.outputs._holders import Holders, kept_holders
from tamis.outputs._lists import bare_lists, item_numbers
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._reference import ListPlaces
from tamis.outputs._tables import cell_columns, kept_tables
from tamis.outputs._twin import kernel
from tamis.page.html import TAG_CODES, mask
from tamis.page.model import PREFORMATTED, Page
from tamis.page.tables import GRID, LAYOUT
from tamis.page.text import Bools, Ints
from tamis.results import Extraction

_ITEMS = ("dd", "dt", "li")
_IS_LIST, _IS_ITEM = mask("dir", "dl", "menu", "ol", "ul"), mask(*_ITEMS)
_LISTINGS = ("listing", "pre", "xmp")
_MAX_INDENTS = 20  # of lists in lists; deeper ones add none, so that output stays in proportion to the page
PARAGRAPH = "\n\n"


def laid_out(extraction: Extraction, starts: Ints, blocks: list[str], *, marks: bool) -> str:
    """Blocks as one text; ``starts`` are their first text nodes."""
    columns, items, lines = _columns(extraction), _items(extraction, starts), _code_lines(extraction, starts)
    if columns is None and items is None and not len(lines):
        return PARAGRAPH.join(blocks)
    nodes = extraction.page.nodes
    if columns is None:
        rows = None
    else:
        is_table = nodes.marked(list(kept_tables(extraction)))
        rows = kernel.row_places(starts, columns, is_table, nodes.parent)
    if items is not None and (marks or items.depth.any()):
        is_free = (nodes.flags[starts] & PREFORMATTED) == 0
        if rows is not None:
            is_free &= ~rows.is_cell
        if marks:
            blocks = _marked(extraction.page, blocks, items, is_free)
        items = items._replace(depth=np.minimum(items.depth, _MAX_INDENTS) * is_free)
    return kernel.laid_out(blocks, items, rows, lines)


def _marked(page: Page, blocks: list[str], items: ListPlaces, is_free: Bools) -> list[str]:
    """The blocks, those of items behind their marks; lines after the first are indented as far as the mark is wide."""
    numbers = item_numbers(page, items.item[items.item > 0])
    marked = list(blocks)
    last_item = 0
    for number in np.flatnonzero((items.item > 0) & is_free).tolist():
        item = items.item.item(number)
        mark = _mark(page, item, numbers)
        blank = " " * len(mark)
        if mark or items.depth[number]:
            marked[number] = (mark if item != last_item else blank) + blocks[number].replace("\n", f"\n{blank}")
            last_item = item
    return marked


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
    nodes, columns = extraction.page.nodes, _columns(extraction)
    return np.zeros(len(nodes), dtype=np.bool_) if columns is None else nodes.inside(columns >= 0)


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
    is_kept = nodes.marked(holders.node)
    return kernel.described(nodes.tag, nodes.parent, is_kept, TAG_CODES["dt"], TAG_CODES["dd"])


def _columns(extraction: Extraction) -> Ints | None:
    """The column of each node that is a cell of a table that can be written row by row, else -1; None without any."""
    nodes = extraction.page.nodes
    kinds = kept_tables(extraction)
    if not kinds:
        return None
    kept = kept_pieces(extraction)
    code = kept.node[(nodes.flags[kept.node] & PREFORMATTED) != 0]
    tables = np.flatnonzero(nodes.named("table"))
    columns = np.full(len(nodes), -1, dtype=np.int64)
    is_any = False
    for table, kind in kinds.items():
        end = int(nodes.end[table])
        has_inner = np.searchsorted(tables, end) - np.searchsorted(tables, table) > 1
        has_code = np.searchsorted(code, end) > np.searchsorted(code, table)
        if kind != LAYOUT and not has_inner and not has_code and table not in kept.code_roots:
            cells, column = cell_columns(extraction, table, with_spans=kind == GRID)
            columns[cells] = column
            is_any = is_any or len(cells) > 0
    return columns if is_any else None


def _mark(page: Page, item: int, numbers: dict[int, int]) -> str:
    if page.name(item) != "li":
        return ""
    return f"{numbers[item]}. " if item in numbers else "- "
