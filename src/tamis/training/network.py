"""Training of the network: plain gradient descent in NumPy, some minutes on one core, the same numbers on every run.

The gradient of a batch is the sum over its pages, each read forwards and then backwards through the same steps. Loss is
the weighted cross entropy of blocks plus one minus the soft F1 of each page.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis.extractors.sieve.network import OFFSETS, Network, Weights, near, softmax

_LONGEST = 1200  # blocks of a page that take part in one step; longer pages take part with another stretch each time
_TINY = np.float32(1e-5)
_FIRST, _SECOND = np.float32(0.9), np.float32(0.98)  # how long Adam remembers slopes and their squares


@dataclass(frozen=True, eq=False)
class Example:
    """One page to learn from."""

    features: Weights  # a row per block
    words: Weights
    labels: Weights
    weights: Weights  # 0 where nothing is known


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How to train."""

    width: int = 24
    layers: int = 2
    summaries: int = 4
    epochs: int = 20
    batch: int = 16
    rate: float = 3e-3
    decay: float = 2e-2
    dropout: float = 0.05
    page_loss: float = 0.3
    seed: int = 0


NetworkValues = dict[str, Weights]


def train_network(examples: Sequence[Example], recipe: Recipe) -> Network:
    """A network fitted to pages."""
    random = np.random.default_rng(recipe.seed)
    network = _fresh(_scales(examples, random), recipe, random)
    inputs = [network.standardised(example.features) for example in examples]
    return _descend(network, inputs, examples, recipe, random)


