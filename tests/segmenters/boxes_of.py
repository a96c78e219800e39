"""Pages with boxes made by hand: from a list of rectangles, or from markup that declares them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import tamis
from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Boxes
from tamis.page.model import Page


@dataclass(frozen=True, kw_only=True)
class Rectangle:
    """A picture of one colour, in pixels of the page."""

    left: float
    top: float
    width: float
    height: float
    color: tuple[float, float, float] = (0.0, 0.0, 0.0)  # red, green and blue from 0 to 1
    visible: bool = True


def page_of(rectangles: Sequence[Rectangle], size: tuple[float, float] | None = None) -> Page:
    """A page of pictures; ``nodes_of`` tells their nodes. Later ones are painted over earlier ones."""
    page = tamis.parse("<body>" + "<img>" * len(rectangles))
    rect = np.array([(r.left, r.top, r.left + r.width, r.top + r.height) for r in rectangles]).reshape(-1, 4)
    width, height = size or (max(rect[:, 2].max(initial=1), 1), max(rect[:, 3].max(initial=1), 1))
    node = nodes_of(page)
    color = np.rint(np.array([r.color for r in rectangles]).reshape(-1, 3) * 255)
    return page.with_boxes(
        make_boxes(
            node=node,
            kind=np.full(len(node), IMAGE),
            rect=rect,
            size=(width, height),
            color=color,
            visible=np.array([r.visible for r in rectangles], dtype=np.bool_),
        )
    )


def nodes_of(page: Page) -> np.typing.NDArray[np.int64]:
    return np.flatnonzero(page.nodes.named("img"))


_DECLARED = re.compile(r"([a-z-]+):([^;]+)")


def page_with_boxes(markup: str) -> Page:
    """A page whose elements declare their boxes, none of which is read by any product code:

    ``<p box="left:0;top:0;width:100;height:40;lines:2;color:#000000;background:#ffffff;paints:1;size:16;weight:400">``

    Text directly inside shares the box of its element, cut into ``lines``. Colours and fonts are inherited; elements
    without ``box`` are not shown.
    """
    page = tamis.parse(markup)
    looks: dict[int, dict[str, str]] = {0: {"color": "#000000", "background": "#ffffff", "size": "16", "weight": "400"}}
    rows: list[tuple[int, int, tuple[float, float, float, float], dict[str, str]]] = []
    for node in range(1, len(page.nodes)):
        above = looks[int(page.nodes.parent[node])]
        declared = dict(_DECLARED.findall(page.attributes(node).get("box", "")))
        own = {key: value for key, value in declared.items() if key in looks[0]}
        looks[node] = {**looks[0], **{key: value for key, value in above.items() if key in looks[0]}, **own}
        if page.name(node) == "#text" and "rect" in above and page.node_text(node).strip():
            left, top, right, bottom = map(float, above["rect"].split())
            lines = int(above["lines"])
            step = (bottom - top) / lines
            rows += [
                (node, TEXT, (left, top + step * line, right, top + step * (line + 1)), looks[node])
                for line in range(lines)
            ]
        elif declared:
            left, top, width, height = (float(declared[key]) for key in ("left", "top", "width", "height"))
            rect = (left, top, left + width, top + height)
            looks[node] |= {"rect": " ".join(map(str, rect)), "lines": declared.get("lines", "1")}
            looks[node]["paints"] = declared.get("paints", "0")
            rows.append((node, IMAGE if page.name(node) == "img" else ELEMENT, rect, looks[node]))
    rect_array = np.array([row[2] for row in rows]).reshape(-1, 4)
    size = (max(rect_array[:, 2].max(initial=1), 1), max(rect_array[:, 3].max(initial=1), 1))
    return page.with_boxes(
        make_boxes(
            node=np.array([row[0] for row in rows], dtype=np.int64),
            kind=np.array([row[1] for row in rows]),
            rect=rect_array,
            size=size,
            color=np.array([_rgb(row[3]["color"]) for row in rows]).reshape(-1, 3),
            background=np.array([_rgb(row[3]["background"]) for row in rows]).reshape(-1, 3),
            paints=np.array([row[3].get("paints") == "1" and row[1] != TEXT for row in rows], dtype=np.bool_),
            font_size=np.array([float(row[3]["size"]) for row in rows]),
            font_weight=np.array([int(row[3]["weight"]) for row in rows], dtype=np.int64),
        )
    )


def _rgb(color: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(color.lstrip("#")))


def make_boxes(
    *,
    node: np.typing.NDArray[np.int64],
    kind: np.typing.NDArray[np.int64],
    rect: np.typing.NDArray[np.float64],
    size: tuple[float, float],
    **fields: np.typing.NDArray[np.generic],
) -> Boxes:
    """Boxes with plain black text on white wherever nothing else is given."""
    count = len(node)
    values: dict[str, np.typing.NDArray[np.generic]] = {
        "color": np.zeros((count, 3)),
        "background": np.full((count, 3), 255),
        "paints": np.zeros(count, dtype=np.bool_),
        "font_size": np.full(count, 16.0),
        "font_weight": np.full(count, 400),
        "italic": np.zeros(count, dtype=np.bool_),
        "decorated": np.zeros(count, dtype=np.bool_),
        "visible": np.ones(count, dtype=np.bool_),
        "paint_order": np.arange(count),
        **fields,
    }
    for name in ("color", "background"):
        values[name] = values[name].astype(np.uint8)
    nowhere = np.zeros(count, dtype=np.int64)
    return Boxes(
        node=node,
        kind=kind.astype(np.uint8),
        rect=rect.astype(np.float64),
        start=nowhere,
        end=nowhere,
        width=float(size[0]),
        height=float(size[1]),
        viewport=(int(size[0]), 768),
        **values,  # type: ignore[arg-type]
    )
