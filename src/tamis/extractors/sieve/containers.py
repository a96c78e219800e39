"""The elements that hold blocks: a small tree on which everything about ancestors is counted.

A page of three thousand nodes has some five hundred elements with text below them. Each knows the range of blocks it
holds, so that whatever is asked of a container is a difference of two prefix sums over the blocks, and whatever is
asked of a path of ancestors is a running sum over containers that are entered and left.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints

LEVELS = 6  # how far up a block looks: its holder and five containers above; from the prototype's notes, not swept
TOKEN_LENGTH = 40  # longer names are hashes, not names
TABLE_SIGNS = ("table", "tbl", "role=grid")
PULLING_SIGNS = ("quote", "callout", "highlight", "teaser", "excerpt", "summary")
CELL_SIGNS = ("cell", "role=table", "role=grid")  # besides names that begin with "td"
SIGNS = (*dict.fromkeys((*TABLE_SIGNS, *CELL_SIGNS)), *PULLING_SIGNS, "dialog")
"""Parts of names, in small letters, that tell of tables which are no ``table``, of pull quotes, and of dialogs."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}|[^\W\d_a-zA-Z]+")


@dataclass(frozen=True, eq=False)
class Containers:
    """Elements with a block below them, in document order; the first one is the root and its own parent."""

    node: Ints
    tag: npt.NDArray[np.uint8]
    names: tuple[str, ...]  # what elements are called, each name once: classes, #id, role=, prop=
    name: Ints  # the name of each container, a position in names
    parent: Ints  # position in this list
    first: Ints  # a container holds blocks[first:last]
    last: Ints
    end: Ints  # first container after the subtree
    holder: Ints  # for each block the container that holds it
    leaf: Ints  # for each block the element around its first text

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def signs(self) -> list[str]:
        """Which of ``SIGNS`` stand in names: what does not stand in any need not be looked for in every one."""
        from tamis.extractors.sieve.kernel import kernel  # which is made of the class above

        return kernel.words_in(self.names, SIGNS)

    @cached_property
    def ancestors(self) -> Ints:
        """For each level and block a container: its holder, the one above, and so on; the root is above itself."""
        levels = np.empty((LEVELS, len(self.holder)), dtype=np.int64)
        levels[0] = self.holder
        for level in range(1, LEVELS):
            levels[level] = self.parent[levels[level - 1]]
        return levels

    @cached_property
    def looks(self) -> npt.NDArray[np.uint64]:
        """A number for the tag and the classes of each container; equal looks, equal number."""
        codes = np.array([look_code(name) for name in self.names], dtype=np.uint64)
        return (codes[self.name] << np.uint64(8)) + self.tag.astype(np.uint64)

    @cached_property
    def paths(self) -> npt.NDArray[np.uint64]:
        """A number for the looks of a container and of all containers around it."""
        depth = self.path_sums(np.ones(len(self), dtype=np.int64)).astype(np.uint64)
        mixed = (self.looks + np.uint64(0x9E3779B97F4A7C15)) * (np.uint64(2) * depth + np.uint64(1))
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        return self.path_sums(mixed.view(np.int64)).view(np.uint64)

    def inside(self, marked: Ints) -> Bools:
        """For each block whether it stands in one of these containers."""
        is_inside = np.zeros(len(self), dtype=np.bool_)
        for place in marked.tolist():
            is_inside[place : self.end[place]] = True
        return is_inside[self.holder]

    def path_sums(self, values: Ints) -> Ints:
        """Sum of a whole number per container over each container and all that are around it."""
        change = np.zeros(len(self) + 1, dtype=np.int64)
        change[:-1] = values
        np.subtract.at(change, self.end, values)
        return np.cumsum(change[:-1])

    def path_least(self, values: Floats) -> Floats:
        """The smallest value among each container and all that are around it."""
        least, above = values, self.parent
        while True:
            least = np.minimum(least, least[above])
            if not above.any():
                return least
            above = above[above]  # doubles the distance covered, so depth costs its logarithm


def build_containers(page: Page) -> Containers:
    """All containers of a page; none if it has no blocks."""
    nodes, blocks = page.nodes, page.blocks
    first_leaf = blocks.leaves[blocks.first_leaf[:-1]]
    begun = np.zeros(len(nodes) + 1, dtype=np.int64)
    begun[first_leaf + 1] = 1
    begun = np.cumsum(begun)
    first, last = begun[:-1], begun[nodes.end]
    is_container = (last > first) & nodes.elements
    is_container[:1] = len(first_leaf) > 0
    node = np.flatnonzero(is_container)
    position = np.cumsum(is_container) - 1
    parent = position[np.maximum(nodes.parent[node], 0)]
    called = page.names(node)
    number = {name: place for place, name in enumerate(dict.fromkeys(called))}
    return Containers(
        node=node,
        tag=nodes.tag[node],
        names=tuple(number),
        name=np.fromiter(map(number.__getitem__, called), dtype=np.int64, count=len(called)),
        parent=parent,
        first=first[node],
        last=last[node],
        end=np.append(position + 1, len(node))[nodes.end[node] - 1] if len(node) else node,
        holder=position[blocks.node],
        leaf=position[nodes.parent[first_leaf]],
    )


def look_code(name: str) -> int:
    """A number for the classes in a name.

    >>> look_code("post #p1 role=main") == look_code("post #p2")
    True
    """
    classes = name.partition(" #")[0].partition(" role=")[0]
    return zlib.crc32(classes.encode("utf-8", "replace"))


def tokens(word: str) -> list[str]:
    """A word of a name and its parts.

    >>> tokens("post-body"), tokens("#leftCol"), tokens("main"), tokens("role=main")
    (['post-body', 'post', 'body'], ['#leftcol', 'left', 'col'], ['main'], ['role=main'])
    """
    if len(word) > TOKEN_LENGTH:
        return [part.lower() for part in _PARTS.findall(word[: 2 * TOKEN_LENGTH])]
    whole = word.lower()
    if (whole.isalpha() and whole == word) or "=" in word:
        return [whole]
    return [whole, *(part for part in map(str.lower, _PARTS.findall(word)) if part != whole)]
