"""Blocks of a page by the division rules of VIPS (Cai, Yu, Wen & Ma 2003): what is taken whole, what is divided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tamis.page.boxes import ELEMENT, IMAGE, TEXT
from tamis.page.html import INLINE_NAMES, mask
from tamis.page.model import Page
from tamis.page.text import Bools, Ints
from tamis.segmenters._box_nesting import Nesting

INLINE, TABLE, CELL, PARAGRAPH, OTHER = range(5)
DIVIDE, CUT = 0, -1  # beside degrees of coherence from 1 to 11

# Degrees of coherence, from Popela's implementation; the report gives ranges.
_UNCLAIMED, _ONE_FONT, _FONTS, _OTHER_BACKGROUND, _LAST = 11, 10, 9, 7, 7
_SMALL_WITH_TEXT = {"div": 5, "code": 7}
_SMALL_WITH_TEXT_OTHERS = _SMALL_CHILDREN = 8
_SMALL_CHILDREN_OF_LINK = 11


@dataclass(frozen=True, eq=False)
class BoxFacts:
    """What the rules ask about each box."""

    group: list[int]
    is_leaf: list[bool]  # a text or a picture
    end: list[int]
    area: list[float]
    children: list[int]
    only_child_is_text: list[bool]
    all_text: list[bool]
    has_text: list[bool]
    has_one_font: list[bool]
    has_break: list[bool]
    has_rule: list[bool]
    is_overfull: list[bool]
    has_contrast: list[bool]
    is_contrast: list[bool]  # another background than what is around it
    largest_child: list[float]
    small_doc: list[int]
    small_children_doc: list[int]
    before: list[int]  # the sibling before, -1 for none

    def inside(self, box: int) -> Iterable[int]:
        """What a box holds directly."""
        child = box + 1
        while child < self.end[box]:
            yield child
            child = self.end[child]


def read_facts(page: Page, nesting: Nesting) -> BoxFacts:
    """All that the rules need; ``nesting`` has whole texts only."""
    tag, kind, parent = page.nodes.tag[nesting.node], nesting.kind, nesting.parent
    is_element, is_text = kind == ELEMENT, kind == TEXT
    is_inline = is_element & mask(*INLINE_NAMES)[tag]
    is_textual = textual(page, nesting)
    children = nesting.children
    inner = parent >= 0
    textual_children = np.bincount(parent[inner & is_textual], minlength=len(nesting))
    size = nesting.rect[:, 2:] - nesting.rect[:, :2]
    area = size[:, 0] * size[:, 1]
    largest, filled = np.zeros(len(nesting)), np.bincount(parent[inner], area[inner], len(nesting))
    np.maximum.at(largest, parent[inner], area[inner])
    background = nesting.boxes.background[nesting.place]
    is_contrast = inner & ~is_text & (background != background[parent]).any(axis=1)
    group = np.full(len(nesting), OTHER)
    group[is_inline] = INLINE
    for number, names in ((TABLE, "table thead tbody tfoot tr"), (CELL, "td th"), (PARAGRAPH, "p")):
        group[is_element & mask(*names.split())[tag]] = number
    small = np.full(len(nesting), _SMALL_WITH_TEXT_OTHERS)
    for name, doc in _SMALL_WITH_TEXT.items():
        small[mask(name)[tag]] = doc
    columns = {
        "group": group,
        "is_leaf": is_text | (kind == IMAGE),
        "end": nesting.end,
        "area": area,
        "children": children,
        "only_child_is_text": (children == 1) & (textual_children == 1),
        "all_text": (children > 0) & (textual_children == children),
        "has_text": textual_children > 0,
        "has_one_font": _have_one_font(nesting, is_text),
        "has_break": nesting.any_child(is_element & ~is_inline),
        "has_rule": nesting.any_child(mask("hr")[tag]),
        "is_overfull": filled > area,
        "has_contrast": nesting.any_child(is_contrast),
        "is_contrast": is_contrast,
        "largest_child": largest,
        "small_doc": small,
        "small_children_doc": np.where(mask("a")[tag], _SMALL_CHILDREN_OF_LINK, _SMALL_CHILDREN),
        "before": _siblings_before(parent),
    }
    return BoxFacts(**{name: column.tolist() for name, column in columns.items()})


def textual(page: Page, nesting: Nesting) -> Bools:
    """True for texts, and for inline elements that hold nothing but text."""
    is_text = nesting.kind == TEXT
    is_inline = (nesting.kind == ELEMENT) & mask(*INLINE_NAMES)[page.nodes.tag[nesting.node]]
    holds_only_text = (nesting.totals(~is_inline & ~is_text) == 0) & (nesting.totals(is_text) > 0)
    return np.asarray(is_text | (is_inline & holds_only_text))


def first_texts(nesting: Nesting) -> Ints:
    """For each box the place, in the page's boxes, of the first text in it; its own if there is none."""
    texts = np.flatnonzero(nesting.kind == TEXT)
    first = np.searchsorted(texts, np.arange(len(nesting)))
    has_text = first < np.searchsorted(texts, nesting.end)
    places = nesting.place.copy()
    places[has_text] = nesting.place[texts[first[has_text]]]
    return places


