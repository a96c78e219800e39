"""What kind of page it is: one matrix product on the page's mean features, and what its URL says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.about.comment_names import names_forum
from tamis.extractors.sieve.network import Weights

PAGE_TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
"""As WCXB names them."""
_FORUM = PAGE_TYPES.index("forum")
# Log odds of a forum, where the URL names one and where it does not. Logistic regression on the 1,609 train pages with
# type and URL, with the log odds of a model that had not seen the host as offset: 4.1 and -1.3; with one dataset left
# out 3.4 to 4.5 and -0.5 to -3.2. Rounded towards nothing.
NAMED, UNNAMED = 4.0, -1.0


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


def told_by_url(chances: Sequence[float], url: str | None) -> Sequence[float]:
    """The chances, that of a forum raised if the URL names one, and lowered if there is a URL that does not.

    >>> before = (0.7, 0.0, 0.0, 0.2, 0.1, 0.0, 0.0)
    >>> [round(chance, 2) for chance in told_by_url(before, "https://example.org/viewtopic.php?topic=7")]
    [0.06, 0.0, 0.0, 0.93, 0.01, 0.0, 0.0]
    >>> told_by_url(before, None) == before
    True
    """
    if not url:
        return chances
    factor = math.exp(NAMED if names_forum(url) else UNNAMED)
    total = 1 + (factor - 1) * chances[_FORUM]
    return [chance * (factor if place == _FORUM else 1) / total for place, chance in enumerate(chances)]


def summarise(features: Weights, words: Weights, chances: Weights) -> Weights:
    """A page as one row: the mean of its standardised features over all words, and over the words likely to be kept."""
    all_words = words.astype(np.float64) + 1  # of sums over thousands of blocks, short numbers would lose the end
    kept_words = all_words * chances
    means = all_words @ features / all_words.sum(), kept_words @ features / (kept_words.sum() + 1)
    return np.concatenate(means).astype(np.float32)
