"""Node extraction patterns: one tree with wildcards that accepts all pages of a group.

Idea:      lay the trees of the pages over each other: text that differs becomes a wildcard, what some pages lack
           becomes optional, and rows of siblings built alike become one that may be repeated. On another page, text
           that meets a wildcard is content; the longest is the body, the text most like it the title.
Reference: Reis, Golgher, da Silva & Laender (2004), as described by Gottron (2008), section 3.3.5.
Departs:   siblings are paired by the heaviest common subsequence of their names instead of the full edit distance, so
           that a page is merged in one go; how patterns are combined is our own reading. Text that the pattern does not
           foresee is content, as is text of one training page alone, and the result says whether the page is accepted.
Strong at: news pages, with title and body told apart.
Weak at:   pages whose parts come in another order.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import words
from tamis.ranges import COUNT, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._places import labels, with_ancestors
from tamis.templates._texts import digest, kept_blocks

# Of a comparison of siblings, for each of them. Beyond it, in rows of more than 128 that differ, only equal beginnings
# and ends are paired, so that the time for a page grows with its size alone.
_MAX_CELLS = 64
_REFUSAL = 1 << 40  # more than all pairs of a page are worth
_WILDCARD = ""  # the text of a place where pages differ


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a body and a title are."""

    min_body_words: int = 100  # Reis et al.
    max_title_words: int = 20  # Reis et al.

    def __post_init__(self) -> None:
        check_ranges(self, min_body_words=COUNT, max_title_words=COUNT)


@dataclass
class Node:
    """An element, or a block of text as a leaf; in a pattern it may be optional, repeated, or of any text."""

    label: str
    text: str | None = None  # None: an element
    is_optional: bool = False
    is_repeated: bool = False
    pages: int = 1  # that have the node
    children: list[Node] = field(default_factory=list)
    size: int = 1
    shape: str = ""  # the same for nodes that are built alike
    block: int = -1  # on a page: the number of the block
    copies: list[Node] = field(default_factory=list)  # on a page: all siblings that a repeated node stands for

    def sign(self) -> str:
        """How patterns are written: ``.`` any text, ``?`` optional, ``+`` repeated, ``*`` both."""
        mark = {(False, False): "", (True, False): "?", (False, True): "+", (True, True): "*"}
        return ("." if self.text == _WILDCARD else "") + mark[self.is_optional, self.is_repeated]


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    pattern: list[tuple[int, str, str | None, bool, bool, int]]  # as ``_flat`` writes it


def check_model(model: Model) -> None:
    """A ``ValueError`` if the rows are no tree."""
    parents = [row[0] for row in model["pattern"]]
    if parents[:1] != [-1] or any(not 0 <= parent < row for row, parent in enumerate(parents[1:], 1)):
        raise ValueError("the rows of the pattern are no tree")


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    pattern = page_tree(pages[0])
    for page in pages[1:]:
        pattern = merged(pattern, page_tree(page))
    return Template(model={"pattern": _flat(pattern)})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    matched = match(_unflat(template.model["pattern"]), page_tree(page))
    kept = np.ones(len(page.blocks), dtype=np.bool_)
    kept[sorted(matched.fixed)] = False
    notes = () if matched.is_accepted else (f"pattern: not accepted, {matched.reason}",)
    return Extraction(page=page, spans=kept_blocks(page, kept), reasons=_labelled(page, kept, options), notes=notes)


def page_tree(page: Page) -> Node:
    """The blocks of a page and the elements above them, rows of siblings built alike as one."""
    holders = page.blocks.node
    nodes = with_ancestors(page, holders)
    known = {
        node: Node("#page" if node == 0 else label)
        for node, label in zip(nodes.tolist(), labels(page, nodes), strict=True)
    }
    first = page.blocks.leaves[page.blocks.first_leaf[:-1]].tolist()
    leaves = [
        (leaf, holder, Node("#text", text=digest(block.text), block=block.index))
        for leaf, holder, block in zip(first, holders.tolist(), page.blocks, strict=True)
    ]
    parents = page.nodes.parent[nodes].tolist()
    places = [(node, parent, known[node]) for node, parent in zip(nodes.tolist(), parents, strict=True) if node > 0]
    for _, parent, child in sorted((*places, *leaves), key=lambda place: place[0]):
        known[parent].children.append(child)
    for node in nodes[::-1].tolist():
        _settle(known[node])
    return known[0]


