"""Tables that are no ``table``: rows and cells by their roles, by their classes, or by their inline styles.

A role says it. Classes and styles are believed only where table, rows and cells all say it, every row has as many cells
as the others, and the cells hold nothing but short texts: most pages call the rows of their layout "row" as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from tamis.page.html import HEADINGS, INLINE_NAMES, mask
from tamis.page.kernel import kernel
from tamis.page.model import INVISIBLE, Page
from tamis.page.table_contents import PAGE_PARTS, STRUCTURES
from tamis.page.text import Ints

_TABLE_ROLES = frozenset({"table", "grid"})
_PART_ROLES = {"row": "tr", "cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_SELECTED = ", ".join(f'[role="{role}" i]' for role in _PART_ROLES)
_CELLS = frozenset({"td", "th"})
_WORDS = {
    "table": frozenset({"table", "tbl"}),
    "tr": frozenset({"row", "tr", "trow", "tablerow", "head", "header", "thead"}),
    "td": frozenset({"cell", "td", "th", "tcell", "tablecell"}),
}
_HEAD_WORDS = frozenset({"head", "header", "heading", "thead", "th"})
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CELL_CLASS = re.compile(r"(?i)cell|(?<![a-z])t[dh](?![a-z-])")  # without it nothing else is looked at
_DISPLAY = re.compile(r"display\s*:\s*(table(?:-row|-cell)?|grid)\s*(?:;|\Z)", re.IGNORECASE)
_DISPLAYED = {"table": "table", "table-row": "tr", "table-cell": "td"}
_COLUMNS = "grid-template-columns"
_INLINE, _TABLE_NAMES = mask(*INLINE_NAMES), mask("table", "tbody", "td", "tfoot", "th", "thead", "tr")
_NO_PARTS = _INLINE | _TABLE_NAMES
_MAY_HOLD_ROWS = ~(_NO_PARTS | mask("body", "html", "p", *HEADINGS))
_FEWEST_ROWS = _FEWEST_CELLS = 2  # one row or one column is a toolbar or a list
_FEWEST_GRID_ROWS = 3  # rows of which only the style says that they are rows
_LONGEST_CELL, _LONGEST_IN_GRID = 300, 60  # characters on average; longer ones are cards, or columns of a layout


def may_be_parts(roles: Iterable[str], styles: Iterable[str], classes: list[str | None]) -> bool:
    """Whether there may be tables among elements that say so of themselves; most pages have none."""
    is_said = not _TABLE_ROLES.isdisjoint(map(str.lower, roles))
    # A style ends where its last declaration does: with ";" between them all are searched at once.
    return is_said or _any_displayed(";".join(styles)) or _any_cell(classes)


def table_parts(page: Page, holders: Ints) -> dict[int, str]:
    """What elements would be called in a table, of those tables that are among some elements with text."""
    holders = holders[_MAY_HOLD_ROWS[page.nodes.tag[holders]]]
    styles = {node: style for node, style in page.said("style", holders).items() if _DISPLAY.search(style)}
    found = _by_role(page, holders)
    for others in (_by_name(page, holders, styles), _by_grid(page, styles)):
        if not found.keys() & others.keys():
            found |= others
    return found


def _by_role(page: Page, holders: Ints) -> dict[int, str]:
    tables = [node for node, role in page.said("role", holders).items() if role.lower() in _TABLE_ROLES]
    if not tables:
        return {}
    parts = np.array(page.select(_SELECTED), dtype=np.int64)
    names = [_PART_ROLES[(role or "").strip().lower()] for role in page.attribute(parts, "role")]
    found: dict[int, str] = {}
    for table in tables:
        first, last = np.searchsorted(parts, (table, page.nodes.end[table])).tolist()
        inside = dict(zip(parts[first:last].tolist(), names[first:last], strict=True))
        if table not in found and _is_table(page, inside):
            found |= {table: "table", **inside}
    return found


def _is_table(page: Page, parts: dict[int, str]) -> bool:
    """Whether parts make rows of cells, none of which stands in a line of text with another."""
    nodes = page.nodes
    places = np.array(list(parts), dtype=np.int64)
    if not len(places) or _NO_PARTS[nodes.tag[places]].any() or (nodes.flags[places] & INVISIBLE).any():
        return False
    cells: dict[int, int] = {}
    for node, name in parts.items():
        above = int(nodes.parent[node])
        if name in _CELLS and parts.get(above) != "tr":
            return False
        cells[above] = cells.get(above, 0) + (name in _CELLS)
    return sum(count >= _FEWEST_CELLS for count in cells.values()) >= _FEWEST_ROWS


def _by_name(page: Page, holders: Ints, styles: dict[int, str]) -> dict[int, str]:
    """Tables whose parts are called so by their classes, or shown so by their styles."""
    classes = page.attribute(holders, "class")
    if not styles and not _any_cell(classes):
        return {}
    told = dict(zip(holders.tolist(), classes, strict=True))

    def what(node: int) -> frozenset[str]:
        return frozenset((*_named(told.get(node)), *_shown(styles.get(node))))

    may_be_cells = [node for node, value in told.items() if node in styles or (value and _CELL_CLASS.search(value))]
    rows = {int(page.nodes.parent[node]) for node in may_be_cells if "td" in what(node)}
    of_table: dict[int, list[int]] = defaultdict(list)
    for row in sorted(row for row in rows if "tr" in what(row)):
        above = int(page.nodes.parent[row])
        table = above if "table" in what(above) else int(page.nodes.parent[above])
        if "table" in what(table):
            of_table[table].append(row)
    found: dict[int, str] = {}
    for table, own in of_table.items():
        parts = _even_rows(page, table, own, _LONGEST_CELL)
        cells = [node for node, name in parts.items() if name == "td"]
        if parts and all("td" in what(cell) for cell in cells if told.get(cell) or cell in styles):
            is_head = {node for node in parts if "head" in what(node)}
            found |= {
                node: "th" if name == "td" and (node in is_head or int(page.nodes.parent[node]) in is_head) else name
                for node, name in parts.items()
            }
    return found


def _any_displayed(style: str) -> bool:
    """Whether a style says how a table is shown; that most say nothing like it is quicker to see without a pattern."""
    may_be = not style.isascii() or "display" in style.lower()  # beyond ASCII are letters that small ones stand for
    return may_be and _DISPLAY.search(style) is not None


def _any_cell(classes: list[str | None]) -> bool:
    """Whether one of the classes is one of cells; most pages have none."""
    return kernel.maybe_cells(classes) and any(_CELL_CLASS.search(value) for value in {*filter(None, classes)})


def _by_grid(page: Page, styles: dict[int, str]) -> dict[int, str]:
    """Tables whose rows are grids with the same columns."""
    of_table: dict[tuple[int, str], list[int]] = defaultdict(list)
    for node, style in styles.items():
        if _COLUMNS in style and "grid" in _DISPLAY.findall(style):
            of_table[int(page.nodes.parent[node]), style].append(node)
    found: dict[int, str] = {}
    for (table, _), rows in of_table.items():
        if table > 0 and len(rows) >= _FEWEST_GRID_ROWS and _MAY_HOLD_ROWS[page.nodes.tag[table]]:
            found |= _even_rows(page, table, rows, _LONGEST_IN_GRID)
    return found


def _even_rows(page: Page, table: int, rows: list[int], longest: int) -> dict[int, str]:
    """The parts of a table, if these rows are all that it holds and have as many cells each."""
    nodes = page.nodes
    end = int(nodes.end[table])
    below = np.arange(table + 1, end)
    below = below[nodes.elements[below]]
    cells = below[np.isin(nodes.parent[below], rows)]
    counts = np.bincount(np.searchsorted(rows, nodes.parent[cells]), minlength=len(rows))
    if len(rows) < _FEWEST_ROWS or counts[0] < _FEWEST_CELLS or (counts != counts[0]).any():
        return {}
    parts = np.concatenate((rows, cells))
    characters = nodes.text_end[cells] - nodes.text_start[cells]
    holds_more = (STRUCTURES | PAGE_PARTS)[nodes.tag[below]].any() or characters.mean() > longest
    if holds_more or _NO_PARTS[nodes.tag[parts]].any() or (nodes.flags[parts] & INVISIBLE).any():
        return {}
    if len(_squeezed(page, [table])) > len(_squeezed(page, cells.tolist())):  # text beside the cells
        return {}
    return {table: "table", **dict.fromkeys(rows, "tr"), **dict.fromkeys(cells.tolist(), "td")}


def _squeezed(page: Page, nodes: Iterable[int]) -> str:
    """The text of some nodes without white space."""
    return "".join("".join(page.node_text(node).split()) for node in nodes)


def _named(classes: str | None) -> Iterable[str]:
    """What the classes of an element call it.

    >>> sorted(_named("dataTable_row__tUb9R")), sorted(_named("td-post-row")), sorted(_named("price-table__cell--head"))
    (['table', 'tr'], ['tr'], ['head', 'table', 'td', 'tr'])
    """
    if not classes:
        return ()
    words = {word.lower() for word in _WORD.findall(classes)}
    names = [name for name, own in _WORDS.items() if words & own]
    if not _CELL_CLASS.search(classes):  # such as "td" in front of all names of a theme
        names = [name for name in names if name != "td"]
    return (*names, "head") if words & _HEAD_WORDS else names


def _shown(style: str | None) -> Iterable[str]:
    return [_DISPLAYED[shown.lower()] for shown in _DISPLAY.findall(style or "") if shown.lower() in _DISPLAYED]
