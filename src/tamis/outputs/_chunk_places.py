"""Where the lines of a text stand on the page: their ranges, the headings above them, the ids beside them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.characters import without_unseen
from tamis.outputs._layout import in_rows
from tamis.outputs._pieces import kept_pieces
from tamis.page.html import HEADINGS, mask
from tamis.page.model import PREFORMATTED
from tamis.page.spans import Span, as_arrays, as_spans, overlaps, union
from tamis.page.text import SPACE, Bools, Ints, char_classes
from tamis.results import Extraction

_FRAMES = mask("body", "html")  # their ids lead to no part of the page


class Line(NamedTuple):
    """A line of the text. Places are counted in characters of the text that are no blanks."""

    before: str  # white space between it and the line before it
    text: str
    start: int
    end: int
    is_solid: bool  # a row of a table or a line of code
    heading: int  # the node of the heading it belongs to; 0 if it is none


class Places:
    """The lines of an extraction's text, and what is known of their places.

    Each character of the text that is no blank stands on the page once, in the same order. So a line is found there by
    counting.
    """

    def __init__(self, extraction: Extraction) -> None:
        self._page = extraction.page
        self._kept = union(*as_arrays(extraction.spans))
        self._position, self._node = _solid_characters(extraction)
        nodes = self._page.nodes
        self._is_solid = in_rows(extraction) | ((nodes.flags & PREFORMATTED) != 0) | _code_roots(extraction)
        self._heading_of = nodes.nearest(nodes.named(*HEADINGS))
        self._ids = self._find_ids()
        self._seen_before = np.concatenate(([0], np.cumsum(self._page.flow.characters)))

    def lines(self, text: str) -> list[Line]:
        """The lines of the text that are not blank."""
        found = []
        count, before = 0, ""
        for line in text.split("\n"):
            if not line.strip():
                before += "\n"
                continue
            end = count + len("".join(line.split()))
            node = int(self._node[count])
            is_solid = bool(self._is_solid[node])
            content = line.rstrip() if is_solid else line.strip()
            indent = "" if is_solid else line[: len(line) - len(line.lstrip())]
            found.append(Line(before + indent, content, count, end, is_solid, int(self._heading_of[node])))
            count, before = end, "\n"
        return found

    def spans(self, start: int, end: int) -> tuple[Span, ...]:
        """The kept ranges of the page from one character of the text to another."""
        first, last = self._position[start : start + 1], self._position[end - 1 : end] + 1
        found_start, found_end, _, _ = overlaps(*self._kept, first, last)
        return as_spans(found_start, found_end)

    def fragment(self, start: int, headings: list[int]) -> str:
        """The nearest id: of a heading above a character, or of an element around it if that begins later."""
        nodes = self._page.nodes
        around = int(self._node[start])
        while around > 0 and around not in self._ids:
            around = int(nodes.parent[around])
        best = next(filter(None, map(self._heading_id, reversed(headings))), 0)
        return self._ids.get(max(around, best), "")

    def level(self, heading: int) -> int:
        """From 1 to 6."""
        return int(self._page.name(heading)[1])

    def _heading_id(self, heading: int) -> int:
        """The element with an id in a heading, or right before it; 0 if there is none."""
        end = int(self._page.nodes.end[heading])
        inside = next((node for node in range(heading, end) if node in self._ids), 0)
        if inside:
            return inside
        before = heading - 1
        while before > 0 and self._seen_before[before] == self._seen_before[heading]:
            if before in self._ids:
                return before
            before -= 1
        return 0

    def _find_ids(self) -> dict[int, str]:
        page = self._page
        found = {}
        for node in page.select("[id], a[name]"):
            attributes = page.attributes(node)
            value = (attributes.get("id") or attributes.get("name") or "").strip()
            if value and not _FRAMES[page.nodes.tag[node]] and not any(map(str.isspace, value)):
                found[node] = value
        return found


def _solid_characters(extraction: Extraction) -> tuple[Ints, Ints]:
    """Position in ``page.text`` and text node of each character of the text that is no blank."""
    text, kept = extraction.page.text, kept_pieces(extraction)
    lengths = kept.end - kept.start
    offsets = np.repeat(kept.start - np.cumsum(lengths) + lengths, lengths)
    joined = "".join([text[start:end] for start, end in zip(kept.start.tolist(), kept.end.tolist(), strict=True)])
    is_solid = char_classes(joined) != SPACE
    if len(without_unseen(joined)) < len(joined):
        is_solid &= np.array([bool(without_unseen(char)) for char in joined], dtype=np.bool_)
    position = (np.arange(len(joined)) + offsets)[is_solid]
    return position, np.repeat(kept.node, lengths)[is_solid]


def _code_roots(extraction: Extraction) -> Bools:
    marked = extraction.page.nodes.marked(kept_pieces(extraction).code_roots)
    return extraction.page.nodes.inside(marked)
