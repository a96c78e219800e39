"""Longest common tag subsequence: the share of tags outside the longest sequence that both pages contain.

Idea:      read the tags of both pages from left to right and keep as many as possible that both have in that order.
Reference: Gottron (2008), section 7.1.1; bit-parallel after Hyyrö (2004).
Departs:   takes the tags from the tree unless told otherwise; reads the first ``max_tags`` of a page only, since time
           grows with the product of both lengths.
Strong at: sees order and nesting at once; five sites of a hundred pages without an error.
Weak at:   blocks in another order; long pages, which dominate; slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.distances import _bags as bags
from tamis.distances._structure import TagSource, tag_sequence
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import COUNT, check_ranges

THRESHOLD = None  # no gap between near and far in Gottron's histograms (2008, figure 7.9)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Whose tags are read, and how many."""

    tags_from: TagSource = "tree"  # the parsed tree, or the tags that are written in the source
    max_tags: int = 20_000  # ordinary pages have 1,000-5,000; two of this length take about 0.1 s

    def __post_init__(self) -> None:
        check_ranges(self, max_tags=COUNT)


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> Ints:
    """The tags of a page from left to right."""
    return tag_sequence(page, options.tags_from)[: options.max_tags]


def between(tags: Ints, other: Ints, options: Options) -> float:
    return float(_from_one(tags, [other])[0])


def matrix(tags: Sequence[Ints], options: Options) -> Floats:
    distances = np.zeros((len(tags), len(tags)))
    for number, page in enumerate(tags):
        distances[number, number + 1 :] = _from_one(page, tags[number + 1 :])
        distances[number + 1 :, number] = distances[number, number + 1 :]
    return distances


def _from_one(page: Ints, others: Sequence[Ints]) -> Floats:
    lengths = np.array([len(other) for other in others], dtype=np.float64)
    return bags.missing(common_lengths(page, others).astype(np.float64), np.array(float(len(page))), lengths)


def common_lengths(page: Ints, others: Sequence[Ints]) -> Ints:
    """The length of the longest common subsequence with each of the others.

    All others stand side by side in one large number, a bit per tag, with an empty bit behind each; so one addition
    moves all of them on by one tag of the page.

    >>> common_lengths(np.array([1, 2, 3]), [np.array([1, 3]), np.array([3, 2])]).tolist()
    [2, 1]
    """
    if not others:
        return np.zeros(0, dtype=np.int64)
    empty = np.array([-1])
    row = np.concatenate([part for other in others for part in (other, empty)])
    everywhere = _as_number(row >= 0)
    places = {tag: _as_number(row == tag) for tag in np.unique(page).tolist()}
    free = everywhere  # a bit is cleared for every tag by which the common subsequence grows
    for tag in page.tolist():
        here = free & places[tag]
        free = ((free + here) | (free - here)) & everywhere
    bits = np.unpackbits(np.frombuffer(free.to_bytes(len(row) // 8 + 1, "little"), dtype=np.uint8), bitorder="little")
    taken = (row >= 0) & (bits[: len(row)] == 0)
    lengths = [len(other) + 1 for other in others]
    return np.add.reduceat(taken.astype(np.int64), np.cumsum([0, *lengths[:-1]]))


def _as_number(bits: Bools) -> int:
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")
