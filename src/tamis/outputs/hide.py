"""The page with its additional text in comments or not displayed, where whoever comes next can still reach it."""

from __future__ import annotations

from tamis.outputs._document import Mode, write_page
from tamis.outputs._mode_options import Options
from tamis.results import Extraction

_IN_COMMENT = Mode(fill=lambda _: "", in_comment=True)
_NOT_DISPLAYED = Mode(fill=lambda _: "", wrap=('<span class="tamis-hidden" style="display:none">', "</span>"))


def render(extraction: Extraction, options: Options | None = None) -> str:
    is_style = options is not None and options.hide_by == "style"
    return write_page(extraction, _NOT_DISPLAYED if is_style else _IN_COMMENT)
