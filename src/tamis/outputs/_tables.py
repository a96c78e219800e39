"""Cells of tables that cover more than one place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.page.model import Page
from tamis.page.tables import span_count


class CellSpan(NamedTuple):
    """How many columns and rows a cell covers."""

    columns: int = 1
    rows: int = 1


ONE_CELL = CellSpan()


def cell_spans(page: Page) -> dict[int, CellSpan]:
    """The cells among kept tables that cover more than one place."""
    cells = np.flatnonzero(page.nodes.named("td", "th"))
    found = {}
    for node, wide, high in zip(
        cells.tolist(), page.attribute(cells, "colspan"), page.attribute(cells, "rowspan"), strict=True
    ):
        if (wide or high) and (span := CellSpan(span_count(wide), span_count(high))) != ONE_CELL:
            found[node] = span
    return found
