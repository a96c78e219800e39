"""Bag of paths: the share of root-to-leaf paths that differ, each counted as often as it occurs.

Idea:      like common paths, but a page with forty list entries differs from one with four.
Reference: Joshi, Agrawal, Krishnapuram & Negi (2003), as described by Gottron (2008), section 3.5.
Departs:   the largest count, by which the source divides all others, cancels out and is left out.
Strong at: telling lists from articles within a site.
Weak at:   templates with lists and articles of any length: number outweighs shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes, elements_of, path_hashes
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.ranges import COUNT, SOME_SHARE, check_ranges

# For single linkage: best F0.5 of pairs by host on 2,053 training pages (bench/clustering.py thresholds). Made-up sites
# that wrap one category once more fall apart here; a threshold that keeps them whole joins hundreds of hosts.
THRESHOLD = 0.55


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which paths count: those on neither too few nor too many of the pages that are compared."""

    min_pages: int = 1  # a path on fewer pages is left out; the source gives no number
    max_share: float = 1.0  # a path on more than this share of the pages is left out; the source gives no number

    def __post_init__(self) -> None:
        check_ranges(self, min_pages=COUNT, max_share=SOME_SHARE)


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> Hashes:
    """The paths of a page, hashed, sorted, each as often as it occurs."""
    elements = elements_of(page)
    return np.sort(path_hashes(elements)[elements.leaves])


def between(paths: Hashes, other: Hashes, options: Options) -> float:
    return float(matrix([paths, other], options)[0, 1])


def matrix(paths: Sequence[Hashes], options: Options) -> Floats:
    kept = paths
    if options != Options() and paths:
        found, pages = np.unique(np.concatenate([np.unique(each) for each in paths]), return_counts=True)
        counting = found[(pages >= options.min_pages) & (pages <= options.max_share * len(paths))]
        kept = [each[np.isin(each, counting)] for each in paths]
    return bags.for_all_pairs([bags.counted(each) for each in kept], _not_common)


def _not_common(shared: Floats, size: Floats, other: Floats) -> Floats:
    """One less the smaller counts over the larger ones."""
    return bags.share_outside(shared, size + other - shared)
