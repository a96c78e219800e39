"""The page without its additional text; all markup stays, for those who mine the structure."""

from __future__ import annotations

from tamis.outputs._document import Mode, write_page
from tamis.results import Extraction


def render(extraction: Extraction) -> str:
    return write_page(extraction, Mode(fill=lambda _: ""))
