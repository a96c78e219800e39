"""From boxes that lie over each other to boxes that do not."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from tamis.page.boxes import Rect
from tamis.page.text import Bools, Floats, Ints

_THIN_PX, _THIN_SHARE = 3.0, 0.25  # up to here both boxes are trimmed: browsers let lines of text overlap a little
_MAX_STRIPS = 64
_CROWD = 200  # boxes in a strip beside or over one, which is then taken for a container; ours, not swept
_MAX_PASSES = 50  # over groups that grew and meet others anew; ours, not swept
_CHUNK = 4_000_000  # pairs looked at in one go, to bound memory


def disjoint(rect: Floats, paint_order: Ints) -> tuple[Ints, Floats]:
    """Which boxes remain, and their rectangles, so that no two overlap.

    Of boxes inside each other the innermost remains. Two that overlap by a little are trimmed halfway; otherwise the
    one painted later remains.
    """
    first, second, is_crowded = overlapping_pairs(rect)
    remains = ~is_crowded
    remains[_outer(rect, paint_order, first, second)] = False
    is_open = remains[first] & remains[second]
    first, second = first[is_open], second[is_open]

    is_later = _is_later(paint_order, first, second)
    later, earlier = np.where(is_later, first, second), np.where(is_later, second, first)
    # From the top layer down: whether the later one remains is known when it is compared with what is below it.
    order = np.lexsort((-earlier, -paint_order[earlier], -later, -paint_order[later]))
    trimmed = rect.copy()
    for upper, lower in zip(later[order].tolist(), earlier[order].tolist(), strict=True):
        if remains[upper] and remains[lower]:
            remains[lower] = _trim(trimmed, upper, lower)
    kept = np.flatnonzero(remains)
    return kept, trimmed[kept]


def overlapping_pairs(rect: Floats) -> tuple[Ints, Ints, Bools]:
    """All pairs of boxes that overlap, and which boxes were not looked at because they lie over a crowd of others."""
    count = len(rect)
    is_crowded = np.zeros(count, dtype=np.bool_)
    if count <= _CROWD:  # all pairs at once are faster than strips, and there is no crowd
        low, high = rect[:, :2], rect[:, 2:]
        begins = (low[:, None, 0] < high[None, :, 0]) & (low[:, None, 1] < high[None, :, 1])
        first, second = np.nonzero(begins & begins.T)
        is_once = first < second
        return first[is_once], second[is_once], is_crowded
    strip_of, box = _strips(rect)
    top, height = rect[:, 1] - rect[:, 1].min(), rect[:, 3].max() - rect[:, 1].min() + 1
    order = np.lexsort((top[box], strip_of))
    box, strip_of = box[order], strip_of[order]
    reach = np.searchsorted(strip_of * height + top[box], strip_of * height + (rect[box, 3] - rect[:, 1].min()))
    window = reach - np.arange(len(box)) - 1
    is_crowded[box[window > _CROWD]] = True
    window[window > _CROWD] = 0

    pairs = []
    for entries in _chunks(window):
        one = np.repeat(entries, window[entries])
        turn = np.arange(len(one)) - np.repeat(np.cumsum(window[entries]) - window[entries], window[entries])
        other = one + 1 + turn
        a, b = box[one], box[other]
        found = (np.maximum(rect[a, 0], rect[b, 0]) < np.minimum(rect[a, 2], rect[b, 2])) & (
            np.maximum(rect[a, 1], rect[b, 1]) < np.minimum(rect[a, 3], rect[b, 3])
        )
        pairs.append(np.stack((a[found], b[found])))
    a, b = np.concatenate(pairs, axis=1)
    # Two wide boxes meet in several strips.
    chosen = np.unique(np.minimum(a, b) * count + np.maximum(a, b))
    return chosen // count, chosen % count, is_crowded


def _strips(rect: Floats) -> tuple[Ints, Ints]:
    """Boxes by the upright strips of the page they are in: the strip, and the box."""
    left, span = rect[:, 0].min(), rect[:, 2].max() - rect[:, 0].min()
    strips = int(np.clip(2 * span / (rect[:, 2] - rect[:, 0]).mean(), 1, _MAX_STRIPS))
    first, last = (np.minimum((rect[:, side] - left) * (strips / span), strips - 1).astype(np.int64) for side in (0, 2))
    counts = last - first + 1
    box = np.repeat(np.arange(len(rect)), counts)
    return first[box] + np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts), box


def _chunks(window: Ints) -> Iterator[Ints]:
    chunk = np.cumsum(window) // _CHUNK
    yield from np.split(np.arange(len(window)), np.flatnonzero(np.diff(chunk)) + 1)


def _outer(rect: Floats, paint_order: Ints, first: Ints, second: Ints) -> Ints:
    """Boxes that hold another one of these pairs. Of two alike the one painted later is inside."""
    low, high = rect[:, :2], rect[:, 2:]
    holds = (low[first] <= low[second]).all(axis=1) & (high[first] >= high[second]).all(axis=1)
    is_held = (low[second] <= low[first]).all(axis=1) & (high[second] >= high[first]).all(axis=1)
    is_first_outer = holds & ~(is_held & _is_later(paint_order, first, second))
    return np.concatenate((first[is_first_outer], second[is_held & ~is_first_outer]))


def _is_later(paint_order: Ints, first: Ints, second: Ints) -> Bools:
    is_tie = paint_order[first] == paint_order[second]
    return np.asarray((paint_order[first] > paint_order[second]) | (is_tie & (first > second)))


def _trim(rect: Floats, upper: int, lower: int) -> bool:
    """Part two boxes if they overlap only a little; false if they overlap more."""
    a, b = rect[upper], rect[lower]
    depth = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    if (depth <= 0).any():
        return True
    axis = int(depth.argmin())
    near, far = (a, b) if a[axis] + a[axis + 2] < b[axis] + b[axis + 2] else (b, a)
    middle = (near[axis + 2] + far[axis]) / 2
    smaller = min(near[axis + 2] - near[axis], far[axis + 2] - far[axis])
    is_thin = depth[axis] <= max(_THIN_PX, _THIN_SHARE * smaller)
    if not is_thin or middle <= near[axis] or middle >= far[axis + 2]:
        return False
    near[axis + 2] = far[axis] = middle
    return True


def disjoint_groups(rects: Sequence[Rect]) -> list[list[int]]:
    """Boxes in groups, such that the rectangles around the groups do not overlap; as many groups as can be.

    >>> disjoint_groups([(0, 0, 5, 5), (9, 0, 12, 9), (3, 3, 8, 8)])
    [[0, 2], [1]]
    """
    groups = [[box] for box in range(len(rects))]
    around = list(rects)
    for _ in range(_MAX_PASSES):
        joined = _sweep(around)
        if len(joined) == len(groups):
            return sorted(groups)
        groups = [sorted(box for group in members for box in groups[group]) for members, _ in joined]
        around = [rect for _, rect in joined]
    return [list(range(len(rects)))]


def _sweep(rects: Sequence[Rect]) -> list[tuple[list[int], Rect]]:
    """One pass from top to bottom: whatever overlaps what is still open there joins it."""
    lefts: list[float] = []  # of the groups that are open, side by side
    opened: list[tuple[list[int], Rect]] = []
    closed: list[tuple[list[int], Rect]] = []
    for box in sorted(range(len(rects)), key=lambda box: rects[box][1]):
        members, (left, top, right, bottom) = [box], rects[box]
        now = top
        while True:
            first, last = bisect_right(lefts, left) - 1, bisect_left(lefts, right)
            first += first < 0 or opened[first][1][2] <= left
            met = opened[first:last]
            del lefts[first:last], opened[first:last]
            is_open = [group for group in met if group[1][3] > now]
            closed += [group for group in met if group[1][3] <= now]
            for others, rect in is_open:
                members += others
                left, top = min(left, rect[0]), min(top, rect[1])
                right, bottom = max(right, rect[2]), max(bottom, rect[3])
            if not is_open:
                break
        lefts.insert(first, left)
        opened.insert(first, (members, (left, top, right, bottom)))
    return closed + opened
