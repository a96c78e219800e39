"""Lines of text on the screen → ranges of the characters of text nodes."""

from __future__ import annotations

import numpy as np

from tamis.page.text import Ints
from tamis.rendering.snapshot import TEXT_NODE, Snapshot, TextLine

_MAX_FIRST_LETTER = 8  # characters a styled first letter can have, with the marks around it; ours


class Texts:
    """Where in the text nodes the lines are; what is found out about a text is kept for its other lines."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._skipped: dict[int, int] = {}
        self._units: dict[int, Ints | None] = {}

    def range_of(self, line: TextLine) -> tuple[int, int, int]:
        """The text node that a line shows, and the range of its characters there; -1 if there is none.

        A first letter with a style of its own is shown by a pseudo element, and the rest counts from behind it.
        """
        snapshot, node = self._snapshot, line.node
        if snapshot.kind[node] == TEXT_NODE:
            skipped = self._skip(node)
            return node, self._character(node, line.start + skipped), self._character(node, line.end + skipped)
        if snapshot.name[node] != "::first-letter":
            return -1, 0, 0
        following = range(node + 1, len(snapshot))
        text = next(
            (text for text in following if snapshot.kind[text] == TEXT_NODE and snapshot.value[text].strip()), -1
        )
        if text < 0:
            return -1, 0, 0
        skipped = self._skip(text)
        start = max(0, skipped - (line.end - line.start))
        return text, self._character(text, start), self._character(text, skipped)

    def _skip(self, node: int) -> int:
        if node not in self._skipped:
            value, layout = self._snapshot.value[node], self._snapshot.layout.get(node)
            # Without a layout of its own a text is nothing but a first letter.
            skipped = _first_letter(value, layout.text) if layout else len(value)
            self._skipped[node] = _units(value[:skipped])
        return self._skipped[node]

    def _character(self, node: int, unit: int) -> int:
        """The character that a UTF-16 unit belongs to."""
        value = self._snapshot.value[node]
        if node not in self._units:
            self._units[node] = None if max(value, default="") <= "\uffff" else _unit_starts(value)
        units = self._units[node]
        place = unit if units is None else int(np.searchsorted(units, unit))
        return min(place, len(value))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _first_letter(value: str, shown: str) -> int:
    """How many characters of a text are shown apart, as its first letter.

    >>> _first_letter("  Once", "nce"), _first_letter("Straße", "STRASSE")
    (3, 0)
    """
    if len(value) == len(shown) or value.upper() == shown.upper():
        return 0
    blanks = len(value) - len(value.lstrip())
    for skipped in range(blanks, min(len(value), blanks + _MAX_FIRST_LETTER) + 1):
        if value[skipped:].upper() == shown.upper():
            return skipped
    return 0


def _unit_starts(text: str) -> Ints:
    """For each character the number of UTF-16 units before it.

    >>> _unit_starts("a😀b").tolist()
    [0, 1, 3]
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    units = np.where(codes > 0xFFFF, 2, 1)
    return np.cumsum(units) - units
