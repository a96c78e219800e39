"""MinHash: single linkage between pages whose hashes suggest that they are similar, for very many pages.

Idea:      the sketch of a page is the smallest item hash in each of many ranges; only pages whose sketches agree in a
           band of ranges are compared. A page very near to an earlier one is represented by it and not stored.
Reference: Broder (1997); one permutation for all ranges after Li, Owen & Zhang (2012), empty ranges filled from the
           next one after Shrivastava & Li (2014); bands after Indyk & Motwani (1998).
Departs:   the groups are those of single linkage at a threshold, as far as the bands find the pairs; at the end the
           pages that are kept are compared all with all, if they are not too many.
Strong at: a hundred thousand pages and more, one by one: the cost of a page does not grow with their number.
Weak at:   two parts of a template that only a few middling links hold together may stay apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tamis import registry
from tamis.clusterers._dendrogram import groups_of
from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes, mixed
from tamis.page.model import Page
from tamis.ranges import SHARE, check_ranges
from tamis.results import Clustering

_BANDS, _ROWS = 32, 4  # finds a pair that shares half of its items with 0.87, a tenth of them with 0.003
_BIN_STARTS = (np.arange(_BANDS * _ROWS, dtype=np.uint64)) << np.uint64(57)
_MAX_COMPARED = 8  # of the pages with the most bands in common; the first is nearly always near enough
_MAX_KEPT = 5_000  # above it the last comparison, all with all, is left out: it takes 0.2 GB


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is compared, and up to which distance pages belong together."""

    distance: Literal["common_paths", "common_path_shingles", "common_tag_sequence_shingles"] = (
        "common_tag_sequence_shingles"
    )
    threshold: float | None = None  # default: that of the distance

    def __post_init__(self) -> None:
        check_ranges(self, threshold=SHARE)


def cluster(pages: Iterable[Page], options: Options) -> Clustering:
    measure = registry.load("distances", options.distance)
    return cluster_features((measure.features(page, measure.Options()) for page in pages), options)


def cluster_features(features: Iterable[Hashes], options: Options) -> Clustering:
    """The same from the features of pages, which are small enough to be stored or sent."""
    measure = registry.load("distances", options.distance)
    threshold = measure.THRESHOLD if options.threshold is None else options.threshold
    kept = _Kept(threshold)
    for bag in features:
        kept.add(bag)
    kept.compare_all()
    groups = groups_of(np.array([kept.root(owner) for owner in kept.owner], dtype=np.int64))
    return Clustering(groups=groups, threshold=threshold)


@dataclass
class _Kept:
    """The pages that stand for others, found again through their bands, and how they hang together."""

    threshold: float
    bags: list[Hashes] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)  # for every page the kept one that stands for it
    buckets: dict[int, list[int]] = field(default_factory=dict)

    def add(self, bag: Hashes) -> None:
        keys = band_keys(bag).tolist()
        found = Counter(place for key in keys for place in self.buckets.get(key, ()))
        likely = sorted(found, key=lambda place: (-found[place], place))[:_MAX_COMPARED]
        distances = {place: bags.for_pair(bag, self.bags[place], bags.missing) for place in likely}
        linked = [place for place, distance in distances.items() if distance <= self.threshold]
        # Within half of the threshold everything near the page is about as near to the one that stands for it.
        near = [place for place in linked if distances[place] <= self.threshold / 2]
        if near:
            owner = min(near, key=lambda place: (distances[place], place))
        else:
            owner = len(self.bags)
            self.bags.append(bag)
            self.parent.append(owner)
            for key in keys:
                self.buckets.setdefault(key, []).append(owner)
        self.owner.append(owner)
        for place in linked:
            self._link(owner, place)

    def compare_all(self) -> None:
        """Link what the bands have missed."""
        if len(self.bags) <= _MAX_KEPT:
            distances = bags.for_all_pairs(self.bags, bags.missing)
            for first, second in np.argwhere(np.triu(distances <= self.threshold, 1)).tolist():
                self._link(first, second)

    def root(self, place: int) -> int:
        while self.parent[place] != place:
            self.parent[place] = self.parent[self.parent[place]]
            place = self.parent[place]
        return place

    def _link(self, place: int, other: int) -> None:
        first, second = sorted((self.root(place), self.root(other)))
        self.parent[second] = first


def sketch(bag: Hashes) -> Hashes:
    """The smallest item in each of the equal ranges of all numbers; an empty range borrows from the next one."""
    count = len(_BIN_STARTS)
    if not len(bag):
        return np.zeros(count, dtype=np.uint64)
    first = np.searchsorted(bag, _BIN_STARTS)
    is_filled = np.append(first[1:], len(bag)) > first
    places = np.arange(count)
    # The filled range at or after each place, going round once.
    filled = np.flatnonzero(is_filled)
    lender = filled[np.searchsorted(filled, places) % len(filled)]
    steps = (lender - places) % count
    return mixed(bag[first[lender]] + mixed(steps))


def band_keys(bag: Hashes) -> Hashes:
    """One number per band of the sketch."""
    rows = mixed(sketch(bag) + mixed(np.arange(_BANDS * _ROWS)))
    keys: Hashes = rows.reshape(_BANDS, _ROWS).sum(axis=1, dtype=np.uint64)
    return keys
