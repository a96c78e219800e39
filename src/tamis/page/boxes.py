"""Boxes: where and how the parts of a page are shown, in the coordinates of ``page.nodes`` and ``page.text``.

Boxes come from a browser (``tamis.render``) or are estimated from the markup (``page.layout``); methods read both
the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tamis.page.text import Bools, Floats, Ints

Bytes = npt.NDArray[np.uint8]
Rect = tuple[float, float, float, float]  # left, top, right, bottom

ELEMENT, TEXT, IMAGE = range(3)
"""Kinds of boxes: an element that holds others, one line of text, a replaced element (img, svg, video, canvas ...)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Boxes:
    """One entry per element and per line of text, in document order; lengths in CSS pixels of the whole page."""

    node: Ints
    kind: Bytes
    rect: Floats  # n x 4: left, top, right, bottom, from the upper left corner of the page
    start: Ints  # range of page.text for lines of text, empty for others
    end: Ints
    color: Bytes  # n x 3: colour of the text; of an image its mean colour
    background: Bytes  # n x 3: what is behind the text or the element, all layers blended
    paints: Bools  # has its own background colour, background image or border
    font_size: Floats
    font_weight: Ints
    italic: Bools
    decorated: Bools  # underlined, overlined or struck through
    visible: Bools  # displayed, not transparent, not empty, at least partly on the page
    paint_order: Ints
    width: float  # of the page
    height: float
    viewport: tuple[int, int]
    estimated: bool = False  # made without a browser

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def area(self) -> Floats:
        """In square pixels."""
        sizes = self.rect[:, 2:] - self.rect[:, :2]
        return np.asarray(sizes[:, 0] * sizes[:, 1])

    def of_nodes(self, count: int) -> Ints:
        """For each of ``count`` nodes the position of its first box; -1 for none."""
        positions = np.full(count, -1, dtype=np.int64)
        positions[self.node[::-1]] = np.arange(len(self))[::-1]
        return positions
