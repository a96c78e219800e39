from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.extractors.sieve.decide import GROUP_SHARE, PAGE_ERROR, best_prefix, levelled

ODDS = st.lists(st.tuples(st.integers(-60, 60), st.integers(1, 40)), max_size=12)  # a block has a word
Blocks = list[tuple[int, int]]


def kept_of(blocks: Blocks, bias: float = 0.0) -> list[bool]:
    odds, words = np.array(blocks, dtype=np.float64).reshape(-1, 2).T
    return [bool(kept) for kept in best_prefix(odds / 8, words, bias)]


def expected_measure(blocks: Blocks, kept: set[int], bias: float) -> float:
    """The F measure, averaged over normal errors of the whole page by brute force."""
    odds, words = np.array(blocks, dtype=np.float64).T
    shifts = np.linspace(-5, 5, 81)
    shares = np.exp(-np.square(shifts) / 2)
    beta, places, total = 4**bias, sorted(kept), 0.0
    for shift, share in zip(shifts, shares / shares.sum(), strict=True):
        matched = words / (1 + np.exp(-(odds / 8 + PAGE_ERROR * shift)))
        total += share * (1 + beta) * matched[places].sum() / max(words[places].sum() + beta * matched.sum(), 1e-9)
    return total


@given(ODDS, st.sampled_from([-1.0, -0.4, 0.0, 0.7, 1.0]))
@settings(max_examples=50)
def test_no_prefix_has_a_better_expected_measure(blocks: Blocks, bias: float) -> None:
    kept = kept_of(blocks, bias)
    if not blocks:
        assert kept == []
        return
    order = sorted(range(len(blocks)), key=lambda place: -blocks[place][0])
    chosen = {place for place, is_kept in enumerate(kept) if is_kept}
    assert chosen == set(order[: len(chosen)])
    best = max(expected_measure(blocks, set(order[:count]), bias) for count in range(1, len(order) + 1))
    # Nine points stand for the normal distribution, so the choice may be second by a hair.
    assert expected_measure(blocks, chosen, bias) >= best - 2e-3


@given(ODDS, st.floats(-1, 1), st.floats(-1, 1))
def test_more_bias_keeps_the_same_and_more(blocks: Blocks, one: float, other: float) -> None:
    less, more = kept_of(blocks, min(one, other)), kept_of(blocks, max(one, other))
    assert all(in_more or not in_less for in_less, in_more in zip(less, more, strict=True))


def test_the_ends_of_the_bias_differ_where_it_is_unclear() -> None:
    blocks = [(24, 100), (0, 60), (-8, 80), (-40, 50)]
    counts = [sum(kept_of(blocks, bias)) for bias in (-1.0, 0.0, 1.0)]
    assert counts == sorted(counts)
    assert counts[0] < counts[2]


def test_an_unclear_page_keeps_more_but_not_everything() -> None:
    assert kept_of([(0, 100), (-8, 50)]) == [True, True]
    assert kept_of([(16, 100), (-4, 100)]) == [True, True], "one only, if blocks were right independently of each other"
    assert kept_of([(12, 100), (-8, 100), (-8, 100)]) == [True, False, False], "all, if the page were twice as unclear"


def test_without_a_bias_lost_and_wrong_words_count_the_same() -> None:
    odds, words = np.array([1.5, -1.0, -1.0]), np.full(3, 100.0)
    plain, balanced, generous = best_prefix(odds, words), best_prefix(odds, words, 0.0), best_prefix(odds, words, 1.0)
    assert plain.tolist() == balanced.tolist() != generous.tolist()


@pytest.mark.parametrize(("odds", "is_kept"), [(8, True), (-40, False)])
def test_what_is_equally_likely_stands_or_falls_together(odds: int, is_kept: bool) -> None:
    assert kept_of([(odds, 5), (40, 60), *[(odds, 5)] * 6]) == [is_kept, True, *[is_kept] * 6]


def test_a_page_where_everything_is_unlikely_keeps_its_likeliest_block() -> None:
    assert kept_of([(-200, 10), (-160, 10), (-200, 10)])[1]


def test_a_page_without_words_keeps_nothing() -> None:
    assert kept_of([(8, 0), (0, 0)]) == [False, False]


def test_a_block_without_words_costs_the_others_nothing() -> None:
    assert kept_of([(24, 10), (-40, 0), (16, 10)]) == [True, False, True]


def test_nothing_in_nothing_out() -> None:
    assert best_prefix(np.zeros(0), np.zeros(0)).tolist() == []


@pytest.mark.parametrize("odds", [-1e6, 1e6, np.finfo(np.float64).max])
def test_extreme_odds_do_no_harm(odds: float) -> None:
    assert best_prefix(np.array([odds, odds]), np.array([1.0, 1.0])).any()


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(0, 50), st.integers(0, 3)), min_size=1, max_size=12))
@settings(max_examples=60)
def test_levelling_draws_towards_the_mean_word_of_the_group(blocks: list[tuple[float, int, int]]) -> None:
    odds, words = np.array([block[:2] for block in blocks]).T
    names = [block[2] for block in blocks]
    numbers = np.unique(names, return_inverse=True)[1]
    for place, (value, found) in enumerate(zip(odds, levelled(odds, words, numbers), strict=True)):
        group = [other for other, name in enumerate(names) if name == names[place]]
        weights = [words[other] + 1e-3 for other in group]
        mean = sum(weight * odds[other] for weight, other in zip(weights, group, strict=True)) / sum(weights)
        assert found == pytest.approx((1 - GROUP_SHARE) * value + GROUP_SHARE * mean, abs=1e-9)


def test_levelling_leaves_loners_and_equals_as_they_are() -> None:
    odds = np.array([1.5, -2.0, -2.0])
    assert levelled(odds, np.array([3.0, 1.0, 9.0]), np.array([0, 1, 1])).tolist() == pytest.approx(odds.tolist())
