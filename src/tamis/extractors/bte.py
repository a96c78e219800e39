"""Body text extraction: the one contiguous part of the page with the most words inside and the most tags outside.

Idea:      words count +1 and tags -1; the contiguous run of tokens with the largest sum is the main content.
Reference: Finn, Kushmerick & Smyth (2001), as described by Gottron (2008), section 3.2.2.
Departs:   in scripts without spaces every character counts as a word; hidden text inside the window is not returned.
Strong at: recall; articles rich in inline links.
Weak at:   content in several pieces: one is lost, or what is between them is kept; wordy extras next to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Bools
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """No options."""


def extract(page: Page, options: Options) -> Extraction:
    tokens = page.tokens
    first, last = best_window(tokens.is_tag)
    chosen = np.zeros(len(tokens), dtype=np.bool_)
    chosen[first:last] = True
    return Extraction(page=page, spans=page.word_spans(chosen & ~tokens.is_tag))


def best_window(is_tag: Bools) -> tuple[int, int]:
    """The half-open window with the largest sum of +1 per word and -1 per tag.

    This is the exact optimum of the paper's objective (tags before, words inside, tags after): the objective of a
    window is the number of all tags plus this sum. Ties go to the earliest start, then to the earliest end.

    >>> best_window(np.array([1, 1, 0, 0, 0, 1, 0, 0, 1, 1], dtype=bool))
    (2, 8)
    """
    if not len(is_tag) or is_tag.all():
        return 0, 0
    sums = np.concatenate(([0], np.cumsum(1 - 2 * is_tag.astype(np.int64))))
    lowest = np.minimum.accumulate(sums)
    end = int(np.argmax(sums[1:] - lowest[:-1]))  # the first of equals; no later end has an earlier start
    start = int(np.argmax(lowest == lowest[end]))
    return start, end + 1
