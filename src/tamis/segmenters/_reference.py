"""What segmenters compute box by box: the readable twin of ``_kernel.pyx``.

The choice between the two is made in ``tamis.kernels``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

from tamis.page.text import Floats, Ints
from tamis.segmenters._joining import join_boxes

__all__ = ["connected", "join_boxes", "nearest_before"]


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


def nearest_before(low: Floats, high: Floats, start: Floats, end: Floats) -> tuple[Ints, Ints]:
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
        seen = [owner for owner in dict.fromkeys(owners[first:last]) if owner >= 0]
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