def _have_one_font(nesting: Nesting, is_text: Bools) -> Bools:
    """True if all texts in a box have the same size and weight."""
    texts = np.flatnonzero(is_text)
    places = nesting.place[texts]
    size, weight = nesting.boxes.font_size[places], nesting.boxes.font_weight[places]
    differs = np.zeros(len(texts) + 1, dtype=np.int64)
    differs[1:-1] = (size[1:] != size[:-1]) | (weight[1:] != weight[:-1])
    changes = np.cumsum(differs)
    first, last = np.searchsorted(texts, np.arange(len(nesting))), np.searchsorted(texts, nesting.end)
    is_same = changes[np.maximum(last - 1, 0)] == changes[np.minimum(first, len(texts))]
    return np.asarray((last <= first) | is_same)


def _siblings_before(parent: Ints) -> Ints:
    order = np.argsort(parent, kind="stable")
    before = np.full(len(parent), -1, dtype=np.int64)
    follows = parent[order][1:] == parent[order][:-1]
    before[order[1:][follows]] = order[:-1][follows]
    return before


def divide(facts: BoxFacts, blocks: list[int], limit: float, divided: set[int]) -> dict[int, int]:
    """Blocks that a region falls into, in document order, each with its degree of coherence.

    Boxes smaller than ``limit`` square pixels are not divided. ``divided`` remembers what was.
    """
    found: dict[int, int] = {}
    roots = set(blocks)
    pending = [(box, False) for box in reversed(blocks)]
    while pending:
        box, is_set_off = pending.pop()
        doc = _OTHER_BACKGROUND if is_set_off else _judge(facts, box, limit, box in roots, divided)
        if doc == DIVIDE:
            divided.add(box)
            sets_off = facts.has_contrast[box] and facts.group[box] in (TABLE, PARAGRAPH)
            inside = [(child, sets_off and facts.is_contrast[child]) for child in facts.inside(box)]
            pending.extend(reversed(inside))
        elif doc != CUT:
            found[box] = doc
    return found


def _judge(facts: BoxFacts, box: int, limit: float, is_root: bool, divided: set[int]) -> int:
    """A degree of coherence, or what else is to be done; the first rule that speaks decides."""
    group = facts.group[box]
    if facts.is_leaf[box]:
        return _UNCLAIMED
    if facts.children[box] == 0:  # 1
        return CUT
    if facts.children[box] == 1 and not facts.only_child_is_text[box]:  # 2
        return DIVIDE
    if is_root and not facts.all_text[box]:  # 3
        return DIVIDE
    if facts.all_text[box] and group != TABLE:  # 4
        return _ONE_FONT if facts.has_one_font[box] else _FONTS
    if (facts.has_break[box] and group in (INLINE, PARAGRAPH)) or (  # 5
        (facts.has_rule[box] or facts.is_overfull[box]) and group in (INLINE, PARAGRAPH, OTHER)  # 6, 7
    ):
        return DIVIDE
    if facts.has_contrast[box] and group in (TABLE, PARAGRAPH):  # 8
        return DIVIDE
    if facts.has_text[box] and facts.area[box] < limit and group != TABLE:  # 9
        return facts.small_doc[box]
    if facts.largest_child[box] < limit:  # 10
        return facts.small_children_doc[box]
    if group in (CELL, PARAGRAPH) and facts.before[box] in divided:  # 11
        return DIVIDE
    return DIVIDE if group in (PARAGRAPH, OTHER) else _LAST  # 12, 13
