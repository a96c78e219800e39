"""CleanEval's second task: headings, paragraphs and list items, marked ``<h>``, ``<p>`` and ``<l>`` in front of each.

The words of both texts are aligned in order; a mark is right if the gold text has the same mark in front of the same
word. The score of the competition takes marks for words instead (Baroni, Chantree, Kilgarriff & Sharoff 2008).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.evaluation.datasets.cleaneval import without_address
from tamis.evaluation.measures import Score, common_length, from_counts, matching_places
from tamis.evaluation.word_places import Spans, page_words, touched
from tamis.evaluation.words import compare_words
from tamis.page.html import HEADINGS
from tamis.page.model import Page
from tamis.page.text import Bools

HEADING, PARAGRAPH, ITEM = "h", "p", "l"
_ITEMS = ("li", "dt", "dd")
_MARK = re.compile(r"^[ \t]*<([hpl])>", re.MULTILINE | re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n\s*\n")


class MarkedSegment(NamedTuple):
    """A stretch of text and what it is."""

    mark: str  # HEADING, PARAGRAPH or ITEM
    words: list[str]


def read_marks(marked: str) -> list[MarkedSegment]:
    """The segments of a marked text; what stands before the first mark, and a text without marks, is paragraphs.

    >>> read_marks("URL: http://a.b/\\n<h>Storm\\n<p>It hit\\nthe coast.\\n<l>One")
    [MarkedSegment(mark='h', words=['storm']), MarkedSegment(mark='p', words=['it', 'hit', 'the', 'coast']), \
MarkedSegment(mark='l', words=['one'])]
    """
    before, *rest = _MARK.split(without_address(marked))
    marks = [(PARAGRAPH, text) for text in _BLANK_LINES.split(before)]
    marks += [(mark.lower(), text) for mark, text in zip(rest[::2], rest[1::2], strict=True)]
    return _filled([MarkedSegment(mark, compare_words(text)) for mark, text in marks])


def marks_of(page: Page, spans: Spans) -> list[MarkedSegment]:
    """The blocks of a page that lie in these ranges of its text, each marked by the element around it."""
    page = page.revealed()
    nodes, blocks = page.nodes, page.blocks
    is_heading, is_item = nodes.named(*HEADINGS), nodes.named(*_ITEMS)
    nearest = nodes.nearest(is_heading | is_item)[blocks.node]
    found = page_words(page)
    block = np.searchsorted(blocks.start, found.start, side="right") - 1
    is_kept = touched(found, len(page.text), spans) & (block >= 0) if len(blocks) else np.zeros(len(block), np.bool_)
    segments = [MarkedSegment(_mark(int(node), is_heading, is_item), []) for node in nearest.tolist()]
    for place in np.flatnonzero(is_kept).tolist():
        segments[block[place]].words.append(found.words[place].lower())
    return _filled(segments)


def mark_scores(gold: Sequence[MarkedSegment], found: Sequence[MarkedSegment]) -> Score:
    """Precision, recall and F1 of marks.

    >>> mark_scores(read_marks("<h>Storm\\n<p>It hit"), read_marks("<p>Storm\\n<p>It hit")).f1
    0.5
    """
    wanted, given = (_places(segments) for segments in (gold, found))
    pairs = matching_places(_words(gold), _words(found))
    right = sum(place in wanted and wanted[place] == given.get(other) for place, other in pairs)
    return from_counts(right, len(given), len(wanted))


def cleaneval_structure(gold: Sequence[MarkedSegment], found: Sequence[MarkedSegment]) -> float:
    """The score of the competition: one minus the share of insertions and deletions, marks being words.

    >>> cleaneval_structure(read_marks("<p>a b"), read_marks("<l>a b"))
    0.5
    """
    wanted, given = (_with_marks(segments) for segments in (gold, found))
    aligned = common_length(wanted, given)
    operations = len(wanted) + len(given) - aligned
    return aligned / operations if operations else 1.0


def _mark(node: int, is_heading: Bools, is_item: Bools) -> str:
    return HEADING if node >= 0 and is_heading[node] else ITEM if node >= 0 and is_item[node] else PARAGRAPH


def _filled(segments: Sequence[MarkedSegment]) -> list[MarkedSegment]:
    return [segment for segment in segments if segment.words]


def _words(segments: Sequence[MarkedSegment]) -> list[str]:
    return [word for segment in segments for word in segment.words]


def _with_marks(segments: Sequence[MarkedSegment]) -> list[str]:
    return [token for segment in segments for token in (f"<{segment.mark}>", *segment.words)]


def _places(segments: Sequence[MarkedSegment]) -> dict[int, str]:
    """Marks by the number of the word that they stand before."""
    starts = np.cumsum([0, *(len(segment.words) for segment in segments)])
    return {int(start): segment.mark for start, segment in zip(starts, segments, strict=False)}
