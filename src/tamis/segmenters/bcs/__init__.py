"""Box Clustering Segmentation: lines of text and images that look similar and are close together form a segment.

Idea:      a page is a set of boxes, independently of its markup. Each box is compared with its nearest neighbours by
           distance, shape and colour; the most similar are merged first, as long as the segments do not overlap.
Reference: Zelený (2017), chapter 6.
Departs:   the publication contradicts itself in places. Here neighbours are mutual, ratios of sides are oriented the
           same way before they are compared, the three aspects are averaged, a dissimilarity is divided by the
           alignment score, segments only touch, and joining continues until no pair is left. Edges are aligned to the
           pixel.
Strong at: articles and menus; pages whose markup says little about their looks.
Weak at:   index pages, where teasers in a regular grid become one segment; one threshold does not fit all pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.errors import OptionError
from tamis.page.boxes import Rect
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import SHARE, check_ranges
from tamis.results import Region, Segmentation
from tamis.segmenters._box_graph import Neighbours, neighbours
from tamis.segmenters._box_nesting import nest
from tamis.segmenters._disjoint_boxes import disjoint
from tamis.segmenters._shown import whole_page
from tamis.segmenters._twin import kernel
from tamis.segmenters.bcs.clusters import THRESHOLDS, Joined, join_boxes
from tamis.segmenters.bcs.smallest_boxes import colors, smallest_boxes

LOOSE = "loose"  # label of boxes that were joined with no other
_CHAIN_GAP = 1.5  # shortest sides of the two, between boxes of one aligned chain; the author's programs


@dataclass(frozen=True, kw_only=True)
class Options:
    """How similar boxes must be to be merged, and how the thesis is read."""

    # The author's programs; at 0 only what touches is joined. On 81 pages with marked blocks (Kreuzer, training data,
    # rendered), of 0.1 to 0.6, 0.4 is best on the deepest blocks (B-cubed F of characters 0.78, at 0.3 0.75).
    threshold: float = 0.3
    # Instead of a fixed threshold, the lowest of 0.1, 0.2, …, 1 that leaves at most this share of the boxes alone, as
    # the thesis suggests; 1 takes the fixed one. On the same pages 0.05 is best (0.77; at 0.02 0.69, at 0.1 0.75).
    max_loose: float = 1.0
    # `relaxed`: the author's last program. `printed`: boxes that are each other's farthest neighbours are never
    # joined. `uniform`: likewise, but evenly spaced boxes are joined at once, an earlier program.
    distance_rule: Literal["relaxed", "printed", "uniform"] = "relaxed"
    # `global`: all boxes of the page in one line count, the thesis. `local`: those in an unbroken chain, the
    # author's programs.
    alignment: Literal["global", "local", "off"] = "global"
    distance_weight: float = 1.0  # the thesis adds distance, shape and colour up
    shape_weight: float = 1.0  # likewise; the author's last program weighs the three 0.2, 0.3 and 0.5
    color_weight: float = 1.0  # likewise
    # What stands for a box in a box in a box. `literal`: the smallest with a background, the thesis. `leaf`: the
    # text or picture in it, which treats like elements alike.
    chains: Literal["literal", "leaf"] = "literal"
    # Boxes between two parts come along. `touch`: if they touch one, the thesis. `absorb`: also if that draws in no
    # others, the author's programs.
    extension: Literal["touch", "absorb"] = "touch"

    def __post_init__(self) -> None:
        weights = (self.distance_weight, self.shape_weight, self.color_weight)
        check_ranges(self, threshold=SHARE, max_loose=SHARE)
        if not (min(weights) >= 0 and 0 < sum(weights) < np.inf):
            raise OptionError("weights must be 0 or more, and one of them above 0")


def segment(page: Page, options: Options) -> Segmentation:
    nesting = nest(page)
    chosen = smallest_boxes(nesting, leaf=options.chains == "leaf")
    kept, rect = disjoint(nesting.rect[chosen], nesting.boxes.paint_order[nesting.place[chosen]])
    chosen = chosen[kept]
    pairs = neighbours(rect)
    values = dissimilarities(rect, colors(nesting.boxes, nesting.place[chosen]), pairs, options)
    is_fixed = options.max_loose == 1
    highest = options.threshold if is_fixed else THRESHOLDS[-1]
    joined = join_boxes(rect, pairs, values, threshold=highest, absorb=options.extension == "absorb")
    if not is_fixed:
        joined = joined.few_loose(options.max_loose)
    return Segmentation(page=page, root=whole_page(page, _regions(nesting.node[chosen], rect, joined)))


def _regions(nodes: Ints, rect: Floats, joined: Joined) -> list[Region]:
    """Clusters in the order of their first boxes, then boxes that are alone; ``nodes`` are in document order."""
    if not len(nodes):
        return []
    cluster, is_loose = joined.cluster, joined.is_loose
    dissimilarity = np.zeros(len(nodes))
    dissimilarity[cluster[joined.kept]] = joined.dissimilarity  # of several the last, which made it what it is
    order = np.lexsort((cluster, is_loose))
    first = np.flatnonzero(np.diff(cluster[order], prepend=-1))
    corners = np.minimum.reduceat(rect[order, :2], first), np.maximum.reduceat(rect[order, 2:], first)
    boxes: list[Rect] = list(map(tuple, np.concatenate(corners, axis=1).tolist()))
    owners = cluster[order[first]]
    scores = (1 - dissimilarity[owners]).tolist()
    members = nodes[order].tolist()
    ends = [*first[1:].tolist(), len(members)]
    return [
        Region(nodes=tuple(dict.fromkeys(members[start:end])), box=box, label=LOOSE)
        if alone
        else Region(nodes=tuple(dict.fromkeys(members[start:end])), box=box, score=score)
        for start, end, box, alone, score in zip(
            first.tolist(), ends, boxes, is_loose[owners].tolist(), scores, strict=True
        )
    ]


def dissimilarities(rect: Floats, color: Floats, pairs: Neighbours, options: Options) -> Floats:
    """How unlike neighbours are, from 0 to 1."""
    distance = distances(len(rect), pairs)
    if options.distance_rule == "uniform":
        even = _evenly_spaced(len(rect), pairs)
        distance[even[pairs.first] | even[pairs.second]] = 0.0
    weights = np.array([options.distance_weight, options.shape_weight, options.color_weight])
    aspects = np.stack((distance, shapes(rect, pairs), color_differences(color, pairs)))
    value = (weights / weights.sum()) @ aspects
    value = value / alignment_scores(rect, pairs, options.alignment)
    value[distance == 0] = 0.0
    if options.distance_rule != "relaxed":
        value[distance == 1] = 1.0
    return np.asarray(value)


def distances(count: int, pairs: Neighbours) -> Floats:
    """Gaps as shares of the widest gap that each of the two has to a neighbour, averaged."""
    widest = np.zeros(count)
    np.maximum.at(widest, pairs.first, pairs.gap)
    np.maximum.at(widest, pairs.second, pairs.gap)
    gap = np.where(pairs.gap > 0, pairs.gap, 1.0)
    shares = gap / np.maximum(widest[pairs.first], gap) + gap / np.maximum(widest[pairs.second], gap)
    return np.where(pairs.gap > 0, shares / 2, 0.0)


def _evenly_spaced(count: int, pairs: Neighbours) -> Bools:
    ends, gaps = np.concatenate((pairs.first, pairs.second)), np.concatenate((pairs.gap, pairs.gap))
    widest, narrowest = np.zeros(count), np.full(count, np.inf)
    np.maximum.at(widest, ends, gaps)
    np.minimum.at(narrowest, ends, gaps)
    return np.asarray(widest == narrowest)


def shapes(rect: Floats, pairs: Neighbours) -> Floats:
    """Difference in shape: the mean of those in the ratio of the sides and in area."""
    width, height = rect[:, 2] - rect[:, 0], rect[:, 3] - rect[:, 1]
    ratio, area = width / height, width * height
    smaller = np.minimum(area[pairs.first], area[pairs.second]) / np.maximum(area[pairs.first], area[pairs.second])
    return (ratio_differences(ratio[pairs.first], ratio[pairs.second]) + 1 - smaller) / 2


def ratio_differences(first: Floats, second: Floats) -> Floats:
    """Difference of two ratios of width to height, from 0 to 1, the same if height is divided by width.

    >>> ratio_differences(np.array([5.0, 2.0, 0.5]), np.array([5.0, 1.0, 0.2])).round(4).tolist()
    [0.0, 0.6667, 0.625]
    """
    low, high = np.minimum(first, second), np.maximum(first, second)
    is_upright = low * high < 1  # the one that is farther from a square is upright
    low, high = np.where(is_upright, 1 / high, low), np.where(is_upright, 1 / low, high)
    reach = high - 1 / high
    return np.asarray(np.divide(high - low, reach, out=np.zeros_like(reach), where=reach > 0))


def color_differences(color: Floats, pairs: Neighbours) -> Floats:
    """Distance of the colours; black and white are 1 apart."""
    squares = (color[pairs.first] - color[pairs.second]) ** 2
    return np.asarray(np.sqrt(squares.sum(axis=1) / 3))


def alignment_scores(rect: Floats, pairs: Neighbours, rule: str) -> Floats:
    """How many boxes are in one line with both: at the same left edge, else at the same upper edge; else 1."""
    score = np.ones(len(pairs))
    edge = np.rint(rect)
    if rule == "global":
        for side in (1, 0):
            _, line, count = np.unique(edge[:, side], return_inverse=True, return_counts=True)
            is_aligned = edge[pairs.first, side] == edge[pairs.second, side]
            score[is_aligned] = count[line[pairs.first[is_aligned]]]
    elif rule == "local":
        sides = (rect[:, 2:] - rect[:, :2]).min(axis=1)
        is_close = pairs.gap <= _CHAIN_GAP * np.minimum(sides[pairs.first], sides[pairs.second])
        for side in range(4):
            is_aligned = is_close & (edge[pairs.first, side] == edge[pairs.second, side])
            is_aligned &= pairs.is_stacked == (side % 2 == 0)
            chain = kernel.connected(len(rect), pairs.first[is_aligned], pairs.second[is_aligned])
            length = np.bincount(chain, minlength=len(rect))[chain[pairs.first[is_aligned]]]
            score[is_aligned] = np.maximum(score[is_aligned], length)
    return score
