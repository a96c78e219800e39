"""Node extraction patterns: one tree with wildcards that accepts all pages of a group.

Idea:      lay the trees of the pages over each other: text that differs becomes a wildcard, what some pages lack
           becomes optional, and siblings built alike become one that may be repeated where pages have more or fewer
           of them. On another page, text that meets a wildcard is content; the element with most of it is the body,
           the text most like that the title.
Reference: Reis, Golgher, da Silva & Laender (2004), as described by Gottron (2008), section 3.3.5.
Departs:   siblings are paired by the heaviest common subsequence of their names instead of the full edit distance, so
           that a page is merged in one go; how patterns are combined is our own reading. Text that the pattern does not
           foresee is content, as is text of one training page alone, and the result says whether the page is accepted.
           The body is the element with most kept words in the blocks right below it, since one text is rarely as long.
Strong at: news pages, with title and body told apart.
Weak at:   pages whose parts come in another order.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import groupby
from typing import Any, NamedTuple, TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Bools, words
from tamis.ranges import COUNT, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._paths import labels, with_ancestors
from tamis.templates._texts import digest, kept_blocks

# Of a comparison of siblings, for each of them. Beyond it, in rows of more than 128 that differ, only equal beginnings
# and ends are paired, so that the time for a page grows with its size alone.
_MAX_CELLS = 64
_REFUSAL = 1 << 40  # more than all pairs of a page are worth
_WILDCARD = ""  # the text of a place where pages differ
_MAX_FOLDS = 64  # rows inside rows that are folded; what is below deeper ones, which no real page has, is left out


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
    row: int = 0  # siblings with the same number are built alike and stand side by side
    children: list[Node] = field(default_factory=list)
    size: int = 1
    shape: str = ""  # the same for nodes that are built alike
    block: int = -1  # on a page: the number of the block

    def sign(self) -> str:
        """How patterns are written: ``.`` any text, ``?`` optional, ``+`` repeated, ``*`` both."""
        mark = {(False, False): "", (True, False): "?", (False, True): "+", (True, True): "*"}
        return ("." if self.text == _WILDCARD else "") + mark[self.is_optional, self.is_repeated]


class SiblingRow(NamedTuple):
    """Siblings of one row; in a pattern a repeated node stands for any number of them."""

    nodes: list[Node]

    @property
    def first(self) -> Node:
        return self.nodes[0]

    @property
    def is_repeated(self) -> bool:
        return self.first.is_repeated


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    pattern: list[tuple[int, str, str | None, bool, bool, int, int]]  # as ``_flat`` writes it


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
    """The blocks of a page and the elements above them, siblings built alike in one row."""
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


def merged(pattern: Node, other: Node, count: Callable[[int, int], int] = operator.add, folds: int = 0) -> Node:
    """A pattern that accepts everything that either accepts; both have the same label.

    Rows of one length are laid over each other member by member, so that a menu that all pages share stays as it is;
    rows of different lengths become one node that may be repeated. ``count`` says how many pages have what both have:
    parts of one page are counted once (``max``). ``folds`` is the number of rows around.
    """
    result = _common(pattern, other, count)
    stack = [(result, pattern, other)]
    made = [result]
    while stack:  # deep pages would overrun a recursion
        target, mine, theirs = stack.pop()
        for number, (left, right) in enumerate(aligned(rows(mine), rows(theirs))):
            if left is None or right is None:
                members = [_optional(node) for row in (left, right) if row is not None for node in row.nodes]
            elif left.is_repeated or right.is_repeated or len(left.nodes) != len(right.nodes):
                members = [_repeated(left, right, count, folds)]
            else:
                members = [_common(one, other, count) for one, other in zip(left.nodes, right.nodes, strict=True)]
                made += members
                stack += zip(members, left.nodes, right.nodes, strict=True)
            target.children += (_in_row(member, number) for member in members)
    for node in reversed(made):
        _measure(node)
    return result


def rows(node: Node) -> list[SiblingRow]:
    """The children of a node, row by row."""
    return [SiblingRow(list(members)) for _, members in groupby(node.children, key=operator.attrgetter("row"))]


def _repeated(left: SiblingRow, right: SiblingRow, count: Callable[[int, int], int], folds: int) -> Node:
    """One node for two rows of different lengths: what differs anywhere in them is a wildcard."""
    if folds == _MAX_FOLDS:
        return replace(_common(left.first, right.first, count), is_repeated=True)
    mine, theirs = (
        reduce(lambda folded, node: merged(folded, node, max, folds + 1), row.nodes) for row in (left, right)
    )
    return replace(merged(mine, theirs, count, folds + 1), is_repeated=True)


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
        for left, right in aligned(rows(mine), rows(theirs), _REFUSAL):
            if right is None:
                if left is not None and not left.first.is_optional:
                    found.refuse(f"{left.first.label} is missing in {mine.label}")
            elif left is None:
                found.refuse(f"{right.first.label} is not foreseen in {mine.label}")
            elif left.is_repeated:
                stack += [(left.first, node) for node in right.nodes]
            else:
                if len(left.nodes) != len(right.nodes):
                    missed = "missing" if len(right.nodes) < len(left.nodes) else "repeated"
                    found.refuse(f"{left.first.label} is {missed} in {mine.label}")
                stack += zip(left.nodes, right.nodes, strict=False)
    return found


def aligned(
    mine: Sequence[SiblingRow], theirs: Sequence[SiblingRow], refusal: int = 0
) -> list[tuple[SiblingRow | None, SiblingRow | None]]:
    """Rows in pairs of the same label, in order, as many and as large ones as can be; others stand alone.

    ``refusal`` is the price of what a pattern does not accept.
    """
    if refusal and len(mine) * len(theirs) <= _MAX_CELLS * (len(mine) + len(theirs)):
        return list(_heaviest(mine, theirs, refusal))
    start = 0
    while start < min(len(mine), len(theirs)) and mine[start].first.shape == theirs[start].first.shape:
        start += 1
    end = 0
    while end < min(len(mine), len(theirs)) - start and mine[-1 - end].first.shape == theirs[-1 - end].first.shape:
        end += 1
    left, right = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
    return [
        *zip(mine[:start], theirs[:start], strict=True),
        *_heaviest(left, right, refusal),
        *zip(mine[len(mine) - end :], theirs[len(theirs) - end :], strict=True),
    ]


def _heaviest(
    mine: Sequence[SiblingRow], theirs: Sequence[SiblingRow], refusal: int
) -> Iterator[tuple[SiblingRow | None, SiblingRow | None]]:
    """The pairs of the heaviest common subsequence of labels, and what is left between them."""
    if len(mine) * len(theirs) > _MAX_CELLS * (len(mine) + len(theirs)):
        yield from ((row, None) for row in mine)
        yield from ((None, row) for row in theirs)
        return
    missing = [0 if row.first.is_optional else refusal for row in mine]
    best = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    best[-1] = [-refusal * left for left in range(len(theirs), -1, -1)]
    for i in range(len(mine) - 1, -1, -1):
        best[i][-1] = best[i + 1][-1] - missing[i]
        for j in range(len(theirs) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j] - missing[i], best[i][j + 1] - refusal)
            if mine[i].first.label == theirs[j].first.label:
                best[i][j] = max(best[i][j], _weight(mine[i], theirs[j], refusal) + best[i + 1][j + 1])
    i = j = 0
    while i < len(mine) and j < len(theirs):
        is_pair = mine[i].first.label == theirs[j].first.label
        if is_pair and best[i][j] == _weight(mine[i], theirs[j], refusal) + best[i + 1][j + 1]:
            yield mine[i], theirs[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j] - missing[i]:
            yield mine[i], None
            i += 1
        else:
            yield None, theirs[j]
            j += 1
    yield from ((row, None) for row in mine[i:])
    yield from ((None, row) for row in theirs[j:])


def _weight(left: SiblingRow, right: SiblingRow, refusal: int) -> int:
    """What a pair of the same label is worth."""
    mine, theirs = left.first, right.first
    has_same_text = mine.text is not None and mine.text == theirs.text
    same = 1 + (mine.shape == theirs.shape) + (has_same_text or len(left.nodes) == len(right.nodes) > 1)
    is_refused = len(left.nodes) != len(right.nodes) and not left.is_repeated
    if mine.text is not None:
        is_refused = mine.pages > 1 and mine.text not in (_WILDCARD, theirs.text)
    return same * min(mine.size, theirs.size) - is_refused * refusal


def _settle(node: Node) -> None:
    """Number the rows of the children, and measure; everything below is settled already."""
    for before, child in zip([None, *node.children], node.children, strict=False):
        if not child.shape:
            _measure(child)
        if before is not None:
            is_alike = child.text is None and child.shape == before.shape
            child.row = before.row + (not is_alike)
    _measure(node)


def _measure(node: Node) -> None:
    node.size = 1 + sum(child.size for child in node.children)
    # A row is built like one of its members, so that lists of any length are built alike.
    node.shape = digest(node.label, *(row.first.shape for row in rows(node)))


def _in_row(node: Node, row: int) -> Node:
    node.row = row
    return node


def _optional(node: Node) -> Node:
    """A node of a pattern, without the page it comes from; what is below is shared, since it is never changed."""
    return replace(node, is_optional=True, block=-1)


def _labelled(page: Page, kept: Bools, options: Options) -> tuple[str, ...]:
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
    flat: list[list[Any]] = []
    stack = [(pattern, -1)]
    while stack:
        node, parent = stack.pop()
        flat.append([parent, node.label, node.text, node.is_optional, node.is_repeated, node.pages, node.row])
        stack += [(child, len(flat) - 1) for child in reversed(node.children)]
    return flat


def _unflat(flat: Sequence[Sequence[Any]]) -> Node:
    nodes = [Node(*values) for _, *values in flat]
    for node, (parent, *_) in zip(nodes, flat, strict=True):
        if parent >= 0:
            nodes[parent].children.append(node)
    for node in reversed(nodes):
        _measure(node)
    return nodes[0]
