"""Pages that are there twice: they would make their content look like a template."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints, words
from tamis.templates._texts import PRIME, fingerprint, runs

_SHINGLE_WORDS = 5
_SAME_SHARE = 0.9  # Jaccard of the shingle sets: our reading of "near duplicate", after Broder et al. (1997)
_SKETCH = 24
_SKETCH_EQUAL = 12  # of 24 minima; two pages of Jaccard 0.9 share fewer with a probability below 1e-6


def distinct(pages: Sequence[Page], enough: int) -> list[int]:
    """Positions of the pages that are no copy, and no near copy, of an earlier one.

    Near copies stay when fewer than ``enough`` pages would be left: then it is the template that makes them alike.
    """
    first: dict[str, int] = {}
    for position, page in enumerate(pages):
        first.setdefault(fingerprint(page), position)
    exact = list(first.values())
    kept = _without_near_copies(pages, exact)
    return kept if len(kept) >= enough else exact


def _without_near_copies(pages: Sequence[Page], positions: Sequence[int]) -> list[int]:
    kept: list[int] = []
    sets: list[Ints] = []
    sketches = np.zeros((len(positions), _SKETCH), dtype=np.int64)
    for position in positions:
        mine = _shingles(pages[position])
        sketch = _sketch(mine)
        alike = np.flatnonzero((sketches[: len(kept)] == sketch).sum(axis=1) >= _SKETCH_EQUAL)
        if any(_jaccard(mine, sets[other]) >= _SAME_SHARE for other in alike.tolist()):
            continue
        sketches[len(kept)] = sketch
        kept.append(position)
        sets.append(mine)
    return kept


def _shingles(page: Page) -> Ints:
    """Numbers of all runs of five words, sorted, each once."""
    numbers: dict[str, int] = {}
    text = " ".join(page.text[start:end] for start, end in zip(*page.visible, strict=True))
    found = [_number(word, numbers) for word in words(text)]
    codes = np.array(found, dtype=np.int64)
    if len(codes) < _SHINGLE_WORDS:
        return np.unique(codes)
    return np.unique(runs(codes, _SHINGLE_WORDS))


def _number(word: str, known: dict[str, int]) -> int:
    number = known.get(word)
    if number is None:
        number = 7
        for byte in word.encode("utf-8", "surrogatepass"):
            number = (number * 31 + byte) % PRIME
        known[word] = number
    return number


def _sketch(numbers: Ints) -> Ints:
    if not len(numbers):
        return np.full(_SKETCH, -1, dtype=np.int64)
    factors = np.random.default_rng(0).integers(1, PRIME, size=(_SKETCH, 1))
    minima: Ints = (numbers[None, :] * factors % PRIME).min(axis=1)
    return minima


def _jaccard(mine: Ints, other: Ints) -> float:
    shared = len(np.intersect1d(mine, other, assume_unique=True))
    union = len(mine) + len(other) - shared
    return shared / union if union else 1.0
