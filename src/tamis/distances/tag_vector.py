"""Tag vector: how far apart two pages are in the space of their tag counts.

Idea:      count every kind of element; the distance is that of the two points. Longer pages lie further out, which is
           wanted: size is typical of a template.
Reference: Gottron (2008), section 7.1.1.
Departs:   names that HTML does not know share one count.
Strong at: speed.
Weak at:   articles of different length from one template: they lie further apart than the front pages of two sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.distances._structure import CLOSING, TagSource, tag_sequence
from tamis.page.html import TAG_NAMES
from tamis.page.model import Page
from tamis.page.text import Floats, Ints

THRESHOLD = None  # no gap between near and far in Gottron's histograms (2008, figure 7.9)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Whose tags are counted."""

    tags_from: TagSource = "tree"  # the parsed tree, or the tags that are written in the source


def distance(page: Page, other: Page, options: Options) -> float:
    return between(features(page, options), features(other, options), options)


def features(page: Page, options: Options) -> Ints:
    """How many tags open each kind of element."""
    tags = tag_sequence(page, options.tags_from)
    return np.bincount(tags[tags < CLOSING], minlength=len(TAG_NAMES))


def between(counts: Ints, other: Ints, options: Options) -> float:
    return float(np.sqrt(((counts - other) ** 2).sum()))


def matrix(counts: Sequence[Ints], options: Options) -> Floats:
    points = np.array(counts, dtype=np.float64).reshape(len(counts), len(TAG_NAMES))
    # Whole numbers: the products are exact, and so is the zero between equal pages.
    squares = (points**2).sum(axis=1)
    distances: Floats = points @ points.T
    for row, square in zip(distances, squares, strict=True):  # in place, because there may be many
        row[:] = np.sqrt(squares + square - 2 * row)
    return distances
