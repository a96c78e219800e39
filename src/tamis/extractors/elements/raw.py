"""The raw features of Yunis (2016), section 3.8.2: what is written down about an element before anything is derived.

Texts, names and numbers as the thesis lists them, one value for each element and column. Lists are written with commas,
the classes of one element with blanks between them; of ancestors the outermost comes first and ``body`` is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamis.extractors.elements.features import element_features
from tamis.extractors.elements.groups import GROUPS, Elements
from tamis.page.html import HEADINGS
from tamis.page.model import Page
from tamis.page.text import Ints, collapse

NO_ID, NO_CLASSES = "CEML___NO___ID", "CEML___NO___CLASSES"
NO_IMAGE, NO_ALT = "CEML_NON_IMG_TAG", "CEML_NO_ALT"
MAX_RELATIVES = 500  # siblings and children written down; a list of thousands would be written thousands of times
PAGE_COLUMNS = ("url", "title", "meta_description", "doc_dom_depth")
CONTEXT_COLUMNS = (
    *("ancestors_names", "ancestors_ids", "ancestors_classes", "siblings_names", "siblings_ids", "siblings_classes"),
    *("nearest_header", "normalized_top", "normalized_bottom", "is_middle", "is_leftmost", "is_rightmost"),
    *("num_siblings", "distance_to_root"),
)
OWN_COLUMNS = (
    *("tag_name", "element_id", "class_name", "children_names", "children_ids", "children_classes"),
    *("image_alt", "image_url", "rect_size", "num_child_elements", "dom_subtree_depth", "inner_text", "child_text"),
)
COLUMNS = (*PAGE_COLUMNS, *CONTEXT_COLUMNS, *OWN_COLUMNS)
_NUMBERS = (
    *("doc_dom_depth", "normalized_top", "normalized_bottom", "is_middle", "is_leftmost", "is_rightmost"),
    *("num_siblings", "distance_to_root", "rect_size", "num_child_elements", "dom_subtree_depth"),
)


def raw_features(page: Page, nodes: Ints) -> dict[str, list[str]]:
    """For each column a value for each of these elements, as it is written to a table; empty if it is not known."""
    group = np.full(len(nodes), GROUPS.index("p"), dtype=np.int8)
    words = page.nodes.totals(page.flow.words)[nodes]
    elements = Elements(node=nodes, group=group, words=words, owner=np.full(len(page.nodes), -1, dtype=np.int64))
    numbers = element_features(page, elements, _NUMBERS)
    table = {name: [_written(value) for value in row.tolist()] for name, row in zip(_NUMBERS, numbers, strict=True)}
    names = _Names(page)
    count = len(nodes)
    metadata = page.metadata
    table |= {"url": [page.url or ""] * count, "title": [metadata.title or ""] * count}
    table["meta_description"] = [metadata.description or ""] * count
    for relation in ("ancestors", "siblings", "children"):
        related = [getattr(names, relation)(node) for node in nodes.tolist()]
        table[f"{relation}_names"] = [", ".join(names.tag(node) for node in found) for found in related]
        table[f"{relation}_ids"] = [", ".join(names.identity(node) for node in found) for found in related]
        table[f"{relation}_classes"] = [", ".join(names.classes(node) for node in found) for found in related]
    table["nearest_header"] = [
        _text(page, header) if header else "" for header in nearest_headers(page, nodes).tolist()
    ]
    table["tag_name"] = [names.tag(node) for node in nodes.tolist()]
    table["element_id"] = [names.identity(node) for node in nodes.tolist()]
    table["class_name"] = [names.classes(node) for node in nodes.tolist()]
    table["image_alt"] = [names.image(node, "alt") for node in nodes.tolist()]
    table["image_url"] = [names.image(node, "src") for node in nodes.tolist()]
    table["inner_text"] = [_text(page, node) for node in nodes.tolist()]
    table["child_text"] = [
        collapse(" ".join(page.node_text(text) for text in names.texts(node))) for node in nodes.tolist()
    ]
    return {name: table[name] for name in COLUMNS}


def nearest_headers(page: Page, nodes: Ints) -> Ints:
    """For each element the heading with the shortest way through the tree among those of lower depth; 0 for none.

    Of several the last one before the element counts, or the first one after it if all are.
    """
    tree = page.nodes
    headings = np.flatnonzero(tree.named(*HEADINGS))
    far = np.iinfo(np.int64).max // 4
    highest = np.full(len(tree), far, dtype=np.int64)  # the lowest depth of a heading in each subtree
    for heading in headings[np.argsort(tree.depth[headings], kind="stable")].tolist():
        node, own = heading, int(tree.depth[heading])
        while node >= 0 and highest[node] > own:
            highest[node] = own
            node = int(tree.parent[node])
    depth = tree.depth[nodes]
    best, holder, above = np.full(len(nodes), far), np.zeros(len(nodes), dtype=np.int64), nodes
    for _ in range(int(depth.max(initial=0))):
        above = np.maximum(tree.parent[above], 0)
        length = depth + highest[above] - 2 * tree.depth[above]
        is_shorter = (highest[above] < depth) & (length < best)
        best, holder = np.where(is_shorter, length, best), np.where(is_shorter, above, holder)
    found = np.zeros(len(nodes), dtype=np.int64)
    for position in np.flatnonzero(best < far).tolist():
        around, element = int(holder[position]), int(nodes[position])
        first, last = np.searchsorted(headings, (around, tree.end[around]))
        choice = headings[first:last]
        choice = choice[tree.depth[choice] == highest[around]]
        before = choice[choice < element]
        found[position] = before[-1] if len(before) else choice[0]
    return found


class _Names:
    """What elements and their relatives are called."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        self._page = page
        self._parent = nodes.parent.tolist()
        elements = np.flatnonzero(nodes.elements)
        numbers = elements.tolist()
        self._tag = {node: page.name(node).upper() for node in numbers}
        self._identity = dict(zip(numbers, page.attribute(elements, "id"), strict=True))
        self._classes = dict(zip(numbers, page.attribute(elements, "class"), strict=True))
        self._children: dict[int, list[int]] = {}
        for node in numbers:
            self._children.setdefault(self._parent[node], []).append(node)
        self._texts: dict[int, list[int]] = {}
        for node in nodes.visible_texts.tolist():
            self._texts.setdefault(self._parent[node], []).append(node)

    def tag(self, node: int) -> str:
        return self._tag[node]

    def identity(self, node: int) -> str:
        return self._identity[node] or NO_ID

    def classes(self, node: int) -> str:
        return " ".join((self._classes[node] or "").split()) or NO_CLASSES

    def image(self, node: int, name: str) -> str:
        if self._tag[node] != "IMG":
            return NO_IMAGE
        return self._page.attributes(node).get(name) or (NO_ALT if name == "alt" else "")

    def ancestors(self, node: int) -> Sequence[int]:
        found = []
        node = self._parent[node]
        while node > 0 and self._tag.get(node) not in ("BODY", "HTML"):
            if node in self._tag:
                found.append(node)
            node = self._parent[node]
        return found[::-1]

    def siblings(self, node: int) -> Sequence[int]:
        return [other for other in self._children[self._parent[node]][: MAX_RELATIVES + 1] if other != node]

    def children(self, node: int) -> Sequence[int]:
        return self._children.get(node, [])[:MAX_RELATIVES]

    def texts(self, node: int) -> Sequence[int]:
        return self._texts.get(node, [])


def _text(page: Page, node: int) -> str:
    """The visible text below a node, white space collapsed."""
    nodes = page.nodes
    first, last = np.searchsorted(nodes.visible_texts, (node, nodes.end[node]))
    leaves = nodes.visible_texts[first:last].tolist()
    lines = page.flow.line[leaves].tolist()
    parts: list[str] = []
    for position, leaf in enumerate(leaves):
        parts += (
            (" ", page.node_text(leaf))
            if position and lines[position] != lines[position - 1]
            else (page.node_text(leaf),)
        )
    return collapse("".join(parts))


def _written(value: float) -> str:
    if np.isnan(value):
        return ""
    return str(int(value)) if value == int(value) else repr(value)
