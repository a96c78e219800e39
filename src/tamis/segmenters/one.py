"""One region: the whole page.

Idea:      a baseline that other methods must beat.
Reference: none; the other end of ``text_nodes``.
Weak at:   everything but pages that are one region.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamis.page.model import Page
from tamis.results import Segmentation
from tamis.segmenters._shown import region_of, shown_pieces, whole_page


@dataclass(frozen=True, kw_only=True)
class Options:
    """No options."""


def segment(page: Page, options: Options) -> Segmentation:
    shown = shown_pieces(page)
    parts = [region_of((0,), shown.rect)] if len(shown) else []
    return Segmentation(page=page, root=whole_page(page, parts))
