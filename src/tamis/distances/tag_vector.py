"""Tag vector: how far apart two pages are in the space of their tag counts.

Idea:      count every kind of element; the distance is that of the two points. Longer pages lie further out, which is
           wanted: size is typical of a template.
Reference: Gottron (2008), section 7.1.1.
Departs:   nothing.
Strong at: speed.
Weak at:   articles of different length from one template: they lie further apart than the front pages of two sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.distances._names import NameCounts, counts_of, shared_codes, table
from tamis.distances._structure import TagSource, is_opening, tag_sequence
from tamis.page.model import Page
from tamis.page.text import Floats

THRESHOLD = None  # no gap between near and far in Gottron's histograms (2008, figure 7.9)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Whose tags are counted."""

    tags_from: TagSource = "tree"  # the parsed tree, or the tags that are written in the source


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> NameCounts:
    """How many tags open each kind of element."""
    tags = tag_sequence(page, options.tags_from)
    return counts_of(tags[is_opening(tags)])


def between(counts: NameCounts, other: NameCounts, options: Options) -> float:
    return float(matrix([counts, other], options)[0, 1])


def matrix(counts: Sequence[NameCounts], options: Options) -> Floats:
    points = table(counts, shared_codes(counts))
    # Whole numbers: the products are exact, and so is the zero between equal pages.
    squares = np.array([(page.times**2).sum() for page in counts], dtype=np.float64)
    distances: Floats = points @ points.T
    for row, square in zip(distances, squares, strict=True):  # in place, because there may be many
        row[:] = np.sqrt(squares + square - 2 * row)
    np.fill_diagonal(distances, 0)  # names of one page alone are in the squares only
    return distances
