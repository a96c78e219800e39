"""Common tag sequence shingles: the share of short runs of tags that two pages do not have in common.

Idea:      compare runs of a few tags, opening and closing ones, in source order.
Reference: Gottron (2008), section 7.1.1.
Departs:   takes the tags from the tree unless told otherwise, which is ten times as quick as reading the source again.
Strong at: keeps sites furthest apart of all measures, in the source as here.
Weak at:   short pages; articles in which emphasis and links fall differently every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes, TagSource, runs, tag_sequence
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.ranges import COUNT, check_ranges

# For single linkage: best F0.5 of pairs by host on 2,053 training pages, among the thresholds that keep the made-up
# sites whole (bench/clustering.py thresholds). Flat up to 0.7; at the 0.85 of Gottron (2008), table 7.5,
# many hosts become one.
THRESHOLD = 0.6


@dataclass(frozen=True, kw_only=True)
class Options:
    """How long the runs are, and whose tags are read."""

    length: int = 8  # Gottron's choice, after the smallest window of DSC
    tags_from: TagSource = "tree"  # the parsed tree, or the tags that are written in the source

    def __post_init__(self) -> None:
        check_ranges(self, length=COUNT)


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> Hashes:
    """The runs of tags of a page, hashed."""
    return bags.distinct(runs(tag_sequence(page, options.tags_from), options.length))


def between(found: Hashes, other: Hashes, options: Options) -> float:
    return bags.for_pair(found, other, bags.missing)


def matrix(found: Sequence[Hashes], options: Options) -> Floats:
    return bags.for_all_pairs(found, bags.missing)
