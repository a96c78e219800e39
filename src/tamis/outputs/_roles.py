"""Tables that are no ``table``, as far as something of them is kept."""

from __future__ import annotations

from tamis.outputs._holders import kept_holders
from tamis.page.table_parts import may_be_parts, table_parts
from tamis.results import Extraction


def table_roles(extraction: Extraction) -> dict[int, str]:
    """What elements around kept text would be called in a table; found once, because several formats ask."""
    return extraction.shared.once(_table_roles, extraction)


def _table_roles(extraction: Extraction) -> dict[int, str]:
    holders = kept_holders(extraction)
    if not may_be_parts(holders.roles.values(), holders.styles.values(), holders.classes):
        return {}
    return table_parts(extraction.page, holders.node)
