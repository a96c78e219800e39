from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.extractors.sieve.network import DILATIONS, Network, neighbours, normalised
from tests.toy_model import toy_network


def plain_log_odds(network: Network, inputs: list[list[float]], words: list[float]) -> list[float]:
    """The forward pass, block by block and number by number, in double precision."""

    def dense(row: list[float], matrix: list[list[float]], bias: list[float]) -> list[float]:
        return [
            sum(value * weights[column] for value, weights in zip(row, matrix, strict=True)) + bias[column]
            for column in range(len(bias))
        ]

    def relu(row: list[float]) -> list[float]:
        return [max(value, 0) for value in row]

    def normal(row: list[float]) -> list[float]:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + 1e-5)
        return [(value - mean) / spread for value in row]

    width = len(network.out)
    hidden = [relu(dense(row, network.dense.tolist(), network.dense_bias.tolist())) for row in inputs]
    for layer, distance in enumerate(DILATIONS):
        rows = [normal(row) for row in hidden]

        def at(place: int, rows: list[list[float]] = rows) -> list[float]:
            return rows[place] if 0 <= place < len(rows) else [0.0] * width

        matrix, bias = network.convolutions[layer].tolist(), network.convolution_biases[layer].tolist()
        updates = [
            relu(dense(at(place - distance) + at(place) + at(place + distance), matrix, bias))
            for place in range(len(rows))
        ]
        hidden = [
            [a + b for a, b in zip(row, update, strict=True)] for row, update in zip(hidden, updates, strict=True)
        ]
    weights = [count + 1 for count in words]
    mean = [
        sum(weight * row[column] for weight, row in zip(weights, hidden, strict=True)) / sum(weights)
        for column in range(width)
    ]
    pooled = dense(mean, network.pool.tolist(), network.pool_bias.tolist())
    tops = [relu([a + b for a, b in zip(row, pooled, strict=True)]) for row in hidden]
    out = network.out.tolist()
    return [sum(a * b for a, b in zip(top, out, strict=True)) + float(network.out_bias) for top in tops]


@given(st.integers(1, 25), st.integers(0, 100))
@settings(max_examples=30)
def test_log_odds_are_those_of_a_pass_number_by_number(size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    network = toy_network(inputs=5, width=3, seed=seed)
    inputs = random.standard_normal((size, 5)).astype(np.float32)
    words = random.integers(1, 50, size).astype(np.float32)
    expected = plain_log_odds(network, inputs.tolist(), words.tolist())
    np.testing.assert_allclose(network.log_odds(inputs, words), expected, rtol=2e-3, atol=2e-3)


@given(st.integers(1, 20), st.integers(1, 20))
def test_neighbours_are_the_rows_so_far_before_and_after(size: int, distance: int) -> None:
    hidden = np.arange(1, 2 * size + 1, dtype=np.float32).reshape(size, 2)
    found = neighbours(hidden, distance)
    for place in range(size):
        rows = [hidden[at].tolist() if 0 <= at < size else [0, 0] for at in (place - distance, place, place + distance)]
        assert found[place].tolist() == [*rows[0], *rows[1], *rows[2]]


def test_normalised_rows_have_mean_0_and_spread_1_unless_they_are_flat() -> None:
    rows = normalised(np.array([[1, 2, 3, 10], [5, 5, 5, 5]], dtype=np.float32))
    assert rows[0].mean() == pytest.approx(0, abs=1e-6)
    assert rows[0].std() == pytest.approx(1, abs=1e-4)
    assert rows[1].tolist() == [0, 0, 0, 0]


def test_squashing_is_one_half_at_its_scale_and_keeps_the_sign() -> None:
    base = toy_network(inputs=2)
    ones = np.ones(2, dtype=np.float32)
    network = Network(**{**vars(base), "half": ones * 3, "centre": ones * 0.5, "spread": ones * 2})
    features = np.array([[3, -3], [0, 1e9]], dtype=np.float32)
    assert network.standardised(features) == pytest.approx(np.array([[0, -0.5], [-0.25, 0.25]]))


def test_usual_features_are_zero_when_standardised() -> None:
    base = toy_network(inputs=4)
    centre = np.array([0.0, 0.5, -0.5, 0.9], dtype=np.float32)
    network = Network(**{**vars(base), "centre": centre})
    assert network.standardised(network.usual()[None]) == pytest.approx(np.zeros((1, 4)), abs=1e-5)
    never = Network(**{**vars(base), "centre": np.ones(4, dtype=np.float32)})  # no value is squashed to 1
    assert np.isfinite(never.usual()).all()


def test_far_blocks_reach_a_block_only_through_the_mean_of_the_page() -> None:
    network = toy_network(inputs=5)
    network = Network(**{**vars(network), "pool": np.zeros_like(network.pool)})
    inputs = np.random.default_rng(3).standard_normal((40, 5)).astype(np.float32)
    changed = inputs.copy()
    changed[0] += 5
    words = np.ones(40, dtype=np.float32)
    differs = network.log_odds(inputs, words) != network.log_odds(changed, words)
    assert differs[0]
    assert not differs[sum(DILATIONS) + 1 :].any()
