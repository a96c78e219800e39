from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.extractors.sieve.network import OFFSETS, Network, near, normalised, softmax
from tests.toy_model import toy_network


def plain_log_odds(network: Network, inputs: list[list[float]], words: list[float]) -> list[float]:
    """The forward pass, block by block and number by number, in double precision."""
    width = len(network.out)

    def dense(row: list[float], matrix: list[list[float]], bias: list[float]) -> list[float]:
        return [
            sum(value * weights[column] for value, weights in zip(row, matrix, strict=True)) + bias[column]
            for column in range(len(bias))
        ]

    def dot(first: list[float], second: list[float]) -> float:
        return sum(a * b for a, b in zip(first, second, strict=True))

    def add(first: list[float], second: list[float]) -> list[float]:
        return [a + b for a, b in zip(first, second, strict=True)]

    def relu(row: list[float]) -> list[float]:
        return [max(value, 0) for value in row]

    def shares(odds: list[float]) -> list[float]:
        powers = [math.exp(value - max(odds)) for value in odds]
        return [power / sum(powers) for power in powers]

    def normal(row: list[float]) -> list[float]:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + 1e-5)
        return [(value - mean) / spread for value in row]

    hidden = [dense(row, network.dense.tolist(), network.dense_bias.tolist()) for row in inputs]
    for layer in range(len(network.pool)):
        of = {
            name: value[layer].tolist() for name, value in vars(network).items() if value.ndim > 1 and name != "dense"
        }
        rows = [normal(row) for row in hidden]
        summaries = []
        for number in range(len(of["pool"][0])):
            asked = [column[number] for column in of["pool"]]
            read = shares([dot(row, asked) + math.log(count + 1) / 2 for row, count in zip(rows, words, strict=True)])
            summaries.append([sum(a * row[unit] for a, row in zip(read, rows, strict=True)) for unit in range(width)])
        keys = [dense(summary, of["key"], [0.0] * width) for summary in summaries]
        given = [dense(summary, of["value"], of["value_bias"]) for summary in summaries]
        for place, row in enumerate(rows):
            taken = shares([dot(row, key) / math.sqrt(width) for key in keys])
            seen = [dot(taken, [value[unit] for value in given]) for unit in range(width)]
            for offset, weights in zip(OFFSETS, of["taps"], strict=True):
                if 0 <= place + offset < len(rows):
                    seen = add(seen, [a * b for a, b in zip(weights, rows[place + offset], strict=True)])
            hidden[place] = add(hidden[place], dense(relu(seen), of["mix"], of["mix_bias"]))
            wide = relu(dense(normal(hidden[place]), of["up"], of["up_bias"]))
            hidden[place] = add(hidden[place], dense(wide, of["down"], of["down_bias"]))
    return [dot(normal(row), network.out.tolist()) + float(network.out_bias) for row in hidden]


@given(st.integers(1, 25), st.integers(0, 100))
@settings(max_examples=30)
def test_log_odds_are_those_of_a_pass_number_by_number(size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    network = toy_network(inputs=5, width=3, seed=seed)
    inputs = random.standard_normal((size, 5)).astype(np.float32)
    words = random.integers(1, 50, size).astype(np.float32)
    expected = plain_log_odds(network, inputs.tolist(), words.tolist())
    np.testing.assert_allclose(network.log_odds(inputs, words), expected, rtol=2e-3, atol=2e-3)


@given(st.integers(1, 12))
def test_near_is_the_sum_of_the_rows_at_the_offsets(size: int) -> None:
    rows = np.arange(1, 2 * size + 1, dtype=np.float32).reshape(size, 2)
    taps = np.arange(2 * len(OFFSETS), dtype=np.float32).reshape(-1, 2) - 5
    found = near(rows, taps)
    for place in range(size):
        seen = [(taps[at], rows[place + offset]) for at, offset in enumerate(OFFSETS) if 0 <= place + offset < size]
        assert found[place].tolist() == [sum(float(a[unit] * b[unit]) for a, b in seen) for unit in range(2)]


@pytest.mark.parametrize("axis", [0, 1])
def test_shares_add_up_to_one_and_large_odds_do_no_harm(axis: int) -> None:
    shares = softmax(np.array([[0, 1e4], [-1e4, 3]], dtype=np.float32), axis)
    assert shares.sum(axis=axis) == pytest.approx([1, 1])
    assert softmax(np.log(np.array([[1, 3]], dtype=np.float32)), 1)[0] == pytest.approx([0.25, 0.75])


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


def test_far_blocks_reach_a_block_only_through_the_summaries() -> None:
    whole = toy_network(inputs=5)
    blind = Network(**{**vars(whole), **{name: getattr(whole, name) * 0 for name in ("value", "value_bias")}})
    inputs = np.random.default_rng(3).standard_normal((40, 5)).astype(np.float32)
    changed = inputs.copy()
    changed[0] += 5
    words = np.ones(40, dtype=np.float32)
    beyond = len(whole.pool) * max(OFFSETS) + 1  # each layer sees so far by itself
    for network, reaches in ((whole, True), (blind, False)):
        differs = network.log_odds(inputs, words) != network.log_odds(changed, words)
        assert differs[0]
        assert differs[beyond:].any() == reaches


def test_long_blocks_count_more_in_the_summaries() -> None:
    """With words on one block alone, the others take from the page what this block says."""
    network = toy_network(inputs=5, layers=1, summaries=1)
    inputs = np.random.default_rng(4).standard_normal((30, 5)).astype(np.float32)
    even, heavy = np.ones(30, dtype=np.float32), np.ones(30, dtype=np.float32)
    heavy[7] = 1e12
    alone = Network(**{**vars(network), "pool": network.pool * 0})
    hidden = normalised(inputs @ network.dense + network.dense_bias)
    for words, expected in ((even, hidden.mean(axis=0)), (heavy, hidden[7])):
        length = np.float32(0.5) * np.log(words + 1)[:, None]
        summary = softmax(hidden @ alone.pool[0] + length, axis=0).T @ hidden
        assert summary[0] == pytest.approx(expected, abs=1e-3)
    assert not np.allclose(alone.log_odds(inputs, even), alone.log_odds(inputs, heavy))
