"""Which blocks of a page a text or its places choose, and block scores from it.

Each block counts one, whatever its length: losing a caption costs as much as losing the article (Gottron 2008, section
5.1). Kept for comparison with work that reports it (Lin & Ho 2002; Debnath et al. 2005).
"""

from __future__ import annotations

import numpy as np

from tamis.evaluation import measures
from tamis.evaluation.measures import Score, matched_places
from tamis.evaluation.word_places import Spans
from tamis.evaluation.words import compare_words
from tamis.page.blocks import block_texts, kept_shares
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import Bools

_SHARE = 0.5  # of a block must be chosen, as in the result of an extraction


def block_scores(page: Page, gold: Bools, found: Bools) -> Score:
    """Block precision, recall and F1 over the blocks that have a word."""
    filled = page.blocks.words > 0
    return measures.blocks(gold[filled].tolist(), found[filled].tolist())


def by_places(page: Page, spans: Spans) -> Bools:
    """For each block whether more than half of its characters lie in these ranges of ``page.text``."""
    chosen: Bools = kept_shares(page, tuple(Span(start, end) for start, end in sorted(spans))) > _SHARE
    return chosen


def by_text(page: Page, text: str) -> Bools:
    """For each block whether more than half of its words are in the text, in order; copies cannot be told apart.

    >>> from tamis.page.load import parse
    >>> by_text(parse("<p>Menu</p><p>The river rose.</p>"), "The river rose").tolist()
    [False, True]
    """
    blocks = [compare_words(block) for block in block_texts(page.blocks)]
    owner = np.repeat(np.arange(len(blocks)), [len(words) for words in blocks])
    places = sorted(matched_places([word for words in blocks for word in words], compare_words(text)))
    matched = np.bincount(owner[np.array(places, dtype=np.int64)], minlength=len(blocks))
    chosen: Bools = matched > _SHARE * np.bincount(owner, minlength=len(blocks))
    return chosen
