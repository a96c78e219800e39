"""K-FeatureExtractor: the group of blocks with the largest shares of words, found by k-means.

Idea:      split the page and measure purity as FeatureExtractor does; group the blocks by purity and keep the purest
           group, since main content is rarely a single block.
Reference: Debnath, Mitra & Giles (2005), as described by Gottron (2008), section 3.2.5.
Departs:   the original begins with random centroids; here they are spread evenly over the sorted purities (least,
           median, greatest for three), so that a page always has the same result. Words that no browser shows do not
           count; every element counts, hidden ones included.
Strong at: articles whose paragraphs hold hardly any links or bold words.
Weak at:   pages on which blocks without any element form a group: only these are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.extractors._k_means import k_means
from tamis.extractors._kept_text import kept_spans
from tamis.extractors._purity import check_purity_options, purities, segment
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a block is, and how blocks are grouped."""

    feature: str = "text"  # what is wanted: words, or elements of this name such as img
    min_purity: float = 0.5  # blocks below are out; from the paper
    keep_residual: bool = False  # what is left of a block that is cut becomes a block; the printed algorithm loses it
    overlap: bool = False  # elements nested in their like all count, as printed; else the innermost
    clusters: int = 3  # groups; the original author's choice, by letter to Gottron

    def __post_init__(self) -> None:
        check_purity_options(self.feature, self.min_purity, self.keep_residual, self.overlap)
        check_ranges(self, clusters=Range(1, 20))


def extract(page: Page, options: Options) -> Extraction:
    segments = segment(page, keep_residual=options.keep_residual, overlap=options.overlap)
    purity = purities(segments, options.feature)
    candidates = np.flatnonzero(purity >= options.min_purity)
    winners = candidates[purest_group(purity[candidates], options.clusters)]
    return Extraction(page=page, spans=kept_spans(page, segments.inside(winners)))


def purest_group(purity: Floats, clusters: int) -> Ints:
    """Positions of the group with the highest mean.

    >>> purest_group(np.array([0.5, 0.95, 0.75, 1.0]), 3).tolist()
    [1, 3]
    """
    if not len(purity):
        return np.zeros(0, dtype=np.int64)
    distinct = np.unique(purity)
    seeds = distinct if len(distinct) <= clusters else np.quantile(purity, np.linspace(0, 1, clusters))
    labels, centroids = k_means(purity[:, None], seeds[:, None])
    # The purest block lies nearest to the highest centroid, so that this group is never empty.
    return np.flatnonzero(labels == np.argmax(centroids))