def merged(pattern: Node, other: Node, count: Callable[[int, int], int] = operator.add) -> Node:
    """A pattern that accepts everything that either accepts; both have the same label.

    ``count`` says how many pages have what both have: parts of one page are counted once (``max``).
    """
    result = _common(pattern, other, count)
    stack = [(result, pattern, other)]
    made = [result]
    while stack:  # deep pages would overrun a recursion
        target, mine, theirs = stack.pop()
        for left, right in aligned(mine.children, theirs.children):
            if left is None or right is None:
                child = _copied(left or right)
                child.is_optional = True
            else:
                child = _common(left, right, count)
                made.append(child)
                stack.append((child, left, right))
            target.children.append(child)
    for node in reversed(made):
        _measure(node)
    return result


def _common(mine: Node, theirs: Node, count: Callable[[int, int], int]) -> Node:
    return Node(
        label=mine.label,
        text=mine.text if mine.text == theirs.text else _WILDCARD,
        is_optional=mine.is_optional or theirs.is_optional,
        is_repeated=mine.is_repeated or theirs.is_repeated,
        pages=count(mine.pages, theirs.pages),
    )


@dataclass
class Match:
    """How a page meets a pattern."""

    fixed: set[int]  # blocks that are template
    is_accepted: bool = True
    reason: str = ""

    def refuse(self, reason: str) -> None:
        if self.is_accepted:
            self.is_accepted, self.reason = False, reason


def match(pattern: Node, tree: Node) -> Match:
    """Which blocks of a page are fixed, and whether the pattern accepts the page."""
    found = Match(set())
    stack = [(pattern, tree)]
    while stack:
        mine, theirs = stack.pop()
        if mine.text is not None:
            if mine.text not in (_WILDCARD, theirs.text) and mine.pages > 1:
                found.refuse("a fixed text is another one")
            elif mine.text == theirs.text and mine.pages > 1:
                found.fixed.add(theirs.block)
            continue
        for left, right in aligned(mine.children, theirs.children, _REFUSAL):
            if right is None:
                if left is not None and not left.is_optional:
                    found.refuse(f"{left.label} is missing in {mine.label}")
            elif left is None:
                found.refuse(f"{right.label} is not foreseen in {mine.label}")
            else:
                copies = right.copies or [right]
                if len(copies) > 1 and not left.is_repeated:
                    found.refuse(f"{left.label} is repeated in {mine.label}")
                stack += [(left, copy) for copy in copies]
    return found


def aligned(mine: Sequence[Node], theirs: Sequence[Node], refusal: int = 0) -> list[tuple[Node | None, Node | None]]:
    """Siblings in pairs of the same label, in order, as many and as large ones as can be; others stand alone.

    ``refusal`` is the price of what a pattern does not accept.
    """
    if refusal and len(mine) * len(theirs) <= _MAX_CELLS * (len(mine) + len(theirs)):
        return list(_heaviest(mine, theirs, refusal))
    start = 0
    while start < min(len(mine), len(theirs)) and mine[start].shape == theirs[start].shape:
        start += 1
    end = 0
    while end < min(len(mine), len(theirs)) - start and mine[-1 - end].shape == theirs[-1 - end].shape:
        end += 1
    left, right = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
    return [
        *zip(mine[:start], theirs[:start], strict=True),
        *_heaviest(left, right, refusal),
        *zip(mine[len(mine) - end :], theirs[len(theirs) - end :], strict=True),
    ]


def _heaviest(mine: Sequence[Node], theirs: Sequence[Node], refusal: int) -> Iterator[tuple[Node | None, Node | None]]:
    """The pairs of the heaviest common subsequence of labels, and what is left between them."""
    if len(mine) * len(theirs) > _MAX_CELLS * (len(mine) + len(theirs)):
        yield from ((node, None) for node in mine)
        yield from ((None, node) for node in theirs)
        return
    missing = [0 if node.is_optional else refusal for node in mine]
    best = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    best[-1] = [-refusal * left for left in range(len(theirs), -1, -1)]
    for i in range(len(mine) - 1, -1, -1):
        best[i][-1] = best[i + 1][-1] - missing[i]
        for j in range(len(theirs) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j] - missing[i], best[i][j + 1] - refusal)
            if mine[i].label == theirs[j].label:
                best[i][j] = max(best[i][j], _weight(mine[i], theirs[j], refusal) + best[i + 1][j + 1])
    i = j = 0
    while i < len(mine) and j < len(theirs):
        is_pair = mine[i].label == theirs[j].label
        if is_pair and best[i][j] == _weight(mine[i], theirs[j], refusal) + best[i + 1][j + 1]:
            yield mine[i], theirs[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j] - missing[i]:
            yield mine[i], None
            i += 1
        else:
            yield None, theirs[j]
            j += 1
    yield from ((node, None) for node in mine[i:])
    yield from ((None, node) for node in theirs[j:])


