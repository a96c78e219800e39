"""Snapshot and page → Boxes: rectangles, colours and fonts of what is shown, at the nodes it belongs to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Boxes, Bytes, Rect
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.rendering.join import Join, join
from tamis.rendering.lines import Texts
from tamis.rendering.snapshot import TEXT_NODE, Channels, ComputedStyle, Layout, Snapshot, TextLine

Color = tuple[float, float, float]

REPLACED_NAMES = frozenset("audio canvas embed iframe img object svg video".split())
_WHITE = (255.0, 255.0, 255.0)
_EVERYWHERE: Rect = (-np.inf, -np.inf, np.inf, np.inf)
_MIN_AREA = 1.0  # what is cut down to one pixel is there for machines, as text for screen readers and counters are
_MIN_OPACITY = 0.01  # ours, not swept
_NO_CLIP = "auto"


class _Look(NamedTuple):
    """What a node hands down to what is inside it."""

    opacity: float
    background: Color
    is_decorated: bool
    clip: Rect  # where its content can be seen
    far_clip: Rect  # where what is inside it, but positioned absolutely, can be seen
    is_image: bool


class _Row(NamedTuple):
    """One box, before all of them become arrays."""

    node: int
    start: int
    end: int
    kind: int
    rect: Rect
    color: Color
    background: Color
    style: ComputedStyle
    is_decorated: bool
    is_visible: bool
    paint_order: int


def build_boxes(snapshot: Snapshot, page: Page, viewport: tuple[int, int]) -> tuple[Boxes, float]:
    """The boxes of a page in document order, and the share of the shown characters that the page does not have.

    Pictures stand for the elements they are drawn with; texts in them are boxes of their own.
    """
    joined = join(snapshot, page)
    looks = _looks(snapshot)
    rows = [
        _element_row(snapshot, looks, shown, layout, joined.node[shown])
        for shown, layout in snapshot.layout.items()
        if joined.node[shown] > 0 and snapshot.kind[shown] != TEXT_NODE and not looks[snapshot.parent[shown]].is_image
    ]
    texts = Texts(snapshot)
    lost = total = 0
    for line in snapshot.lines:
        row = _line_row(snapshot, looks, joined, page, texts, line)
        if row:
            rows.append(row)
        if snapshot.kind[line.node] == TEXT_NODE:
            total += line.end - line.start
            lost += 0 if row else line.end - line.start
    rows.sort(key=lambda row: (row.node, row.start))
    return _arrays(rows, snapshot, viewport), lost / total if total else 0.0


def _looks(snapshot: Snapshot) -> list[_Look]:
    """The look of every node; nodes come after their parents."""
    looks: list[_Look] = []
    outermost = _Look(1.0, _WHITE, False, _EVERYWHERE, _EVERYWHERE, False)
    for node, parent in enumerate(snapshot.parent):
        above = looks[parent] if parent >= 0 else outermost
        layout = snapshot.layout.get(node)
        is_plain = layout is None or snapshot.kind[node] == TEXT_NODE
        looks.append(above if is_plain or layout is None else _look(above, layout, snapshot.name[node]))
    return looks


def _look(above: _Look, layout: Layout, name: str) -> _Look:
    style, rect = layout.style, layout.rect
    opacity = above.opacity * style.opacity
    clip = _outer_clip(above, style)
    if style.clip != _NO_CLIP and style.position in ("absolute", "fixed"):
        clip = _overlap(clip, _clip_rect(style.clip, rect))
    if name not in ("html", "body"):  # theirs is the overflow of the window
        if style.cuts_x:
            clip = (max(clip[0], rect[0]), clip[1], min(clip[2], rect[2]), clip[3])
        if style.cuts_y:
            clip = (clip[0], max(clip[1], rect[1]), clip[2], min(clip[3], rect[3]))
    if layout.behind is None:
        background = _blend(style.background, above.background, opacity)
    else:  # the browser knows what is behind without being around
        background = _blend(layout.behind, above.background, 1.0)
    return _Look(
        opacity=opacity,
        background=background,
        is_decorated=style.is_decorated or (above.is_decorated and style.is_inline),
        clip=clip,
        far_clip=above.far_clip if style.position == "static" else clip,
        is_image=above.is_image or name in REPLACED_NAMES,
    )


def _outer_clip(above: _Look, style: ComputedStyle) -> Rect:
    """Where an element can be seen, for all that is around it."""
    if style.position == "fixed":
        return _EVERYWHERE
    return above.far_clip if style.position == "absolute" else above.clip


def _element_row(snapshot: Snapshot, looks: list[_Look], shown: int, layout: Layout, node: int) -> _Row:
    style, look = layout.style, looks[shown]
    # An element that cuts off what stands out of it is seen itself, unless it is clipped as a whole.
    clip = look.clip if style.clip != _NO_CLIP else _outer_clip(looks[snapshot.parent[shown]], style)
    return _Row(
        node=node,
        start=0,
        end=0,
        kind=IMAGE if snapshot.name[shown] in REPLACED_NAMES else ELEMENT,
        rect=layout.rect,
        color=_blend(style.color, look.background, look.opacity),
        background=look.background,
        style=style,
        is_decorated=look.is_decorated,
        is_visible=_is_visible(layout.rect, style, look, clip, snapshot),
        paint_order=layout.paint_order,
    )


def _line_row(
    snapshot: Snapshot, looks: list[_Look], joined: Join, page: Page, texts: Texts, line: TextLine
) -> _Row | None:
    """The box of a line of text; None for what the page does not have, such as generated text."""
    holder, start, end = texts.range_of(line)
    if holder < 0 or joined.text_start[holder] < 0 or start >= end:
        return None
    first, last = joined.text_start[holder] + start, joined.text_start[holder] + end
    layout, look = snapshot.layout[line.node], looks[snapshot.parent[holder]]
    is_visible = _is_visible(line.rect, layout.style, look, look.clip, snapshot)
    return _Row(
        node=joined.node[holder],
        start=first,
        end=last,
        kind=TEXT,
        rect=line.rect,
        color=_blend(layout.style.color, look.background, look.opacity),
        background=look.background,
        style=layout.style,
        is_decorated=look.is_decorated,
        is_visible=is_visible and not page.text[first:last].isspace(),
        paint_order=layout.paint_order,
    )


def _is_visible(rect: Rect, style: ComputedStyle, look: _Look, clip: Rect, snapshot: Snapshot) -> bool:
    left, top, right, bottom = _overlap(rect, _overlap(clip, (0, 0, snapshot.width, snapshot.height)))
    is_large = right > left and bottom > top and (right - left) * (bottom - top) > _MIN_AREA
    return is_large and style.is_shown and look.opacity >= _MIN_OPACITY


def _overlap(one: Rect, other: Rect) -> Rect:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _clip_rect(value: str, rect: Rect) -> Rect:
    """The rectangle of ``clip: rect(top, right, bottom, left)``, which counts from the corner of the element."""
    sides = [part.strip() for part in value.removeprefix("rect(").removesuffix(")").split(",")]
    usual = (0.0, rect[2] - rect[0], rect[3] - rect[1], 0.0)
    top, right, bottom, left = (
        whole if side == _NO_CLIP else float(side.removesuffix("px")) for side, whole in zip(sides, usual, strict=True)
    )
    return rect[0] + left, rect[1] + top, rect[0] + right, rect[1] + bottom


def _blend(color: Channels, behind: Color, opacity: float) -> Color:
    red, green, blue, alpha = color
    share = min(1.0, alpha * opacity)
    if share == 0:
        return behind
    rest = 1 - share
    return red * share + behind[0] * rest, green * share + behind[1] * rest, blue * share + behind[2] * rest


def _arrays(rows: list[_Row], snapshot: Snapshot, viewport: tuple[int, int]) -> Boxes:
    styles = [row.style for row in rows]
    return Boxes(
        node=_ints([row.node for row in rows]),
        kind=np.array([row.kind for row in rows], dtype=np.uint8),
        rect=np.array([row.rect for row in rows], dtype=np.float64).reshape(-1, 4),
        start=_ints([row.start for row in rows]),
        end=_ints([row.end for row in rows]),
        color=_bytes([row.color for row in rows]),
        background=_bytes([row.background for row in rows]),
        paints=np.array([row.kind != TEXT and row.style.paints for row in rows], dtype=np.bool_),
        font_size=np.array([style.font_size for style in styles], dtype=np.float64),
        font_weight=_ints([style.font_weight for style in styles]),
        italic=np.array([style.is_italic for style in styles], dtype=np.bool_),
        decorated=np.array([row.is_decorated for row in rows], dtype=np.bool_),
        visible=np.array([row.is_visible for row in rows], dtype=np.bool_),
        paint_order=_ints([row.paint_order for row in rows]),
        width=snapshot.width,
        height=snapshot.height,
        viewport=viewport,
    )


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _bytes(colors: list[Color]) -> Bytes:
    return np.clip(np.rint(np.array(colors, dtype=np.float64).reshape(-1, 3)), 0, 255).astype(np.uint8)
