"""Web content clustering: texts and images that are close together form a region.

Idea:      cluster texts and images by density (DBSCAN): one that has enough others within reach is a core, cores within
           reach of each other form one region, and everything else within reach of a core belongs to it. Reach is
           measured in steps through the tree, or in pixels between the rectangles.
Reference: Alcic & Conrad (2011), as described by Zelený (2017), section 3.1.2. Of the distances and clusterings they
           tried, DBSCAN with the distance in the tree did best on average.
Departs:   our source gives neither the radius nor the number of neighbours; both are options here. What DBSCAN calls
           noise is listed after the regions, each piece as a region of its own. Similarity of meaning (WordNet),
           k-means and similar methods are left out. Distances in pixels are computed between each piece and the 64 that
           follow it in the document and from top to bottom, which keeps the work linear in the page.
Strong at: lists, tables and menus whose entries are marked up alike; needs no browser with the distance in the tree.
Weak at:   deep markup, in which neighbours on the screen are far apart in the tree, and shallow markup, in which
           everything is near.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.page.model import Nodes, Page
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import Range, check_ranges
from tamis.results import Segmentation
from tamis.segmenters._shown import Shown, region_of, shown_pieces, whole_page
from tamis.segmenters._twin import kernel

LOOSE = "loose"  # label of pieces within reach of no core, the noise of DBSCAN
_MAX_STEPS = 20  # so many passes over the page are made; what is further apart has little in common
_MAX_PIXELS = 100_000
_FOLLOWING = 64  # pieces that each one is compared with, in both orders; more than stand side by side


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is within reach, and how many pieces within reach make a core."""

    # The best of the paper on average; on 81 pages with marked blocks (Kreuzer, training data, rendered) pixels are
    # better. The numbers below were swept on these, by B-cubed F of characters on the deepest blocks.
    distance: Literal["tree", "pixels"] = "tree"
    steps: int = 6  # from an entry of a menu to the next; swept 4-8: 0.70, 0.72, 0.73, 0.69, 0.60
    pixels: float = 25.0  # about a line of text; swept 20, 25, 30, 40: 0.76, 0.78, 0.76, 0.69
    # Itself included. 3 is the least at which density counts: with 1 or 2, whatever is within reach hangs together.
    # Swept 1-4: 0.738, 0.738, 0.734, 0.720 in steps, 0.785, 0.785, 0.782, 0.704 in pixels.
    min_pieces: int = 3

    def __post_init__(self) -> None:
        steps, pixels = Range(0, _MAX_STEPS), Range(0, _MAX_PIXELS)
        check_ranges(self, steps=steps, pixels=pixels, min_pieces=Range(1, 1_000_000))


@dataclass(frozen=True, eq=False)
class Density:
    """Who is a core, which cores are within reach of each other, and the nearest core within reach of the others."""

    is_core: Bools
    left: Ints  # pairs of cores whose chains hold together whatever is within reach
    right: Ints
    nearest: Ints  # -1 for none


def segment(page: Page, options: Options) -> Segmentation:
    shown = shown_pieces(page)
    if options.distance == "tree":
        density = tree_density(page.nodes, shown.node, options.steps, options.min_pieces)
    else:
        density = pixel_density(shown, options.pixels, options.min_pieces)
    groups = grouped(density)
    parts = [region_of(shown.node[group].tolist(), shown.rect[group]) for group in groups]
    is_loose = np.ones(len(shown), dtype=np.bool_)
    is_loose[np.concatenate([*groups, np.zeros(0, dtype=np.int64)])] = False
    alone = np.flatnonzero(is_loose)[:, None]
    loose = [region_of(shown.node[piece].tolist(), shown.rect[piece], LOOSE) for piece in alone]
    return Segmentation(page=page, root=whole_page(page, (*parts, *loose)))


def grouped(density: Density) -> list[Ints]:
    """The members of each group in order, the group with the first member first; who reaches no core is in none."""
    label = kernel.connected(len(density.is_core), density.left, density.right)
    label = np.where(density.is_core, label, -1)
    reaches = ~density.is_core & (density.nearest >= 0)
    label[reaches] = label[density.nearest[reaches]]
    members = np.flatnonzero(label >= 0)
    order = members[np.argsort(label[members], kind="stable")]
    groups = np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(order) else []
    return sorted(groups, key=lambda group: int(group[0]))