def _descend(
    network: Network,
    inputs: Sequence[Weights],
    examples: Sequence[Example],
    recipe: Recipe,
    random: np.random.Generator,
) -> Network:
    """The network after all epochs, given the standardised features of each page."""
    values: NetworkValues = {name: getattr(network, name) for name in _learned()}
    first = {name: np.zeros_like(value) for name, value in values.items()}
    second = {name: np.zeros_like(value) for name, value in values.items()}
    batches = [
        batch
        for _ in range(recipe.epochs)
        for batch in np.array_split(random.permutation(len(examples)), -(-len(examples) // recipe.batch))
    ]
    for step, batch in enumerate(batches, start=1):
        pages = [_stretch(inputs[place], examples[place], random) for place in batch.tolist()]
        gradients = _gradients(values, pages, recipe, random)
        norm = np.sqrt(sum(float(np.square(gradient).sum()) for gradient in gradients.values()))
        rate = np.float32(recipe.rate * _schedule(step / len(batches)))
        for name, gradient in gradients.items():
            slope = gradient / np.float32(max(norm, 1.0))
            first[name] = _FIRST * first[name] + (1 - _FIRST) * slope
            second[name] = _SECOND * second[name] + (1 - _SECOND) * np.square(slope)
            mean, spread = first[name] / (1 - _FIRST**step), second[name] / (1 - _SECOND**step)
            values[name] = values[name] * (1 - rate * np.float32(recipe.decay)) - rate * mean / (np.sqrt(spread) + 1e-8)
    return dataclasses.replace(network, **values)


def _learned() -> list[str]:
    """Names of what is learned by gradients: all but the scales of the features."""
    return [field.name for field in dataclasses.fields(Network)][3:]


def _scales(examples: Sequence[Example], random: np.random.Generator) -> tuple[Weights, Weights, Weights]:
    """What is usual of each feature: the median of its size, and mean and spread when it is squashed."""
    rows = np.concatenate([example.features[random.permutation(len(example.words))[:60]] for example in examples])
    positive = np.where(rows == 0, np.nan, np.abs(rows))
    positive[0] = np.nan_to_num(positive[0], nan=1.0)  # no column without a value
    half = np.maximum(np.nanmedian(positive, axis=0), 1e-3).astype(np.float32)
    squashed = rows / (np.abs(rows) + half)
    centre, spread = squashed.mean(axis=0), np.maximum(squashed.std(axis=0), 1e-2)
    return half, centre.astype(np.float32), spread.astype(np.float32)


def _fresh(scales: tuple[Weights, Weights, Weights], recipe: Recipe, random: np.random.Generator) -> Network:
    """Random weights, and the scales of the features."""
    width, layers, size = recipe.width, recipe.layers, len(scales[0])

    def matrix(inputs: int, *shape: int) -> Weights:
        values: Weights = (random.standard_normal(shape) * np.sqrt(1 / inputs)).astype(np.float32)
        return values

    def zeros(*shape: int) -> Weights:
        return np.zeros(shape, dtype=np.float32)

    return Network(
        half=scales[0],
        centre=scales[1],
        spread=scales[2],
        dense=matrix(size, size, width),
        dense_bias=zeros(width),
        pool=matrix(width, layers, width, recipe.summaries),
        key=matrix(width, layers, width, width),
        value=matrix(width, layers, width, width),
        value_bias=zeros(layers, width),
        taps=matrix(len(OFFSETS), layers, len(OFFSETS), width),
        mix=matrix(width, layers, width, width),
        mix_bias=zeros(layers, width),
        up=matrix(width, layers, width, 2 * width),
        up_bias=zeros(layers, 2 * width),
        down=matrix(2 * width, layers, 2 * width, width),
        down_bias=zeros(layers, width),
        out=matrix(width, width),
        out_bias=zeros(),
    )


def _schedule(progress: float) -> float:
    """The rate rises for a third of the time and falls to zero after it, both along a cosine."""
    if progress < 0.3:
        return float(0.5 - 0.5 * np.cos(np.pi * progress / 0.3)) * 0.96 + 0.04
    return float(0.5 + 0.5 * np.cos(np.pi * (progress - 0.3) / 0.7))


def _stretch(inputs: Weights, example: Example, random: np.random.Generator) -> Example:
    """What takes part in a step: the page, or some of it if it is long; features standardised."""
    size = min(len(inputs), _LONGEST)
    start = int(random.integers(0, len(inputs) - size + 1))
    cut = slice(start, start + size)
    return Example(inputs[cut], example.words[cut], example.labels[cut], example.weights[cut])


def _gradients(
    values: Mapping[str, Weights], pages: Sequence[Example], recipe: Recipe, random: np.random.Generator
) -> NetworkValues:
    """Gradients of the loss of one batch."""
    total = {name: np.zeros_like(value) for name, value in values.items()}
    share = 1 / max(float(sum(page.weights.sum() for page in pages)), 1.0), recipe.page_loss / len(pages)
    for page in pages:
        for name, slope in _page_gradients(values, page, share, recipe.dropout, random).items():
            total[name] += slope
    return total


def _page_gradients(
    values: Mapping[str, Weights],
    page: Example,
    share: tuple[float, float],
    dropout: float,
    random: np.random.Generator,
) -> NetworkValues:
    """Forwards, then backwards; whole columns are left out, for one page each time."""
    layers, width = values["pool"].shape[:2]

    def dropped(size: int) -> Weights:
        kept = random.random(size, dtype=np.float32) >= dropout
        return np.asarray(kept / np.float32(1 - dropout), dtype=np.float32)

    inputs = page.features * dropped(page.features.shape[1])
    length = np.float32(0.5) * np.log(page.words + 1)[:, None]
    hidden = np.asarray(inputs @ values["dense"] + values["dense_bias"], dtype=np.float32)
    passed = []
    for layer in range(layers):
        weights = {name: values[name][layer] for name in _PER_LAYER}
        step = _Layer(weights, hidden, length, dropped(width), dropped(width))
        hidden = step.result
        passed.append(step)
    top, scale = _normal(hidden)
    odds = top @ values["out"] + values["out_bias"]

    d_odds = _loss_gradient(odds, page, share)
    gradients = {"out": top.T @ d_odds, "out_bias": np.asarray(d_odds.sum())}
    d_hidden = _through_norm(d_odds[:, None] * values["out"], top, scale)
    slopes = []
    for step in reversed(passed):
        d_hidden, slope = step.backwards(d_hidden)
        slopes.append(slope)
    gradients |= {name: np.stack([slope[name] for slope in reversed(slopes)]) for name in _PER_LAYER}
    return gradients | {"dense": inputs.T @ d_hidden, "dense_bias": d_hidden.sum(axis=0)}


_PER_LAYER = ("pool", "key", "value", "value_bias", "taps", "mix", "mix_bias", "up", "up_bias", "down", "down_bias")


class _Layer:
    """One layer on one page: what ``Network`` computes, remembered for the way back."""

    def __init__(
        self, weights: NetworkValues, hidden: Weights, length: Weights, first: Weights, second: Weights
    ) -> None:
        self.weights, self.first, self.second = weights, first, second
        self.rows, self.scale = _normal(hidden)
        self.read = softmax(self.rows @ weights["pool"] + length, axis=0)
        self.summaries = self.read.T @ self.rows
        self.root = np.float32(1 / np.sqrt(hidden.shape[1]))
        self.keys = np.asarray(self.summaries @ weights["key"] * self.root, dtype=hidden.dtype)
        self.taken = softmax(self.rows @ self.keys.T, axis=1)
        self.given = self.summaries @ weights["value"] + weights["value_bias"]
        self.seen = np.maximum(self.taken @ self.given + near(self.rows, weights["taps"]), 0)
        middle = hidden + (self.seen @ weights["mix"] + weights["mix_bias"]) * first
        self.inner, self.inner_scale = _normal(middle)
        self.wide = np.maximum(self.inner @ weights["up"] + weights["up_bias"], 0)
        self.result = middle + (self.wide @ weights["down"] + weights["down_bias"]) * second

    def backwards(self, d_result: Weights) -> tuple[Weights, NetworkValues]:
        """The slope along what came in, and along the weights."""
        weights = self.weights
        d_narrow = d_result * self.second
        d_wide = np.where(self.wide > 0, d_narrow @ weights["down"].T, 0)
        d_middle = d_result + _through_norm(d_wide @ weights["up"].T, self.inner, self.inner_scale)
        d_mixed = d_middle * self.first
        d_seen = np.where(self.seen > 0, d_mixed @ weights["mix"].T, 0)
        d_given: Weights = self.taken.T @ d_seen
        d_taken = _through_softmax(d_seen @ self.given.T, self.taken, axis=1)
        d_keys: Weights = d_taken.T @ self.rows * self.root
        d_summaries: Weights = d_keys @ weights["key"].T + d_given @ weights["value"].T
        d_read = _through_softmax(self.rows @ d_summaries.T, self.read, axis=0)
        d_near, d_taps = _through_near(d_seen, self.rows, weights["taps"])
        d_rows: Weights = d_near + d_taken @ self.keys + self.read @ d_summaries + d_read @ weights["pool"].T
        return d_middle + _through_norm(d_rows, self.rows, self.scale), {
            "pool": self.rows.T @ d_read,
            "key": self.summaries.T @ d_keys,
            "value": self.summaries.T @ d_given,
            "value_bias": d_given.sum(axis=0),
            "taps": d_taps,
            "mix": self.seen.T @ d_mixed,
            "mix_bias": d_mixed.sum(axis=0),
            "up": self.inner.T @ d_wide,
            "up_bias": d_wide.sum(axis=0),
            "down": self.wide.T @ d_narrow,
            "down_bias": d_narrow.sum(axis=0),
        }


def _normal(hidden: Weights) -> tuple[Weights, Weights]:
    """Each row with mean 0 and spread 1, and by what it was multiplied."""
    centred = hidden - hidden.mean(axis=1, keepdims=True)
    scale: Weights = 1 / np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + _TINY)
    return centred * scale, scale


def _through_norm(slope: Weights, rows: Weights, scale: Weights) -> Weights:
    along = (slope * rows).mean(axis=1, keepdims=True)
    result: Weights = scale * (slope - slope.mean(axis=1, keepdims=True) - rows * along)
    return result


def _through_softmax(slope: Any, shares: Weights, axis: int) -> Weights:
    """A softmax only moves shares from one place to another: the mean slope is lost."""
    result: Weights = shares * (slope - (slope * shares).sum(axis=axis, keepdims=True))
    return result


def _through_near(slope: Weights, rows: Weights, taps: Weights) -> tuple[Weights, Weights]:
    d_taps = np.zeros_like(taps)
    for place, offset in enumerate(OFFSETS):
        if abs(offset) < len(rows):
            first, last = max(-offset, 0), len(rows) - max(offset, 0)
            d_taps[place] = np.einsum("nd,nd->d", slope[first:last], rows[first + offset : last + offset])
    return near(slope, taps[::-1]), d_taps  # offsets lie evenly around 0: backwards is forwards with the sides changed


def _loss_gradient(odds: Weights, page: Example, share: tuple[float, float]) -> Weights:
    """Derivative of the loss along the log odds of each block; blocks of which nothing is known have none."""
    chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    words = page.words * (page.weights > 0)
    matched = float((chance * page.labels * words).sum())
    both = float(((chance + page.labels) * words).sum()) + 1
    slope = 2 * words * (page.labels / both - matched / both**2) * chance * (1 - chance)
    result: Weights = (share[0] * page.weights * (chance - page.labels) - share[1] * slope).astype(np.float32)
    return result
