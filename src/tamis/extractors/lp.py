"""Largest pagelet: the sub-tree with the most text, after the page is split where links gather.

Idea:      split the page wherever a child contains many links, until none does; the longest piece is the main content.
Reference: Gottron (2008), section 6.3, on the page partitioning of Bar-Yossef & Rajagopalan (2002).
Departs:   text that no browser shows has no size and is not returned.
Strong at: articles that lie in one sub-tree with few links.
Weak at:   a list of links among the paragraphs: it cuts the article up, and only its longest paragraph is left. No
           number of links suits all sites.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import Page
from tamis.ranges import COUNT, check_ranges
from tamis.results import Extraction
from tamis.templates._partition import pagelets


@dataclass(frozen=True, kw_only=True)
class Options:
    """How many links make a part of a page a region of its own."""

    min_links: int = 7  # Gottron's choice from 3-11; Bar-Yossef & Rajagopalan use 3

    def __post_init__(self) -> None:
        check_ranges(self, min_links=COUNT)


def extract(page: Page, options: Options) -> Extraction:
    return Extraction(page=page, spans=page.subtree_spans(locate(page, options)))


def locate(page: Page, options: Options) -> int:
    """The pagelet with the most characters, white space not counted."""
    nodes = page.nodes
    candidates = pagelets(page, options.min_links)
    sizes = nodes.totals(page.flow.characters)[candidates]
    # Of equals the paper keeps the one its queue meets first: the highest, then the first in the document.
    return int(candidates[np.lexsort((nodes.depth[candidates], -sizes))[0]])
