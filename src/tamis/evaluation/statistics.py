"""Means, bootstrap intervals, and paired differences over per-page scores; seeded, so that a report can be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_RESAMPLES = 1000
_SEED = 20100426  # any number; fixed so that two reports of the same rows are equal


class Interval(NamedTuple):
    """A mean and the range that holds 95 % of its bootstrap resamples."""

    mean: float
    low: float
    high: float


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean over pages and its interval.

    >>> mean_interval([1.0, 1.0])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    if not values:
        return Interval(0.0, 0.0, 0.0)
    array = np.asarray(values, dtype=np.float64)
    low, high = np.percentile(_resampled_means(array), [2.5, 97.5])
    return Interval(float(array.mean()), float(low), float(high))


def difference_interval(values: Sequence[float], others: Sequence[float]) -> Interval:
    """The mean difference on the same pages; a difference whose interval holds no 0 is no accident of the sample.

    >>> difference_interval([0.5, 1.0], [0.0, 0.5]).mean
    0.5
    """
    differences = np.asarray(values, dtype=np.float64) - np.asarray(others, dtype=np.float64)
    return mean_interval(differences.tolist())


def _resampled_means(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    random = np.random.default_rng(_SEED)
    means = np.empty(_RESAMPLES)
    for turn in range(_RESAMPLES):
        means[turn] = values[random.integers(0, len(values), len(values))].mean()
    return means
