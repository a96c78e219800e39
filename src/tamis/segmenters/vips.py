"""VIPS: a page is divided top-down, by its elements and by the empty space between them.

Idea:      elements are divided until they look like one block; separators between the blocks, weighted by how clearly
           they separate, give a tree of regions. Large elements are divided first, smaller ones in later rounds. The
           required degree of coherence decides how deep the tree goes.
Reference: Cai, Yu, Wen & Ma (2003), as described by Zelený (2017), section 3.1.2.
Departs:   the numbers and rule sets are those of Popela's implementation, plus the rule for crowded elements that it
           lacks. Pictures are blocks, and a text in one piece is not divided further. Separators are found from all
           blocks at once; of the two directions, the one with the heavier separator is used first. In every round each
           block of a part is divided once at least, where the paper asks for parts of a single block; and parts are
           divided while their degree of coherence is below ``pdoc``, as in the paper, where Popela divides at it, too.
Strong at: pages whose markup follows their looks; a tree with one setting for how fine it is.
Weak at:   layouts without empty stretches, or with elements that lie over each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from tamis.page.boxes import TEXT, Rect
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.ranges import Range, check_ranges
from tamis.results import Region, Segmentation
from tamis.segmenters._box_nesting import Nesting, elements_with_content, nest
from tamis.segmenters._separators import ACROSS, DOWN, HorizontalRules, Look, separators, weight
from tamis.segmenters._shown import whole_page
from tamis.segmenters._visual_blocks import BoxFacts, divide, first_texts, read_facts

# Popela's implementation: sizes in pixels below which an element is not divided, round by round.
_LIMITS = tuple(
    width * height
    for width, height in (
        (350, 400), (300, 350), (250, 300), (200, 250), (150, 200), (100, 150), (100, 100), (80, 80), (10, 40), (1, 1)
    )
)  # fmt: skip
_LEAST_PX, _LEAST_PX_LATER = 3.0, 4.0  # thickness of separators in the first round, and afterwards
_HEAVIEST = 40  # weight that is always among those compared, so that light separators stay light
_MAX_DOC = 11
_MAX_LEVELS = 40  # of separators in separators in one round, to keep the time linear; ours, not swept


@dataclass(frozen=True, kw_only=True)
class Options:
    """How fine the regions are."""

    # Permitted degree of coherence, from 1 (the page) to 11 (as fine as can be). Swept 6-11 on 81 pages with marked
    # blocks (Kreuzer, training data, rendered), by B-cubed F of characters: 9 has the best mean of that on the deepest
    # blocks (best at 10, 0.77) and on those of level 1 (best at 6, 0.85).
    pdoc: int = 9

    def __post_init__(self) -> None:
        check_ranges(self, pdoc=Range(1, _MAX_DOC))


@dataclass(eq=False)
class _Part:
    """A part of the page while it is divided."""

    blocks: dict[int, int]  # and their degrees of coherence
    parts: list[_Part] = field(default_factory=list)
    weight: int = 0  # of the separators between the parts
    doc: int = 0


def segment(page: Page, options: Options) -> Segmentation:
    nesting = elements_with_content(nest(page))
    root = _divided(page, nesting)
    if not root.blocks:
        return Segmentation(page=page, root=whole_page(page))
    _judge(root)
    root.doc = 1
    region = _region(nesting, root, options.pdoc)
    return Segmentation(page=page, root=whole_page(page, region.parts or (region,)))


def _divided(page: Page, nesting: Nesting) -> _Part:
    """The whole page as a tree, as fine as can be."""
    facts = read_facts(page, nesting)
    scene = _Scene(page, nesting, facts)
    root = _Part(dict.fromkeys((nesting.parent == -1).nonzero()[0].tolist(), 0))
    leaves, divided = [root], set[int]()
    for turn, limit in enumerate(_LIMITS):
        finer = []
        for leaf in leaves:
            blocks = divide(facts, list(leaf.blocks), limit, divided)
            if turn and (not blocks or blocks.keys() == leaf.blocks.keys()):
                finer.append(leaf)
                continue
            leaf.blocks = blocks
            finer += scene.split(leaf, _LEAST_PX_LATER if turn else _LEAST_PX)
        leaves = finer
    return root


class _Scene:
    """Where blocks are and how they look."""

    def __init__(self, page: Page, nesting: Nesting, facts: BoxFacts) -> None:
        boxes, place = nesting.boxes, nesting.place
        self.rects: list[Rect] = [(left, top, right, bottom) for left, top, right, bottom in nesting.rect.tolist()]
        is_rule = mask("hr")[page.nodes.tag[nesting.node]]
        self.rules = HorizontalRules([self.rects[box] for box in is_rule.nonzero()[0].tolist()])
        fonts = first_texts(nesting)
        self.looks = [
            Look(tuple(background), size, heavy, is_text)
            for background, size, heavy, is_text in zip(
                boxes.background[place].tolist(),
                boxes.font_size[fonts].tolist(),
                boxes.font_weight[fonts].tolist(),
                [whole or text for whole, text in zip(facts.all_text, (nesting.kind == TEXT).tolist(), strict=True)],
                strict=True,
            )
        ]

    def split(self, part: _Part, least: float, level: int = 0) -> list[_Part]:
        """Divide a part at its heaviest separators, and its parts in turn; the parts that remain whole."""
        best: tuple[int, list[list[int]]] = (0, [])
        blocks = list(part.blocks)
        for axis in (ACROSS, DOWN) if len(blocks) > 1 and level < _MAX_LEVELS else ():
            heaviest, groups = self._groups(blocks, axis, least)
            if heaviest > best[0]:
                best = (heaviest, groups)
        if not best[0]:
            return [part]
        part.weight = best[0]
        part.parts = [_Part({block: part.blocks[block] for block in group}) for group in best[1]]
        return [leaf for inner in part.parts for leaf in self.split(inner, least, level + 1)]

    def _groups(self, blocks: list[int], axis: int, least: float) -> tuple[int, list[list[int]]]:
        """The weight of the heaviest separators of an axis, and the blocks between those."""
        rects = [self.rects[block] for block in blocks]
        order, found, lasts = separators(rects, axis, least)
        if not found:
            return 0, []
        left, right = min(rect[0] for rect in rects), max(rect[2] for rect in rects)
        weights = [
            weight(
                separator,
                axis,
                self.looks[blocks[last]],
                self.looks[blocks[order[separator.before]]],
                axis == ACROSS and self.rules.between(separator, left, right),
            )
            for separator, last in zip(found, lasts, strict=True)
        ]
        heaviest = max(weights)
        cuts = [separator.before for separator, heavy in zip(found, weights, strict=True) if heavy == heaviest]
        pieces = zip([0, *cuts], [*cuts, len(order)], strict=True)
        return heaviest, [sorted(blocks[block] for block in order[first:last]) for first, last in pieces]


def _judge(root: _Part) -> None:
    """Degrees of coherence: of a part with separators from the heaviest in it, else the least of its blocks."""
    order = [root]
    for part in order:
        order.extend(part.parts)
    weights = [part.weight for part in order if part.parts]
    low, high = min(weights, default=0), max([*weights, _HEAVIEST])
    for part in reversed(order):
        if part.parts:
            scaled = 1 + 10 * (part.weight - low) / (high - low)
            own = _MAX_DOC + 1 - math.ceil(round(scaled, 9))
            part.doc = min(own, *(inner.doc for inner in part.parts))
        else:
            part.doc = min(part.blocks.values())


def _region(nesting: Nesting, part: _Part, pdoc: int) -> Region:
    parts = [_region(nesting, inner, pdoc) for inner in part.parts] if part.doc < pdoc else []
    blocks = list(part.blocks)
    left, top = nesting.rect[blocks, :2].min(axis=0).tolist()
    right, bottom = nesting.rect[blocks, 2:].max(axis=0).tolist()
    nodes = tuple(nesting.node[blocks].tolist())
    return Region(nodes=nodes, box=(left, top, right, bottom), score=float(part.doc), parts=tuple(parts))
