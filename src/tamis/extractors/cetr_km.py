"""CETR-KM: the source lines with much text per tag, separated from the rest by clustering.

Idea:      the characters of a line divided by its tags, smoothed over the neighbouring lines, fall into three clusters;
           the lowest is boilerplate, the others are content.
Reference: Weninger, Hsu & Han (2010), sections 3, 4.1 and 4.3.
Departs:   clustering begins at the lowest, the middle and the highest ratio instead of at random. Where all lines are
           alike they are all kept. The width of the smoothing is a fixed number of lines;
           "std" is what the paper says literally. Entities count as the character they stand for. The page's title
           takes part, but no browser shows it, so it is not returned.
Strong at: recall without a threshold to tune; any language, any mark-up style; content in several pieces.
Weak at:   lists of short items, user comments, portals; pages with few and long lines, unless ``break_over`` is set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.extractors._blur import Border
from tamis.extractors._k_means import k_means
from tamis.extractors._tag_ratios import SIGMA, Sigma, check_reading, content_spans, smooth
from tamis.page.model import Page
from tamis.page.text import Bools, Floats
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to smooth, and how many clusters to make."""

    clusters: int = 3  # from the paper; 2 loses 0.04 and 4 loses 0.02 F1 on train pages
    sigma: Sigma = SIGMA  # lines, or "std" for the standard deviation of the ratios; flat from 2 to 7 on train pages
    border: Border = "renormalise"  # left open by the paper; "zero" and "keep" are as good on train pages
    break_over: int | None = None  # also break lines longer than this; 300 to 500 gains 0.03 F1 on train pages

    def __post_init__(self) -> None:
        check_reading(self.sigma, self.break_over)
        check_ranges(self, clusters=Range(2, 20))


def extract(page: Page, options: Options) -> Extraction:
    spans = content_spans(page, lambda ratios: choose(ratios, options), options.break_over)
    return Extraction(page=page, spans=spans)


def choose(ratios: Floats, options: Options) -> Bools:
    """True for lines outside the cluster that lies nearest to zero."""
    if ratios.min() == ratios.max():
        return ratios > 0
    smoothed = smooth(ratios, options.sigma, options.border)
    seeds = np.quantile(smoothed, np.linspace(0, 1, options.clusters))
    labels, centroids = k_means(smoothed[:, None], seeds[:, None])
    used = np.unique(labels)
    lowest = used[centroids[used, 0].argmin()]
    is_content: Bools = labels != lowest
    return is_content
