"""Box tree: boxes nested by their position on the screen, grouped by similarity and by the gaps between them.

Idea:      every box with a background or a border is an area, and so is every text and image; areas are nested by their
           position on the screen, not by the markup. Texts that look similar and are close together form one area, and
           wide gaps separate groups of areas.
Reference: Burget (2010), as described by Zelený (2017), section 3.1.2.
Departs:   areas that do not stand out are left out before the tree is built, not afterwards. Borders are not
           distinguished from backgrounds, nor areas from the equal background around them.
Strong at: pages with frames and coloured areas; elements that are placed freely, whatever holds them in the markup.
Weak at:   plain pages, where only gaps are left to go by.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

import numpy as np

from tamis.page.boxes import IMAGE, Rect
from tamis.page.model import Page
from tamis.ranges import NOT_NEGATIVE, Range, check_ranges
from tamis.results import Region, Segmentation
from tamis.segmenters._box_graph import neighbours
from tamis.segmenters._box_nesting import Nesting, elements_with_content, nest
from tamis.segmenters._disjoint_boxes import disjoint_groups
from tamis.segmenters._separators import ACROSS, DOWN, separators
from tamis.segmenters._shown import whole_page
from tamis.segmenters._twin import kernel
from tamis.segmenters._visual_blocks import first_texts, textual

_LINE = 1.2  # height of a line in font sizes, as browsers have it where nothing else is said
_MAX_LEVELS = 32  # of boxes over boxes, to keep heaps of them cheap; ours, not swept


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is close, and what is far."""

    # Lines between texts of one area; our source gives no number. On 81 pages with marked blocks (Kreuzer, training
    # data, rendered) B-cubed F of characters on the deepest blocks is 0.72 to 0.73 from 1 to 2.5.
    close_lines: float = 1.5
    wide_gap: float = 2.0  # times the usual gap between the parts of an area, to divide it; ours, not swept

    def __post_init__(self) -> None:
        check_ranges(self, close_lines=NOT_NEGATIVE, wide_gap=Range(1))


@dataclass(eq=False)
class _Area:
    boxes: list[int]  # its own, outside of its parts
    rect: Rect
    parts: list[_Area] = field(default_factory=list)


def segment(page: Page, options: Options) -> Segmentation:
    nesting = elements_with_content(nest(page))
    scene = _Scene(page, nesting)
    areas = scene.finished(scene.shown(scene.nested(scene.standing_out, 0)), options)
    return Segmentation(page=page, root=whole_page(page, [_region(page, nesting, area) for area in areas]))


def _region(page: Page, nesting: Nesting, area: _Area) -> Region:
    parts = [_region(page, nesting, part) for part in area.parts]
    own = nesting.node[area.boxes].tolist()
    ends = page.nodes.end
    over = [node for part in parts for node in part.nodes if not any(top <= node < ends[top] for top in own)]
    return Region(nodes=(*own, *over), box=area.rect, parts=tuple(parts))


