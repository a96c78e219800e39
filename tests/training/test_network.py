from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from tamis.extractors.sieve.network import Network, Weights
from tamis.training.network import (
    _LONGEST,
    Example,
    Recipe,
    _fresh,
    _gradients,
    _learned,
    _scales,
    _schedule,
    _stretch,
    train_network,
)
from tests.toy_model import toy_network

INPUTS = 5
PLAIN = Recipe(width=4, dropout=0.0, page_loss=0.7)


def examples_of(sizes: list[int], seed: int = 0) -> list[Example]:
    """Pages on which content is what has a large first feature."""
    random = np.random.default_rng(seed)
    made = []
    for size in sizes:
        features = random.standard_normal((size, INPUTS)).astype(np.float32)
        labels = (features[:, 0] > 0.2).astype(np.float32)
        words = random.integers(1, 40, size).astype(np.float32)
        made.append(Example(features, words, labels, random.random(size).astype(np.float32)))
    return made


def doubled(values: dict[str, Weights]) -> Network:
    """A network whose forward pass is plain enough to run in double precision."""
    ones = np.ones(INPUTS)
    return Network(half=ones, centre=ones, spread=ones, **values)  # type: ignore[arg-type]


def loss(network: Network, examples: list[Example], recipe: Recipe) -> float:
    """Weighted cross entropy of blocks, and one minus the soft F1 of each page."""
    entropy = total = pages = 0.0
    for example in examples:
        odds = network.log_odds(example.features.astype(np.float64), example.words.astype(np.float64))
        chances = 1 / (1 + np.exp(-odds))
        entropy += float((example.weights * (np.logaddexp(0, odds) - example.labels * odds)).sum())
        total += float(example.weights.sum())
        words = example.words * (example.weights > 0)
        matched = float((chances * example.labels * words).sum())
        pages += 1 - 2 * matched / (float(((chances + example.labels) * words).sum()) + 1)
    return entropy / max(total, 1.0) + recipe.page_loss * pages / len(examples)


def start(seed: int) -> dict[str, Weights]:
    network = toy_network(inputs=INPUTS, width=4, seed=seed)
    return {name: getattr(network, name) for name in _learned()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_gradients_are_the_slopes_of_the_loss(seed: int) -> None:
    examples = examples_of([1, 12, 30], seed)
    examples[1].weights[:4] = 0  # nothing is known of these
    values = start(seed)
    gradients = _gradients(values, examples, PLAIN, np.random.default_rng(0))
    assert gradients.keys() == values.keys()
    exact = {name: np.array(value, dtype=np.float64) for name, value in values.items()}
    step = 1e-6
    for name, value in exact.items():
        slopes = np.zeros(value.shape)
        for place in np.ndindex(value.shape):
            either = []
            for sign in (1, -1):
                moved = value.copy()
                moved[place] += sign * step
                either.append(loss(doubled({**exact, name: moved}), examples, PLAIN))  # type: ignore[dict-item]
            slopes[place] = (either[0] - either[1]) / (2 * step)
        assert np.abs(slopes).max() > 1e-4, name  # the check would see a gradient that is not there
        np.testing.assert_allclose(gradients[name], slopes, rtol=5e-3, atol=2e-5, err_msg=name)


def test_blocks_of_which_nothing_is_known_teach_nothing() -> None:
    (example,) = examples_of([20])
    example.weights[5:] = 0
    other = dataclasses.replace(example, labels=np.where(np.arange(20) < 5, example.labels, 1 - example.labels))
    found = [_gradients(start(2), [page], PLAIN, np.random.default_rng(0)) for page in (example, other)]
    assert all(np.array_equal(found[0][name], found[1][name]) for name in found[0])


def test_pages_of_a_batch_do_not_see_each_other() -> None:
    """The gradients of a batch are the sum of those of its pages where the loss is a sum."""
    examples = examples_of([9, 14, 3])
    recipe, values = dataclasses.replace(PLAIN, page_loss=0.0), start(4)

    def gradients(pages: list[Example]) -> tuple[dict[str, Weights], float]:
        weight = max(float(sum(page.weights.sum() for page in pages)), 1.0)
        return _gradients(values, pages, recipe, np.random.default_rng(0)), weight

    together, weight = gradients(examples)
    apart = [gradients([example]) for example in examples]
    for name in _learned():
        expected = sum(found[name] * own for found, own in apart) / weight
        np.testing.assert_allclose(together[name], expected, rtol=1e-3, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("size", [_LONGEST - 1, _LONGEST, _LONGEST + 1])
def test_long_pages_take_part_with_a_stretch(size: int) -> None:
    (example,) = examples_of([size])
    stretch = _stretch(example.features, example, np.random.default_rng(1))
    first = int(np.flatnonzero((example.features == stretch.features[0]).all(axis=1))[0])
    for name, part in vars(stretch).items():
        assert np.array_equal(part, getattr(example, name)[first : first + _LONGEST])
        assert len(part) == min(size, _LONGEST)


def test_training_lowers_the_loss_and_finds_what_is_there_to_be_found() -> None:
    examples = examples_of([20] * 24)
    recipe = Recipe(width=4, epochs=12, batch=4, rate=3e-2, dropout=0.0)
    random = np.random.default_rng(recipe.seed)
    fresh = _fresh(_scales(examples, random), recipe, random)
    trained = train_network(examples, recipe)

    def standardised(network: Network) -> list[Example]:
        return [dataclasses.replace(page, features=network.standardised(page.features)) for page in examples]

    before, after = (loss(network, standardised(network), recipe) for network in (fresh, trained))
    assert after < before / 2
    others = examples_of([20] * 5, seed=9)
    right = [
        (trained.log_odds(trained.standardised(page.features), page.words) > 0) == (page.labels > 0) for page in others
    ]
    assert np.concatenate(right).mean() > 0.85


def test_training_gives_the_same_numbers_every_time_and_others_with_another_seed() -> None:
    examples = examples_of([10] * 6)
    recipe = Recipe(width=4, epochs=2, batch=2)
    first, second = train_network(examples, recipe), train_network(examples, recipe)
    assert all(np.array_equal(getattr(first, name), value) for name, value in vars(second).items())
    other = train_network(examples, dataclasses.replace(recipe, seed=1))
    assert not np.array_equal(other.dense, first.dense)


@pytest.mark.parametrize("count", [1, 3, 4, 5])
def test_any_number_of_pages_can_be_learned_from(count: int) -> None:
    network = train_network(examples_of([6] * count), Recipe(width=4, epochs=1, batch=4))
    assert all(np.isfinite(value).all() for value in vars(network).values())


def test_features_that_never_differ_do_no_harm() -> None:
    examples = examples_of([6] * 3)
    for page in examples:
        page.features[:, 4] = 0
    network = train_network(examples, Recipe(width=4, epochs=1, batch=4))
    assert all(np.isfinite(value).all() for value in vars(network).values())


def test_the_rate_rises_for_a_third_of_the_time_and_falls_to_zero() -> None:
    rates = [_schedule(step / 100) for step in range(101)]
    assert rates[0] == pytest.approx(0.04)
    assert rates.index(max(rates)) == 30
    assert max(rates) == pytest.approx(1.0)
    assert rates[:31] == sorted(rates[:31])
    assert rates[30:] == sorted(rates[30:], reverse=True)
    assert math.isclose(rates[100], 0, abs_tol=1e-12)
