"""Pages of bare elements, written as outlines: ``html(body(div(p,p),ul(li)))``. No parser adds a head to them."""

from __future__ import annotations

import re
from typing import cast

import numpy as np
from hypothesis import strategies as st

from tamis.page import tree
from tamis.page.html import TAG_CODES
from tamis.page.model import Description, Nodes, Page, Tree
from tamis.page.text import Ints

Outline = tuple[str, tuple["Outline", ...]]
"""A name and what is below it."""


def page_of(outline: str | Outline) -> Page:
    """A page of these elements and nothing else."""
    listed = list(_in_order(read(outline) if isinstance(outline, str) else outline))
    names = ["#document", *(name for name, _ in listed)]
    ends = tree.subtree_ends(np.array([1, *(children for _, children in listed)], dtype=np.int64))
    depth = tree.depths(ends)
    nothing: Ints = np.zeros(len(names), dtype=np.int64)
    nodes = Nodes(
        tag=np.array([TAG_CODES[name] for name in names], dtype=np.uint8),
        parent=tree.parents(depth),
        depth=depth,
        end=ends,
        text_start=nothing,
        text_end=nothing,
        flags=nothing.astype(np.uint8),
    )
    return Page(nodes, "", cast(Tree, _Names(names)), Description())


class _Names:
    """Of a parsed tree, what a distance asks: how an element is called whose name HTML does not know."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def name(self, node: int) -> str:
        return self._names[node]


def read(outline: str) -> Outline:
    """The outline as nested tuples.

    >>> read("div(p,p)")
    ('div', (('p', ()), ('p', ())))
    """
    tokens = re.findall(r"[\w-]+|[()]", outline)[::-1]

    def element() -> Outline:
        name, children = tokens.pop(), []
        if tokens and tokens[-1] == "(":
            tokens.pop()
            while tokens[-1] != ")":
                children.append(element())
            tokens.pop()
        return name, tuple(children)

    return element()


def _in_order(outline: Outline) -> list[tuple[str, int]]:
    name, children = outline
    return [(name, len(children)), *(entry for child in children for entry in _in_order(child))]


def size(outline: Outline) -> int:
    return 1 + sum(size(child) for child in outline[1])


def paths(outline: Outline, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """From the root to every leaf."""
    here = (*above, outline[0])
    return [path for child in outline[1] for path in paths(child, here)] or [here]


def tags(outline: Outline) -> list[str]:
    """Opening and closing tags; none of the names used here is void."""
    return [outline[0], *(tag for child in outline[1] for tag in tags(child)), f"/{outline[0]}"]


def subtrees(outline: Outline) -> list[Outline]:
    return [outline, *(below for child in outline[1] for below in subtrees(child))]


_NAMES = st.sampled_from(["div", "p", "x-card", "x-row"])
OUTLINES: st.SearchStrategy[Outline] = st.recursive(
    st.tuples(_NAMES, st.just(())),
    lambda below: st.tuples(_NAMES, st.lists(below, max_size=4).map(tuple)),
    max_leaves=10,
)
"""Small trees with few names, so that they have much in common; half of the names are web components."""
