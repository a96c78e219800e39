"""A model of sieve with random weights: for what holds whatever was learned."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tamis.extractors.sieve.class_names import NameTable
from tamis.extractors.sieve.features import FAMILIES, NAMES
from tamis.extractors.sieve.features.wording import WordTable, code
from tamis.extractors.sieve.model import SieveModel, model_arrays, model_from_arrays
from tamis.extractors.sieve.network import OFFSETS, Network
from tamis.extractors.sieve.page_types import PAGE_TYPES, PageTypes
from tamis.models.trees import ObliviousTrees


def toy_table() -> NameTable:
    weights = {
        "post": (700, 900),
        "body": (5, 7),
        "sidebar": (-1500, -2500),
        "#main": (0, 1200),
        "role=main": (10, 20),
        "<p>": (500, 0),
        "<nav>": (0, -2000),
    }
    own, around = np.array(list(weights.values()), dtype=np.int64).T
    return NameTable(tuple(weights), own, around)


def toy_words() -> WordTable:
    weights = {code(phrase): weight for phrase, weight in {"river": 900, "^home": -1500, "=terms": -2000}.items()}
    codes = sorted(weights)
    return WordTable(np.array(codes, dtype=np.int64), np.array([weights[one] for one in codes], dtype=np.int64))


def toy_network(
    inputs: int = len(NAMES), width: int = 4, seed: int = 0, layers: int = 2, summaries: int = 3
) -> Network:
    random = np.random.default_rng(seed)

    def values(*shape: int) -> Any:
        return (random.standard_normal(shape) * 0.5).astype(np.float32)

    return Network(
        half=np.abs(values(inputs)) + np.float32(0.5),
        centre=values(inputs),
        spread=np.abs(values(inputs)) + np.float32(0.5),
        dense=values(inputs, width),
        dense_bias=values(width),
        pool=values(layers, width, summaries),
        key=values(layers, width, width),
        value=values(layers, width, width),
        value_bias=values(layers, width),
        taps=values(layers, len(OFFSETS), width),
        mix=values(layers, width, width),
        mix_bias=values(layers, width),
        up=values(layers, width, 2 * width),
        up_bias=values(layers, 2 * width),
        down=values(layers, 2 * width, width),
        down_bias=values(layers, width),
        out=values(width),
        out_bias=values(1)[0],
    )


def toy_trees(inputs: int = len(NAMES), trees: int = 5, depth: int = 3, seed: int = 0) -> ObliviousTrees:
    random = np.random.default_rng(seed)
    return ObliviousTrees(
        feature=random.integers(0, inputs, (trees, depth)),
        border=random.random((trees, depth)).astype(np.float32) * 3,
        leaf=random.standard_normal((trees, 2**depth)).astype(np.float32),
        bias=float(random.standard_normal()),
    )


def silent_trees(inputs: int = len(NAMES)) -> ObliviousTrees:
    """Trees that say nothing, so that the network speaks alone."""
    trees = toy_trees(inputs)
    return ObliviousTrees(trees.feature, trees.border, trees.leaf * 0, 0.0)


def toy_types(inputs: int = len(NAMES), seed: int = 0) -> PageTypes:
    random = np.random.default_rng(seed)
    size = 2 * inputs, len(PAGE_TYPES)
    return PageTypes(
        random.standard_normal(size).astype(np.float32), random.standard_normal(size[1]).astype(np.float32)
    )


def toy_arrays() -> dict[str, Any]:
    """What a model file holds."""
    return model_arrays(toy_table(), toy_words(), toy_trees(), toy_network(), toy_types())


def toy_model() -> SieveModel:
    return model_from_arrays(toy_arrays())


def listening_to(*families: str, sign: int = 1) -> SieveModel:
    """A model whose log odds rise with each feature of some families and with nothing else."""
    model = toy_model()
    network = model.network
    zeros = {name: np.zeros_like(value) for name, value in vars(network).items()}
    heard = [NAMES.index(name) for family in families for name in FAMILIES[family]]
    dense = zeros["dense"].copy()
    dense[heard, 0], dense[heard, 1] = 1, -1
    # Two units that are always the same and large: normalised or not, the other two keep their proportion to them.
    steady, bias = 50.0, zeros["dense_bias"].copy()
    bias[2], bias[3] = steady, -steady
    out = zeros["out"].copy()
    out[0], out[1] = sign * steady / np.sqrt(8), -sign * steady / np.sqrt(8)
    ones = np.ones_like(network.half)
    scales = {"half": ones, "centre": ones * 0, "spread": ones * 0.1}
    network = dataclasses.replace(network, **{**zeros, **scales, "dense": dense, "dense_bias": bias, "out": out})
    return dataclasses.replace(model, network=network, trees=silent_trees())
