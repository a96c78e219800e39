"""Where in a text a date may be written: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both.
"""

from __future__ import annotations

import re

import numpy as np

from tamis.page.text import Ints

# A year in four digits, or what all dates with a year in two digits have: most texts have neither, and are done with.
_DATE_PLACE = re.compile(  # it begins with a set, for which the engine has a quick search
    r"[\d'’](?=(?:(?<=1)9|(?<=2)0)\d\d|(?<=['’])\d\d|(?<=\d)[./-]\s*\d{1,2}[./-]\s*\d\d)"
)


def date_places(text: str) -> Ints:
    """Positions at which a date may be written, whatever becomes of the white space."""
    return np.fromiter((match.start() for match in _DATE_PLACE.finditer(text)), dtype=np.int64)
