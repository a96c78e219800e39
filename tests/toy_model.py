"""A model of sieve with random weights: for what holds whatever was learned."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamis.page.html import TAG_CODES, TAG_NAMES
from tamis.scoring.class_names import NameTable
from tamis.scoring.features import NAMES
from tamis.scoring.network import DILATIONS, Network
from tamis.scoring.page_types import PAGE_TYPES, PageTypes
from tamis.scoring.sieve_model import SieveModel, model_arrays, model_from_arrays


def toy_table() -> NameTable:
    tag_own, tag_around = np.zeros((2, len(TAG_NAMES)), dtype=np.int64)
    tag_own[TAG_CODES["p"]], tag_around[TAG_CODES["nav"]] = 500, -2000
    weights = {"post": (700, 900), "sidebar": (-1500, -2500), "#main": (0, 1200), "role=main": (10, 20), "body": (5, 7)}
    own, around = np.array(list(weights.values()), dtype=np.int64).T
    return NameTable(tuple(weights), own, around, tag_own, tag_around)


def toy_network(inputs: int = len(NAMES), width: int = 4, seed: int = 0) -> Network:
    random = np.random.default_rng(seed)

    def values(*shape: int) -> Any:
        return (random.standard_normal(shape) * 0.5).astype(np.float32)

    return Network(
        half=np.abs(values(inputs)) + np.float32(0.5),
        centre=values(inputs),
        spread=np.abs(values(inputs)) + np.float32(0.5),
        dense=values(inputs, width),
        dense_bias=values(width),
        convolutions=values(len(DILATIONS), 3 * width, width),
        convolution_biases=values(len(DILATIONS), width),
        pool=values(width, width),
        pool_bias=values(width),
        out=values(width),
        out_bias=values(1)[0],
    )


def toy_types(inputs: int = len(NAMES), seed: int = 0) -> PageTypes:
    random = np.random.default_rng(seed)
    size = 2 * inputs, len(PAGE_TYPES)
    return PageTypes(
        random.standard_normal(size).astype(np.float32), random.standard_normal(size[1]).astype(np.float32)
    )


def toy_arrays() -> dict[str, Any]:
    """What a model file holds."""
    return model_arrays(toy_table(), toy_network(), toy_types())


def toy_model() -> SieveModel:
    return model_from_arrays(toy_arrays())
