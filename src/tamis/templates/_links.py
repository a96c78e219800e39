"""Links between the pages of a set."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from tamis import urls
from tamis.page.model import Page
from tamis.templates._partition import links_of


class Link(NamedTuple):
    """One anchor: the element, and the address it leads to, without fragment."""

    node: int
    target: str


def links(page: Page) -> list[Link]:
    """All anchors with an address, in document order."""
    nodes = np.flatnonzero(links_of(page.nodes))
    return [
        Link(node, _resolved(page.url, href))
        for node, href in zip(nodes.tolist(), page.attribute(nodes, "href"), strict=True)
        if href
    ]


def link_graph(pages: Sequence[Page]) -> list[set[int]]:
    """For each page the pages it is linked with, whichever of the two holds the link."""
    number = page_numbers(pages)
    graph: list[set[int]] = [set() for _ in pages]
    for source, page in enumerate(pages):
        for link in links(page):
            target = number.get(link.target)
            if target is not None and target != source:
                graph[source].add(target)
                graph[target].add(source)
    return graph


def page_numbers(pages: Sequence[Page]) -> dict[str, int]:
    """Which page an address belongs to."""
    return {_without_fragment(page.url): number for number, page in enumerate(pages) if page.url}


def connected(members: Collection[int], graph: Sequence[Collection[int]]) -> list[list[int]]:
    """Members that can be reached from each other through members, group by group.

    >>> connected([0, 1, 3, 4], [{1}, {0, 2}, {1}, {4}, {3}])
    [[0, 1], [3, 4]]
    """
    left = dict.fromkeys(members)
    groups = []
    for start in members:
        if start not in left:
            continue
        del left[start]
        group = [start]
        for member in group:  # grows while it is read
            for other in sorted(graph[member]):
                if other in left:
                    del left[other]
                    group.append(other)
        groups.append(sorted(group))
    return groups


def _resolved(base: str | None, href: str) -> str:
    return _without_fragment(urls.join(base or "", href.strip()) or href.strip())


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]
