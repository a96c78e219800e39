"""Boxes and screenshot of a page in a file of arrays, for those who render the same pages again and again."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from tamis.page.boxes import Boxes
from tamis.stored import DamageError, reading
from tamis.stored.arrays import Field, opened, write

_MAX_BYTES = 512 << 20  # ours: of the largest page that was marked, 40 MB
_SCREENSHOT = Field("uint8", ("bytes",))
_LAYOUT = {
    **dict.fromkeys(("node", "start", "end", "font_weight", "paint_order"), Field("int64", ("boxes",))),
    "kind": Field("uint8", ("boxes",)),
    "rect": Field("float64", ("boxes", 4)),
    **dict.fromkeys(("color", "background"), Field("uint8", ("boxes", 3))),
    **dict.fromkeys(("paints", "italic", "decorated", "visible"), Field("bool", ("boxes",))),
    "font_size": Field("float64", ("boxes",)),
    **dict.fromkeys(("width", "height"), Field("float64")),
    "viewport": Field("int64", (2,)),
    "estimated": Field("bool"),
}


def write_rendering(file: Path, boxes: Boxes | None, screenshot: bytes | None) -> None:
    """Write what a browser showed, or that it showed nothing: the whole file or none."""
    arrays = {} if screenshot is None else {"screenshot": np.frombuffer(screenshot, dtype=np.uint8)}
    if boxes is not None:
        values = {field.name: getattr(boxes, field.name) for field in fields(boxes)}
        arrays |= {name: np.asarray(value, dtype=_LAYOUT[name].types) for name, value in values.items()}
    write(file, arrays)


def read_rendering(file: Path) -> tuple[Boxes | None, bytes | None]:
    """What ``write_rendering`` wrote; anything else is a ``FileFormatError``."""
    with reading("the rendering", file, "delete it and render the page again"), opened(file, _MAX_BYTES) as arrays:
        has_screenshot = "screenshot" in arrays.names
        has_boxes = bool(arrays.names - {"screenshot"})
        layout = {**(_LAYOUT if has_boxes else {}), **({"screenshot": _SCREENSHOT} if has_screenshot else {})}
        arrays.check(layout, {})
        found = {name: arrays.read(name, field) for name, field in layout.items()}
        screenshot = found.pop("screenshot").tobytes() if has_screenshot else None
        if not has_boxes:
            return None, screenshot
        if found["node"].min(initial=0) < 0 or found["start"].min(initial=0) < 0:
            raise DamageError("is damaged (a box belongs to no node)")
        width, height = found.pop("viewport").tolist()
        values: dict[str, Any] = {**found, "viewport": (width, height)}
        values |= {name: found[name].item() for name in ("width", "height", "estimated")}
        return Boxes(**values), screenshot
