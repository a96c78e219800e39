"""Boxes as records that JSON can hold."""

from __future__ import annotations

from typing import Any

from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Bytes
from tamis.page.model import Page

KINDS = {ELEMENT: "element", TEXT: "text", IMAGE: "image"}


def to_dict(page: Page) -> dict[str, Any]:
    """A rendered page: what is known of it as a whole, and one record per box in document order."""
    boxes = page.boxes
    about = {"url": page.url, "truncated": page.truncated, "warnings": list(page.warnings), "text": page.text}
    if boxes is None:
        return {**about, "boxes": []}
    columns = zip(
        boxes.node.tolist(),
        boxes.kind.tolist(),
        boxes.rect.round(2).tolist(),
        boxes.start.tolist(),
        boxes.end.tolist(),
        _hex(boxes.color),
        _hex(boxes.background),
        boxes.paints.tolist(),
        boxes.font_size.round(2).tolist(),
        boxes.font_weight.tolist(),
        boxes.italic.tolist(),
        boxes.decorated.tolist(),
        boxes.visible.tolist(),
        boxes.paint_order.tolist(),
        strict=True,
    )
    records = [
        {
            "node": node,
            "name": page.name(node),
            "kind": KINDS[kind],
            "box": rect,
            **({"start": start, "end": end} if kind == TEXT else {}),
            "color": color,
            "background": background,
            "paints": paints,
            "font_size": font_size,
            "font_weight": font_weight,
            "italic": italic,
            "decorated": decorated,
            "visible": visible,
            "paint_order": paint_order,
        }
        for (
            node, kind, rect, start, end, color, background, paints,
            font_size, font_weight, italic, decorated, visible, paint_order,
        ) in columns
    ]  # fmt: skip
    size = {"width": boxes.width, "height": boxes.height, "viewport": list(boxes.viewport)}
    return {**about, **size, "estimated": boxes.estimated, "boxes": records}


def _hex(colors: Bytes) -> list[str]:
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in colors.tolist()]