class _Scene:
    """Boxes that stand out, and how they are seen inside each other."""

    def __init__(self, page: Page, nesting: Nesting) -> None:
        is_text = textual(page, nesting)
        texts = np.bincount(nesting.parent[(nesting.parent >= 0) & is_text], minlength=len(nesting))
        holds_only_text = ~is_text & (nesting.children > 0) & (texts == nesting.children)
        paints = nesting.boxes.paints[nesting.place] & ~is_text
        inside_text = (nesting.parent >= 0) & (is_text | holds_only_text)[nesting.parent]
        chosen = ((is_text | paints) & ~inside_text) | holds_only_text | (nesting.kind == IMAGE)
        self.standing_out: list[int] = np.flatnonzero(chosen).tolist()
        self.rects: list[Rect] = [(left, top, right, bottom) for left, top, right, bottom in nesting.rect.tolist()]
        self.painted: list[int] = nesting.boxes.paint_order[nesting.place].tolist()
        self.has_content: list[bool] = (is_text | holds_only_text | (nesting.kind == IMAGE)).tolist()
        boxes, first = nesting.boxes, first_texts(nesting)
        own = paints[:, None] * (1 + boxes.background[nesting.place].astype(np.int64))  # 0 for no background
        looks = np.column_stack((boxes.font_size[first], boxes.font_weight[first], boxes.color[first], own))
        is_whole_text = (is_text | holds_only_text).tolist()
        self.looks = [tuple(look) if text else None for look, text in zip(looks.tolist(), is_whole_text, strict=True)]

    def nested(self, boxes: list[int], level: int) -> list[_Area]:
        """Areas side by side: none overlaps another, and each holds what lies in it or over it."""
        areas = []
        for group in disjoint_groups([self.rects[box] for box in boxes]):
            members = [boxes[place] for place in group]
            rect = _around([self.rects[box] for box in members])
            if len(members) == 1 or level == _MAX_LEVELS:
                areas.append(_Area(members, rect))
            else:
                outer = self._outermost(members)
                inner = [box for box in members if box != outer]
                areas.append(_Area([outer], rect, self.nested(inner, level + 1)))
        return areas

    def _outermost(self, boxes: list[int]) -> int:
        """The box that the others lie in or over: the lowest layer, or the largest box around that."""
        left, top, right, bottom = self.rects[min(boxes, key=lambda box: (self.painted[box], box))]

        def holds(box: int) -> bool:
            rect = self.rects[box]
            return rect[0] <= left and rect[1] <= top and rect[2] >= right and rect[3] >= bottom

        return max(filter(holds, boxes), key=lambda box: (_size(self.rects[box]), -self.painted[box], -box))

    def shown(self, areas: list[_Area]) -> list[_Area]:
        """Areas and their parts without those in which there is nothing."""
        for area in areas:
            area.parts = self.shown(area.parts)
        return [area for area in areas if area.parts or any(self.has_content[box] for box in area.boxes)]

    def finished(self, areas: list[_Area], options: Options) -> list[_Area]:
        """Areas with like texts joined, and divided at wide gaps, from the innermost out."""
        for area in areas:
            area.parts = self.finished(area.parts, options)
        return _divided(self._joined(areas, options.close_lines), options.wide_gap)

    def _joined(self, areas: list[_Area], close_lines: float) -> list[_Area]:
        """Texts that look alike and stand close become one area; whatever is between them comes along."""
        looks = [self.looks[area.boxes[0]] if len(area.boxes) == 1 and not area.parts else None for area in areas]
        pairs = neighbours(np.array([area.rect for area in areas]).reshape(-1, 4))
        closeness = zip(pairs.first.tolist(), pairs.second.tolist(), pairs.gap.tolist(), strict=True)
        is_close = [
            look is not None and look == looks[second] and gap <= close_lines * _LINE * look[0]
            for look, second, gap in ((looks[first], second, gap) for first, second, gap in closeness)
        ]
        label = kernel.connected(len(areas), pairs.first[is_close], pairs.second[is_close])
        texts: dict[int, _Area] = {}
        for area, number in zip(areas, label.tolist(), strict=True):
            if number in texts:
                texts[number].boxes += area.boxes
                texts[number].rect = _around([texts[number].rect, area.rect])
            else:
                texts[number] = area
        joined = list(texts.values())
        groups = disjoint_groups([area.rect for area in joined])
        return [_one([joined[place] for place in group]) for group in groups]


def _divided(areas: list[_Area], wide_gap: float) -> list[_Area]:
    """Groups of areas with wide gaps between them, across the page, then from top to bottom."""
    rows = [_columns(row, wide_gap) for row in _between_gaps(areas, ACROSS, wide_gap)]
    return rows[0] if len(rows) == 1 else [_one(row) for row in rows]


def _columns(areas: list[_Area], wide_gap: float) -> list[_Area]:
    columns = _between_gaps(areas, DOWN, wide_gap)
    return areas if len(columns) == 1 else [_one(column) for column in columns]


def _between_gaps(areas: list[_Area], axis: int, wide_gap: float) -> list[list[_Area]]:
    if len(areas) < 3:  # one gap is as wide as usual
        return [areas]
    order, found, _ = separators([area.rect for area in areas], axis, 0.0)
    widths = [gap.end - gap.start for gap in found]
    usual = statistics.median(widths) if widths else 0.0
    cuts = [gap.before for gap, width in zip(found, widths, strict=True) if gap.before and width > wide_gap * usual]
    pieces = zip([0, *cuts], [*cuts, len(order)], strict=True)
    return [[areas[place] for place in order[first:last]] for first, last in pieces]


def _one(areas: list[_Area]) -> _Area:
    return areas[0] if len(areas) == 1 else _Area([], _around([area.rect for area in areas]), areas)


def _around(rects: list[Rect]) -> Rect:
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _size(rect: Rect) -> float:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])
