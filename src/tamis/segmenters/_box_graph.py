"""Which boxes are neighbours: the nearest above, below, to the left and to the right. No two boxes may overlap."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from tamis.page.text import Bools, Floats, Ints

ABOVE, BELOW, LEFT, RIGHT = range(4)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Pairs of boxes, each once, ``first`` < ``second``."""

    first: Ints
    second: Ints
    gap: Floats  # pixels between the two
    is_stacked: Bools  # one stands above the other; false: they stand side by side

    def __len__(self) -> int:
        return len(self.first)


def neighbours(rect: Floats) -> Neighbours:
    """Pairs of which at least one is a nearest box of the other in some direction; several can be equally near."""
    box, other, direction, gap = nearest(rect)
    low, high = np.minimum(box, other), np.maximum(box, other)
    _, once = np.unique(low * max(len(rect), 1) + high, return_index=True)
    return Neighbours(low[once], high[once], gap[once], (direction[once] == ABOVE) | (direction[once] == BELOW))


def nearest(rect: Floats) -> tuple[Ints, Ints, Ints, Floats]:
    """The nearest boxes of each box in each direction: box, other, direction of the other, gap.

    A box is above another if their ranges from left to right share more than an edge. Ties are all reported.
    """
    left, top, right, bottom = rect.T
    sweeps = (
        _nearest_before(left, right, top, bottom),
        _nearest_before(left, right, -bottom, -top),
        _nearest_before(top, bottom, left, right),
        _nearest_before(top, bottom, -right, -left),
    )
    box = np.concatenate([found for found, _ in sweeps])
    other = np.concatenate([others for _, others in sweeps])
    direction = np.repeat(np.arange(4), [len(found) for found, _ in sweeps])
    gaps = np.stack(
        (top[box] - bottom[other], top[other] - bottom[box], left[box] - right[other], left[other] - right[box])
    )
    return box, other, direction, gaps[direction, np.arange(len(box))]


def _nearest_before(low: Floats, high: Floats, start: Floats, end: Floats) -> tuple[Ints, Ints]:
    """For each box those before it, along ``start``, that it meets first: a sweep that keeps what can be seen so far.

    The front is a list of stretches across the sweep, each with the box seen there. A box covers stretches for good, so
    that each is handled a constant number of times.
    """
    cuts: list[float] = [-np.inf]
    owners: list[int] = [-1]
    ends = end.tolist()
    found: list[int] = []
    others: list[int] = []
    order = np.lexsort((low, start))
    lows, highs = low[order].tolist(), high[order].tolist()
    for box, begin, stop in zip(order.tolist(), lows, highs, strict=True):
        first, last = bisect_right(cuts, begin) - 1, bisect_left(cuts, stop)
        seen = owners[first:last]
        if len(seen) == 1:
            if seen[0] >= 0:
                found.append(box)
                others.append(seen[0])
        else:
            seen = [owner for owner in dict.fromkeys(seen) if owner >= 0]
            closest = max((ends[owner] for owner in seen), default=0.0)
            seen = [owner for owner in seen if ends[owner] == closest]
            found += [box] * len(seen)
            others += seen
        new_cuts, new_owners = [begin], [box]
        if cuts[first] < begin:
            new_cuts, new_owners = [cuts[first], begin], [owners[first], box]
        if last == len(cuts) or cuts[last] > stop:
            new_cuts.append(stop)
            new_owners.append(owners[last - 1])
        cuts[first:last] = new_cuts
        owners[first:last] = new_owners
    return np.array(found, dtype=np.int64), np.array(others, dtype=np.int64)


def connected(count: int, first: Ints, second: Ints) -> Ints:
    """For each of ``count`` boxes the smallest that it hangs together with through these pairs.

    >>> connected(4, np.array([2, 3]), np.array([0, 2])).tolist()
    [0, 1, 0, 0]
    """
    root = list(range(count))

    def find(box: int) -> int:
        while root[box] != box:
            root[box] = box = root[root[box]]
        return box

    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        a, b = find(one), find(other)
        root[max(a, b)] = min(a, b)
    return np.array([find(box) for box in range(count)], dtype=np.int64)
