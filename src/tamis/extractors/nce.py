"""News content extraction: the children of one node that hold few links.

Idea:      in the right place of the tree, an article is what remains when children rich in links are left out.
Reference: Laber et al. (2009), as described by Zelený (2017), section 3.1.1.
Departs:   our source gives neither the limit of link density nor how the node is found. Here it is the node whose
           remaining children hold the most characters outside links; of several such nodes, the deepest. White space
           and text that no browser shows are not counted; an anchor without a URL is not a link. The rules for titles
           and comments are not described in our source and are left out.
Strong at: articles with menus, related links and share buttons among their paragraphs.
Weak at:   pages with few links altogether, which are returned whole; paragraphs rich in links; content in several
           branches of the tree, when these branches also hold many links.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import LINK, Page
from tamis.page.text import Ints
from tamis.ranges import SOME_SHARE, check_ranges
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where the article ends and navigation begins."""

    max_link_density: float = 0.1  # swept 0.02-0.8 on training articles of WCXB and newspaper4k: best at 0.1 on both

    def __post_init__(self) -> None:
        check_ranges(self, max_link_density=SOME_SHARE)


def extract(page: Page, options: Options) -> Extraction:
    nodes = page.nodes
    _, forest = _search(page, options.max_link_density)
    chosen = nodes.marked(forest)
    leaves = page.blocks.leaves
    return Extraction(page=page, spans=page.text_spans(leaves[nodes.inside(chosen)[leaves]]))


def locate(page: Page, options: Options) -> int:
    """The node whose children with few links hold the article; the document if there is no text outside links."""
    node, _ = _search(page, options.max_link_density)
    return node


def _search(page: Page, max_link_density: float) -> tuple[int, Ints]:
    """The node, and those of its children that are the article."""
    nodes, characters = page.nodes, page.flow.characters
    sizes = nodes.totals(characters)
    link_sizes = nodes.totals(np.where(nodes.flags & LINK, characters, 0))
    link_densities = np.divide(link_sizes, sizes, out=np.ones(len(nodes)), where=sizes > 0)
    # A child without any text counts as nothing but links.
    children = np.flatnonzero((link_densities <= max_link_density) & (sizes > 0))
    children = children[children > 0]
    gains = np.zeros(len(nodes), dtype=np.int64)
    np.add.at(gains, nodes.parent[children], (sizes - link_sizes)[children])
    best = np.flatnonzero(gains == gains.max())
    node = int(best[np.argmax(nodes.depth[best])]) if gains.any() else 0
    return node, children[nodes.parent[children] == node]