def tree_density(nodes: Nodes, pieces: Ints, steps: int, min_pieces: int) -> Density:
    """Density by steps from piece to piece over their parents: exact, without looking at all pairs.

    What lies within reach of a piece is met on the way up: for each ancestor, what is not further below it than the
    steps that are left, less what came from the child the way came through.
    """
    up = _ancestors(nodes, pieces, steps)
    counts = np.zeros((steps + 1, len(nodes)), dtype=np.int32)  # pieces so many steps below each node, or fewer
    for step, above in enumerate(up):
        counts[step] = counts[max(step - 1, 0)] + np.bincount(above[above >= 0], minlength=len(nodes))
    within = np.zeros(len(pieces), dtype=np.int64)
    for step, above in enumerate(up):
        is_there = above >= 0
        within[is_there] += counts[steps - step, above[is_there]]
        if 0 < step < steps:
            within[is_there] -= counts[steps - step - 1, up[step - 1][is_there]]
    is_core = within >= min_pieces

    far = steps + 1
    distance = np.full(len(nodes), far, dtype=np.int64)  # from each node down to the nearest core, and which it is
    core = np.full(len(nodes), -1, dtype=np.int64)
    for step in range(steps, -1, -1):
        above = up[step]
        cores = np.flatnonzero(is_core & (above >= 0))[::-1]  # of equals the first in the document is written last
        distance[above[cores]] = step
        core[above[cores]] = cores
    left: list[Ints] = []
    right: list[Ints] = []
    nearest, reach = np.full(len(pieces), -1, dtype=np.int64), np.full(len(pieces), far)
    for step, above in enumerate(up):
        place = np.maximum(above, 0)
        total = np.where(above >= 0, step + distance[place], far)
        joined = np.flatnonzero(is_core & (total <= steps))
        left.append(joined)
        right.append(core[above[joined]])
        closer = ~is_core & (total < reach)
        nearest[closer], reach[closer] = core[place[closer]], total[closer]
    return Density(is_core, np.concatenate(left), np.concatenate(right), nearest)


def _ancestors(nodes: Nodes, pieces: Ints, steps: int) -> list[Ints]:
    """The pieces, their parents, and so on; -1 above the document."""
    up = [pieces]
    for _ in range(steps):
        up.append(np.where(up[-1] >= 0, nodes.parent[np.maximum(up[-1], 0)], -1))
    return up


def pixel_density(shown: Shown, pixels: float, min_pieces: int) -> Density:
    """Density by the gap between rectangles, 0 where they overlap."""
    count = len(shown)
    by_top = np.lexsort((shown.rect[:, 0], shown.rect[:, 1]))
    found = [_near_pairs(shown.rect, order, pixels) for order in (np.arange(count), by_top)]
    pairs = np.unique(np.concatenate([np.concatenate(one) for one in found]))
    first, second = pairs // max(count, 1), pairs % max(count, 1)
    within = 1 + np.bincount(first, minlength=count) + np.bincount(second, minlength=count)
    is_core = within[:count] >= min_pieces
    both = is_core[first] & is_core[second]
    nearest = np.full(count, -1, dtype=np.int64)
    gaps = np.full(count, np.inf)
    for piece, other in ((first, second), (second, first)):
        some = np.flatnonzero(~is_core[piece] & is_core[other])
        gap = _gaps(shown.rect[piece[some]], shown.rect[other[some]])
        order = np.lexsort((-other[some], -gap))  # the nearest is written last, of equals the first in the document
        piece_of, other_of, gap = piece[some][order], other[some][order], gap[order]
        best = np.full(count, -1, dtype=np.int64)
        best[piece_of] = np.arange(len(order))
        closer = np.flatnonzero(best >= 0)
        closer = closer[gap[best[closer]] < gaps[closer]]
        nearest[closer], gaps[closer] = other_of[best[closer]], gap[best[closer]]
    return Density(is_core, first[both], second[both], nearest)


def _near_pairs(rect: Floats, order: Ints, pixels: float) -> list[Ints]:
    """Pairs within reach among those that follow each other in an order, each as one number, smaller first."""
    count = len(order)
    found = [np.zeros(0, dtype=np.int64)]
    for offset in range(1, min(_FOLLOWING, count - 1) + 1):
        first, second = order[:-offset], order[offset:]
        near = _gaps(rect[first], rect[second]) <= pixels
        first, second = first[near], second[near]
        found.append(np.minimum(first, second) * count + np.maximum(first, second))
    return found


def _gaps(rect: Floats, other: Floats) -> Floats:
    """The distance between the closest points of two rectangles."""
    gaps = np.maximum(np.maximum(rect[:, :2] - other[:, 2:], other[:, :2] - rect[:, 2:]), 0)
    return np.asarray(np.hypot(gaps[:, 0], gaps[:, 1]))
