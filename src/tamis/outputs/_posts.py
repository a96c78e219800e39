"""Posts, answers and comments that follow each other: where one ends and the next begins."""

from __future__ import annotations

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints

_POSTS = (
    'article, [itemprop="comment"], [itemprop="suggestedAnswer"], [itemprop="acceptedAnswer"], [itemtype$="/Comment"], '
    '[itemtype$="/Answer"], [itemtype$="/DiscussionForumPosting"], .comment, .answer, .post, .reply, .message'
)


def post_starts(page: Page, texts: Ints) -> list[int]:
    """Elements that are posts, each after another post beside it, if they do not begin with a heading."""
    nodes = page.nodes
    found = []
    last_of: dict[int, int] = {}  # for an element, the last post in it of which something is kept
    is_heading = nodes.inside(nodes.named("h1", "h2", "h3", "h4", "h5", "h6"))
    for node in page.select(_POSTS):
        first, last = np.searchsorted(texts, (node, nodes.end[node])).tolist()
        if first == last:
            continue
        above = int(nodes.parent[node])
        if above in last_of and not is_heading[texts[first]]:
            found.append(node)
        last_of[above] = node
    return found
