"""The linear views: what a method sees that reads the source from left to right.

Words and tags come in source order, with the code length of every tag, stray tags included: the order in which the
authors of BTE, DSC, CCB and CETR met them. The tree may hold the same text in another order: what stands inside a table
but outside its cells moves before the table. So each stretch of source text must be found in ``page.text``. Where no
table does that and both hold the same characters, white space aside, they are in the same order. Elsewhere, to find it
without guessing, the source is parsed a second time with a numbered mark in front of every stretch: where the mark ends
up is where the text is.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tamis.page.html import TAG_CODES, mask
from tamis.page.model import Page
from tamis.page.source.kernel import kernel
from tamis.page.source_events import CLOSING_EVENT, OPENING_EVENT, TEXT_EVENT, SourceEvents
from tamis.page.text import Bools, Ints, word_ranges

# Marks are written with code points that Unicode reserves for internal use and never assigns to characters.
_DIGITS = "".join(chr(code) for code in range(0xFDD1, 0xFDF0))
_MARK_STARTS = "\ufdd0" + "".join(chr(plane + last) for plane in range(0x10000, 0x110000, 0x10000) for last in (-2, -1))

_TABLE_CELLS = mask("caption", "td", "th")
_TABLE_FRAME = mask("col", "colgroup", "table", "tbody", "tfoot", "thead", "tr")
_HTML_SPACES = bytes(code in b"\t\n\f\r " for code in range(256))


@dataclass(frozen=True, eq=False)
class Tokens:
    """Words and tags in source order; comments, scripts and styles are left out, stray tags are in.

    The range of a tag in ``page.text`` is empty.
    """

    is_tag: Bools
    start: Ints
    end: Ints
    tag: npt.NDArray[np.uint8]  # tag code; 0 for words
    is_closing: Bools
    source_start: Ints
    source_end: Ints
    code_length: Ints  # source characters of a tag that are no white space; 0 for words
    stream_start: Ints  # where the token stands in the text of all tokens, white space included
    stream_end: Ints
    line: Ints

    def __len__(self) -> int:
        return len(self.is_tag)


@dataclass(frozen=True, eq=False)
class Lines:
    """Source lines that hold a word or a tag. A tag never spans two lines, and what is no token breaks none."""

    first_token: Ints  # line i holds tokens[first_token[i]:first_token[i + 1]]
    tags: Ints
    characters: Ints  # outside tags, from the first to the last word, blanks between included
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.tags)


def build_tokens(page: Page) -> Tokens:
    """Words and tags in source order."""
    events = page.scan()
    texts = _TextStream(events)
    word_start, word_end = word_ranges(texts.text, texts.piece_start)
    tags = (events.kind == OPENING_EVENT) | (events.kind == CLOSING_EVENT)
    tag_start, tag_end = events.start[tags], events.end[tags]
    tag_names = itertools.compress(events.value, tags.tolist())
    tag_codes = np.fromiter(map(TAG_CODES.__getitem__, tag_names), dtype=np.int64, count=len(tag_start))
    tag_stream = texts.before[tags]

    is_closing = events.kind[tags] == CLOSING_EVENT
    moves = _may_move_text(tag_codes, is_closing, tag_stream, word_start)
    placed = None if moves else kernel.places_in_order(texts.text, page.text, word_start, word_end)
    text_start, text_end = placed or _place(page, texts, word_start, word_end)
    found = text_start >= 0  # the parser drops a little text, such as that inside a frameset
    word_start, word_end, text_start, text_end = (a[found] for a in (word_start, word_end, text_start, text_end))

    source_start = np.concatenate((texts.source(word_start), tag_start))
    order = np.argsort(source_start, kind="stable")
    no_tags, no_words = np.zeros(len(word_start), dtype=np.int64), np.zeros(len(tag_start), dtype=np.int64)

    def merge(of_words: Ints, of_tags: Ints) -> Ints:
        return np.concatenate((of_words, of_tags))[order]

    is_tag = merge(no_tags, no_words + 1) == 1
    start, end = merge(text_start, no_words), merge(text_end, no_words)
    start[is_tag] = end[is_tag] = _last_before(end, is_tag)
    stream_start = merge(word_start, tag_stream)
    return Tokens(
        is_tag=is_tag,
        start=start,
        end=end,
        tag=merge(no_tags, tag_codes).astype(np.uint8),
        is_closing=merge(no_tags, is_closing) == 1,
        source_start=source_start[order],
        source_end=merge(texts.source_end(word_end - 1), tag_end),
        code_length=merge(no_tags, kernel.code_lengths(page.source, tag_start, tag_end)),
        stream_start=stream_start,
        stream_end=merge(word_end, tag_stream),
        line=np.searchsorted(texts.newlines, stream_start),
    )


def build_lines(page: Page) -> Lines:
    """Source lines that hold tokens."""
    tokens = page.tokens
    first = np.flatnonzero(np.diff(tokens.line, prepend=-1))
    if not len(first):
        nothing = np.zeros(0, dtype=np.int64)
        return Lines(
            first_token=np.zeros(1, dtype=np.int64), tags=nothing, characters=nothing, start=nothing, end=nothing
        )
    beyond = len(page.source) + len(page.text)

    def lowest(values: Ints) -> Ints:
        return np.minimum.reduceat(np.where(tokens.is_tag, beyond, values), first)

    def highest(values: Ints) -> Ints:
        return np.maximum.reduceat(np.where(tokens.is_tag, -1, values), first)

    has_words = highest(tokens.end) >= 0
    return Lines(
        first_token=np.append(first, len(tokens)),
        tags=np.add.reduceat(tokens.is_tag.astype(np.int64), first),
        characters=np.where(has_words, highest(tokens.stream_end) - lowest(tokens.stream_start), 0),
        start=np.where(has_words, lowest(tokens.start), tokens.start[first]),
        end=np.where(has_words, highest(tokens.end), tokens.start[first]),
    )


class _TextStream:
    """All text of the source in source order, entities resolved, and where it comes from.

    A piece is text that no tag or comment interrupts.
    """

    def __init__(self, events: SourceEvents) -> None:
        is_text = events.kind == TEXT_EVENT
        values = list(itertools.compress(events.value, is_text.tolist()))
        self.text = "".join(values)
        lengths = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
        self._ends = np.cumsum(lengths)
        self._starts = self._ends - lengths
        self._source_start, self._source_end = events.start[is_text], events.end[is_text]
        # For each event how many characters of the stream come from before it.
        self.before = np.concatenate(([0], self._ends))[np.cumsum(is_text) - is_text]
        interrupted = np.concatenate(([True], ~is_text))[:-1][is_text]
        self.piece_start = self._starts[interrupted]

    def source(self, places: Ints) -> Ints:
        """Where some characters stand in the source."""
        value = self._value(places)
        found: Ints = self._source_start[value] + places - self._starts[value]
        return found

    def source_end(self, places: Ints) -> Ints:
        """Where some characters end in the source; an entity is longer than what it stands for."""
        value = self._value(places)
        is_last = places + 1 == self._ends[value]
        found: Ints = np.where(is_last, self._source_end[value], self.source(places) + 1)
        return found

    def _value(self, places: Ints) -> Ints:
        found: Ints = np.searchsorted(self._starts, places, side="right") - 1
        return found

    @cached_property
    def _codes(self) -> bytes:
        return self.text.encode("latin-1", "replace")  # what is asked for is in it

    @cached_property
    def newlines(self) -> Ints:
        return np.flatnonzero(np.frombuffer(self._codes, dtype=np.uint8) == ord("\n"))

    @cached_property
    def piece_solid(self) -> Ints:
        """Where the first character of each piece stands that the parser cannot skip."""
        # That is the white space of HTML, not that of Unicode.
        spaces = np.frombuffer(self._codes.translate(_HTML_SPACES), dtype=np.bool_)
        solid = np.append(np.flatnonzero(~spaces), len(spaces))
        found: Ints = solid[np.searchsorted(solid, self.piece_start)]
        return found


def _may_move_text(tag_codes: Ints, is_closing: Bools, tag_stream: Ints, word_start: Ints) -> bool:
    """Whether a table may hold something outside its cells.

    After a tag of its frame, or the end of a cell, only another such tag or a new cell may follow, and no word.
    """
    is_frame = _TABLE_FRAME[tag_codes]
    leaves_cell = _TABLE_CELLS[tag_codes] & is_closing
    ends_table = (tag_codes == TAG_CODES["table"]) & is_closing
    outside = (is_frame | leaves_cell) & ~ends_table
    if not outside.any():
        return False
    first_words = np.searchsorted(word_start, tag_stream)
    is_followed = np.append(first_words[1:], len(word_start)) > first_words
    goes_on = np.append((is_frame | _TABLE_CELLS[tag_codes])[1:], False)
    return bool((outside & (is_followed | ~goes_on)).any())


def _place(page: Page, texts: _TextStream, word_start: Ints, word_end: Ints) -> tuple[Ints, Ints]:
    """Where each word of the stream stands in ``page.text``; -1 if it is not there."""
    solid = texts.piece_solid
    filled = np.flatnonzero(solid < np.append(texts.piece_start[1:], len(texts.text)))
    places = np.full(len(solid), -1, dtype=np.int64)
    rooms = np.zeros(len(solid), dtype=np.int64)
    places[filled], rooms[filled] = _find_marks(page, texts.source(solid[filled]))
    piece = np.searchsorted(texts.piece_start, word_start, side="right") - 1
    offset = word_start - solid[piece]
    found = (places[piece] >= 0) & (offset >= 0) & (word_end - solid[piece] <= rooms[piece])
    start = np.where(found, places[piece] + offset, -1)
    return start, np.where(found, start + word_end - word_start, -1)


def _find_marks(page: Page, positions: Ints) -> tuple[Ints, Ints]:
    """Parse the source with a mark at each position: its place in ``page.text``, and how much text follows there."""
    source = page.source
    places = np.full(len(positions), -1, dtype=np.int64)
    rooms = np.zeros(len(positions), dtype=np.int64)
    mark_start = next((mark for mark in _MARK_STARTS if mark not in source and mark not in page.text), None)
    if mark_start is None:  # a page that holds them all was made to break this
        return places, rooms
    size = 1
    while len(_DIGITS) ** size < len(positions):
        size += 1
    marks = map("".join, itertools.islice(itertools.product(_DIGITS, repeat=size), len(positions)))
    numbers = {digits: number for number, digits in enumerate(marks)}
    parts: list[str] = []
    done = 0
    for position, digits in zip(positions.tolist(), numbers, strict=True):
        parts += (source[done:position], mark_start, digits)
        done = position
    parts.append(source[done:])
    lead, *rest = page.parse_again("".join(parts)).split(mark_start)
    pieces = [piece[size:] for piece in rest]
    text = lead + "".join(pieces)
    found = np.array([numbers[piece[:size]] for piece in rest], dtype=np.int64)
    lengths = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))
    starts = len(lead) + np.cumsum(lengths) - lengths
    # The marks do not change the tree. Should they ever, what is the same before and after the change still counts.
    before, after = _agreement(text, page.text)
    sure = (starts + lengths <= before) | (starts >= len(text) - after)
    starts = np.where(starts < before, starts, starts + len(page.text) - len(text))
    places[found[sure]], rooms[found[sure]] = starts[sure], lengths[sure]
    return places, rooms


def _agreement(text: str, other: str) -> tuple[int, int]:
    """How many characters two texts share at their beginning and at their end."""
    if text == other:
        return len(text), 0
    size = min(len(text), len(other))
    codes, others = (np.frombuffer(part.encode("utf-32-le"), dtype=np.uint32) for part in (text, other))
    same = codes[:size] == others[:size]
    before = size if same.all() else int(np.argmin(same))
    same = codes[::-1][: size - before] == others[::-1][: size - before]
    return before, len(same) if same.all() else int(np.argmin(same))


def _last_before(ends: Ints, is_tag: Bools) -> Ints:
    """For each tag the end of the last word before it, 0 if there is none."""
    last_word = np.maximum.accumulate(np.where(is_tag, -1, np.arange(len(ends))))[is_tag]
    return np.where(last_word >= 0, ends[last_word], 0)
