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


def opening_so(text: str, starts: Ints, ends: Ints, table: bytes) -> list[int]:
    """Numbers of the stretches that may begin as a table says, white space aside; see ``openings``.

    What begins with a character outside of ASCII may as well.
    """
    found = []
    for number, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        opening = text[start:end].lstrip()[:2]
        first, second, *_ = *map(ord, opening), 0, 0
        if opening and (not opening.isascii() or table[first << 7 | second]):
            found.append(number)
    return found
