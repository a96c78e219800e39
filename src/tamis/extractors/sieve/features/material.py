"""What the families of features are counted from, each piece counted once for a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.about.comment_names import COMMENT_NAMES
from tamis.extractors.sieve.containers import LEVELS, Containers
from tamis.extractors.sieve.features.counts import Counts
from tamis.extractors.sieve.features.text_matches import TextMatches, text_matches
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.names import joined, parts_of_words
from tamis.page.text import Bools, Floats, Ints

Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64]
Columns = Mapping[str, npt.NDArray[np.generic] | float]
"""A family: for each feature a number per block, or one number where all blocks of the page have the same."""

COMMENTS = parts_of_words(COMMENT_NAMES)


class Group(NamedTuple):
    """Blocks that look alike: the number of each block's group, and sums over each group."""

    of: Ints
    blocks: Ints
    words: Floats
    link_words: Floats
    text_words: Floats


class Card(NamedTuple):
    """The container around each block that is repeated most often on the page, and what it holds."""

    repeats: Ints
    words: Floats
    link_words: Floats
    text_words: Floats


@dataclass(frozen=True, eq=False)
class Material:
    """A page with at least one block, its containers, and what several families need."""

    page: Page
    containers: Containers

    @cached_property
    def counts(self) -> Counts:
        return Counts(self.page)

    @cached_property
    def matches(self) -> TextMatches:
        return text_matches(self.page)

    @cached_property
    def levels(self) -> Mapping[str, Floats]:
        """Sums over the containers around each block, by name: a row per level, an entry per block."""
        ancestors = self.containers.ancestors
        return self.counts.over(self.containers.first[ancestors], self.containers.last[ancestors])

    @cached_property
    def alike(self) -> Group:
        """Blocks with the same looks, their own and those of all containers around them."""
        return self._group(look_groups(self.containers))

    @cached_property
    def siblings(self) -> Group:
        """Blocks whose holders stand in containers of the same looks."""
        paths = self.containers.paths[self.containers.parent[self.containers.holder]]
        return self._group(np.unique(paths, return_inverse=True)[1])

    def _group(self, group: Ints) -> Group:
        counts = self.counts
        rows = (counts.words, self.page.blocks.link_words, counts.words * counts.is_text)
        sums = (np.bincount(group, weights=row).astype(np.float64) for row in rows)
        return Group(group, np.bincount(group), *sums)

    @cached_property
    def repeats(self) -> Ints:
        """For each container how many look like it."""
        _, kind, count = np.unique(self.containers.paths, return_inverse=True, return_counts=True)
        return count[kind]

    @cached_property
    def card(self) -> Card:
        levels = self.repeats[self.containers.ancestors]
        card = np.take_along_axis(self.containers.ancestors, levels.argmax(axis=0)[None], axis=0)[0]
        sums = self.counts.over(self.containers.first[card], self.containers.last[card])
        return Card(levels.max(axis=0), sums["words"], sums["link_words"], sums["text_words"])

    @cached_property
    def in_comments(self) -> Bools:
        """Blocks below a container that is named after comments."""
        containers = self.containers
        names = joined(np.arange(len(containers)), containers.names, containers.name)
        named = np.zeros(len(containers), dtype=np.int64)
        named[names.found(COMMENTS)] = 1
        named[mask("html", "body")[containers.tag]] = 0
        return containers.path_sums(named)[containers.holder] > 0


def look_groups(containers: Containers) -> Ints:
    """For each block the number of the group of those that look alike."""
    return np.unique(containers.paths[containers.holder], return_inverse=True)[1]


def per_level(name: str, rows: Numbers, first: int = 0) -> Mapping[str, Numbers]:
    """A feature for each level of containers: ``level0_share``, ``level1_share`` and so on.

    >>> list(per_level("level{}_share", np.zeros((2, 3))))
    ['level0_share', 'level1_share']
    """
    return {name.format(level): rows[level - first] for level in range(first, min(LEVELS, first + len(rows)))}
