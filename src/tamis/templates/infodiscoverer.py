"""InfoDiscoverer: blocks whose words are spread evenly over all pages are redundant.

Idea:      a word of the menu is spread evenly over the pages (entropy 1), a word of an article is not (towards 0); a
           block is redundant when the mean over its words is above a threshold that the method finds by itself.
Reference: Lin & Ho (2002), as described by Gottron (2008), section 3.3.2.
Departs:   blocks are all elements that are used for layout today, not only table cells (``blocks="tables"``). The
           search for the threshold continues until something is accepted.
Strong at: sites whose pages are about different things.
Weak at:   the one threshold decides everything; stop words and stems are English; related links look informative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.ranges import SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._entropy import (
    BLOCKS,
    TABLES,
    block_entropy,
    block_features,
    block_owners,
    greedy_threshold,
    word_entropies,
)
from tamis.templates._texts import filled_leaves, kept_spans


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a block is, and where redundancy begins."""

    blocks: Literal["layout", "tables"] = "layout"  # tables: Lin & Ho, when tables made the layout of most pages
    threshold: float | None = None  # None: found by the greedy search, which gave 0.1-0.7 in the paper

    def __post_init__(self) -> None:
        check_ranges(self, threshold=SHARE)

    @property
    def names(self) -> tuple[str, ...]:
        return BLOCKS if self.blocks == "layout" else TABLES


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    entropies: dict[str, float]
    threshold: float


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    features = [block_features(page, options.names) for page in pages]
    entropies = word_entropies(features)
    threshold = options.threshold
    if threshold is None:
        blocks = ((block_entropy(words, entropies), words) for page in features for words in page.values() if words)
        threshold = greedy_threshold(blocks)
    shared = {word: round(value, 6) for word, value in entropies.items() if value > 0}
    return Template(model={"entropies": shared, "threshold": threshold})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    leaves = filled_leaves(page)
    informative = informative_blocks(page, template, options)
    owners = block_owners(page, leaves, options.names)
    kept = np.array([owner in informative for owner in owners.tolist()], dtype=np.bool_)
    return Extraction(page=page, spans=kept_spans(page, leaves, kept))


def informative_blocks(page: Page, template: Template, options: Options) -> frozenset[int]:
    """Nodes of the blocks that are not redundant."""
    entropies, threshold = template.model["entropies"], template.model["threshold"]
    return frozenset(
        node
        for node, words in block_features(page, options.names).items()
        if words and block_entropy(words, entropies) <= threshold
    )
