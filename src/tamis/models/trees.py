"""Tree ensembles read from arrays.

The trees are oblivious: all nodes of a level ask the same question, so that the way to a leaf is a binary number and
one tree costs as many comparisons as it is deep. All trees are evaluated at once on a matrix of answers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.page.text import Floats

_AT_ONCE = 2048  # columns; more than ordinary pages have blocks, and the answers for them fit into a few megabytes


@dataclass(frozen=True, eq=False)
class ObliviousTrees:
    """Trees of equal depth, at most eight levels."""

    feature: npt.NDArray[np.int64]  # question: tree × level
    border: npt.NDArray[np.float32]  # the answer is yes above it
    leaf: npt.NDArray[np.float32]  # tree × leaf; the first question is the lowest bit of its number
    bias: float

    def log_odds(self, columns: npt.NDArray[np.float32]) -> Floats:
        """The sum of all trees, given a row for each feature.

        >>> one = ObliviousTrees(np.array([[0]]), np.array([[1.5]], np.float32), np.array([[-1, 1]], np.float32), 0.5)
        >>> one.log_odds(np.array([[1, 2]], dtype=np.float32)).tolist()
        [-0.5, 1.5]
        """
        total: Floats = np.full(columns.shape[1], self.bias)
        for start in range(0, len(total), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            total[part] += self.leaf.ravel()[self.places(columns[:, part])].sum(axis=0, dtype=np.float64)
        return total

    def places(self, columns: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
        """For each tree and column the leaf that is reached, its place in the list of all leaves."""
        trees, depth = self.feature.shape
        answers = (columns[self.feature.T] > self.border.T[:, :, None]).view(np.uint8)
        number = answers[0].copy()
        for level in range(1, depth):
            number |= answers[level] << level
        places: npt.NDArray[np.int64] = number + (np.arange(trees, dtype=np.int64) << depth)[:, None]
        return places
