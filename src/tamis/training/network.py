"""Training of the network: plain gradient descent in NumPy, a minute on one core, the same numbers on every run.

Pages of a batch are laid end to end with empty rows between them, so that a batch is one matrix and neighbours of one
page never reach into the next. Loss is the weighted cross entropy of blocks plus one minus the soft F1 of each page.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis.extractors.sieve.network import DILATIONS, Network, Weights, neighbours
from tamis.page.text import Ints

_GAP = max(DILATIONS)
_LONGEST = 1200  # blocks of a page that take part in one step; longer pages take part with another stretch each time


@dataclass(frozen=True, eq=False)
class Example:
    """One page to learn from."""

    features: Weights  # a row per block
    words: Weights
    labels: Weights
    weights: Weights


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How to train. Width, epochs, batch, dropout and page loss were compared on two folds of the train pages, one seed
    each; what is here was best on the mean over datasets, mostly within the luck of a seed. The rest is usual.
    """

    width: int = 64
    epochs: int = 10
    batch: int = 16
    rate: float = 3e-3
    decay: float = 1e-2
    dropout: float = 0.15
    page_loss: float = 0.3
    seed: int = 0


def train_network(examples: Sequence[Example], recipe: Recipe) -> Network:
    """A network fitted to pages."""
    random = np.random.default_rng(recipe.seed)
    network = _fresh(examples, recipe, random)
    names = [field.name for field in dataclasses.fields(Network)][3:]
    values = {name: getattr(network, name) for name in names}
    first = {name: np.zeros_like(value) for name, value in values.items()}
    second = {name: np.zeros_like(value) for name, value in values.items()}
    inputs = [network.standardised(example.features) for example in examples]
    steps = recipe.epochs * max(len(examples) // recipe.batch, 1)
    for step in range(steps):
        place = step * recipe.batch % max(len(examples) - recipe.batch + 1, 1)
        if place < recipe.batch:
            order = random.permutation(len(examples))
        batch = _lay_out([(inputs[i], examples[i]) for i in order[place : place + recipe.batch]], random)
        gradients = _gradients(values, batch, recipe, random)
        norm = np.sqrt(sum(float(np.square(gradient).sum()) for gradient in gradients.values()))
        rate = recipe.rate * _schedule((step + 1) / steps)
        for name, gradient in gradients.items():
            gradient = gradient / max(norm, 1.0)
            first[name] = 0.9 * first[name] + 0.1 * gradient
            second[name] = 0.999 * second[name] + 0.001 * np.square(gradient)
            mean, spread = first[name] / (1 - 0.9 ** (step + 1)), second[name] / (1 - 0.999 ** (step + 1))
            moved = values[name] - rate * (mean / (np.sqrt(spread) + 1e-8) + recipe.decay * values[name])
            values[name] = moved.astype(np.float32)
    return dataclasses.replace(network, **values)


def _fresh(examples: Sequence[Example], recipe: Recipe, random: np.random.Generator) -> Network:
    """Random weights, and the scales of the features."""
    rows = np.concatenate([example.features[random.permutation(len(example.words))[:60]] for example in examples])
    positive = np.where(rows == 0, np.nan, np.abs(rows))
    positive[0] = np.nan_to_num(positive[0], nan=1.0)  # no column without a value
    half = np.maximum(np.nanmedian(positive, axis=0), 1e-3).astype(np.float32)
    squashed = rows / (np.abs(rows) + half)
    width, size = recipe.width, rows.shape[1]

    def matrix(inputs: int, *shape: int) -> Weights:
        values: Weights = (random.standard_normal(shape) * np.sqrt(1 / inputs)).astype(np.float32)
        return values

    def zeros(*shape: int) -> Weights:
        return np.zeros(shape, dtype=np.float32)

    return Network(
        half=half,
        centre=squashed.mean(axis=0).astype(np.float32),
        spread=np.maximum(squashed.std(axis=0), 1e-2).astype(np.float32),
        dense=matrix(size, size, width),
        dense_bias=zeros(width),
        convolutions=matrix(3 * width, len(DILATIONS), 3 * width, width),
        convolution_biases=zeros(len(DILATIONS), width),
        pool=matrix(width, width, width),
        pool_bias=zeros(width),
        out=matrix(width, width),
        out_bias=zeros(),
    )


def _schedule(progress: float) -> float:
    """The rate rises for a third of the time and falls to zero after it, both along a cosine."""
    if progress < 0.3:
        return float(0.5 - 0.5 * np.cos(np.pi * progress / 0.3)) * 0.96 + 0.04
    return float(0.5 + 0.5 * np.cos(np.pi * (progress - 0.3) / 0.7))


@dataclass(frozen=True, eq=False)
class _Batch:
    inputs: Weights
    words: Weights
    labels: Weights
    weights: Weights
    page: Ints  # number of the page of each row, -1 in gaps
    mask: Weights  # 0 in gaps
    starts: Ints  # first row of each page


def _lay_out(pages: Sequence[tuple[Weights, Example]], random: np.random.Generator) -> _Batch:
    parts: list[tuple[Weights, Weights, Weights, Weights]] = []
    for inputs, example in pages:
        size = min(len(inputs), _LONGEST)
        start = int(random.integers(0, len(inputs) - size + 1))
        cut = slice(start, start + size)
        parts.append((inputs[cut], example.words[cut], example.labels[cut], example.weights[cut]))
    lengths = [len(part[0]) + _GAP for part in parts]
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    total = sum(lengths)
    inputs = np.zeros((total, parts[0][0].shape[1]), dtype=np.float32)
    columns = np.zeros((3, total), dtype=np.float32)
    page = np.full(total, -1, dtype=np.int64)
    for number, (start, part) in enumerate(zip(starts.tolist(), parts, strict=True)):
        end = start + len(part[0])
        inputs[start:end], page[start:end] = part[0], number
        columns[:, start:end] = part[1:]
    return _Batch(inputs, columns[0], columns[1], columns[2], page, (page >= 0).astype(np.float32), starts)


def _gradients(
    values: dict[str, Weights], batch: _Batch, recipe: Recipe, random: np.random.Generator
) -> dict[str, Any]:
    """Gradients of the loss of one batch: forwards, then backwards through the same steps."""
    mask, width = batch.mask[:, None], values["dense"].shape[1]

    def dropped(size: int, rate: float) -> Weights:
        # Whole columns are left out for a batch: a thousandth of the random numbers.
        kept = random.random(size, dtype=np.float32) >= rate
        return np.asarray(kept / np.float32(1 - rate), dtype=np.float32)

    inputs = batch.inputs * dropped(batch.inputs.shape[1], recipe.dropout / 2)
    hidden = np.maximum(inputs @ values["dense"] + values["dense_bias"], 0) * mask
    first = hidden
    layers = []
    for layer, dilation in enumerate(DILATIONS):
        centred = hidden - hidden.mean(axis=1, keepdims=True)
        scale = 1 / np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + np.float32(1e-5))
        normal = centred * scale * mask
        around = neighbours(normal, dilation)
        update = np.maximum(around @ values["convolutions"][layer] + values["convolution_biases"][layer], 0)
        drop = dropped(width, recipe.dropout) * mask
        layers.append((normal, scale, around, update, drop))
        hidden = hidden + update * drop
    share = (batch.words + 1) * batch.mask
    totals = np.add.reduceat(share, batch.starts)
    mean = np.add.reduceat(hidden * share[:, None], batch.starts) / totals[:, None]
    pooled = mean @ values["pool"] + values["pool_bias"]
    top = np.maximum(hidden + pooled[batch.page], 0) * mask
    odds = top @ values["out"] + values["out_bias"]

    d_odds = _loss_gradient(odds, batch, recipe)
    gradients: dict[str, Any] = {"out": top.T @ d_odds, "out_bias": d_odds.sum()}
    d_top = np.where(top > 0, d_odds[:, None] * values["out"], 0)
    d_pooled = np.add.reduceat(d_top, batch.starts)
    gradients |= {"pool": mean.T @ d_pooled, "pool_bias": d_pooled.sum(axis=0)}
    d_mean = d_pooled @ values["pool"].T / totals[:, None]
    d_hidden = d_top + d_mean[batch.page] * share[:, None]
    gradients["convolutions"] = np.empty_like(values["convolutions"])
    gradients["convolution_biases"] = np.empty_like(values["convolution_biases"])
    for layer, dilation in reversed(list(enumerate(DILATIONS))):
        normal, scale, around, update, drop = layers[layer]
        d_update = np.where(update > 0, d_hidden * drop, 0)
        gradients["convolutions"][layer] = around.T @ d_update
        gradients["convolution_biases"][layer] = d_update.sum(axis=0)
        d_around = d_update @ values["convolutions"][layer].T
        d_normal = d_around[:, width : 2 * width].copy()
        d_normal[:-dilation] += d_around[dilation:, :width]
        d_normal[dilation:] += d_around[:-dilation, 2 * width :]
        d_normal *= mask
        along = (d_normal * normal).mean(axis=1, keepdims=True)
        d_hidden = d_hidden + scale * (d_normal - d_normal.mean(axis=1, keepdims=True) - normal * along)
    d_first = np.where(first > 0, d_hidden, 0)
    return gradients | {"dense": inputs.T @ d_first, "dense_bias": d_first.sum(axis=0)}


def _loss_gradient(odds: Weights, batch: _Batch, recipe: Recipe) -> Weights:
    """Derivative of the loss with respect to the log odds of each block."""
    chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30))) * batch.mask
    weights = batch.weights * batch.mask
    gradient = weights * (chance - batch.labels) / max(float(weights.sum()), 1.0)
    matched = np.add.reduceat(chance * batch.labels * batch.words, batch.starts)
    both = np.add.reduceat((chance + batch.labels * batch.mask) * batch.words, batch.starts) + 1
    slope = 2 * batch.words * (batch.labels / both[batch.page] - (matched / np.square(both))[batch.page])
    soft = slope * chance * (1 - chance) * batch.mask / len(batch.starts)
    result: Weights = (gradient - recipe.page_loss * soft).astype(np.float32)
    return result
