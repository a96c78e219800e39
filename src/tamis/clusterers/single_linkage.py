"""Single linkage: repeatedly merge the two groups that contain the two nearest pages.

Idea:      start with every page as its own group; merge the two groups with the two nearest pages; stop at a distance,
           at a number of groups, or at the widest gap between distances.
Reference: Gottron (2008), section 7.1.2; the automatic stop after the gaps in his figure 7.9.
Departs:   the joins are found along a shortest tree that links all pages: the same groups, in quadratic time.
Strong at: groups of any shape and size; with path or tag shingles it made no error on five sites of a hundred pages.
Weak at:   a chain of pages between two templates merges them.
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
    threshold: float | None = None  # merge up to this distance; default: that of the distance
    largest_gap: bool = False  # stop at the widest gap between the distances that occur

    def __post_init__(self) -> None:
        _dendrogram.check(self)


def cluster(pages: Iterable[Page], options: Options) -> Clustering:
    return cluster_by(_dendrogram.distances_of(pages, options.distance), options)


def cluster_by(distances: Floats, options: Options) -> Clustering:
    """The same from distances that are known already; nothing is assumed of them but symmetry."""
    return _dendrogram.cut_joins(join(distances), distances, options)


def join(distances: Floats) -> list[Merge]:
    """All joins down to one group, nearest first; each names two pages, one of either group."""
    count = len(distances)
    if not count:
        return []
    nearest = distances[0].copy()  # from each page to the tree that grows from page 0
    via = np.zeros(count, dtype=np.int64)
    nearest[0] = np.inf
    is_in = np.zeros(count, dtype=np.bool_)
    is_in[0] = True
    merges = []
    for _ in range(count - 1):
        page = int(np.argmin(nearest))
        merges.append(Merge(int(via[page]), page, float(distances[via[page], page])))
        is_in[page] = True
        row = distances[page]
        nearer = (row < nearest) & ~is_in
        nearest[nearer], via[nearer] = row[nearer], page
        nearest[page] = np.inf
    return sorted(merges, key=lambda merge: merge.distance)
