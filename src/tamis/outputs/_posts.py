"""Posts, answers and comments that follow each other: where one ends and the next begins."""

from __future__ import annotations

import numpy as np

from tamis.about.comment_names import POST_CLASSES, POST_PROPERTIES, POST_TYPES
from tamis.outputs._holders import Holders
from tamis.page.html import HEADINGS
from tamis.page.text import Ints


def post_starts(holders: Holders, texts: Ints) -> list[int]:
    """Elements that are posts, each after another post beside it, if they do not begin with a heading."""
    nodes = holders.page.nodes
    found = []
    last_of: dict[int, int] = {}  # for an element, the last post in it of which something is kept
    posts = _posts(holders)
    if len(posts) < 2:
        return []
    is_heading = nodes.inside(nodes.named(*HEADINGS))
    for node in posts:
        first, last = np.searchsorted(texts, (node, nodes.end[node])).tolist()
        if first == last:
            continue
        above = int(nodes.parent[node])
        if above in last_of and not is_heading[texts[first]]:
            found.append(node)
        last_of[above] = node
    return found


def _posts(holders: Holders) -> list[int]:
    """Elements that are called posts, in page order."""
    found = {*holders.named("article").tolist(), *holders.with_class(POST_CLASSES)}
    page = holders.page
    found.update(node for node, name in page.said("itemprop", holders.node).items() if name in POST_PROPERTIES)
    found.update(node for node, kind in page.said("itemtype", holders.node).items() if kind.endswith(POST_TYPES))
    return sorted(found)
