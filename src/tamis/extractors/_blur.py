"""Weighted averages over a neighbourhood: the smoothing that CETR and content code blurring are built on."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tamis.page.text import Floats

Border = Literal["renormalise", "zero", "keep"]
_MANY = 4_096  # values, from which on it pays to take them in rows
_ROW = 32  # values whose averages are one row of a product; 32 to 64 take the same time
_ROWS = 32  # of one product; so few that libraries of linear algebra start no threads for it,
_WIDEST = 256  # and no more values in a row for the same reason
_PRODUCTS = 64  # at a time, which take some hundred kB whatever the length of the page


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
    if not len(values):
        return values.copy()
    if len(values) >= _MANY and len(kernel) % 2 and _ROW < len(kernel) <= _WIDEST - _ROW:
        blurred = _convolved(values, kernel)
    else:
        blurred = np.convolve(values, kernel)[radius : radius + len(values)]
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


def _convolved(values: Floats, kernel: Floats) -> Floats:
    """The convolution with a long kernel, in half the time: rows of values times a band of shifted kernels."""
    before = len(kernel) // 2
    count = -(-len(values) // (_ROW * _ROWS))
    padded = np.zeros(count * _ROWS * _ROW + 2 * before)
    padded[before : before + len(values)] = values
    rows = sliding_window_view(padded, _ROW + 2 * before)[::_ROW].reshape(count, _ROWS, -1)
    shifted = np.zeros(2 * _ROW - 1 + 2 * before)
    shifted[_ROW - 1 : _ROW + 2 * before] = kernel
    band = np.ascontiguousarray(sliding_window_view(shifted, _ROW)[:, ::-1])
    blurred = np.empty((count, _ROWS, _ROW))
    for first in range(0, count, _PRODUCTS):
        blurred[first : first + _PRODUCTS] = np.ascontiguousarray(rows[first : first + _PRODUCTS]) @ band
    return blurred.ravel()[: len(values)]
