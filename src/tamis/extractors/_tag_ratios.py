"""Tag ratios: the characters of text on a source line for each of its tags.

What the three CETR methods share: lines and their ratios, the repair of lines that are too long to tell anything,
smoothing, and the way from chosen lines to spans of the page.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.errors import OptionError
from tamis.extractors._blur import Border, blur, gaussian_kernel
from tamis.page.model import Page
from tamis.page.source import Tokens
from tamis.page.spans import Span, overlaps
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import Range, check_range

Sigma = float | Literal["std"]

# The paper leaves sigma open: taken literally it is "std", while its figures look like 3 to 7. Swept "std", 1, 2, 3, 5
# and 7 on 445 training pages of four datasets: all within 0.02 F1 of each other, best at 7, 3 and 5 (TM, KM, CETR),
# flat from 5 to 7.
SIGMA = 5.0

_WIDTH = 65  # characters of a line made by breaking a longer one; from the paper
_MAX_RADIUS = 1000  # keeps smoothing linear; only "std" gets there, on pages of over 2000 lines of very uneven length


@dataclass(frozen=True, eq=False)
class RatioLines:
    """The tag ratio of each line, and the words in source order; where a line was broken a word may be in pieces."""

    ratios: Floats
    line: Ints  # on which each word stands
    start: Ints  # of each word in page.text
    end: Ints


def content_spans(page: Page, is_content: Callable[[Floats], Bools], break_over: int | None = None) -> tuple[Span, ...]:
    """Visible spans of the lines that a decision takes for content, given the tag ratios of all lines.

    A page without a single tag is all content, and there is nothing to decide.
    """
    lines = read_lines(page, break_over)
    has_tags = bool(page.tokens.is_tag.any())
    chosen = is_content(lines.ratios) if has_tags else np.ones(len(lines.ratios), dtype=np.bool_)
    order = np.argsort(lines.start, kind="stable")
    change = np.diff(chosen[lines.line[order]].astype(np.int8), prepend=0, append=0)
    return page.clip(lines.start[order[change[:-1] == 1]], lines.end[order[change[1:] == -1]])


def read_lines(page: Page, break_over: int | None = None) -> RatioLines:
    """The source lines that hold a word or a tag.

    The only line of a page is broken into many, and so is every line of more than ``break_over`` characters.
    """
    tokens, lines = page.tokens, page.lines
    place, place_end = _places(tokens)
    line_start, line_end = place[lines.first_token[:-1]], place_end[lines.first_token[1:] - 1]
    limit = 0 if len(lines) == 1 else math.inf if break_over is None else break_over
    is_long = line_end - line_start > limit
    if is_long.any():
        tags = tokens.is_tag
        inner = line_breaks(place[tags], place_end[tags], line_start[is_long], line_end[is_long])
        return _broken_lines(tokens, np.union1d(np.append(line_start, line_end[-1]), inner))
    words = np.flatnonzero(~tokens.is_tag)
    line = np.repeat(np.arange(len(lines)), np.diff(lines.first_token))
    return RatioLines(_ratios(lines.characters, lines.tags), line[words], tokens.start[words], tokens.end[words])


def line_breaks(tag_starts: Ints, tag_ends: Ints, line_starts: Ints, line_ends: Ints) -> Ints:
    """Where to break lines every 65 characters; a break that would cut a tag moves to its end.

    >>> tag_starts, tag_ends = np.array([0, 63, 93, 107]), np.array([3, 89, 97, 111])
    >>> line_breaks(tag_starts, tag_ends, np.array([0]), np.array([111])).tolist()
    [89]
    """
    starts, ends = tag_starts.tolist(), tag_ends.tolist()
    breaks = []
    tag = 0
    for line_start, line_end in zip(line_starts.tolist(), line_ends.tolist(), strict=True):
        place = line_start + _WIDTH
        while place < line_end:
            tag = bisect_right(ends, place, lo=tag)
            if tag < len(ends) and starts[tag] < place:
                place = ends[tag]
            breaks.append(place)
            place += _WIDTH
    return np.array(breaks, dtype=np.int64)


def smooth(values: Floats, sigma: Sigma, border: Border = "renormalise") -> Floats:
    """Values averaged with their neighbours up to ``sigma`` away, under a bell curve of that standard deviation.

    "std" stands for the standard deviation of the values themselves. A window never holds more than all values.

    >>> smooth(np.array([0, 0, 5.5, 37, 20.5, 0]), 1.0).round(4).tolist()
    [0.0, 1.5074, 12.6258, 23.8447, 19.4037, 7.7396]
    """
    most = min((len(values) - 1) // 2, _MAX_RADIUS)
    if most < 1:
        return values
    width = float(values.std()) if sigma == "std" else sigma
    return blur(values, gaussian_kernel(min(math.ceil(width), most), width), border)


def differences(smoothed: Floats, alpha: int) -> Floats:
    """How much the mean of the next ``alpha`` values lies above each value; one shorter than the values.

    Near the end the mean is taken over those that exist.

    >>> differences(np.array([1.0, 1.0, 7.0, 4.0]), 2).tolist()
    [3.0, 4.5, -3.0]
    """
    sums = np.cumsum(smoothed)
    here = np.arange(len(smoothed) - 1)
    last = np.minimum(here + alpha, len(smoothed) - 1)
    jumps: Floats = (sums[last] - sums[here]) / (last - here) - smoothed[:-1]
    return jumps


def check_reading(sigma: Sigma, break_over: int | None) -> None:
    """Raise if an option that the methods share is out of range."""
    if sigma != "std" and (isinstance(sigma, str) or not 0.1 <= sigma <= _MAX_RADIUS):
        raise OptionError(f"option sigma is {sigma!r}, but 'std' or a number from 0.1 to {_MAX_RADIUS} is expected")
    check_range("break_over", break_over, Range(_WIDTH))


def _ratios(characters: Ints, tags: Ints) -> Floats:
    ratios: Floats = characters / np.maximum(tags, 1)
    return ratios


def _places(tokens: Tokens) -> tuple[Ints, Ints]:
    """Start and end of each token in the markup without comments, scripts and styles; an entity is one character."""
    tag_lengths = np.where(tokens.is_tag, tokens.source_end - tokens.source_start, 0)
    tags_before = np.cumsum(tag_lengths) - tag_lengths
    return tokens.stream_start + tags_before, tokens.stream_end + tags_before + tag_lengths


def _broken_lines(tokens: Tokens, breaks: Ints) -> RatioLines:
    """The lines between breaks that hold a tag or a piece of a word."""
    place, place_end = _places(tokens)
    tag_line = np.searchsorted(breaks, place[tokens.is_tag], side="right") - 1
    tags = np.bincount(tag_line, minlength=len(breaks) - 1)
    words = np.flatnonzero(~tokens.is_tag)
    piece, piece_end, word, line = overlaps(place[words], place_end[words], breaks[:-1], breaks[1:])
    word, offset = words[word], piece - place[words[word]]
    stream_start, text_start, length = (
        tokens.stream_start[word] + offset,
        tokens.start[word] + offset,
        piece_end - piece,
    )
    characters = np.zeros(len(tags), dtype=np.int64)
    first = np.flatnonzero(np.diff(line, prepend=-1))
    last = np.flatnonzero(np.diff(line, append=len(breaks)))
    characters[line[first]] = stream_start[last] + length[last] - stream_start[first]
    filled = (tags > 0) | (characters > 0)
    return RatioLines(
        ratios=_ratios(characters[filled], tags[filled]),
        line=(np.cumsum(filled) - 1)[line],
        start=text_start,
        end=text_start + length,
    )
