"""Clusters of boxes: what is joined up to a threshold, and which threshold leaves few boxes alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.text import Bools, Floats, Ints
from tamis.segmenters._box_graph import Neighbours
from tamis.segmenters._joining import GRAIN
from tamis.segmenters._twin import kernel

THRESHOLDS = tuple(step / 10 for step in range(1, 11))  # those the author's programs try on a page


@dataclass(frozen=True, eq=False)
class Joined:
    """What was joined with what, in order.

    The two most alike come first at any time, so what a lower threshold joins is the beginning of what a higher one
    joins: one run holds the clusters of all thresholds up to its own, and each lies within one of any higher threshold.
    """

    count: int  # of boxes
    kept: Ints  # the group that grew, by one of its boxes
    given: Ints  # what was given to it
    dissimilarity: Floats

    def until(self, threshold: float) -> Joined:
        """What is joined up to a threshold; it must not be above the one of the run."""
        limit = np.floor(threshold * GRAIN + 0.5) / GRAIN
        last = int(np.searchsorted(np.maximum.accumulate(self.dissimilarity), limit, side="right"))
        return Joined(self.count, self.kept[:last], self.given[:last], self.dissimilarity[:last])

    @property
    def cluster(self) -> Ints:
        """For each box the first one of its cluster: itself if it is that or alone."""
        return kernel.connected(self.count, self.kept, self.given)

    @property
    def is_loose(self) -> Bools:
        """True for boxes that were joined with no other."""
        is_loose = np.ones(self.count, dtype=np.bool_)
        is_loose[self.kept] = is_loose[self.given] = False
        return is_loose

    def few_loose(self, share: float) -> Joined:
        """What the lowest of ``THRESHOLDS`` joins that leaves at most this share of the boxes alone, else the last."""
        for threshold in THRESHOLDS:
            joined = self.until(threshold)
            if joined.is_loose.sum() <= share * self.count:
                break
        return joined


def join_boxes(
    rect: Floats, pairs: Neighbours, dissimilarity: Floats, *, threshold: float, absorb: bool = False
) -> Joined:
    """Boxes joined to clusters, the most alike first.

    Rectangles around clusters overlap neither each other nor any box outside. ``absorb`` also draws in boxes between
    two parts that touch neither of them.
    """
    return Joined(len(rect), *kernel.join_boxes(rect, pairs, dissimilarity, threshold=threshold, absorb=absorb))
