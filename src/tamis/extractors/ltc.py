"""Largest tag count: the largest sub-tree whose children repeat a tag more often than any node below it.

Idea:      much structure means many tags; the sub-tree with the most tags holds the records of the page.
Reference: the wrapper generator XWRAP (Han, Buttler & Pu 2001), as described by Gottron (2008), section 6.2.1.
Departs:   the whole page always has the most tags, and our sources do not say how the paper gets below it. Here a node
           is discarded if some node below it repeats one tag more often among its children; of the remaining nodes, the
           one with the most tags is taken. A tag counts if it holds text that a reader can see.
Strong at: tables and lists whose records are rich in tags.
Weak at:   running text, which has fewer tags than the navigation around it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import Nodes, Page
from tamis.page.text import Bools, Ints
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """No options."""


def extract(page: Page, options: Options) -> Extraction:
    return Extraction(page=page, spans=page.subtree_spans(locate(page, options)))


def locate(page: Page, options: Options) -> int:
    """The node with the most tags that no node below it outdoes, the first of equals."""
    nodes = page.nodes
    has_text = nodes.totals(page.flow.characters) > 0
    is_counted = has_text & nodes.elements
    repeats = _repeats(nodes, is_counted)
    tags = nodes.totals(is_counted.astype(np.int64))
    return int(np.argmax(np.where(repeats == _highest(nodes, repeats), tags, -1)))


def _repeats(nodes: Nodes, is_counted: Bools) -> Ints:
    """How many children of each node share their name, for its most frequent one; rare names count as one name."""
    children = np.flatnonzero(is_counted)
    kinds, counts = np.unique((nodes.parent[children] << 8) | nodes.tag[children], return_counts=True)
    repeats = np.zeros(len(nodes), dtype=np.int64)
    np.maximum.at(repeats, kinds >> 8, counts)
    return repeats


def _highest(nodes: Nodes, values: Ints) -> Ints:
    """The largest value in each sub-tree."""
    highest = values.copy()
    order = np.argsort(nodes.depth, kind="stable")
    levels = np.searchsorted(nodes.depth[order], np.arange(nodes.depth.max() + 2))
    for first, last in zip(levels[-2:0:-1].tolist(), levels[:1:-1].tolist(), strict=True):
        level = order[first:last]
        np.maximum.at(highest, nodes.parent[level], highest[level])
    return highest
