"""Gold text aligned to blocks: how much of each block belongs to the main content.

Gold text is a person's copy of the content, without a trace of where it stood. Page and gold are aligned as word
sequences by their longest common subsequence. Three things go wrong with that, and are put right here:

- common words of a menu are matched one by one to words of the article: a match counts only when the gold word before
  or after it was found close to it on the page;
- gold in another order than the page (a caption moved, a sidebar put last): blocks whose word sequences occur in gold
  that nothing was matched to are rescued;
- a block that is half content stays half: labels are shares, not yes or no.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tamis.page.text import Bools, Floats, Ints

NEAR = 8  # page words between neighbours of the gold text, at most; ours, not swept
SHINGLE = 5  # words that must follow each other for text to count as the same; the usual size for near duplicates
MAX_CELLS = 4e9  # page words times gold words; the alignment keeps one bit for each


def text_labels(texts: Sequence[Sequence[str]], gold: Sequence[str]) -> Floats:
    """For each text, given as words, the share of its words that the gold text holds.

    >>> text_labels([["home", "news"], ["the", "dog", "barks"]], ["the", "dog", "barks", "news"]).tolist()
    [0.0, 1.0]
    """
    owner = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    words = [word for text in texts for word in text]
    found = _aligned(words, gold)
    supported = _supported(found)
    counts = np.maximum(np.bincount(owner, minlength=len(texts)), 1)
    labels: Floats = np.bincount(owner, weights=supported, minlength=len(texts)) / counts
    used = np.zeros(len(gold), dtype=np.bool_)
    used[found[supported]] = True
    return np.maximum(labels, _rescued(texts, labels, gold, used))


def _aligned(words: Sequence[str], gold: Sequence[str]) -> Ints:
    """For each word of the page the position of its match in the gold text, or -1."""
    from rapidfuzz.distance import LCSseq

    number = {word: position for position, word in enumerate(dict.fromkeys(gold))}
    codes = np.fromiter((number.get(word, -1) for word in words), dtype=np.int64, count=len(words))
    kept = np.flatnonzero(codes >= 0)
    kept = kept[: int(MAX_CELLS / max(len(gold), 1))]
    result = np.full(len(words), -1, dtype=np.int64)
    operations = LCSseq.opcodes(codes[kept].tolist(), [number[word] for word in gold])
    for operation in operations:
        if operation.tag == "equal":
            matched = kept[operation.src_start : operation.src_end]
            result[matched] = np.arange(operation.dest_start, operation.dest_end)
    return result


def _supported(found: Ints) -> Bools:
    """Matches whose neighbour in the gold text was found close by."""
    places = np.flatnonzero(found >= 0)
    supported = np.zeros(len(found), dtype=np.bool_)
    if len(places) > 1:
        close = (np.diff(found[places]) <= 2) & (np.diff(places) <= NEAR)
        supported[places[:-1][close]] = True
        supported[places[1:][close]] = True
    return supported


def _rescued(texts: Sequence[Sequence[str]], labels: Floats, gold: Sequence[str], used: Bools) -> Floats:
    """Shares of texts that occur in the unused gold, however far from where the alignment expected them."""
    starts = [start for start in range(len(gold) - SHINGLE + 1) if not used[start : start + SHINGLE].any()]
    unused = Counter(tuple(gold[start : start + SHINGLE]) for start in starts)
    rescued = np.zeros(len(texts))
    if not unused:
        return rescued
    for position in np.flatnonzero(labels < 0.5).tolist():
        text = texts[position]
        shingles = [tuple(text[start : start + SHINGLE]) for start in range(len(text) - SHINGLE + 1)]
        hits = [shingle for shingle in shingles if unused[shingle] > 0]
        if len(hits) > len(shingles) / 2:
            unused.subtract(hits)
            rescued[position] = len(hits) / len(shingles)
    return rescued
