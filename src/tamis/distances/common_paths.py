"""Common paths: the share of root-to-leaf paths that two pages do not have in common.

Idea:      a template fixes the position of things; the set of all paths of element names from the root to a leaf shows
           it, independently of how often a path repeats.
Reference: Gottron (2008), section 7.1.1.
Departs:   a leaf is an element without child elements; texts are not part of a path (the source leaves this open).
Strong at: lists and articles of any length, blocks in another order; the fastest of the good ones.
Weak at:   an additional wrapper near the root: it changes every path below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes, elements_of, path_hashes
from tamis.page.model import Page
from tamis.page.text import Floats

# For single linkage: best F0.5 of pairs by host on 2,053 training pages, among the thresholds that keep the made-up
# sites whole (bench/clustering.py thresholds). Gottron (2008), table 7.5, has 0.7 for his five sites.
THRESHOLD = 0.6


@dataclass(frozen=True, kw_only=True)
class Options:
    """No options."""


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> Hashes:
    """The paths of a page, hashed."""
    elements = elements_of(page)
    return bags.distinct(path_hashes(elements)[elements.leaves])


def between(paths: Hashes, other: Hashes, options: Options) -> float:
    return bags.for_pair(paths, other, bags.missing)


def matrix(paths: Sequence[Hashes], options: Options) -> Floats:
    return bags.for_all_pairs(paths, bags.missing)
