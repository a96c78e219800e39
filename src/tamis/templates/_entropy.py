"""How evenly words are spread over pages: 0 for a word of one page, 1 for a word that all pages use alike."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.templates._stems import STOP_WORDS, stem
from tamis.templates._texts import filled_leaves, owned_texts

TABLES = ("table", "td", "th")
BLOCKS = (*TABLES, "div", "section", "article", "aside", "nav", "header", "footer", "ul", "ol")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def features(text: str) -> list[str]:
    """Stems of the words of a text that say something, repeats included.

    >>> features("The connected bridges of the town")
    ['connect', 'bridg', 'town']
    """
    words = (match.group().lower() for match in _WORD.finditer(text))
    return [stem(word) for word in words if word not in STOP_WORDS]


def entropy(counts: Iterable[float], pages: int) -> float:
    """Of how a word's occurrences are spread over pages; no number for one page, where nothing can be spread.

    >>> [round(entropy(counts, 4), 2) for counts in ((1, 1, 1, 1), (3, 0, 0, 0), (2, 1, 1, 0))]
    [1.0, 0.0, 0.75]
    """
    if pages < 2:
        return math.nan
    filled = [count for count in counts if count > 0]
    total = sum(filled)
    return abs(-sum(count / total * math.log(count / total, pages) for count in filled)) if filled else 0.0


def word_entropies(pages: Sequence[Mapping[int, Sequence[str]]]) -> dict[str, float]:
    """The entropy of every feature, from the features of each block of each page."""
    counts: dict[str, list[int]] = {}
    for page in pages:
        for word, count in Counter(word for words in page.values() for word in words).items():
            counts.setdefault(word, []).append(count)
    return {word: entropy(found, len(pages)) for word, found in counts.items()}


def block_entropy(words: Iterable[str], entropies: Mapping[str, float]) -> float:
    """The mean over the different features of a block; 1, redundant, for a block without any."""
    different = dict.fromkeys(words)
    return sum(entropies.get(word, 0.0) for word in different) / len(different) if different else 1.0


def greedy_threshold(blocks: Iterable[tuple[float, Iterable[str]]]) -> float:
    """Raised by tenths until a step adds no new feature to the accepted blocks; empty beginnings do not count."""
    ordered = sorted(((value, tuple(words)) for value, words in blocks), key=lambda block: block[0])
    accepted: set[str] = set()
    place = 0
    for tenth in range(11):
        before = len(accepted)
        while place < len(ordered) and ordered[place][0] <= tenth / 10 + 1e-9:
            accepted.update(ordered[place][1])
            place += 1
        if before and len(accepted) == before:
            return (tenth - 1) / 10
    return 1.0


def block_features(page: Page, names: Sequence[str]) -> dict[int, list[str]]:
    """The features of every block: of the text an element of these names holds outside of others inside it."""
    leaves = filled_leaves(page)
    return {node: features(text) for node, text in owned_texts(page, leaves, block_owners(page, leaves, names)).items()}


def block_owners(page: Page, leaves: Ints, names: Sequence[str]) -> Ints:
    """The block each text node belongs to; 0, the page, outside of all."""
    owners: Ints = page.nodes.nearest(page.nodes.named(*names))[leaves].astype(np.int64)
    return owners
