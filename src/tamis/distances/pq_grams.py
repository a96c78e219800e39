"""pq-grams: the share of small pieces of the tree, an element with some above and some below it, that differ.

Idea:      cut the tree into all pieces of p elements downwards and q children of the last one side by side; two trees
           are alike if they share most of their pieces. Close to the tree edit distance, in linear time.
Reference: Augsten, Böhlen & Gamper (2005).
Departs:   nothing.
Strong at: small changes anywhere cost little; order among siblings counts, but only nearby.
Weak at:   long lists weigh as much as they are long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.distances import _bags as bags
from tamis.distances._structure import ElementTree, Hashes, elements_of, mixed, runs, runs_upwards
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.ranges import COUNT, check_ranges

# For single linkage: best F0.5 of pairs by host on 2,053 training pages, among the thresholds that keep the made-up
# sites whole (bench/clustering.py thresholds).
THRESHOLD = 0.25

_NOTHING = 511  # stands for a missing sibling; no tag has this code


@dataclass(frozen=True, kw_only=True)
class Options:
    """The shape of the pieces."""

    p: int = 2  # elements from top to bottom; 2 and 3 are the authors' usual choice
    q: int = 3  # children side by side

    def __post_init__(self) -> None:
        check_ranges(self, p=COUNT, q=COUNT)


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> Hashes:
    """The pieces of a page, hashed, each as often as it occurs."""
    elements = elements_of(page)
    stems, _ = runs_upwards(elements, options.p)
    anchors, bases = _bases(elements, options.q)
    return bags.counted(mixed(stems)[anchors] + bases)


def between(pieces: Hashes, other: Hashes, options: Options) -> float:
    return bags.for_pair(pieces, other, bags.different)


def matrix(pieces: Sequence[Hashes], options: Options) -> Floats:
    return bags.for_all_pairs(pieces, bags.different)


def _bases(elements: ElementTree, q: int) -> tuple[Ints, Hashes]:
    """For every q places in a row among the children of an element, that element and the hashed names."""
    count = len(elements)
    below = np.flatnonzero(elements.parent >= 0)
    below = below[np.argsort(elements.parent[below], kind="stable")]  # the children of each element together
    children = np.bincount(elements.parent[below], minlength=count)
    # Every row of children stands between q - 1 empty places on either side; without children all q are empty.
    widths = np.where(children > 0, children + 2 * (q - 1), q)
    firsts = np.cumsum(widths) - widths
    row = np.full(int(widths.sum()), _NOTHING, dtype=np.int64)
    rank = np.arange(len(below)) - np.repeat(np.cumsum(children) - children, children)
    row[firsts[elements.parent[below]] + q - 1 + rank] = elements.tag[below]
    is_start = np.ones(len(row), dtype=np.bool_)
    for back in range(1, q):  # the last q - 1 places of each row begin nothing
        is_start[firsts + widths - back] = False
    starts = np.flatnonzero(is_start)
    return np.repeat(np.arange(count), widths - q + 1), runs(row, q)[starts]
