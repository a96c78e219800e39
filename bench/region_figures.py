"""Figures of the methods that look at regions of the page as it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bench.drawing import GREEN, GREY, box, figure, legend, text
from tamis import segmenters
from tamis.extractors import visual
from tamis.page.model import Page
from tamis.regions import walk

_SCALE = 0.5  # of a pixel of the page
_TOP, _LEFT = 44.0, 8.0


def main_regions(page: Page) -> str:
    options = visual.Options()
    segmentation = segmenters.segment(page, options.segmenter)
    placed = walk(segmentation.root)
    chosen = visual.choose(segmentation, placed, options)
    parts = [legend(_LEFT, 36, [(GREEN, "kept"), (GREY, "dropped")])]
    bottom = _TOP
    for keeps, (region, _, _) in zip(chosen, placed, strict=True):
        if region.parts or region.box is None:
            continue
        left, top, right, low = (edge * _SCALE for edge in region.box)
        parts.append(box(_LEFT + left, _TOP + top, right - left, low - top, GREEN if keeps else GREY, 0.35))
        parts.append(text(_LEFT + left + 4, _TOP + top + 12, region.label))
        bottom = max(bottom, _TOP + low)
    return figure("visual: the regions of the page and their labels, by an estimate of its layout", parts, bottom + 8)


FIGURES: Mapping[str, Callable[[Page], str]] = {"visual": main_regions}
