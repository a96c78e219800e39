"""What a block says, by a learned table of words and short phrases.

``Subscribe``, ``=read more`` or ``^related articles`` tell much, in every language that the training pages speak; in
others the table knows nothing, and all three features are 0. Phrases are kept as 32-bit hashes: nobody typed the list.

    wording         Σ weight / √phrases          over all phrases of the block, known or not
    best_wording    the largest weight, at least 0
    worst_wording   the smallest, at most 0
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

import numpy as np

from tamis.extractors.sieve.features.material import Columns
from tamis.page.model import Page
from tamis.page.text import Ints

LONGEST = 400  # characters of a block that are read
MOST = 24  # words of a block that are read
WHOLE = 4  # words of a block that counts as one phrase
SCALE = 1000  # weights are thousandths of log odds: whole numbers add up to the same sum in any order
_CJK = "\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_CJK}]+|(?:(?![{_CJK}])[^\W\d_])+|\d+")
_IDEOGRAPH = re.compile(f"[{_CJK}]")
_MAX_MEMORY = 50_000  # phrases whose hashes are remembered


@dataclass(frozen=True, eq=False)
class WordTable:
    """Hashes of phrases in ascending order, and the weight of each."""

    codes: Ints
    weights: Ints
    index: object = field(init=False, default=None)  # as the compiled kernel looks them up, once it has been asked

    def weights_of(self, codes: Ints) -> Ints:
        """The weight of each hash, 0 for those that the table does not know."""
        if not len(self.codes):
            return np.zeros(len(codes), dtype=np.int64)
        place = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[place] == codes, self.weights[place], 0)

    def strongest(self, text: str) -> tuple[str, int]:
        """The phrase of a text that weighs most on the side to which all of them lean, and its weight."""
        said = phrases(text)
        weights = self.weights_of(np.array([code(phrase) for phrase in said], dtype=np.int64)).tolist()
        side = 1 if sum(weights) > 0 else -1
        return max(zip(said, weights, strict=True), key=lambda pair: side * pair[1], default=("", 0))


def phrases(text: str) -> list[str]:
    """The words of a text, how it begins, and all of it if it is short.

    Chinese and Japanese have no blanks between words: pairs of characters stand for them. All numbers are ``0``.

    >>> phrases("Read more: 17 articles")
    ['read', 'more', '0', 'articles', '^read', '^read more', '=read more 0 articles']
    """
    found: list[str] = []
    for word in _WORD.findall(text[:LONGEST]):
        if word[0].isdecimal():
            found.append("0")
        elif _IDEOGRAPH.match(word):
            found += [word[at : at + 2] for at in range(max(len(word) - 1, 1))]
        else:
            found.append("".join(letter.lower()[0] for letter in word))
        if len(found) >= MOST:
            break
    found = found[:MOST]
    starts = [f"^{' '.join(found[:count])}" for count in (1, 2) if len(found) >= count]
    return [*found, *starts, *([f"={' '.join(found)}"] if 0 < len(found) <= WHOLE else [])]


@functools.lru_cache(_MAX_MEMORY)
def code(phrase: str) -> int:
    """The hash of a phrase: FNV-1a over its characters.

    >>> code("a")
    3826002220
    """
    found = 2166136261
    for letter in phrase:
        found = (found ^ ord(letter)) * 16777619 & 0xFFFFFFFF
    return found


def said(page: Page) -> tuple[Ints, Ints]:
    """Hashes of the phrases of all blocks, end to end, and how many each block has."""
    ranges = zip(page.blocks.start.tolist(), page.blocks.end.tolist(), strict=True)
    found = [
        [code(phrase) for phrase in phrases(page.text[start : min(end, start + LONGEST)])] for start, end in ranges
    ]
    counts = np.array([len(own) for own in found], dtype=np.int64)
    return np.array([number for own in found for number in own], dtype=np.int64), counts


def columns(codes: Ints, counts: Ints, table: WordTable) -> Columns:
    """The features of blocks, given what they say."""
    weights = table.weights_of(codes)
    owner = np.repeat(np.arange(len(counts)), counts)
    best, worst = np.zeros(len(counts), dtype=np.int64), np.zeros(len(counts), dtype=np.int64)
    np.maximum.at(best, owner, weights)
    np.minimum.at(worst, owner, weights)
    total = np.bincount(owner, weights=weights, minlength=len(counts))
    return {
        "wording": total / np.sqrt(np.maximum(counts, 1)) / SCALE,
        "best_wording": best / SCALE,
        "worst_wording": worst / SCALE,
    }
