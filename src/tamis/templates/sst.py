"""Site style tree: places where neither the layout nor the text changes between pages are noise.

Idea:      lay the trees of all pages over each other and count, for every element, which sequences of children it has;
           the more evenly they are spread over the pages, and the fewer words its leaves share, the more it matters.
Reference: Yi, Liu & Li (2003), as described by Gottron (2008), section 3.3.4.
Departs:   inline elements are not nodes: their text, links and images belong to the block around them (the paper treats
           the parents of leaves as leaves for the same reason). The paper chooses its threshold on labelled pages and
           does not report it. Styles that only look alike stay apart, and small, rare elements count as others do: our
           source says too little of how the paper treats them.
Strong at: menus and frames that stand at a fixed place, whatever they look like.
Weak at:   an element with another number of children counts as a different one, with everything below it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints, words
from tamis.ranges import SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._entropy import entropy
from tamis.templates._links import links
from tamis.templates._paths import with_ancestors
from tamis.templates._texts import digest, kept_blocks

_PRESENTATION = "align valign bgcolor background width height color face size class style".split()  # our choice
_NOT_SHOWN = ("head", "link", "meta", "noscript", "script", "style", "template")
_NOISY, _MIXED, _MEANINGFUL = range(3)
_LEAF = ""  # the style of an element without elements below it


@dataclass(frozen=True, kw_only=True)
class Options:
    """Where importance begins."""

    threshold: float = 0.15  # swept 0.05-0.7 on same-host groups of train/wcxb: F1 flat, recall falls from 0.2 on
    gamma: float = 0.9  # Yi, Liu & Li: how much the importance of what is below counts

    def __post_init__(self) -> None:
        check_ranges(self, threshold=SHARE, gamma=SHARE)


@dataclass
class Style:
    """One sequence of children of an element."""

    pages: int = 0
    children: list[int] = field(default_factory=list)


@dataclass
class Element:
    """One element of the tree of a site."""

    pages: int = 0
    styles: dict[str, Style] = field(default_factory=dict)
    features: dict[str, list[int]] = field(default_factory=dict)  # of the leaf: how often on each page that has it


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    elements: list[tuple[float, Literal[0, 1, 2], dict[str, list[int]]]]  # importance, mark, children by style


def check_model(model: Model) -> None:
    """A ``ValueError`` if an element is below itself, or nowhere."""
    count = len(model["elements"])
    for number, (_, _, styles) in enumerate(model["elements"]):
        if any(not number < child < count for children in styles.values() for child in children):
            raise ValueError("an element is below itself, or below none")


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    elements = site_tree(pages)
    values = importances(elements, options.gamma)
    marks = _marks(elements, values, options.threshold)
    tree = [
        [round(value, 4), mark, {key: style.children for key, style in element.styles.items()}]
        for element, value, mark in zip(elements, values, marks, strict=True)
    ]
    return Template(model={"elements": tree})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    elements = template.model["elements"]
    tree = _PageTree(page)
    removed: set[int] = set()
    stack = [(0, tree.root)] if elements and tree.root is not None else []
    while stack:
        number, node = stack.pop()
        _, mark, styles = elements[number]
        if mark == _NOISY:
            removed.add(node)
        elif mark == _MIXED:
            children = styles.get(tree.style(node))
            stack += zip(children or [], tree.children(node), strict=False) if children else []
    marked = page.nodes.marked(list(removed))
    return Extraction(page=page, spans=kept_blocks(page, ~page.nodes.inside(marked)[page.blocks.node]))


def site_tree(pages: Sequence[Page]) -> list[Element]:
    """The trees of all pages as one; children stand behind their parents, the first element is the body."""
    elements = [Element()]
    for page in pages:
        tree = _PageTree(page)
        stack = [(0, tree.root)] if tree.root is not None else []
        while stack:
            number, node = stack.pop()
            element = elements[number]
            element.pages += 1
            children = tree.children(node)
            style = element.styles.setdefault(tree.style(node), Style())
            if not children:
                for feature, count in tree.features(node).items():
                    element.features.setdefault(feature, []).append(count)
            elif not style.pages:
                style.children = list(range(len(elements), len(elements) + len(children)))
                elements += [Element() for _ in children]
            style.pages += 1
            stack += zip(style.children, children, strict=True)
    return elements


def importances(elements: Sequence[Element], gamma: float) -> list[float]:
    """The composite importance of each element, from 0 (noise) to 1."""
    values = [0.0] * len(elements)
    for number in range(len(elements) - 1, -1, -1):
        element = elements[number]
        below = {
            key: _leaf_importance(element) if key == _LEAF else _mean(values[child] for child in style.children)
            for key, style in element.styles.items()
        }
        if list(element.styles) == [_LEAF]:
            values[number] = below[_LEAF]
        elif element.styles:
            shares = {key: style.pages / element.pages for key, style in element.styles.items()}
            values[number] = inner_importance(
                node_importance(shares.values(), element.pages),
                sum(shares[key] * below[key] for key in shares),
                len(shares),
                gamma,
            )
    return values


def node_importance(shares: Iterable[float], pages: int) -> float:
    """How evenly the styles of an element are spread over its pages.

    >>> round(node_importance((0.75, 0.25), 4), 4), node_importance((1.0,), 1)
    (0.4056, 1.0)
    """
    return 1.0 if pages == 1 else abs(-sum(share * math.log(share, pages) for share in shares if share))


def inner_importance(own: float, below: float, styles: int, gamma: float) -> float:
    """Of an element's own importance and the mean of its styles, the more of the first the more styles there are.

    >>> round(inner_importance(0.4056, 0.25, 2, 0.9), 4)
    0.2796
    """
    return (1 - gamma**styles) * own + gamma**styles * below


def _leaf_importance(element: Element) -> float:
    if element.pages == 1:
        return 1.0
    if not element.features:
        return 0.0
    return 1 - _mean(entropy(counts, element.pages) for counts in element.features.values())


def _marks(elements: Sequence[Element], values: Sequence[float], threshold: float) -> list[int]:
    """Noisy: it and everything below is unimportant. Meaningful: nothing below is noisy. Mixed: the rest."""
    marks = [_MEANINGFUL] * len(elements)
    for number in range(len(elements) - 1, -1, -1):
        below = [marks[child] for style in elements[number].styles.values() for child in style.children]
        if values[number] < threshold and all(mark == _NOISY for mark in below):
            marks[number] = _NOISY
        elif any(mark != _MEANINGFUL for mark in below):
            marks[number] = _MIXED
    return marks


class _PageTree:
    """The elements that hold blocks, those above them, and those that hold no text, from the body down."""

    def __init__(self, page: Page) -> None:
        self._page = page
        nodes = with_ancestors(page, np.concatenate((page.blocks.node, _without_text(page))))
        self._children: dict[int, list[int]] = {}
        for node, parent in zip(nodes.tolist(), page.nodes.parent[nodes].tolist(), strict=True):
            self._children.setdefault(parent, []).append(node)
        self._labels = dict(zip(nodes.tolist(), _style_labels(page, nodes.tolist()), strict=True))
        bodies = nodes[page.nodes.named("body")[nodes]].tolist()
        self.root: int | None = bodies[0] if bodies else None
        self._files: dict[int, list[str]] | None = None

    def children(self, node: int) -> list[int]:
        return self._children.get(node, [])

    def style(self, node: int) -> str:
        """The sequence of an element's children, names and presentation."""
        children = self.children(node)
        return digest(*(self._labels[child] for child in children)) if children else _LEAF

    def features(self, node: int) -> Mapping[str, int]:
        """Words, targets of links and image files of a leaf."""
        found = Counter(f"word {word}" for word in words(self._page.node_text(node)))
        found.update(self._linked_files().get(node, ()))
        return found

    def _linked_files(self) -> dict[int, list[str]]:
        """For each element of the tree the links and images that belong to it, not to one below."""
        if self._files is None:
            page = self._page
            holders = page.nodes.nearest(page.nodes.marked(list(self._labels)))
            images = np.flatnonzero(page.nodes.named("img"))
            found = [(link.node, f"link {link.target}") for link in links(page)]
            found += [
                (node, f"image {source.strip()}")
                for node, source in zip(images.tolist(), page.attribute(images, "src"), strict=True)
                if source and source.strip()
            ]
            self._files = {}
            for node, feature in found:
                self._files.setdefault(int(holders[node]), []).append(feature)
        return self._files


def _without_text(page: Page) -> Ints:
    """Elements of the body without any text that stand in no block: pictures, frames, forms, empty boxes."""
    nodes = page.nodes
    is_holder = nodes.marked(page.blocks.node)
    holders_below = nodes.totals(is_holder.astype(np.int64)) - is_holder
    in_block = nodes.inside(is_holder & (holders_below == 0))
    is_empty = nodes.elements & (nodes.totals(page.flow.characters.astype(np.int64)) == 0)
    is_shown = nodes.inside(nodes.named("body")) & ~nodes.inside(nodes.named(*_NOT_SHOWN))
    return np.flatnonzero(is_empty & is_shown & ~in_block)


def _style_labels(page: Page, nodes: list[int]) -> list[str]:
    places = np.array(nodes, dtype=np.int64)
    columns = [page.attribute(places, name) for name in _PRESENTATION]
    return [
        digest(page.name(node), *(value or "" for value in values))
        for node, values in zip(nodes, zip(*columns, strict=True), strict=True)
    ]


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
