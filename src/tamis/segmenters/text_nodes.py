"""Text nodes: every text and every image is its own region.

Idea:      a baseline, the finest possible segmentation.
Reference: none; the other end of ``one``.
Weak at:   everything but menus of single words.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamis.page.model import Page
from tamis.results import Region, Segmentation
from tamis.segmenters._shown import shown_pieces, whole_page


@dataclass(frozen=True, kw_only=True)
class Options:
    """No options."""


def segment(page: Page, options: Options) -> Segmentation:
    shown = shown_pieces(page)
    pairs = zip(shown.node.tolist(), shown.rect.tolist(), strict=True)
    parts = [Region(nodes=(node,), box=(left, top, right, bottom)) for node, (left, top, right, bottom) in pairs]
    return Segmentation(page=page, root=whole_page(page, parts))
