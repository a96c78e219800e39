"""What elements are called: the classes and ids of a page, read once for all who look for words in them.

Values repeat. All that differ are one string in lower case, so that a word that no element is called is missed at the
speed of ``in``, and only values that hold one of the words are looked at closely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tamis.page.model import Page
from tamis.page.text import Ints

_END = "\0"  # no attribute holds it


class _Column(NamedTuple):
    """One attribute."""

    nodes: Ints
    values: list[str | None]
    distinct: list[str]
    text: str  # the distinct values in lower case, each with an end behind it


@dataclass(frozen=True)
class Called:
    """The classes and the ids of all elements, read when they are asked for: many pages declare what they would say."""

    page: Page

    @cached_property
    def _columns(self) -> tuple[_Column, ...]:
        return tuple(_column(self.page, self.page.carrying(name), name) for name in ("class", "id"))

    def found(self, words: Iterable[str], pattern: re.Pattern[str] | None = None, *, by_id: bool = True) -> list[int]:
        """The nodes with a value that holds one of the words and, if one is given, the pattern; in document order."""
        words, found = tuple(words), set()
        for column in self._columns if by_id else self._columns[:1]:
            chosen = {column.distinct[number] for number in _holding(column.text, words, pattern)}
            if chosen:
                places = [place for place, value in enumerate(column.values) if value in chosen]
                found.update(column.nodes[places].tolist())
        return sorted(found)


def _column(page: Page, nodes: Ints, attribute: str) -> _Column:
    values = page.attribute(nodes, attribute)
    distinct = list(filter(None, dict.fromkeys(values)))
    return _Column(nodes, values, distinct, _END.join([*distinct, ""]).lower())


def _holding(values: str, words: tuple[str, ...], pattern: re.Pattern[str] | None) -> list[int]:
    """Numbers of the values that hold one of the words, and the pattern."""
    found: dict[int, bool] = {}
    for word in words:
        place, counted, number = values.find(word), 0, 0
        while place >= 0:
            number += values.count(_END, counted, place)
            counted, end = place, values.find(_END, place)
            if number not in found:
                value = values[values.rfind(_END, 0, place) + 1 : end]
                found[number] = pattern is None or pattern.search(value) is not None
            place = values.find(word, end)
    return [number for number, fits in found.items() if fits]
