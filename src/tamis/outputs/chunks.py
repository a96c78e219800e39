"""Chunks: the plain text in parts for retrieval, with headings, places and URL fragments, as JSON lines.

A chunk lies in one section: a heading begins a new one, headings without text between them stay together. Within a
section lines are added while they fit. Rows of tables, lines of code and whatever else is one line are never cut,
except running text, which is cut between sentences or, if one is too long, between words. So a chunk is longer than
asked for only if a single row or line is.
"""

from __future__ import annotations

import bisect
import itertools
import json
import operator
import re
from collections.abc import Callable, Iterator, Sized
from typing import Any, NamedTuple, SupportsIndex

from tamis.errors import OptionError
from tamis.outputs._chunk_places import Line, Places
from tamis.outputs._options import Options, check_size, reduced
from tamis.page.text import word_ranges, words
from tamis.results import Chunk, Extraction

Tokenizer = Callable[[str], SupportsIndex | Sized]
_SEGMENT = 100_000  # characters; longer running text is cut into such parts first, so that time stays linear
_WINDOW = 16  # characters for each token that is wanted: how far is looked at first
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]»”’]*\s+|(?<=[。！？｡])")


def render(extraction: Extraction, options: Options | None = None) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(extraction, options or Options()))


def rows(extraction: Extraction, options: Options) -> Iterator[dict[str, Any]]:
    """Each chunk in the types that JSON has."""
    extraction = reduced(extraction, options)
    for chunk in chunks(extraction, options.max_tokens, options.overlap, None):
        url = extraction.page.url
        yield {
            "url": f"{url.partition('#')[0]}#{chunk.fragment}" if url and chunk.fragment else url,
            "headings": list(chunk.headings),
            "text": chunk.text,
            "tokens": chunk.tokens,
            "spans": [list(span) for span in chunk.spans],
            "fragment": chunk.fragment,
        }


def chunks(extraction: Extraction, max_tokens: int, overlap: int, tokenizer: Tokenizer | None) -> tuple[Chunk, ...]:
    """The text of an extraction in parts; what ``Extraction.chunks`` gives."""
    check_size(max_tokens, overlap)
    count = _Counter(tokenizer)
    places = Places(extraction)
    found = []
    path: list[tuple[int, str, int]] = []  # level, text and node of the headings above
    for section in _sections(places.lines(extraction.text)):
        path = _followed(path, section, places)
        for pieces in _packed(section, max_tokens, overlap, count):
            text = _joined(pieces)
            chunk = Chunk(
                text=text,
                headings=tuple(heading for _, heading, _ in path),
                spans=places.spans(pieces[0].start, pieces[-1].end),
                fragment=places.fragment(pieces[0].start, [heading for _, _, heading in path]),
                tokens=count(text),
            )
            found.append(chunk)
    return tuple(found)


class _Counter:
    """Counts the tokens of a text."""

    def __init__(self, tokenizer: Tokenizer | None) -> None:
        if tokenizer is not None and not callable(tokenizer):
            raise OptionError(
                f"tokenizer is {tokenizer!r}, but a function that gives the tokens of a text or their number is "
                "expected, such as len, or None to count words"
            )
        self._tokenizer = tokenizer
        self.adds_up = tokenizer is None  # a text has as many as its parts together

    def __call__(self, text: str) -> int:
        if self._tokenizer is None:
            return len(words(text))
        tokens = self._tokenizer(text)
        try:
            number = len(tokens) if isinstance(tokens, Sized) else operator.index(tokens)
        except TypeError:
            number = -1
        if number < 0:
            raise OptionError(f"the tokenizer gave {tokens!r}, but tokens or their number are expected")
        return number


class _Piece(NamedTuple):
    """A line, or a part of one."""

    before: str  # what stands between it and the piece before it
    text: str
    start: int  # number of its first character that is no blank, counted in the whole text
    end: int
    is_solid: bool  # must not be cut
    heading: int  # the node of the heading it belongs to; 0 if it is none
    tokens: int


def _sections(lines: list[Line]) -> Iterator[list[Line]]:
    """Lines from one heading to the next; headings that follow each other begin one section."""
    section: list[Line] = []
    for line in lines:
        if line.heading and section and not section[-1].heading:
            yield section
            section = []
        section.append(line)
    if section:
        yield section


def _followed(path: list[tuple[int, str, int]], section: list[Line], places: Places) -> list[tuple[int, str, int]]:
    """The headings above a section, its own included."""
    headings = itertools.takewhile(lambda line: line.heading, section)
    for heading, lines in itertools.groupby(headings, key=lambda line: line.heading):
        level, text = places.level(heading), " ".join(line.text for line in lines)
        path = [*(above for above in path if above[0] < level), (level, text, heading)]
    return path


