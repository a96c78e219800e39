"""Blocks by tags, and how pure each is in one feature: what FeatureExtractor and K-FeatureExtractor decide on.

Debnath, Mitra & Giles (2005), as described by Gottron (2008), section 3.2.5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.page.names import is_element_name
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import SHARE, check_range

BLOCK_NAMES = ("table", "tr", "p", "hr", "ul")
"""In the order in which the paper cuts; ``hr`` holds nothing, but where there is one, what surrounds it is cut away."""


@dataclass(frozen=True, eq=False)
class Segments:
    """Blocks in document order, each named by the node it hangs from."""

    page: Page
    roots: Ints
    owner: Ints | None  # the block that each node belongs to; None: blocks are whole subtrees and may overlap

    def counts(self, values: Ints) -> Ints:
        """Sum of a number per node over each block; the root itself does not count."""
        if self.owner is None:
            return self.page.nodes.totals(values)[self.roots] - values[self.roots]
        inner = values.copy()
        inner[self.roots] = 0
        sums = np.bincount(self.owner, weights=inner, minlength=len(inner))
        return sums[self.roots].astype(np.int64)

    def inside(self, chosen: Ints) -> Bools:
        """True for the nodes of some of the blocks, which are given by their positions."""
        marked = self.page.nodes.marked(self.roots[chosen])
        return self.page.nodes.inside(marked) if self.owner is None else marked[self.owner]


def segment(page: Page, *, keep_residual: bool = False, overlap: bool = False) -> Segments:
    """The page cut at tables, then rows, and so on: what holds one of them is replaced by all that it holds.

    What lies outside of them is lost, unless ``keep_residual`` makes it a block; of elements nested in their like only
    the innermost are blocks, unless they may ``overlap``.
    """
    nodes = page.nodes
    if keep_residual:
        # Whatever is left of a block that was cut can be cut again, so that in the end every such element is a block.
        marked = nodes.named(*BLOCK_NAMES)
        marked[0] = True
        return Segments(page, np.flatnonzero(marked), nodes.nearest(marked))
    blocks = nodes.marked([0])
    for name in BLOCK_NAMES:
        is_named = nodes.named(name)
        below = nodes.totals(is_named.astype(np.int64)) - is_named
        is_cut = blocks & (below > 0)
        pieces = is_named & nodes.inside(is_cut)
        blocks = (blocks & ~is_cut) | (pieces if overlap else pieces & (below == 0))
    return Segments(page, np.flatnonzero(blocks), None)


def purities(segments: Segments, feature: str) -> Floats:
    """Share of a feature, words ("text") or elements of one name, in the words and elements of each block."""
    nodes = segments.page.nodes
    words = segments.counts(segments.page.flow.words)
    everything = words + segments.counts(nodes.elements.astype(np.int64))
    wanted = words if feature == "text" else segments.counts(nodes.named(feature).astype(np.int64))
    pure: Floats = wanted / np.maximum(everything, 1)
    return pure


def check_purity_options(feature: str, min_purity: float, keep_residual: bool, overlap: bool) -> None:
    """Raise if these values do not go together."""
    if feature != "text" and not is_element_name(feature):
        raise OptionError(f"option feature is {feature!r}, but 'text' or the name of an HTML element is expected")
    check_range("min_purity", min_purity, SHARE)
    if keep_residual and overlap:
        raise OptionError("option overlap is True, but False is expected when keep_residual is True")
