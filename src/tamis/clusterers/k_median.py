"""k-median: each of k groups is represented by a page, and every page belongs to the nearest of these.

Idea:      start with random groups; the page with the smallest sum of distances to its group represents it; every page
           moves to the nearest such page; repeat until nothing changes. The best of many starts is taken.
Reference: Gottron (2008), section 7.1.2.
Departs:   the source averages its measures over the starts; here the best start is the answer.
Strong at: groups that are compact; never needs a mean of pages.
Weak at:   k must be known; long or unequal groups are cut up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tamis import distances as measures
from tamis.clusterers import _dendrogram
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.ranges import COUNT, NOT_NEGATIVE, check_ranges
from tamis.results import Clustering

_MAX_ROUNDS = 100  # a few are enough; without an end two pages at the same distance could change places for ever


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is compared, and how many groups there are."""

    distance: str = measures.DEFAULT  # one of: tamis methods distances
    k: int = 5  # Gottron's number of sites
    restarts: int = 100  # Gottron's number of runs
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, k=COUNT, restarts=COUNT, seed=NOT_NEGATIVE)


def cluster(pages: Iterable[Page], options: Options) -> Clustering:
    return cluster_by(_dendrogram.distances_of(pages, options.distance), options)


def cluster_by(distances: Floats, options: Options) -> Clustering:
    """The same from distances that are known already."""
    if not len(distances):
        return Clustering(groups=(), representatives=())
    chance = np.random.default_rng(options.seed)
    runs = [one_run(distances, options.k, chance) for _ in range(options.restarts)]
    medians, labels = min(runs, key=lambda run: float(distances[run[0][run[1]], np.arange(len(distances))].sum()))
    groups = _dendrogram.groups_of(labels)
    return Clustering(groups=groups, representatives=tuple(int(medians[labels[group[0]]]) for group in groups))


def one_run(distances: Floats, k: int, chance: np.random.Generator) -> tuple[Ints, Ints]:
    """From one start: the page that stands for each group, and the group of each page."""
    count = len(distances)
    k = min(k, count)
    labels = chance.integers(k, size=count)
    medians = np.full(k, -1, dtype=np.int64)
    for _ in range(_MAX_ROUNDS):
        found = _medians(distances, labels, k)
        if np.array_equal(found, medians):
            break
        medians = found
        labels = np.argmin(distances[medians], axis=0)  # of equals the first
        labels[medians] = np.arange(k)
    return medians, labels


def _medians(distances: Floats, labels: Ints, k: int) -> Ints:
    medians = np.full(k, -1, dtype=np.int64)
    for label in range(k):
        members = np.flatnonzero(labels == label)
        if len(members):
            medians[label] = members[np.argmin(distances[np.ix_(members, members)].sum(axis=1))]
    for label in np.flatnonzero(medians < 0).tolist():
        # A group without pages starts anew with the page that is furthest from the one that stands for it.
        far = distances[medians[labels], np.arange(len(labels))].copy()
        far[medians[medians >= 0]] = -1
        medians[label] = int(np.argmax(far))
        labels[medians[label]] = label
    return medians
