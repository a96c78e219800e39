"""Average linkage: repeatedly merge the two groups with the smallest mean distance between their pages.

Idea:      like single linkage, but the distance of two groups is the mean over all pairs of their pages.
Reference: Sokal & Michener (1958); joins found with the nearest-neighbour chain of Benzécri (1982).
Departs:   nothing.
Strong at: a chain of pages between two templates does not merge them.
Weak at:   templates with much variety: their pages are far apart on average though each has a near neighbour. The
           default thresholds are those of single linkage, which suit it less.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tamis import distances as measures
from tamis.clusterers import _dendrogram
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.results import Clustering, Merge


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is compared, and where to stop: at most one of the last three."""

    distance: str = measures.DEFAULT  # one of: tamis methods distances
    k: int | None = None  # stop at this number of groups
    threshold: float | None = None  # merge up to this mean distance; default: that of the distance
    largest_gap: bool = False  # stop at the widest gap between the distances that occur

    def __post_init__(self) -> None:
        _dendrogram.check(self)


def cluster(pages: Iterable[Page], options: Options) -> Clustering:
    return cluster_by(_dendrogram.distances_of(pages, options.distance), options)


def cluster_by(distances: Floats, options: Options) -> Clustering:
    """The same from distances that are known already."""
    return _dendrogram.cut_joins(join(distances), distances, options)


def join(distances: Floats) -> list[Merge]:
    """All joins down to one group, nearest first; each names two pages, one of either group."""
    means = distances.astype(np.float64)  # between groups, each at the place of its first page
    np.fill_diagonal(means, np.inf)
    sizes = np.ones(len(means))
    is_left = np.ones(len(means), dtype=np.bool_)
    chain: list[int] = []
    merges: list[Merge] = []
    while len(merges) < len(means) - 1:
        if not chain:
            chain = [int(np.argmax(is_left))]
        group = chain[-1]
        nearest = int(np.argmin(means[group]))
        if len(chain) > 1 and means[group, chain[-2]] <= means[group, nearest]:
            # Each is the nearest of the other: no later join can come between them.
            nearest = chain[-2]
            del chain[-2:]
            first, second = sorted((group, nearest))
            merges.append(Merge(first, second, float(means[first, second])))
            total = sizes[first] + sizes[second]
            joined = (means[first] * sizes[first] + means[second] * sizes[second]) / total
            joined[first] = np.inf
            means[first] = means[:, first] = joined
            means[second] = means[:, second] = np.inf
            sizes[first], is_left[second] = total, False
        else:
            chain.append(nearest)
    return sorted(merges, key=lambda merge: merge.distance)
