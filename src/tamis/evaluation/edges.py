"""Edges of a picture: where what is shown begins and ends, whatever the colours between."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis.page.text import Bools, Floats

Levels = npt.NDArray[np.float32]

_EDGE = 6.0  # grey levels per pixel, ours, not swept: a border between #eee (238) and white is an edge


def find_edges(picture: Floats) -> Bools:
    """True where a grey picture (0 to 255, rows of pixels) changes most: thin lines along the edges of what it shows.

    In the manner of Canny: smoothed, gradient by Sobel, kept where it is above the threshold and no neighbour across
    the edge has a larger one.

    >>> find_edges(np.repeat([[0.0] * 4 + [255.0] * 4], 5, axis=0))[2].astype(int).tolist()
    [0, 0, 0, 1, 1, 0, 0, 0]
    """
    if not picture.size:
        return np.zeros(picture.shape, dtype=np.bool_)
    smooth = _blurred(picture.astype(np.float32))  # half the memory, and exact enough
    across = np.abs(_blurred(_slope(smooth, axis=1), axes=(0,)))
    down = np.abs(_blurred(_slope(smooth, axis=0), axes=(1,)))
    strength = across + down
    padded = np.pad(strength, 1)
    is_peak_across = (strength >= padded[1:-1, :-2]) & (strength >= padded[1:-1, 2:])
    is_peak_down = (strength >= padded[:-2, 1:-1]) & (strength >= padded[2:, 1:-1])
    return np.asarray((strength > _EDGE) & np.where(across >= down, is_peak_across, is_peak_down))


def _blurred(picture: Levels, axes: tuple[int, ...] = (0, 1)) -> Levels:
    """Each pixel with half the weight of its two neighbours, along these axes."""
    for axis in axes:
        before, after = _neighbours(picture, axis)
        picture = np.asarray((before + 2 * picture + after) / 4, dtype=np.float32)
    return picture


def _slope(picture: Levels, axis: int) -> Levels:
    before, after = _neighbours(picture, axis)
    return np.asarray((after - before) / 2)


def _neighbours(picture: Levels, axis: int) -> tuple[Levels, Levels]:
    """Each pixel's neighbour before and after it; at the border of the picture the pixel itself."""
    widths = [(1, 1) if axis == number else (0, 0) for number in (0, 1)]
    padded = np.pad(picture, widths, mode="edge")
    return (padded[:-2], padded[2:]) if axis == 0 else (padded[:, :-2], padded[:, 2:])
