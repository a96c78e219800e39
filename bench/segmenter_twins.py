"""What the twins of the segmenters make of some rectangles."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np

from tamis.segmenters import _reference, bcs
from tamis.segmenters._box_graph import neighbours
from tamis.segmenters._disjoint_boxes import disjoint


def rect_differences(rect: Any, threshold: float, absorb: bool) -> list[str]:
    """What the twins do not agree on for rectangles (left, top, right, bottom) that may lie in each other."""
    compiled = importlib.import_module("tamis.segmenters._kernel")
    ours, theirs = (arrays(twin, rect, threshold, absorb) for twin in (compiled, _reference))
    return [name for name in theirs if ours[name] != theirs[name]]


def arrays(twin: ModuleType, rect: Any, threshold: float, absorb: bool) -> dict[str, Any]:
    """Everything that a twin makes of rectangles."""
    _, rect = disjoint(rect, np.arange(len(rect)))
    left, top, right, bottom = rect.T
    pairs = neighbours(rect)
    return {
        "to the left": [found.tolist() for found in twin.nearest_before(left, right, top, bottom)],
        "above": [found.tolist() for found in twin.nearest_before(top, bottom, -right, -left)],
        "connected": twin.connected(len(rect), pairs.first, pairs.second).tolist(),
        "joined": joined(twin, rect, pairs, threshold, absorb),
    }


def joined(twin: ModuleType, rect: Any, pairs: Any, threshold: float, absorb: bool) -> tuple[list[set[int]], list[int]]:
    """The groups in the end, and how unlike the two were at each step; what is drawn in comes in any order."""
    values = bcs.dissimilarities(rect, np.zeros((len(rect), 3)), pairs, bcs.Options())
    kept, moved, at = twin.join_boxes(rect, pairs, values, threshold=threshold, absorb=absorb)
    groups = {box: {box} for box in range(len(rect))}
    for keeper, part in zip(kept.tolist(), moved.tolist(), strict=True):
        groups[keeper] |= groups.pop(part)
    return sorted(groups.values(), key=min), np.rint(at * 1e12).astype(int).tolist()
