"""Where in a text a date may be written, and what may tell the headline: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence
from html import unescape

import numpy as np
import numpy.typing as npt

from tamis.page import tree
from tamis.page.kernel import kernel
from tamis.page.model import FOREIGN, INVISIBLE
from tamis.page.text import Ints

Bytes = npt.NDArray[np.uint8]

# A year in four digits, or what all dates with a year in two digits have: most texts have neither, and are done with.
_DATE_PLACE = re.compile(  # it begins with a set, for which the engine has a quick search
    r"[\d'’](?=(?:(?<=1)9|(?<=2)0)\d\d|(?<=['’])\d\d|(?<=\d)[./-]\s*\d{1,2}[./-]\s*\d\d)"
)

_LOWER_CASE = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_SEPARATOR = re.compile(
    r"\s+[-–—|·•»«›‹:/~⋆*⎮]+\s+|\s*[|｜»›]\s*|\s+[-–—]{1,3}(?=\w)|:\s+|\s::\s"
    r"|(?<=[\u3000-\u9fff\uff00-\uffef])\s*[_－—-]+\s*"  # after Chinese and Japanese, where no blanks stand around it
)


def date_places(text: str) -> Ints:
    """Positions at which a date may be written, whatever becomes of the white space."""
    return np.fromiter((match.start() for match in _DATE_PLACE.finditer(text)), dtype=np.int64)


def telling_nodes(tag: Bytes, flags: Bytes, end: Ints, groups: Bytes, shown: int, apart: int) -> list[list[int]]:
    """The nodes of each group from 1 to below ``apart``; ``groups`` says the group of tag codes.

    Those of the groups below ``shown`` stand outside pictures. Those of the others can be seen, and stand outside the
    parts of a page that are set apart: the nodes of the last group.
    """
    group = groups[tag]
    is_seen = ((flags & (INVISIBLE | FOREIGN)) == 0) & ~tree.inside(group == apart, end)
    is_own = (flags & FOREIGN) == 0
    return [
        np.flatnonzero((group == number) & (is_own if number < shown else is_seen)).tolist()
        for number in range(1, apart)
    ]


def folded_nodes(text: str, nodes: list[int], starts: Ints, ends: Ints, most: int) -> list[tuple[int, str]]:
    """Some nodes and their texts for comparing with declared ones, some of whose entities are escaped twice.

    Of each text the first characters count, ``most`` of them; nodes in whose text is no letter are left out.
    """
    shown = [text[starts[node] : min(ends[node], starts[node] + most)] for node in nodes]
    texts = [kernel.folded(unescape(one) if "&" in one else one) for one in shown]
    return [(node, one) for node, one in zip(nodes, texts, strict=True) if one]


def may_begin(text: str, start: Ints, end: Ints, letters: str) -> list[int]:
    """Which ranges of a text may begin with one of some letters, those beyond ASCII always, when they are folded.

    So may those with entities, which hide letters, and with NUL.
    """
    found = []
    for place, (first, last) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        shown = text[first:last]
        begin = next((character for character in shown if not character.isascii() or character.isalnum()), "")
        if "&" in shown or "\0" in shown or not begin.isascii() or (begin and begin.lower() in letters):
            found.append(place)
    return found


def title_cuts(title: str) -> list[tuple[int, int]]:
    """Where the separators of a title stand: between its parts, and before or after the name of the site."""
    return [cut.span() for cut in _SEPARATOR.finditer(title)]


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


def holding(values: Sequence[str | None], words: Iterable[str]) -> list[int]:
    """Numbers of the values that hold one of some words in lower case; so may capital letters of ASCII be meant."""
    said = tuple(words)
    lowered = [value.translate(_LOWER_CASE) if value else "" for value in values]
    return [number for number, value in enumerate(lowered) if any(map(value.__contains__, said))]
