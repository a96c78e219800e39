"""Content elements: the pieces of a page that are judged one by one, each wholly content or wholly noise.

A ``p`` or an ``li`` holds data directly; a ``div``, ``td`` or ``th`` does so only when nothing in it does and it is
not deep: otherwise it is a section, and its parts are judged instead. Text that stands in no content element at all
(in a ``dd``, between two ``p``, deep in a table for layout) is owned by the block-level element around it, of the
group ``rest``: the thesis does not judge it, and every word of a page shall have a judge.
After Yunis (2016), sections 3.5 and 4.3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.page.html import HEADINGS, mask
from tamis.page.model import INVISIBLE, Page
from tamis.page.text import Bools, Ints

__all__ = ["GROUPS", "Elements", "find_elements"]

TAGS = {
    "p": ("p",),
    "div": ("div",),
    "cell": ("td", "th"),
    "li": ("li",),
    "heading": HEADINGS,
    "caption": ("figcaption",),
    "pre": ("pre",),
    "img": ("img",),
}
"""Groups of content elements and the tags they are made of; there is one classifier for each."""
REST = "rest"
GROUPS = (*TAGS, REST)
IMAGE = GROUPS.index("img")
MAX_SECTION_DEPTH = 2  # a div or cell whose subtree is deeper is a section; from the thesis

_GROUP_OF_TAG = np.full(len(mask()), -1, dtype=np.int8)
for _number, _tags in enumerate(TAGS.values()):
    _GROUP_OF_TAG[mask(*_tags)] = _number
_SECTIONING = mask("div", "td", "th")


@dataclass(frozen=True, eq=False)
class Elements:
    """The content elements of a page in document order."""

    node: Ints
    group: npt.NDArray[np.int8]  # position in GROUPS
    words: Ints  # visible words of the element; of a rest element only those that no content element holds
    owner: Ints  # for each node of the page the position of the innermost element that holds it, or -1

    def __len__(self) -> int:
        return len(self.node)

    def leaves(self, page: Page, chosen: Bools) -> Ints:
        """The visible text nodes that chosen elements own; text in two elements belongs to the inner one."""
        texts = page.nodes.visible_texts
        owner = self.owner[texts]
        owned: Ints = texts[(owner >= 0) & np.append(chosen, False)[owner]]
        return owned


def find_elements(page: Page, *, with_rest: bool = True, images_make_sections: bool = False) -> Elements:
    """The elements to judge: those with a visible word, and images that are not hidden.

    ``with_rest=False`` leaves out text that the thesis does not judge; ``images_make_sections`` reads it to the
    letter: a ``div`` with a text and an image is a section, and its text belongs to no content element.
    """
    nodes, words = page.nodes, page.flow.words
    total = nodes.totals(words)
    group = _GROUP_OF_TAG[nodes.tag].astype(np.int8)
    is_image = (group == IMAGE) & ((nodes.flags & INVISIBLE) == 0)
    is_candidate = ((group >= 0) & (group != IMAGE) & (total > 0)) | is_image
    # A div that passes the two tests makes a section of any div around it; one that fails holds what makes one.
    counted = is_candidate if images_make_sections else is_candidate & ~is_image
    holds_others = nodes.totals(counted.astype(np.int64)) - counted > 0
    is_section = _SECTIONING[nodes.tag] & (holds_others | (subtree_depths(page) > MAX_SECTION_DEPTH))
    is_content = is_candidate & ~is_section
    if with_rest:
        texts = nodes.visible_texts[words[nodes.visible_texts] > 0]
        loose = texts[~nodes.inside(is_content & ~is_image)[texts]]
        holder = page.blocks.node[np.searchsorted(page.flow.run[_first_leaves(page)], page.flow.run[loose])]
        group[holder], is_content[holder] = GROUPS.index(REST), True
        total[holder] = np.bincount(holder, weights=words[loose], minlength=len(nodes)).astype(np.int64)[holder]
    found = np.flatnonzero(is_content)
    number = np.full(len(nodes), -1, dtype=np.int64)
    number[found] = np.arange(len(found))
    return Elements(node=found, group=group[found], words=total[found], owner=number[nodes.nearest(is_content)])


def subtree_depths(page: Page) -> Ints:
    """For each node the number of element levels below it; text does not count."""
    nodes = page.nodes
    elements = np.flatnonzero(nodes.elements)
    depth = nodes.depth[elements]
    deepest = nodes.depth.astype(np.int64).copy()
    order = elements[np.argsort(depth, kind="stable")]
    borders = np.flatnonzero(np.diff(nodes.depth[order], prepend=-1, append=-1))
    for first, last in zip(borders[-2::-1].tolist(), borders[:0:-1].tolist(), strict=True):
        level = order[first:last]
        np.maximum.at(deepest, nodes.parent[level], deepest[level])
    return deepest - nodes.depth


def _first_leaves(page: Page) -> Ints:
    return page.blocks.leaves[page.blocks.first_leaf[:-1]]
