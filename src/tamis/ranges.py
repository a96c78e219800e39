"""The one check of numbers that options and arguments must lie between: what is outside is refused by its name."""

from __future__ import annotations

import math
from typing import NamedTuple

from tamis.errors import OptionError


class Range(NamedTuple):
    """Numbers that are allowed; infinity is none of them, unless nothing else bounds them."""

    least: float
    most: float = math.inf
    is_open: bool = False  # the least itself is not allowed
    is_open_above: bool = False  # nor is the most
    meaning: str = ""  # what the ends stand for, for whoever gave a number outside

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int | float):
            return False
        is_above = self.least < value or (value == self.least and not self.is_open)
        return is_above and (value < self.most or (value == self.most and not self.is_open_above))

    def __str__(self) -> str:
        if self.most == math.inf:
            return f"{'above' if self.is_open else 'at least'} {self.least}"
        if self.is_open:
            return f"above {self.least} and {'below' if self.is_open_above else 'at most'} {self.most}"
        return f"from {self.least} to {'below ' if self.is_open_above else ''}{self.most}"


SHARE = Range(0, 1)
SOME_SHARE = Range(0, 1, is_open=True)
POSITIVE = Range(0, is_open=True)
FINITE = Range(0, math.inf, is_open=True, is_open_above=True)
NOT_NEGATIVE = Range(0)
COUNT = Range(1)


def check_ranges(options: object, **ranges: Range) -> None:
    """An ``OptionError`` for the first of these fields that lies outside its range; None stands for "not given"."""
    for name, allowed in ranges.items():
        check_range(name, getattr(options, name), allowed)


def check_range(name: str, value: float | None, allowed: Range) -> None:
    """The same for one value.

    >>> check_range("workers", 0, COUNT)
    Traceback (most recent call last):
    tamis.errors.OptionError: workers is 0, but must be at least 1
    """
    if value is not None and value not in allowed:
        meaning = f" ({allowed.meaning})" if allowed.meaning else ""
        raise OptionError(f"{name} is {value}, but must be {allowed}{meaning}")


def check_whole(**values: object) -> None:
    """An ``OptionError`` for the first of these values that is no whole number.

    >>> check_whole(workers=1.5)
    Traceback (most recent call last):
    tamis.errors.OptionError: workers is 1.5, but must be a whole number
    """
    for name, value in values.items():
        if not isinstance(value, int):
            raise OptionError(f"{name} is {value!r}, but must be a whole number")
