"""An estimate of where the parts of a page are shown, made from the markup alone.

No style sheet is read. Elements that are not inline stand below each other, as browsers lay them out without one, with
the exceptions that markup itself declares or that names give away: cells of a table row stand side by side, so do
pictures without text between them, and so do what is called a sidebar and its neighbour. Widths are handed down from
parents, heights are added up from lines of text, and places are handed down again; each is one pass over the levels of
the tree.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import numpy as np

from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Boxes
from tamis.page.html import HEADINGS, INLINE_NAMES, PSEUDO_NAMES, TAG_NAMES, mask
from tamis.page.html import TEXT as TEXT_CODE
from tamis.page.line_breaks import TextLines, break_lines, within
from tamis.page.model import FOREIGN, HIDDEN, INVISIBLE, LINK, Page
from tamis.page.text import Bools, Floats, Ints

VIEWPORT = (1366, 768)
# The numbers below are what browsers do without a style sheet, or ours; none is swept.
_FONT_SIZE = 16.0
_SIDE_SHARE = 0.25  # of the width, for a sidebar
_HEADING_SIZES = {"h1": 32.0, "h2": 24.0, "h3": 18.72, "h4": 16.0, "h5": 13.28, "h6": 10.72, "small": 13.0}
_MARGINS = dict.fromkeys(("p", "ul", "ol", "dl", "blockquote", "figure", "pre", "table", "form"), 16.0) | {
    "h1": 21.0, "h2": 20.0, "h3": 19.0, "h4": 21.0, "hr": 10.0, "body": 8.0, "li": 2.0, "td": 2.0, "th": 2.0,
}  # fmt: skip
_INDENTS = {"ul": 40.0, "ol": 40.0, "dd": 40.0, "blockquote": 40.0, "figure": 40.0, "body": 8.0}
_REPLACED = {
    "img": (120.0, 90.0), "svg": (24.0, 24.0), "video": (300.0, 150.0), "canvas": (300.0, 150.0),
    "iframe": (300.0, 150.0), "embed": (300.0, 150.0), "object": (300.0, 150.0), "input": (150.0, 22.0),
    "select": (120.0, 22.0), "textarea": (300.0, 60.0), "audio": (300.0, 54.0),
}  # fmt: skip
_BOLD = mask("b", "strong", "th", *HEADINGS)
_ITALIC = mask("i", "em", "cite", "address", "dfn", "var")
_SIDE_NAME = re.compile(r"(?i)side(?:bar|_|-|$)|(?:^|[-_ #])(?:left|right|secondary|rail|widget-area)(?:[-_ ]|col|$)")
_SIDE_WORDS = ("side", "left", "right", "secondary", "rail", "widget")  # one of which is in all that it finds
_TEXT_COLOR, _LINK_COLOR = np.array([0, 0, 0], np.uint8), np.array([0, 0, 238], np.uint8)
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(%|px|$)")


def _table(values: dict[str, float], otherwise: float) -> Floats:
    return np.array([values.get(name, otherwise) for name in TAG_NAMES])


_SIZE_OF, _MARGIN_OF, _INDENT_OF = _table(_HEADING_SIZES, 0.0), _table(_MARGINS, 0.0), _table(_INDENTS, 0.0)
_WIDTH_OF = _table({name: size[0] for name, size in _REPLACED.items()}, 0.0)
_HEIGHT_OF = _table({name: size[1] for name, size in _REPLACED.items()}, 0.0)
_HOLDS = ~mask(*INLINE_NAMES, *(name for name in PSEUDO_NAMES if name != "#other"))


@dataclass(frozen=True, eq=False)
class _Items:
    """What is laid out, level by level: elements that are not inline, replaced elements, runs of text."""

    node: Ints  # the element, or the first text of a run
    block: Ints  # the run; -1 for elements
    parent: Ints  # position in this list; the first item, the document, is its own
    level: Ints  # where each level begins, and the end
    share: Floats  # of the width of the parent
    fixed: Floats  # width in pixels if it is known, else 0
    beside: Bools  # stands beside the one before it

    def __len__(self) -> int:
        return len(self.node)

    def down(self) -> list[slice]:
        """The levels below the document."""
        bounds = self.level.tolist()
        return [slice(first, last) for first, last in itertools.pairwise(bounds[1:])]


def laid_out(page: Page) -> Page:
    """The page with boxes: those that a browser showed, or else estimated ones."""
    return page if page.boxes is not None else page.with_boxes(estimate_boxes(page))


def estimate_boxes(page: Page) -> Boxes:
    """Boxes of a page that was not rendered; linear in its nodes."""
    sizes = _font_sizes(page)
    items = _items(page)
    left, width = _across(page, items)
    run = np.flatnonzero(items.block >= 0)
    item_of = np.zeros(len(run), dtype=np.int64)  # of each block of the page
    item_of[items.block[run]] = run
    lines = break_lines(page, width[item_of], sizes)
    top, height = _down(page, items, width, lines)
    rect = np.stack((left, top, left + width, top + height), axis=1)
    return _boxes(page, items, rect, lines, item_of, sizes)


def _font_sizes(page: Page) -> Floats:
    sized = _SIZE_OF[page.nodes.tag] > 0
    sizes = _SIZE_OF[page.nodes.tag[page.nodes.nearest(sized)]]
    return np.where(sizes > 0, sizes, _FONT_SIZE)


def _items(page: Page) -> _Items:
    nodes, blocks = page.nodes, page.blocks
    shown = (nodes.flags & (INVISIBLE | FOREIGN)) == 0
    # What is inside a frame or a video is not shown, but the frame is.
    replaced = (_WIDTH_OF[nodes.tag] > 0) & shown[np.maximum(nodes.parent, 0)]
    replaced &= ((nodes.flags & HIDDEN) == 0) & ~nodes.inside(replaced)[np.maximum(nodes.parent, 0)]
    holds = _HOLDS[nodes.tag] & shown & ~nodes.inside(replaced)
    holds[:1] = True
    replaced[:1] = False
    holder = nodes.nearest(holds)
    depth = _path_counts(holds, nodes.end)

    elements, runs = np.flatnonzero(holds | replaced), blocks.leaves[blocks.first_leaf[:-1]]
    node = np.concatenate((elements, runs))
    block = np.concatenate((np.full(len(elements), -1), np.arange(len(runs))))
    above = holder[np.maximum(nodes.parent[node], 0)]
    level = depth[above] + 1
    level[:1] = 0
    order = np.lexsort((node, above, level))
    node, block, above, level = node[order], block[order], above[order], level[order]
    position = np.zeros(len(nodes), dtype=np.int64)
    position[node[block < 0]] = np.flatnonzero(block < 0)
    parent = position[above]
    bounds = np.searchsorted(level, np.arange(int(level[-1]) + 2))
    return _Items(node, block, parent, bounds, *_side_by_side(page, node, block, parent))


def _path_counts(marked: Bools, ends: Ints) -> Ints:
    """How many of the ancestors of each node are marked."""
    change = np.zeros(len(marked) + 1, dtype=np.int64)
    change[:-1] = marked
    np.subtract.at(change, ends[marked], 1)
    return np.cumsum(change[:-1]) - marked


def _side_by_side(page: Page, node: Ints, block: Ints, parent: Ints) -> tuple[Floats, Floats, Bools]:
    """Share of the width, width in pixels, and what stands beside its neighbour."""
    tag = np.where(block < 0, page.nodes.tag[node], TEXT_CODE)
    share, fixed, beside = np.ones(len(node)), _WIDTH_OF[tag].copy(), np.zeros(len(node), dtype=np.bool_)
    follows = np.append(False, parent[1:] == parent[:-1])
    follows[:2] = False

    is_cell = mask("td", "th")[tag]
    weight = np.sqrt(_characters(page)[node] + 20.0) * is_cell
    share[is_cell] = weight[is_cell] / np.bincount(parent, weight, len(node))[parent[is_cell]]
    beside |= is_cell & follows & np.append(False, is_cell[:-1])

    small = (_WIDTH_OF[tag] > 0) & follows
    beside |= small & np.append(False, _WIDTH_OF[tag[:-1]] > 0)

    is_column = (block < 0) & ~is_cell & (_WIDTH_OF[tag] == 0)
    beside |= _columns(_is_side(page, node, block), is_column, follows, share)
    _read_widths(page, node, tag, share, fixed)
    return share, fixed, beside


def _columns(is_side: Bools, is_column: Bools, follows: Bools, share: Floats) -> Bools:
    """What stands beside the one before it, because one of both is a sidebar: two columns, or three around a text."""
    meets: Bools = follows & is_column & np.append(False, (is_side[1:] != is_side[:-1]) & is_column[:-1])
    meets &= ~np.append(False, meets[:-1] & is_side[:-1])
    is_followed = np.append(meets[1:], False)
    in_row = meets | is_followed
    share[in_row & is_side] = _SIDE_SHARE
    share[in_row & ~is_side] = 1 - _SIDE_SHARE
    share[meets & is_followed & ~is_side] = 1 - 2 * _SIDE_SHARE
    return meets


def _is_side(page: Page, node: Ints, block: Ints) -> Bools:
    is_side = np.zeros(len(node), dtype=np.bool_)
    candidates = np.flatnonzero((block < 0) & mask("div", "aside", "section", "nav", "ul")[page.nodes.tag[node]])
    names = page.names(node[candidates])
    known = {name: _names_side(name) for name in dict.fromkeys(names)}  # most are repeated
    is_side[candidates] = np.fromiter(map(known.__getitem__, names), dtype=np.bool_, count=len(names))
    is_side |= (block < 0) & page.nodes.named("aside")[node]
    return is_side


def _names_side(name: str) -> bool:
    if name.isascii() and not any(map(name.lower().__contains__, _SIDE_WORDS)):
        return False
    return _SIDE_NAME.search(name) is not None


def _read_widths(page: Page, node: Ints, tag: Ints, share: Floats, fixed: Floats) -> None:
    """Widths that the markup of tables and pictures states."""
    stated = np.flatnonzero(mask("img", "table", "td", "th", "iframe", "object", "embed", "video", "canvas")[tag])
    for place, value in zip(stated.tolist(), page.attribute(node[stated], "width"), strict=True):
        match = _LENGTH.match(value) if value else None
        if match and match[2] == "%":
            share[place] = min(max(float(match[1]) / 100, 0.01), 1.0)
            fixed[place] = 0.0
        elif match:
            fixed[place] = max(float(match[1]), 1.0)


def _characters(page: Page) -> Ints:
    return page.nodes.totals(page.flow.characters)


def _across(page: Page, items: _Items) -> tuple[Floats, Floats]:
    """Left edge and width of every item."""
    left, width = np.zeros(len(items)), np.zeros(len(items))
    width[0] = VIEWPORT[0]
    is_element = items.block < 0
    indent = np.where(is_element, _INDENT_OF[page.nodes.tag[items.node]], 0.0)
    for level in items.down():
        parent = items.parent[level]
        room = np.maximum(width[parent] - indent[parent], 1.0)
        wanted = np.where(items.fixed[level] > 0, np.minimum(items.fixed[level], room), items.share[level] * room)
        offset = within(wanted, ~items.beside[level])
        left[level] = left[parent] + indent[parent] + np.minimum(offset, room - 1)
        width[level] = np.maximum(np.minimum(wanted, room - np.minimum(offset, room - 1)), 1.0)
    return left, width


def _down(page: Page, items: _Items, width: Floats, lines: TextLines) -> tuple[Floats, Floats]:
    """Upper edge and height of every item: heights add up from below, then places are handed down."""
    height, top = np.zeros(len(items)), np.zeros(len(items))
    is_element = items.block < 0
    run = items.block[~is_element]
    height[~is_element] = lines.heights[run] * lines.rows[run]
    tag = page.nodes.tag[items.node].astype(np.int64)
    margin = np.where(is_element, _MARGIN_OF[tag], 0.0)
    height[is_element] = _HEIGHT_OF[tag[is_element]]
    _read_heights(page, items, tag, width, height)
    for level in reversed(items.down()):
        parent, begins = items.parent[level], np.flatnonzero(~items.beside[level])
        tall = np.maximum.reduceat(height[level] + 2 * margin[level], begins)
        owner = parent[begins]
        offset = within(tall, np.append(True, owner[1:] != owner[:-1]))
        top[level] = np.repeat(offset, np.diff(np.append(begins, len(parent)))) + margin[level]
        np.add.at(height, owner, tall)
    for level in items.down():
        top[level] += top[items.parent[level]]
    return top, height


def _read_heights(page: Page, items: _Items, tag: Ints, width: Floats, height: Floats) -> None:
    images = np.flatnonzero((items.block < 0) & mask("img", "iframe", "object", "embed", "video", "canvas")[tag])
    # A picture whose height is not stated is taken for three quarters of its width.
    height[images] = 0.75 * width[images]
    for place, value in zip(images.tolist(), page.attribute(items.node[images], "height"), strict=True):
        match = _LENGTH.match(value) if value else None
        if match and match[2] != "%":
            height[place] = min(float(match[1]), 10_000.0)


def _boxes(page: Page, items: _Items, rect: Floats, lines: TextLines, item_of: Ints, sizes: Floats) -> Boxes:
    nodes = page.nodes
    line_height = lines.heights[lines.block]
    corner = rect[item_of[lines.block], :2] + np.stack((lines.left, lines.row * line_height), axis=1)
    line_rect = np.concatenate((corner, corner + np.stack((lines.width, line_height), axis=1)), axis=1)
    element_rect = _element_rects(page, items, rect, lines, line_rect)
    elements = np.flatnonzero(nodes.elements & (((nodes.flags & INVISIBLE) == 0) | (element_rect[:, 2] > 0)))
    elements = elements[elements > 0]
    node = np.concatenate((elements, lines.text))
    order = np.argsort(node, kind="stable")
    node = node[order]
    is_text = order >= len(elements)
    kind = np.where(is_text, TEXT, np.where(_WIDTH_OF[nodes.tag[node]] > 0, IMAGE, ELEMENT)).astype(np.uint8)
    rects = np.concatenate((element_rect[elements], line_rect))[order]
    none = np.zeros(len(elements), dtype=np.int64)
    in_link = (nodes.flags[node] & LINK) != 0
    color = np.where((in_link & is_text)[:, None], _LINK_COLOR, _TEXT_COLOR)
    sized = (rects[:, 2] > rects[:, 0]) & (rects[:, 3] > rects[:, 1])
    return Boxes(
        node=node,
        kind=kind,
        rect=rects,
        start=np.concatenate((none, lines.start))[order],
        end=np.concatenate((none, lines.end))[order],
        color=color,
        background=np.full((len(node), 3), 255, dtype=np.uint8),
        paints=nodes.named("hr", "button", "input", "textarea", "select", "fieldset")[node],
        font_size=sizes[node],
        font_weight=np.where(nodes.inside(_BOLD[nodes.tag])[node], 700, 400),
        italic=nodes.inside(_ITALIC[nodes.tag])[node],
        decorated=in_link & is_text,
        visible=sized,
        paint_order=np.arange(len(node)),
        width=float(VIEWPORT[0]),
        height=float(max(rect[0, 3], VIEWPORT[1])),
        viewport=VIEWPORT,
        estimated=True,
    )


def _element_rects(page: Page, items: _Items, rect: Floats, lines: TextLines, line_rect: Floats) -> Floats:
    """Items have a place; other elements reach around what is in them."""
    nodes = page.nodes
    found = np.full((len(nodes), 4), np.inf)
    found[:, 2:] = -np.inf
    np.minimum.at(found[:, :2], lines.text, line_rect[:, :2])
    np.maximum.at(found[:, 2:], lines.text, line_rect[:, 2:])
    is_element = items.block < 0
    is_item = nodes.marked(items.node[is_element])
    found[items.node[is_element]] = rect[is_element]
    order = np.argsort(nodes.depth, kind="stable")
    bounds = np.searchsorted(nodes.depth[order], np.arange(int(nodes.depth.max()) + 2)).tolist()
    for first, last in reversed(list(itertools.pairwise(bounds[1:]))):
        below = order[first:last]
        below = below[(found[below, 2] > -np.inf) & ~is_item[nodes.parent[below]]]
        np.minimum.at(found[:, :2], nodes.parent[below], found[below, :2])
        np.maximum.at(found[:, 2:], nodes.parent[below], found[below, 2:])
    return np.where(np.isfinite(found), found, 0.0)
