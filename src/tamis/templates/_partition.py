"""Page partitioning: a page cut at the places where links gather.

A pagelet is a node none of whose children holds ``min_links`` links, below no other pagelet. Together the pagelets hold
every node of the page that was not cut. Bar-Yossef & Rajagopalan (2002), as described by Gottron (2008), section 6.3.
"""

from __future__ import annotations

import numpy as np

from tamis.page.model import LINK, Nodes, Page
from tamis.page.text import Bools, Ints


def pagelets(page: Page, min_links: int) -> Ints:
    """The nodes a page falls into, in document order; white space and comments between regions are among them."""
    nodes = page.nodes
    links = nodes.totals(links_of(nodes).astype(np.int64))
    is_cut = nodes.marked(nodes.parent[1:][links[1:] >= min_links])
    # The paper walks down from the root. There is no need to: a node that is cut holds enough links for its parent to
    # be cut, and so on up to the root. Hence whatever stands right below a cut has been reached.
    is_reached = np.append(True, is_cut[nodes.parent[1:]])
    return np.flatnonzero(is_reached & ~is_cut)


def links_of(nodes: Nodes) -> Bools:
    """True for links: anchors with an address, hidden ones included."""
    links: Bools = nodes.named("a") & ((nodes.flags & LINK) != 0)
    return links
