"""CETR-TM: the source lines with much text per tag, above a threshold.

Idea:      the characters of a line divided by its tags are high where the content is. Smoothed over the neighbouring
           lines, so that a headline is kept with its article and a lone advertisement lost, ratios of at least
           ``threshold`` standard deviations mark content.
Reference: Weninger, Hsu & Han (2010), sections 3, 4 and 4.2.
Departs:   the width of the smoothing is a fixed number of lines; "std" is what the paper says literally. Entities count
           as the character they stand for. The page's title takes part, but no browser shows it, so it is not returned.
Strong at: recall; any language, any mark-up style; content in several pieces.
Weak at:   lists of short items, user comments, portals; pages with few and long lines, unless ``break_over`` is set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tamis.extractors._blur import Border
from tamis.extractors._tag_ratios import SIGMA, Sigma, check_reading, content_spans, smooth
from tamis.page.model import Page
from tamis.page.text import Bools, Floats
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to smooth, and where to cut."""

    threshold: float = (
        1.0  # lambda of the paper, which suggests 0.5 for more recall; flat from 0.5 to 1.2 on train pages
    )
    threshold_std_of: Literal["smoothed", "raw"] = (
        "smoothed"  # left open by the paper; raw loses 0.13 F1 on train pages
    )
    sigma: Sigma = SIGMA  # lines, or "std" for the standard deviation of the ratios; flat from 5 to 7 on train pages
    border: Border = "renormalise"  # left open by the paper; "zero" as good, "keep" 0.01 F1 worse on train pages
    break_over: int | None = None  # also break lines longer than this; 300 to 500 gains 0.05 F1 on train pages

    def __post_init__(self) -> None:
        check_reading(self.sigma, self.break_over)
        check_ranges(self, threshold=Range(0, 100))


def extract(page: Page, options: Options) -> Extraction:
    spans = content_spans(page, lambda ratios: choose(ratios, options), options.break_over)
    return Extraction(page=page, spans=spans)


def choose(ratios: Floats, options: Options) -> Bools:
    """True for lines whose smoothed ratio reaches the threshold."""
    smoothed = smooth(ratios, options.sigma, options.border)
    measured = smoothed if options.threshold_std_of == "smoothed" else ratios
    is_content: Bools = smoothed >= options.threshold * measured.std()
    return is_content
