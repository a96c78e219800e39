"""From probabilities to a choice: keep what makes the expected F1 largest.

Sorted by probability, some prefix of the blocks is best. For a fixed prefix the expected F1 is, nearly,

    2 · Σ kept p·words / (Σ kept words + Σ all p·words)

if blocks were right or wrong independently of each other. They are not: whether the grid of a shop or the comments
below a post count as content is one question for many blocks. So the log odds of the whole page are shifted by a
normal error, and the F1 is averaged over the shifts. Pages without a clear answer then keep more.
"""

from __future__ import annotations

import functools

import numpy as np

from tamis.page.text import Bools, Floats, Ints

PAGE_ERROR = 1.0  # deviation of the shift in log odds; 0-2 are the same on train, 1 best on datasets left out
GROUP_SHARE = 0.6  # of the mean of blocks that look alike; swept 0-0.6 by cross-validation on train
_POINTS = 9  # shifts that stand for all: Gauss-Hermite, exact far beyond what is needed


def levelled(log_odds: Floats, words: Floats, groups: Ints) -> Floats:
    """Log odds drawn towards the mean of their group: cards of one grid stand or fall together.

    >>> levelled(np.array([2.0, 0.0, -1.0]), np.ones(3), np.array([0, 0, 1])).round(3).tolist()
    [1.4, 0.6, -1.0]
    """
    weights = words + 1e-3
    mean = np.bincount(groups, weights=log_odds * weights) / np.bincount(groups, weights=weights)
    return (1 - GROUP_SHARE) * log_odds + GROUP_SHARE * mean[groups]


def best_prefix(log_odds: Floats, words: Floats, bias: float = 0.0) -> Bools:
    """The blocks to keep. A bias above 0 counts lost words more than wrong ones, below 0 less.

    >>> best_prefix(np.array([3.0, 1.0, -4.0]), np.array([90.0, 10.0, 50.0])).tolist()
    [True, True, False]
    """
    kept = np.zeros(len(log_odds), dtype=np.bool_)
    if not len(kept) or not words.any():
        return kept
    order = np.argsort(-log_odds, kind="stable")
    size = words[order]
    shifts, shares = _shifts()
    chance = 1 / (1 + np.exp(-np.clip(log_odds[order] + PAGE_ERROR * shifts[:, None], -30, 30)))
    matched = chance * size
    # The weighted F measure: beta 2 at bias 1, one half at bias -1.
    beta = 4.0**bias
    gains = (1 + beta) * np.cumsum(matched, axis=1)
    costs = np.cumsum(size) + beta * matched.sum(axis=1)[:, None]
    kept[order[: int(np.argmax(shares @ (gains / np.maximum(costs, 1e-9)))) + 1]] = True
    return kept


@functools.cache
def _shifts() -> tuple[Floats, Floats]:
    points, shares = np.polynomial.hermite_e.hermegauss(_POINTS)
    return points, shares / shares.sum()
