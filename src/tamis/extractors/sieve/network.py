"""A small network that sees the whole page: induced attention over its blocks, linear in their number.

With n blocks, d units and k summaries, ``norm`` a row with mean 0 and spread 1, and ``relu`` what is above zero:

    x = inputs · dense + dense_bias                                      n × d
    for each layer
        h = norm(x)
        a = softmax over blocks (h · pool + ½ log(words + 1))            n × k: what each summary reads
        s = aᵀ · h                                                       k × d: the summaries of the page
        b = softmax over summaries (h · (s · key)ᵀ / √d)                 n × k: what each block takes from them
        u = b · (s · value + value_bias) + Σ taps[o] ∘ h[block + o]      o of OFFSETS; nothing beyond the ends
        x = x + relu(u) · mix + mix_bias
        x = x + relu(norm(x) · up + up_bias) · down + down_bias
    log odds = norm(x) · out + out_bias

A tree sees one block at a time and the rest of the page only through features. The summaries are what attention between
all pairs of blocks would cost quadratic time for: what is the page about, where does its text stand, how much is there.
After Lee et al. (2019), Set Transformer. Keys and values are made from the summaries, not from the blocks: the same
sums in another order, and a tenth of the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Weights = npt.NDArray[np.float32]
Float = TypeVar("Float", bound=np.floating[Any])

OFFSETS = (-4, -2, -1, 0, 1, 2, 4)
"""Blocks that a block sees directly: a convolution of five and one of three that is four apart."""
_TINY = np.float32(1e-5)


@dataclass(frozen=True, eq=False)
class Network:
    """The weights. Rows of a matrix belong to its inputs; those of layers have one entry per layer in front."""

    half: Weights  # squashing: x / (|x| + half) is 0.5 at this value
    centre: Weights
    spread: Weights
    dense: Weights
    dense_bias: Weights
    pool: Weights
    key: Weights
    value: Weights
    value_bias: Weights
    taps: Weights  # layer × OFFSETS × units
    mix: Weights
    mix_bias: Weights
    up: Weights
    up_bias: Weights
    down: Weights
    down_bias: Weights
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
        hidden = inputs @ self.dense + self.dense_bias
        length = np.float32(0.5) * np.log(words + 1)[:, None]
        for layer in range(len(self.pool)):
            hidden = hidden + self._looked_around(layer, normalised(hidden), length)
            inner = np.maximum(normalised(hidden) @ self.up[layer] + self.up_bias[layer], 0)
            hidden = hidden + (inner @ self.down[layer] + self.down_bias[layer])
        odds: Weights = normalised(hidden) @ self.out + self.out_bias
        return odds

    def _looked_around(self, layer: int, rows: Weights, length: Weights) -> Weights:
        """What a layer adds to each block after a look at the page and at its neighbours."""
        shares = softmax((rows @ self.pool[layer] + length).astype(np.float64), axis=0)
        # Sums over thousands of rows, which would be off by more than all that follows if they were single.
        summaries = (shares.T @ rows).astype(rows.dtype)
        keys = summaries @ self.key[layer] / np.float32(np.sqrt(rows.shape[1]))
        taken = softmax(rows @ keys.T, axis=1) @ (summaries @ self.value[layer] + self.value_bias[layer])
        update: Weights = np.maximum(taken + near(rows, self.taps[layer]), 0) @ self.mix[layer] + self.mix_bias[layer]
        return update

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[np.generic]]) -> Network:
        return cls(**{name: np.asarray(arrays[name], dtype=np.float32) for name in cls.__dataclass_fields__})


def normalised(hidden: Weights) -> Weights:
    """Each row with mean 0 and spread 1."""
    centred = hidden - hidden.mean(axis=1, keepdims=True)
    result: Weights = centred / np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + _TINY)
    return result


def softmax(odds: npt.NDArray[Float], axis: int) -> npt.NDArray[Float]:
    """Shares that add up to 1 along an axis."""
    powers = np.exp(odds - odds.max(axis=axis, keepdims=True))
    shares: npt.NDArray[Float] = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def near(rows: Weights, taps: Weights) -> Weights:
    """For each row the sum of those at OFFSETS from it, column by column weighted.

    >>> taps = np.array([[9, 9, 10, 1, 100, 9, 9]], dtype=np.float32).T
    >>> near(np.array([[1], [2]], dtype=np.float32), taps).tolist()
    [[201.0], [12.0]]
    """
    size = len(rows)
    total = np.zeros_like(rows)
    for offset, weights in zip(OFFSETS, taps, strict=True):
        if abs(offset) < size:
            first, last = max(-offset, 0), size - max(offset, 0)
            total[first:last] += rows[first + offset : last + offset] * weights
    return total
