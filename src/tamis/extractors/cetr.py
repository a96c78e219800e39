"""CETR: the source lines with much text per tag, and those where this ratio changes.

Idea:      every line is a point: its characters divided by its tags, smoothed over the neighbouring lines, and the
           slope of that ratio. Boilerplate is near the origin, so one of three clusters is fixed there; the lines of
           the others are content.
Reference: Weninger, Hsu & Han (2010), sections 3, 4.1 and 5.
Departs:   clustering begins at the points farthest from the origin and from each other instead of at random. The width
           of the smoothing is a fixed number of lines; "std" is what the paper says literally. Entities count as the
           character they stand for. The page's title takes part, but no browser shows it, so it is not returned.
Strong at: recall; any language, any mark-up style; content in several pieces, its first and last lines.
Weak at:   portals, user comments; pages that are all content lose their lists, unless the gate is on; pages with few
           and long lines, unless ``break_over`` is set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.extractors._blur import Border
from tamis.extractors._content_only import is_content_only
from tamis.extractors._k_means import k_means
from tamis.extractors._tag_ratios import SIGMA, Sigma, check_reading, content_spans, differences, smooth
from tamis.page.model import Page
from tamis.page.text import Bools, Floats
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to smooth, what to cluster, and whether to ask first if there is anything to drop."""

    clusters: int = 3  # from the paper; 2 loses 0.02 F1 on train pages, 4 changes little
    alpha: int = 3  # lines ahead that a line is compared with, from the paper; flat from 1 to 10 on train pages
    sigma: Sigma = SIGMA  # lines, or "std" for the standard deviation of the values; 5 is the best on train pages
    border: Border = "renormalise"  # left open by the paper; "zero" as good, "keep" 0.03 F1 worse on train pages
    scale: bool = False  # give both numbers the same spread; not in the paper, changes little on train pages
    gate: bool = False  # keep pages with next to no links whole; proposed by the paper, but not part of its method
    break_over: int | None = None  # also break lines longer than this; 300 to 500 gains 0.04 F1 on train pages

    def __post_init__(self) -> None:
        check_reading(self.sigma, self.break_over)
        check_ranges(self, clusters=Range(2, 20), alpha=Range(1, 1000))


def extract(page: Page, options: Options) -> Extraction:
    if options.gate and is_content_only(page):
        return Extraction(page=page, spans=page.text_spans(page.blocks.leaves))
    spans = content_spans(page, lambda ratios: choose(ratios, options), options.break_over)
    return Extraction(page=page, spans=spans)


def choose(ratios: Floats, options: Options) -> Bools:
    """True for lines that are nearer to another centroid than to the origin."""
    points = describe(ratios, options)
    labels, _ = k_means(points, spread_seeds(points, options.clusters), pinned=1)
    is_content: Bools = labels > 0
    return is_content


def describe(ratios: Floats, options: Options) -> Floats:
    """A row for each line: the smoothed ratio, and the size of its smoothed change."""
    smoothed = smooth(ratios, options.sigma, options.border)
    jumps = np.abs(smooth(differences(smoothed, options.alpha), options.sigma, options.border))
    points = np.column_stack((smoothed, np.append(jumps, 0.0)))
    spread = points.std(axis=0)
    return points / np.where(spread > 0, spread, 1.0) if options.scale else points


def spread_seeds(points: Floats, count: int) -> Floats:
    """The origin, then again and again the point that is farthest from all before it.

    >>> spread_seeds(np.array([[1.0, 1.0], [9.0, 0.0], [0.0, 5.0]]), 3).tolist()
    [[0.0, 0.0], [9.0, 0.0], [0.0, 5.0]]
    """
    seeds = np.zeros((count, points.shape[1]))
    nearest = (points**2).sum(axis=1)
    for number in range(1, count):
        seeds[number] = points[nearest.argmax()]
        nearest = np.minimum(nearest, ((points - seeds[number]) ** 2).sum(axis=1))
    return seeds
