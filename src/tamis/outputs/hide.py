"""The page with its additional text in comments, where whoever comes next can still reach it."""

from __future__ import annotations

from tamis.outputs._document import Mode, write_page
from tamis.results import Extraction


def render(extraction: Extraction) -> str:
    return write_page(extraction, Mode(fill=lambda _: "", in_comment=True))
