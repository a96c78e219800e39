"""Separators: empty stretches of a page between blocks, the heavier the more they set apart."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from tamis.page.boxes import Rect

ACROSS, DOWN = 1, 0  # place of the edges in a rectangle: separators from left to right, and from top to bottom

# Weights from Popela's implementation of VIPS.
_PLAIN = 3
_THICKNESS = ((55, 12), (45, 10), (35, 8), (25, 6), (15, 4), (8, 2))
_THIN = 1
_RULE, _BACKGROUND, _FONT, _LARGER_BELOW, _TEXTS = 2, 2, 2, 2, -2


class Look(NamedTuple):
    """What tells two blocks apart."""

    background: tuple[int, ...]
    font_size: float
    font_weight: int
    is_text: bool


class Separator(NamedTuple):
    """An empty stretch between blocks, and how many blocks come before it in the order of that axis."""

    start: float
    end: float
    before: int


def separators(rects: Sequence[Rect], axis: int, least: float) -> tuple[list[int], list[Separator], list[int]]:
    """Blocks in their order along an axis, the separators between them, and the last block before each of these.

    Separators at the border of the page are none.

    >>> separators([(0, 10, 5, 30), (0, 50, 5, 90)], ACROSS, 3)[1]
    [Separator(start=30, end=50, before=1)]
    """
    order = sorted(range(len(rects)), key=lambda block: rects[block][axis])
    found, lasts = [], []
    last = order[0]
    for place, block in enumerate(order):
        start, end = rects[last][axis + 2], rects[block][axis]
        if end - start >= least:
            found.append(Separator(start, end, place))
            lasts.append(last)
        if rects[block][axis + 2] >= start:
            last = block
    return order, found, lasts


def weight(separator: Separator, axis: int, before: Look, after: Look, has_rule: bool) -> int:
    """How much a separator sets the blocks on its two sides apart."""
    thickness = separator.end - separator.start
    total = _PLAIN + next((extra for least, extra in _THICKNESS if thickness > least), _THIN)
    total += has_rule * _RULE + (before.background != after.background) * _BACKGROUND
    if axis == ACROSS:
        fonts_differ = (before.font_size, before.font_weight) != (after.font_size, after.font_weight)
        total += fonts_differ * _FONT + (after.font_size > before.font_size) * _LARGER_BELOW
        total += (before.is_text and after.is_text) * _TEXTS
    return total


class HorizontalRules:
    """Horizontal rules of a page, to be found by their height."""

    _LOOKED_AT = 8  # in one separator

    def __init__(self, rects: Sequence[Rect]) -> None:
        self.rects = sorted(rects, key=lambda rect: rect[1])
        self.tops = [rect[1] for rect in self.rects]

    def between(self, separator: Separator, left: float, right: float) -> bool:
        first = bisect_left(self.tops, separator.start)
        nearby = self.rects[first : first + self._LOOKED_AT]
        return any(rect[1] <= separator.end and rect[0] < right and left < rect[2] for rect in nearby)
