"""What the browser says about a page in one answer (``DOMSnapshot.captureSnapshot``), read into flat lists."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from tamis.page.boxes import Rect

STYLES = (
    "color",
    "background-color",
    "background-image",
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-width",
    "display",
    "position",
    "overflow-x",
    "overflow-y",
    "clip",
    "visibility",
    "opacity",
    "font-size",
    "font-weight",
    "font-style",
    "text-decoration-line",
)
REQUEST = {"computedStyles": list(STYLES), "includePaintOrder": True, "includeBlendedBackgroundColors": True}
ELEMENT_NODE, TEXT_NODE = 1, 3
Channels = tuple[float, float, float, float]  # red, green, blue from 0 to 255, opacity from 0 to 1

_BETWEEN = re.compile(r"[\s,/]+")  # what stands between the numbers of a colour
_UNITS = {"rgb": 1.0, "rgba": 1.0, "srgb": 255.0}  # what one stands for, where colours are read
_HIDING_OVERFLOW = frozenset({"hidden", "clip"})


class ComputedStyle(NamedTuple):
    """What is read of the computed style of an element."""

    color: Channels
    background: Channels
    paints: bool  # a background or a border
    is_inline: bool
    position: str
    cuts_x: bool  # hides what stands out of it to the sides
    cuts_y: bool
    clip: str
    is_shown: bool
    opacity: float
    font_size: float
    font_weight: int
    is_italic: bool
    is_decorated: bool


class Layout(NamedTuple):
    """How one node is laid out; a text has the style of its parent."""

    rect: Rect
    style: ComputedStyle
    text: str  # as shown: after text-transform
    paint_order: int
    behind: Channels | None  # colour behind a text, all layers blended, where the browser says it


class TextLine(NamedTuple):
    """A stretch of a text node on one line; positions count UTF-16 units, as browsers do."""

    node: int
    rect: Rect
    start: int
    end: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot:
    """The tree as it is shown, in document order: pseudo elements are in it, what is in shadows takes its place."""

    parent: list[int]
    kind: list[int]  # node types of the DOM
    name: list[str]
    value: list[str]
    pseudo: frozenset[int]
    layout: Mapping[int, Layout]  # by node; what is not displayed has none
    lines: Sequence[TextLine]  # of text nodes and of pseudo elements
    width: float
    height: float

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.parent]
        for node, parent in enumerate(self.parent):
            if parent >= 0:
                children[parent].append(node)
        return children


def read_snapshot(answer: Mapping[str, Any]) -> Snapshot:
    """The page itself; what its frames show is left out."""
    strings: list[str] = answer["strings"]
    document = answer["documents"][0]
    nodes = document["nodes"]
    left = document["scrollOffsetX"]  # below 0 where a page goes on to the left of the window
    return Snapshot(
        parent=nodes["parentIndex"],
        kind=nodes["nodeType"],
        name=[strings[index].lower() if index >= 0 else "" for index in nodes["nodeName"]],
        value=[strings[index] if index >= 0 else "" for index in nodes["nodeValue"]],
        pseudo=frozenset(nodes["pseudoType"]["index"]),
        layout=_read_layout(document["layout"], strings, left),
        lines=_read_lines(document["textBoxes"], document["layout"]["nodeIndex"], left),
        width=float(document["contentWidth"]),
        height=float(document["contentHeight"]),
    )


def _read_layout(layout: Mapping[str, Any], strings: list[str], left: float) -> dict[int, Layout]:
    styles: dict[tuple[int, ...], ComputedStyle] = {}  # many nodes share one style
    found: dict[int, Layout] = {}
    names = ("nodeIndex", "bounds", "styles", "text", "paintOrders", "blendedBackgroundColors")
    for node, bounds, row, text, paint_order, behind in zip(*(layout[name] for name in names), strict=True):
        if node in found or not row:  # the text inside a pseudo element; the document, which has no style
            continue
        key = tuple(row)
        if key not in styles:
            styles[key] = _read_style(dict(zip(STYLES, (strings[index] for index in row), strict=True)))
        found[node] = Layout(
            rect=_rect(bounds, left),
            style=styles[key],
            text=strings[text] if text >= 0 else "",
            paint_order=paint_order,
            behind=read_color(strings[behind]) if behind >= 0 else None,
        )
    return found


def _read_style(style: Mapping[str, str]) -> ComputedStyle:
    background = read_color(style["background-color"])
    widths = (style[f"border-{side}-width"] for side in ("top", "right", "bottom", "left"))
    has_border = any(width != "0px" for width in widths)
    return ComputedStyle(
        color=read_color(style["color"]),
        background=background,
        paints=background[3] > 0 or style["background-image"] != "none" or has_border,
        is_inline=style["display"] == "inline",
        position=style["position"],
        cuts_x=style["overflow-x"] in _HIDING_OVERFLOW,
        cuts_y=style["overflow-y"] in _HIDING_OVERFLOW,
        clip=style["clip"],
        is_shown=style["visibility"] == "visible",
        opacity=float(style["opacity"]),
        font_size=float(style["font-size"].removesuffix("px")),
        font_weight=round(float(style["font-weight"])),
        is_italic=style["font-style"] != "normal",
        is_decorated=style["text-decoration-line"] != "none",
    )


@functools.lru_cache(maxsize=4096)
def read_color(color: str) -> Channels:
    """The channels of a computed colour; of one in another colour space only the opacity is known, and it is grey.

    >>> read_color("rgba(255, 0, 0, 0.5)"), read_color("color(srgb 1 none 0.2)")
    ((255.0, 0.0, 0.0, 0.5), (255.0, 0.0, 51.0, 1.0))
    """
    kind, _, channels = color.removesuffix(")").partition("(")
    values = _BETWEEN.split(channels)
    if kind == "color":
        kind, *values = values
    numbers = [_number(value) for value in values]
    opacity = numbers[3] if len(numbers) > 3 else 1.0
    if kind in _UNITS and len(numbers) >= 3:
        red, green, blue = (min(max(_UNITS[kind] * number, 0.0), 255.0) for number in numbers[:3])
    else:
        red = green = blue = 127.5
    return red, green, blue, min(max(opacity, 0.0), 1.0)


def _number(value: str) -> float:
    """A number of a style; 0 for ``none``, which colours may have in its place, and for what is not finite."""
    try:
        number = float(value)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def _read_lines(boxes: Mapping[str, Any], nodes: list[int], left: float) -> list[TextLine]:
    """One line for all boxes of a text that stand side by side: collapsed blanks and capitals split boxes."""
    lines: list[TextLine] = []
    piece_before = -1
    columns = (boxes[name] for name in ("layoutIndex", "bounds", "start", "length"))
    for piece, bounds, start, length in zip(*columns, strict=True):
        line = TextLine(nodes[piece], _rect(bounds, left), start, start + length)
        if piece == piece_before and _side_by_side(lines[-1].rect, line.rect):
            line = _joined(lines.pop(), line)
        elif piece == piece_before and lines[-1].start < start < lines[-1].end:
            lines[-1] = lines[-1]._replace(end=start)  # capitals of ß and its like count twice
        lines.append(line)
        piece_before = piece
    return lines


def _side_by_side(before: Rect, after: Rect) -> bool:
    is_level = before[1] < after[3] and after[1] < before[3]
    return is_level and after[0] - before[2] <= 1 and before[0] - after[2] <= 1


def _joined(before: TextLine, after: TextLine) -> TextLine:
    one, other = before.rect, after.rect
    rect = (min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]))
    return TextLine(before.node, rect, min(before.start, after.start), max(before.end, after.end))


def _rect(bounds: Sequence[float], left: float) -> Rect:
    x, top, width, height = bounds
    return x - left, top, x - left + width, top + height
