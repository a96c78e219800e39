"""The best any choice of blocks could score: an upper bound for a segmentation, not a result (Weninger et al. 2010).

The bound is exact for words in order (the measure ``words``), whatever the number of blocks. F1 of a choice is
``2 * common / (words + gold)``, a ratio, so the choice with the largest one is found by Dinkelbach's method: with a
ratio p/q in hand, look for the choice with the largest ``q * common - p * (words + gold)``; if that is above 0, its
ratio is better, else there is none. The search itself is a longest common subsequence in which each block may be
skipped whole: one row per word, all numbers whole, so that nothing is lost by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tamis.evaluation.measures import Score, word_sequence
from tamis.evaluation.words import compare_words
from tamis.page.text import Bools, Ints


class Oracle(NamedTuple):
    """The best choice of blocks and its score."""

    chosen: tuple[int, ...]
    score: Score


class _Found(NamedTuple):
    chosen: tuple[int, ...]
    common: int
    words: int


def best_choice(blocks: Sequence[str], gold: str) -> Oracle:
    """The choice of blocks with the largest F1 of words in order, given the text of each block in page order.

    >>> best_choice(["Home Storm hits coast Login", "Storm hits coast", "More"], "Storm hits coast")
    Oracle(chosen=(1,), score=Score(precision=1.0, recall=1.0, f1=1.0))
    """
    numbers: dict[str, int] = {}
    wanted, *words = (
        np.array([numbers.setdefault(word, len(numbers)) for word in compare_words(text)], dtype=np.int64)
        for text in (gold, *blocks)
    )
    best = _Found((), 0, 0)
    known = np.unique(wanted)
    # A block without a word of the gold text only adds to the length.
    candidates = [number for number, block in enumerate(words) if np.isin(block, known).any()]
    while (better := _larger([words[number] for number in candidates], wanted, best)) is not None:
        best = better
    chosen = tuple(candidates[place] for place in best.chosen)
    return Oracle(chosen, word_sequence(gold, "\n".join(blocks[number] for number in chosen)))


def _larger(blocks: Sequence[Ints], gold: Ints, best: _Found) -> _Found | None:
    """A choice with a larger F1 than that of ``best``; None if there is none."""
    gain, cost = best.words + len(gold), best.common  # of a common word, and of any word
    rows = [np.zeros(len(gold) + 1, dtype=np.int64)]  # per block: the best of choices so far, by words of gold used
    for block in blocks:
        rows.append(np.maximum(rows[-1], _aligned(rows[-1] - cost * len(block), block, gold, gain)))
    if rows[-1][-1] <= cost * len(gold):
        return None
    chosen, used = [], len(gold)
    for number in reversed(range(len(blocks))):
        if rows[number + 1][used] > rows[number][used]:
            chosen.append(number)
            used = _start(rows[number][: used + 1], blocks[number], gold[:used], gain)
    chosen.reverse()
    words = sum(len(blocks[number]) for number in chosen)
    value = int(rows[-1][-1]) + cost * words
    return _Found(tuple(chosen), value // gain, words)


def _aligned(row: Ints, block: Ints, gold: Ints, gain: int) -> Ints:
    """The row after all words of a block, each of which may be matched with one of the gold words that are left."""
    for same in _matches(block, gold):
        row = row.copy()
        row[1:] = np.maximum(row[1:], np.where(same, row[:-1] + gain, row[1:]))
        row = np.maximum.accumulate(row)
    return row


def _start(before: Ints, block: Ints, gold: Ints, gain: int) -> int:
    """How many gold words were used before a block that ends with all of them."""
    own = _aligned(np.zeros(len(gold) + 1, dtype=np.int64), block[::-1], gold[::-1], gain)
    return int(np.argmax(before + own[::-1]))


def _matches(block: Ints, gold: Ints) -> Iterator[Bools]:
    """For each word of a block that the gold text has, where it has it."""
    for word in block[np.isin(block, gold)].tolist():
        yield gold == word
