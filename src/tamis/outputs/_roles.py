"""Tables that are no ``table``, as far as something of them is kept."""

from __future__ import annotations

from tamis.outputs._holders import kept_holders
from tamis.page.table_parts import table_parts
from tamis.results import Extraction


def table_roles(extraction: Extraction) -> dict[int, str]:
    """What elements around kept text would be called in a table; found once, because several formats ask."""
    return extraction.shared.once(_table_roles, extraction)


def _table_roles(extraction: Extraction) -> dict[int, str]:
    return table_parts(extraction.page, kept_holders(extraction).node)
