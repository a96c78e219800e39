"""Trees of regions as lists: who is part of whom, which nodes and which words belong to which region."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.page.blocks import running_text
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.results import Region


class Placed(NamedTuple):
    """A region and where it stands: the number of the region it is a part of (-1 for the root), and how deep."""

    region: Region
    parent: int
    depth: int


def walk(root: Region) -> list[Placed]:
    """The root and everything below it, each region before its parts, siblings in order."""
    placed: list[Placed] = []
    waiting = [(root, -1, 0)]
    while waiting:
        region, parent, depth = waiting.pop()
        placed.append(Placed(region, parent, depth))
        waiting += [(part, len(placed) - 1, depth + 1) for part in reversed(region.parts)]
    return placed


def owners(page: Page, placed: Sequence[Placed]) -> Ints:
    """For each node of the page the number of the deepest region around it; -1 for none.

    A node of a region stands for everything below it. Where siblings share a node, the one that names the deeper node
    has it.
    """
    owner = np.full(len(page.nodes), -1, dtype=np.int64)
    claims = sorted((item.depth, node, number) for number, item in enumerate(placed) for node in item.region.nodes)
    for _, node, number in claims:
        owner[node : page.nodes.end[node]] = number
    return owner


def texts(page: Page, placed: Sequence[Placed]) -> list[str]:
    """For each region the visible text of its own, block by block, without that of its parts."""
    blocks = page.blocks
    owner = owners(page, placed)[blocks.leaves]
    block = np.repeat(np.arange(len(blocks)), np.diff(blocks.first_leaf))
    is_first = (np.diff(owner, prepend=-2) != 0) | (np.diff(block, prepend=-1) != 0)
    borders = [*np.flatnonzero(is_first).tolist(), len(owner)]
    said: list[list[str]] = [[] for _ in placed]
    for first, last in itertools.pairwise(borders):
        if owner[first] >= 0:
            leaves = blocks.leaves[first:last].tolist()
            said[owner[first]].append(running_text(page, leaves, [page.node_text(leaf) for leaf in leaves]))
    return ["\n".join(filter(None, lines)) for lines in said]
