"""What kind of page it is: one matrix product on the page's mean features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.extractors.sieve.network import Weights

PAGE_TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
"""As WCXB names them."""


@dataclass(frozen=True, eq=False)
class PageTypes:
    """Softmax regression."""

    weights: Weights
    biases: Weights

    def chances(self, summary: Weights) -> Weights:
        """How likely each of PAGE_TYPES is."""
        odds = summary @ self.weights + self.biases
        powers = np.exp(odds - odds.max(axis=-1, keepdims=True))
        result: Weights = powers / powers.sum(axis=-1, keepdims=True)
        return result

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[np.generic]]) -> PageTypes:
        return cls(*(np.asarray(arrays[f"type_{name}"], dtype=np.float32) for name in cls.__dataclass_fields__))


def summarise(features: Weights, words: Weights, chances: Weights) -> Weights:
    """A page as one row: the mean of its standardised features over all words, and over the words likely to be kept."""
    all_words = words.astype(np.float64) + 1  # of sums over thousands of blocks, short numbers would lose the end
    kept_words = all_words * chances
    means = all_words @ features / all_words.sum(), kept_words @ features / (kept_words.sum() + 1)
    return np.concatenate(means).astype(np.float32)
