"""Words as places on a page: where each stands, and what two choices of places share.

``page.text`` has no blanks between blocks or lines: words end where these do, and at hidden texts, which are in none.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from tamis.evaluation.measures import Score, from_counts
from tamis.evaluation.words import word_matches
from tamis.page.model import Page
from tamis.page.text import Bools, Ints

Spans = Iterable[tuple[int, int]]
"""Half-open ranges of ``page.text``."""


class PageWords(NamedTuple):
    """The words of a page, hidden ones included, and where they stand in ``page.text``."""

    words: list[str]
    start: Ints
    end: Ints


def page_words(page: Page) -> PageWords:
    """All words of a page in document order."""
    nodes, blocks = page.nodes, page.blocks
    in_block = nodes.marked(blocks.leaves)
    apart = nodes.texts[~in_block[nodes.texts]]
    line = page.flow.line[blocks.leaves]
    begun = nodes.text_start[blocks.leaves[np.flatnonzero(np.diff(line, prepend=-1))]]
    edges = (begun, blocks.start, blocks.end, nodes.text_start[apart], nodes.text_end[apart], [0, len(page.text)])
    cuts = np.unique(np.concatenate(edges)).tolist()
    found = [
        (match.group(), start + match.start(), start + match.end())
        for start, end in itertools.pairwise(cuts)
        for match in word_matches(page.text[start:end])
    ]
    words, starts, ends = zip(*found, strict=True) if found else ((), (), ())
    return PageWords(list(words), np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64))


def span_occurrences(page: Page, gold: Spans, found: Spans) -> Score:
    """Words as places on the page where both sides say where they are (Weninger et al. 2010, equation 5).

    A word is on a side if some of it lies in a span of that side.

    >>> from tamis.page.load import parse
    >>> page = parse("<p>Storm</p><p>Ads</p><p>Storm</p>")
    >>> span_occurrences(page, [(8, 13)], [(0, 5)]).f1, span_occurrences(page, [(8, 13)], [(8, 13)]).f1
    (0.0, 1.0)
    """
    words = page_words(page)
    wanted, given = (touched(words, len(page.text), spans) for spans in (gold, found))
    return from_counts(int((wanted & given).sum()), int(given.sum()), int(wanted.sum()))


def touched(words: PageWords, length: int, spans: Spans) -> Bools:
    """For each word whether some of it lies in a span."""
    change = np.zeros(length + 1, dtype=np.int64)
    for start, end in spans:
        change[min(max(start, 0), length)] += 1
        change[min(max(end, start, 0), length)] -= 1
    covered = np.concatenate(([0], np.cumsum(np.cumsum(change[:-1]) > 0)))
    touched: Bools = covered[words.end] > covered[words.start]
    return touched
