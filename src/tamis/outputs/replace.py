"""The page with blanks for its additional text, as many as there were characters.

Blanks change the layout least: browsers treat empty elements differently from those that hold white space. A visible
filler, such as the letter r of Gottron (2008), would show how much is gone, but be taken for text.
"""

from __future__ import annotations

import re

from tamis.outputs._document import Mode, write_page
from tamis.results import Extraction

_SOLID = re.compile(r"\S")


def render(extraction: Extraction) -> str:
    return write_page(extraction, Mode(fill=lambda text: _SOLID.sub(" ", text)))