def _weight(mine: Node, theirs: Node, refusal: int) -> int:
    """What a pair of the same label is worth."""
    same = 1 + (mine.shape == theirs.shape) + (mine.text is not None and mine.text == theirs.text)
    is_refused = len(theirs.copies) > 1 and not mine.is_repeated
    if mine.text is not None:
        is_refused = mine.pages > 1 and mine.text not in (_WILDCARD, theirs.text)
    return same * min(mine.size, theirs.size) - is_refused * refusal


def _settle(node: Node) -> None:
    """Join siblings that are built alike, and measure; everything below is settled already."""
    joined: list[Node] = []
    for child in node.children:
        if not child.shape:
            _measure(child)
        last = joined[-1] if joined else None
        if last is not None and last.shape == child.shape and child.text is None:
            if not last.copies:
                joined[-1] = last = _row(last)
            last.copies.append(child)
        else:
            joined.append(child)
    for place, child in enumerate(joined):
        if child.copies:
            joined[place] = _folded(child)
    node.children = joined
    _measure(node)


def _row(first: Node) -> Node:
    return Node(first.label, is_repeated=True, shape=first.shape, copies=[first])


def _folded(row: Node) -> Node:
    """One node for all copies of a row: what differs among them is a wildcard."""
    folded = row.copies[0]
    for copy in row.copies[1:]:
        folded = merged(folded, copy, max)
    return Node(
        row.label, is_repeated=True, children=folded.children, size=folded.size, shape=row.shape, copies=row.copies
    )


def _measure(node: Node) -> None:
    node.size = 1 + sum(child.size for child in node.children)
    # A row is built like one of its members, so that lists of any length are built alike.
    node.shape = digest(node.label, *(child.shape for child in node.children))


def _copied(node: Node | None) -> Node:
    """A node of a pattern, without the page it comes from; what is below is shared, since it is never changed."""
    if node is None:
        raise TypeError("one of a pair is always there")
    return replace(node, block=-1, copies=[])


def _labelled(page: Page, kept: np.ndarray[Any, np.dtype[np.bool_]], options: Options) -> tuple[str, ...]:
    """Which blocks are the title and the body; the body is the element that holds most of the kept words itself."""
    reasons = ["content" if is_kept else "template" for is_kept in kept.tolist()]
    holders = page.nodes.parent[page.blocks.node].tolist()
    sizes: Counter[int] = Counter()
    for block in page.blocks:
        if kept[block.index]:
            sizes[holders[block.index]] += block.words
    if not sizes or sizes.most_common(1)[0][1] <= options.min_body_words:
        return tuple(reasons)
    body = sizes.most_common(1)[0][0]
    spoken: set[str] = set()
    for block in page.blocks:
        if kept[block.index] and holders[block.index] == body:
            reasons[block.index] = "body"
            spoken.update(words(block.text.lower()))
    titles = [block for block in page.blocks if reasons[block.index] == "content"]
    titles = [block for block in titles if 1 <= block.words <= options.max_title_words]
    if titles:
        best = max(titles, key=lambda block: (len(spoken.intersection(words(block.text.lower()))), -block.index))
        reasons[best.index] = "title"
    return tuple(reasons)


def _flat(pattern: Node) -> list[list[Any]]:
    """The nodes one after the other, each with the number of its parent: trees may be deeper than JSON allows."""
    rows: list[list[Any]] = []
    stack = [(pattern, -1)]
    while stack:
        node, parent = stack.pop()
        rows.append([parent, node.label, node.text, node.is_optional, node.is_repeated, node.pages])
        stack += [(child, len(rows) - 1) for child in reversed(node.children)]
    return rows


def _unflat(rows: Sequence[Sequence[Any]]) -> Node:
    nodes = [Node(*values) for _, *values in rows]
    for node, (parent, *_) in zip(nodes, rows, strict=True):
        if parent >= 0:
            nodes[parent].children.append(node)
    for node in reversed(nodes):
        _measure(node)
    return nodes[0]
