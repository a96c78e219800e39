"""The page with blanks for its additional text, as many as there were characters; or with a filler, or a marker.

Blanks change the layout least: browsers treat empty elements differently from those that hold white space. A visible
filler shows how much is gone, a marker that something is; both are text of the page from then on.
"""

from __future__ import annotations

import re

from tamis.outputs._document import Mode, write_page
from tamis.outputs._mode_options import Options
from tamis.results import Extraction

_SOLID = re.compile(r"\S")
_WORDS = re.compile(r"\S(?:.*\S)?", re.DOTALL)  # all but the white space at both ends


def render(extraction: Extraction, options: Options | None = None) -> str:
    options = options or Options()
    if options.replace_by == "marker":
        return write_page(extraction, Mode(fill=lambda text: _WORDS.sub(lambda _: options.marker, text), is_once=True))
    letter = options.filler if options.replace_by == "filler" else " "
    return write_page(extraction, Mode(fill=lambda text: _SOLID.sub(lambda _: letter, text)))
