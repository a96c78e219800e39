"""The document slope curve: how the number of tags grows along a page, and where it grows slowly.

The curve is read through sections, windows of the same length that overlap by half. Text is a plateau: three sections
in a row that have few tags open a region, three in a row that have many close it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from tamis.errors import OptionError
from tamis.page.text import Bools, Ints

Tail = Literal["extend", "drop"]

# Pinto et al. (2002): 8 tokens on pages of up to 200 tokens, 50 from 5000 on. The straight line between is Gottron's,
# 0.00875 n + 6.25 rounded up; written with integers, because floating point makes 51 of it for n = 5000.
_SHORT_PAGE, _LONG_PAGE = 200, 5000
_SHORTEST, _LONGEST = 8, 50
_RUN = 3  # sections that open or close a region (Pinto et al.)


@dataclass(frozen=True, eq=False)
class Sections:
    """A page cut into overlapping windows of tokens; there are none if one window covers it all."""

    length: int
    step: int
    tokens: int  # of the whole page
    tags: int  # of the whole page
    inner_tags: Ints  # tags in each section
    rise: Ints  # what the curve gains from the first to the last token of each section


def cut(is_tag: Bools) -> Sections:
    """The sections of a page, given which of its tokens are tags."""
    count = len(is_tag)
    length = window_length(count)
    step = length // 2
    curve = np.concatenate(([0], np.cumsum(is_tag, dtype=np.int64)))
    starts = np.arange(0, count - length, step)
    ends = curve[starts + length]
    return Sections(length, step, count, int(curve[-1]), ends - curve[starts], ends - curve[starts + 1])


def window_length(tokens: int) -> int:
    """Tokens in one section.

    >>> window_length(199), window_length(200), window_length(1000), window_length(5000), window_length(9000)
    (8, 8, 15, 50, 50)
    """
    if tokens < _SHORT_PAGE:
        return _SHORTEST
    return _LONGEST if tokens > _LONG_PAGE else -(-(7 * tokens + 5000) // 800)


def low_slope(sections: Sections) -> Bools:
    """True for sections over which the curve rises less than half as fast as over the page."""
    return 2 * sections.tokens * sections.rise < sections.length * sections.tags


def regions(few_tags: Bools, *, retroactive: bool) -> Bools:
    """True for sections inside a region, given which have few tags.

    A region opens or closes at the last of the three sections that decide it; if ``retroactive``, at the first.

    >>> few = np.array([1, 1, 1, 0, 1, 0, 0, 0], dtype=bool)
    >>> regions(few, retroactive=False).astype(int).tolist()
    [0, 0, 1, 1, 1, 1, 1, 0]
    >>> regions(few, retroactive=True).astype(int).tolist()
    [1, 1, 1, 1, 1, 0, 0, 0]
    """
    count = len(few_tags)
    if count < _RUN:
        return np.zeros(count, dtype=np.bool_)
    sums = np.concatenate(([0], np.cumsum(few_tags, dtype=np.int64)))
    few_in_run = sums[_RUN:] - sums[:-_RUN]
    decisive = np.flatnonzero((few_in_run == 0) | (few_in_run == _RUN))
    opens = few_in_run[decisive] == _RUN
    places = decisive if retroactive else decisive + _RUN - 1
    # The state between two decisions is that of the first; before any decision the page is outside.
    last = np.searchsorted(places, np.arange(count), side="right")
    inside: Bools = np.append(False, opens)[last]
    return inside


def spread(sections: Sections, inside: Bools, tail: Tail) -> Bools:
    """True for tokens whose last section is inside a region.

    No section reaches the very end of a page. The tokens there share the state of the last section ("extend") or
    are outside ("drop"). A page without tags has no slope to compare with and is inside from end to end.
    """
    if not sections.tags:
        return np.ones(sections.tokens, dtype=np.bool_)
    if not len(inside):
        return np.zeros(sections.tokens, dtype=np.bool_)
    place = np.arange(sections.tokens)
    chosen: Bools = inside[np.minimum(place // sections.step, len(inside) - 1)]
    if tail == "drop":
        chosen[(len(inside) - 1) * sections.step + sections.length :] = False
    return chosen


def check_tail(tail: str) -> None:
    """Raise if this is no way to treat the end of a page."""
    if tail not in get_args(Tail):
        raise OptionError(f"option tail is {tail!r}, but 'extend' or 'drop' is expected")
