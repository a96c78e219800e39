"""A small network that reads the blocks of a page in order; a forward pass is a dozen matrix products.

    features ─ squashed and standardised ─ dense ─┬─ convolution over neighbours, 1, 2, 4, 8 blocks apart, each added
                                                  │  to what was there before
                                                  └─ mean over the page, added to every block ─ log odds

A tree sees one block at a time and its neighbours only through features; the network sees how blocks follow each
other, and the page as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Weights = npt.NDArray[np.float32]

DILATIONS = (1, 2, 4, 8)
_TINY = np.float32(1e-5)


@dataclass(frozen=True, eq=False)
class Network:
    """The weights. Rows of a matrix belong to its inputs."""

    half: Weights  # squashing: x / (|x| + half) is 0.5 at this value
    centre: Weights
    spread: Weights
    dense: Weights
    dense_bias: Weights
    convolutions: Weights  # one matrix per dilation; its rows: the block before, the block, the block after
    convolution_biases: Weights
    pool: Weights
    pool_bias: Weights
    out: Weights
    out_bias: Weights

    def standardised(self, features: Weights) -> Weights:
        """Features (a row per block) made comparable: long tails squashed, mean 0, spread 1."""
        result = np.abs(features)
        result += self.half
        np.divide(features, result, out=result)  # in place: a large page has tens of millions of numbers
        result -= self.centre
        result /= self.spread
        return result

    def usual(self) -> Weights:
        """The features whose standardised values are all zero."""
        mean = np.clip(self.centre, -0.99, 0.99)
        return np.asarray(mean * self.half / (1 - np.abs(mean)), dtype=np.float32)

    def log_odds(self, inputs: Weights, words: Weights) -> Weights:
        """How much speaks for each block of one page being content, given its standardised features."""
        hidden = np.maximum(inputs @ self.dense + self.dense_bias, 0)
        for dilation, matrix, bias in zip(DILATIONS, self.convolutions, self.convolution_biases, strict=True):
            hidden = hidden + np.maximum(neighbours(normalised(hidden), dilation) @ matrix + bias, 0)
        weights = words + 1
        mean = weights @ hidden / weights.sum()
        hidden = np.maximum(hidden + (mean @ self.pool + self.pool_bias), 0)
        odds: Weights = hidden @ self.out + self.out_bias
        return odds

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[np.generic]]) -> Network:
        return cls(**{name: np.asarray(arrays[name], dtype=np.float32) for name in cls.__dataclass_fields__})


def normalised(hidden: Weights) -> Weights:
    """Each row with mean 0 and spread 1."""
    centred = hidden - hidden.mean(axis=1, keepdims=True)
    result: Weights = centred / np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + _TINY)
    return result


def neighbours(hidden: Weights, distance: int) -> Weights:
    """Each row with the rows so far before and after it at its sides; zeros beyond the ends.

    >>> neighbours(np.array([[1], [2]], dtype=np.float32), 1).tolist()
    [[0.0, 1.0, 2.0], [1.0, 2.0, 0.0]]
    """
    size, width = hidden.shape
    result = np.zeros((size, 3 * width), dtype=np.float32)
    result[:, width : 2 * width] = hidden
    if distance < size:
        result[distance:, :width] = hidden[:-distance]
        result[:-distance, 2 * width :] = hidden[distance:]
    return result
