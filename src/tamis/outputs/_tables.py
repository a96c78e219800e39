"""What outputs ask about tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tamis.outputs._structure import BLOCKS, CLOSE, HEADINGS, OPEN, Event
from tamis.page.model import Page

_CELL_SPAN = re.compile(r"\s*0*([2-9]|[1-9][0-9]{1,2}|1000)\s*", re.ASCII)  # browsers read no more than 1000
_FOREIGN_TO_GRIDS = (BLOCKS | {"pre"}) - frozenset("caption tbody td tfoot th thead tr".split())


def cell_spans(page: Page, node: int) -> dict[str, int]:
    """How many columns and rows a cell covers, where it is more than one."""
    attributes = page.attributes(node)
    found = {name: _CELL_SPAN.fullmatch(attributes.get(name, "")) for name in ("colspan", "rowspan")}
    return {name: int(number[1]) for name, number in found.items() if number}


@dataclass
class _Shape:
    node: int
    rows: int = 0
    columns: int = 0  # of the row that is open
    most_columns: int = 0
    place: str = ""  # the cell or caption that is open
    paragraphs: int = 0  # in that place
    is_grid: bool = True


def grids(page: Page, events: list[Event]) -> frozenset[int]:
    """Tables that are a plain grid: rows and columns, and at most one paragraph in a cell."""
    found = []
    tables: list[_Shape] = []
    for event in events:
        if event.kind == CLOSE and event.name == "table":
            table = tables.pop()
            if table.is_grid and table.rows > 1 and table.most_columns > 1:
                found.append(table.node)
        elif event.kind == OPEN and event.name == "table":
            if tables:
                tables[-1].is_grid = False
            tables.append(_Shape(event.node))
        elif tables and tables[-1].is_grid:
            _take(page, tables[-1], event)
    return frozenset(found)


def _take(page: Page, table: _Shape, event: Event) -> None:
    name = event.name
    if event.kind == CLOSE and name in ("td", "th", "caption"):
        table.place = ""
    elif event.kind != OPEN:
        return
    elif name == "tr":
        table.rows, table.columns = table.rows + 1, 0
    elif name in ("td", "th", "caption"):
        table.place, table.paragraphs = name, 0
        table.columns += name != "caption"
        table.most_columns = max(table.most_columns, table.columns)
        table.is_grid = not (table.rows if name == "caption" else cell_spans(page, event.node))
    elif name in HEADINGS or name == "p":
        table.paragraphs += 1
        table.is_grid = bool(table.place) and (table.paragraphs == 1 or table.place == "caption")
    elif name in _FOREIGN_TO_GRIDS:
        table.is_grid = False
