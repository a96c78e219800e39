"""How much of a block's own text is anchor text: what link quota filters decide on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.page.model import LINK, Nodes, Page
from tamis.page.text import Bools, Floats, Ints


class OwnText(NamedTuple):
    """The text of each block that lies in no smaller block, measured in characters that are no white space."""

    owner: Ints  # for each node the block it belongs to; 0, the document, outside all blocks
    characters: Floats  # for each node; 0 for those that are no blocks
    link_characters: Floats


def own_text(page: Page, blocks: Bools, texts: Ints) -> OwnText:
    """What some of the page's text nodes add to the blocks they lie in."""
    owner = page.nodes.nearest(blocks)
    characters = page.flow.characters[texts]
    in_link = (page.nodes.flags[texts] & LINK) != 0
    sums = (
        np.bincount(owner[texts], weights=sizes, minlength=len(owner)).astype(np.float64)
        for sizes in (characters, characters * in_link)
    )
    return OwnText(owner, *sums)


def word_estimate(characters: Floats, characters_per_word: int) -> Floats:
    """Words that so many characters make, the last one perhaps unfinished.

    >>> word_estimate(np.array([0.0, 1.0, 5.0, 6.0]), 5).tolist()
    [0.0, 1.0, 1.0, 2.0]
    """
    words: Floats = np.ceil(characters / characters_per_word)
    return words


def quotas(part: Floats, whole: Floats) -> Floats:
    """Part over whole; nothing over nothing is 0, something over nothing is infinite.

    >>> quotas(np.array([1.0, 0.0, 1.0]), np.array([4.0, 0.0, 0.0])).tolist()
    [0.25, 0.0, inf]
    """
    found = np.where(part > 0, np.inf, 0.0)
    return np.divide(part, whole, out=found, where=whole > 0)


def damped_totals(nodes: Nodes, values: Floats, damping: float) -> Floats:
    """Sum of a number per node over each subtree; every level further down counts ``damping`` times less."""
    sums = values.astype(np.float64)
    order = np.argsort(nodes.depth, kind="stable")
    levels = np.searchsorted(nodes.depth[order], np.arange(nodes.depth[order[-1]] + 2))
    for level in range(len(levels) - 2, 0, -1):
        below = order[levels[level] : levels[level + 1]]
        parents = nodes.parent[below]
        first = np.flatnonzero(np.diff(parents, prepend=-1))  # siblings stand together
        sums[parents[first]] += damping * np.add.reduceat(sums[below], first)
    return sums
