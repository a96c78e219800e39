"""Weighted averages over a neighbourhood: the smoothing that CETR and content code blurring are built on."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tamis.page.text import Floats

Border = Literal["renormalise", "zero", "keep"]


def gaussian_kernel(radius: int, sigma: float) -> Floats:
    """``2 * radius + 1`` weights of a bell curve that sum to one.

    >>> gaussian_kernel(1, 1.0).round(4).tolist()
    [0.2741, 0.4519, 0.2741]
    """
    offsets = np.arange(-radius, radius + 1, dtype=np.float64)
    weights = np.exp(-(offsets**2) / (2 * sigma**2)) if sigma > 0 else (offsets == 0).astype(np.float64)
    kernel: Floats = weights / weights.sum()
    return kernel


def blur(values: Floats, kernel: Floats, border: Border = "renormalise") -> Floats:
    """Each value replaced by the average of its neighbourhood, weighted by a symmetric kernel.

    At the borders the neighbours that exist share the whole weight ("renormalise"), the missing ones count as zeros
    ("zero"), or the values stay as they are ("keep").

    >>> blur(np.array([0.0, 0.0, 3.0, 0.0]), np.array([0.25, 0.5, 0.25])).tolist()
    [0.0, 0.75, 1.5, 1.0]
    """
    radius = len(kernel) // 2
    blurred = np.convolve(values, kernel)[radius : radius + len(values)] if len(values) else values.copy()
    if border == "renormalise":
        near = np.arange(min(radius, len(values)))
        places = np.union1d(near, len(values) - 1 - near)
        weights = np.concatenate(([0.0], np.cumsum(kernel)))
        first = np.maximum(radius - places, 0)
        last = np.minimum(radius + len(values) - places, len(kernel))
        blurred[places] /= weights[last] - weights[first]
    elif border == "keep":
        edge = min(radius, len(values))
        blurred[:edge], blurred[len(values) - edge :] = values[:edge], values[len(values) - edge :]
    return blurred
