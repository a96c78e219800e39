"""Tables that are no ``table``: elements that say by their roles that they are rows and cells."""

from __future__ import annotations

import numpy as np

from tamis.outputs._holders import kept_holders
from tamis.page.html import HEADINGS, INLINE_NAMES, mask
from tamis.page.model import INVISIBLE, Page
from tamis.results import Extraction

_TABLES = frozenset({"table", "grid"})
_NAMES = {"row": "tr", "cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_PARTS = ", ".join(f'[role="{role}" i]' for role in _NAMES)
_CELLS = frozenset({"td", "th"})
_INLINE, _TABLE_NAMES = mask(*INLINE_NAMES), mask("table", "tbody", "td", "tfoot", "th", "thead", "tr")
_MAY_HOLD_ROWS = ~(_INLINE | _TABLE_NAMES | mask("body", "html", "p", *HEADINGS))
_FEWEST_ROWS = _FEWEST_CELLS = 2  # one row or one column is a toolbar or a list


def table_roles(extraction: Extraction) -> dict[int, str]:
    """What such elements around kept text would be called in a table; found once, because several formats ask."""
    return extraction.shared.once(_table_roles, extraction)


def _table_roles(extraction: Extraction) -> dict[int, str]:
    page, nodes = extraction.page, extraction.page.nodes
    holders = kept_holders(extraction).node
    holders = holders[_MAY_HOLD_ROWS[nodes.tag[holders]]]
    roles = page.attribute(holders, "role")
    tables = [node for node, role in zip(holders.tolist(), roles, strict=True) if role and role.lower() in _TABLES]
    if not tables:
        return {}
    parts = np.array(page.select(_PARTS), dtype=np.int64)
    names = [_NAMES[(role or "").strip().lower()] for role in page.attribute(parts, "role")]
    found: dict[int, str] = {}
    for table in tables:
        first, last = np.searchsorted(parts, (table, nodes.end[table])).tolist()
        inside = dict(zip(parts[first:last].tolist(), names[first:last], strict=True))
        if table not in found and _is_table(page, inside):
            found |= {table: "table", **inside}
    return found


def _is_table(page: Page, parts: dict[int, str]) -> bool:
    """Whether parts make rows of cells, none of which stands in a line of text with another."""
    nodes = page.nodes
    places = np.array(list(parts), dtype=np.int64)
    if not len(places) or (_INLINE | _TABLE_NAMES)[nodes.tag[places]].any() or (nodes.flags[places] & INVISIBLE).any():
        return False
    cells: dict[int, int] = {}
    for node, name in parts.items():
        above = int(nodes.parent[node])
        if name in _CELLS and parts.get(above) != "tr":
            return False
        cells[above] = cells.get(above, 0) + (name in _CELLS)
    return sum(count >= _FEWEST_CELLS for count in cells.values()) >= _FEWEST_ROWS
