"""Which boxes are neighbours: the nearest above, below, to the left and to the right. No two boxes may overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.text import Bools, Floats, Ints
from tamis.segmenters._twin import kernel

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
        kernel.nearest_before(left, right, top, bottom),
        kernel.nearest_before(left, right, -bottom, -top),
        kernel.nearest_before(top, bottom, left, right),
        kernel.nearest_before(top, bottom, -right, -left),
    )
    box = np.concatenate([found for found, _ in sweeps])
    other = np.concatenate([others for _, others in sweeps])
    direction = np.repeat(np.arange(4), [len(found) for found, _ in sweeps])
    gaps = np.stack(
        (top[box] - bottom[other], top[other] - bottom[box], left[box] - right[other], left[other] - right[box])
    )
    return box, other, direction, gaps[direction, np.arange(len(box))]