def _packed(section: list[Line], most: int, overlap: int, count: _Counter) -> Iterator[list[_Piece]]:
    """The pieces of each chunk of a section."""
    waiting = [piece for line in section for piece in _segments(line, most, count)][::-1]
    current = _Pieces([], most, count)
    repeated = 0  # pieces of the current chunk that the one before it holds
    while current.fill(waiting):
        piece = waiting.pop()
        # A line is cut to fill the chunk if it must be cut anyway, or if a heading would be left without text.
        has_text = not all(one.heading for one in current.pieces[repeated:])
        may_cut = not piece.is_solid and (piece.tokens > most or not has_text)
        parts = _cut(piece, most - current.size, most, count, in_sentences=not has_text) if may_cut else None
        if parts and current.fill([parts[0]]) == 0:
            waiting.append(parts[1])
        elif len(current.pieces) > repeated:
            yield current.pieces
            current = _Pieces(_tail(current.pieces, overlap, most, count), most, count)
            repeated = len(current.pieces)
            waiting.append(piece)
        elif current.pieces:  # what is repeated leaves no room
            current, repeated = _Pieces([], most, count), 0
            waiting.append(piece)
        else:
            first, rest = (piece, None) if piece.is_solid else _without_first_word(piece, most, count)
            yield [first]
            waiting += [rest] if rest else []
    if len(current.pieces) > repeated:
        yield current.pieces


class _Pieces:
    """The pieces of the chunk that is being filled."""

    def __init__(self, pieces: list[_Piece], most: int, count: _Counter) -> None:
        self.pieces = pieces
        self.size = sum(piece.tokens for piece in pieces)
        self._most = most
        self._count = count

    def fill(self, waiting: list[_Piece]) -> int:
        """Take from the end of a list as many pieces as there is room for; gives how many are left."""
        sizes = itertools.accumulate((piece.tokens for piece in reversed(waiting)), initial=self.size)
        number = sum(1 for _ in itertools.takewhile(lambda size: size <= self._most, sizes)) - 1
        if number > 0 and not self._fits(waiting, number):
            number = bisect.bisect_left(range(1, number), True, key=lambda number: not self._fits(waiting, number))
        for _ in range(number):
            self.pieces.append(waiting.pop())
            self.size += self.pieces[-1].tokens
        return len(waiting)

    def _fits(self, waiting: list[_Piece], number: int) -> bool:
        """Whether so many pieces more, one by one small enough, are it together: tokens may run across two pieces."""
        following = waiting[: -number - 1 : -1]
        return self._count.adds_up or self._count(_joined([*self.pieces, *following])) <= self._most


def _segments(line: Line, most: int, count: _Counter) -> Iterator[_Piece]:
    """A line as one piece, or as several if it is very long."""
    piece = _Piece(*line, tokens=_size(line.text, most, count))
    while not piece.is_solid and len(piece.text) > _SEGMENT:
        start = piece.text[:_SEGMENT]
        borders = [match.end() for match in _SENTENCE_END.finditer(start)] or word_ranges(start)[0].tolist()[1:]
        if not borders:
            break  # it is one word
        first, piece = _split(piece, borders[-1], most, count)
        yield first
    yield piece


def _size(text: str, most: int, count: _Counter) -> int:
    """The tokens of a text; of one that is much too long, so many that it does not fit."""
    end = _window(text, most, count)
    return count(text[:end])


def _window(text: str, room: int, count: _Counter) -> int:
    """How far to look for what fits into the room: to a place beyond it, or to the end of the text."""
    end = _WINDOW * (room + 1)
    while end < len(text) and count(text[:end]) <= room:
        end *= 2
    return end


def _without_first_word(piece: _Piece, most: int, count: _Counter) -> tuple[_Piece, _Piece | None]:
    starts, _ = word_ranges(piece.text)
    return _split(piece, int(starts[1]), most, count) if len(starts) > 1 else (piece, None)


def _cut(piece: _Piece, room: int, most: int, count: _Counter, *, in_sentences: bool) -> tuple[_Piece, _Piece] | None:
    """A piece as two, the first of which fits into the room: at the end of a sentence, or else of a word in one."""
    text = piece.text[: _window(piece.text, room, count)]
    sentences = [match.end() for match in _SENTENCE_END.finditer(text) if match.end() < len(piece.text)]
    starts = word_ranges(text)[0].tolist() if in_sentences else []
    for borders in (sentences, starts[1:]):
        fitting = bisect.bisect_left(borders, True, key=lambda place: count(text[:place].rstrip()) > room)
        if fitting:
            return _split(piece, borders[fitting - 1], most, count)
    return None


def _split(piece: _Piece, place: int, most: int, count: _Counter) -> tuple[_Piece, _Piece]:
    first, second = piece.text[:place].rstrip(), piece.text[place:]
    space = piece.text[len(first) : place]
    middle = piece.start + len("".join(first.split()))
    return (
        piece._replace(text=first, end=middle, tokens=_size(first, most, count)),
        piece._replace(before=space, text=second, start=middle, tokens=_size(second, most, count)),
    )


def _tail(pieces: list[_Piece], overlap: int, most: int, count: _Counter) -> list[_Piece]:
    """The last pieces, or the last sentence or words of the last piece, that have at most so many tokens."""
    found: list[_Piece] = []
    size = 0
    for piece in reversed(pieces):
        if piece.heading or size + piece.tokens > overlap:
            break
        found.append(piece)
        size += piece.tokens
    last = pieces[-1]
    if not found and not last.is_solid and not last.heading:
        starts, _ = word_ranges(last.text)
        ends = [match.end() for match in _SENTENCE_END.finditer(last.text) if match.end() < len(last.text)]
        for borders in (ends, starts.tolist()[1:]):
            fitting = bisect.bisect_left(borders, True, key=lambda place: count(last.text[place:]) <= overlap)
            if fitting < len(borders):
                return [_split(last, borders[fitting], most, count)[1]]
    return found[::-1]


def _joined(pieces: list[_Piece]) -> str:
    return "".join((piece.before if number else "") + piece.text for number, piece in enumerate(pieces))
