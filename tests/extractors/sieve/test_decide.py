from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.decide import (
    GROUP_SHARE,
    HEADING_FLOOR,
    LIFT_FLOORS,
    NOTHING,
    PAGE_ERROR,
    best_prefix,
    cut,
    ends_in_colon,
    headed,
    levelled,
    lifted,
    pooled,
    range_max,
    shifts,
)
from tamis.extractors.sieve.units import CODE, HEADING, KIND_NAMES, LIST, QUOTE, Units, build_units

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


@given(st.lists(st.tuples(st.floats(-20, 20), st.integers(0, 50), st.integers(0, 4)), min_size=1, max_size=15))
@settings(max_examples=60)
def test_a_word_of_a_unit_is_as_likely_as_its_words_on_average(blocks: list[tuple[float, int, int]]) -> None:
    odds, words = np.array([block[:2] for block in blocks]).T
    numbers = np.unique([block[2] for block in blocks], return_inverse=True)[1]
    found, sizes = pooled(odds, words, numbers, int(numbers.max()) + 1)
    for unit, value in enumerate(found):
        own = np.flatnonzero(numbers == unit)
        weights = words[own] + 1e-3
        mean = float((weights / (1 + np.exp(-odds[own]))).sum() / weights.sum())
        assert 1 / (1 + np.exp(-value)) == pytest.approx(mean, abs=1e-9)
        assert sizes[unit] == words[own].sum()
        assert odds[own].min() - 1e-6 <= value <= odds[own].max() + 1e-6


RANGES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=8)


@given(st.lists(st.floats(-9, 9), min_size=12, max_size=12), RANGES)
def test_the_largest_of_each_range(values: list[float], ranges: list[tuple[int, int]]) -> None:
    pairs = np.array([sorted(pair) for pair in ranges], dtype=np.int64).reshape(-1, 2)
    if len(pairs):
        found = range_max(np.array(values), pairs[:, 0], pairs[:, 1]).tolist()
        assert found == [max(values[start:end], default=-np.inf) for start, end in pairs.tolist()]


def units_of(markup: str) -> Units:
    page = tamis.parse(markup)
    return build_units(page, build_containers(page))


def nobody(units: Units) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.zeros(len(units), dtype=np.bool_)


@pytest.mark.parametrize(("name", "kind"), [("blockquote", QUOTE), ("pre", CODE)])
def test_a_structure_rises_to_the_weaker_of_its_neighbours_from_its_floor_on(name: str, kind: int) -> None:
    units = units_of(f"<p>one two three</p><{name}>four</{name}><p>five six</p>")
    floor = LIFT_FLOORS[kind]
    for own, expected in ((floor - 0.01, floor - 0.01), (floor, 1.0), (floor + 0.01, 1.0), (1.5, 1.5)):
        odds = np.array([3.0, own, 1.0])
        assert lifted(odds, odds, units, nobody(units), nobody(units)).tolist() == [3.0, expected, 1.0]


def test_a_heading_rises_to_its_body_from_its_floor_on_and_never_stands_above_it() -> None:
    units = units_of("<h2>one</h2><p>two</p><h2>three</h2><p>four</p>")
    for own, expected in ((HEADING_FLOOR - 0.01, HEADING_FLOOR - 0.01), (HEADING_FLOOR, 2.0), (5.0, 2.0)):
        assert headed(np.array([own, 2.0, 1.0, -3.0]), units, nobody(units), False).tolist() == [
            expected,
            2.0,
            -3.0,
            -3.0,
        ]
    free = units.kind == HEADING
    assert headed(np.array([0.0, 2.0, 1.0, -3.0]), units, free, False).tolist() == [0.0, 2.0, -3.0, -3.0]


def test_a_heading_of_nothing_has_nothing_to_speak_for_it() -> None:
    units = units_of("<p>one</p><h2>two</h2>")
    assert headed(np.array([2.0, 3.0]), units, nobody(units), False).tolist() == [2.0, NOTHING]
    assert headed(np.array([2.0, 3.0]), units, nobody(units), True).tolist() == [2.0, 3.0], "a tile may say no more"


RULES_OF_KINDS = np.arange(2 * len(KIND_NAMES)).reshape(2, -1) * 2


def cut_of(markup: str, odds: list[float], headline: range) -> tuple[list[bool], list[int]]:
    page = tamis.parse(markup)
    units = build_units(page, build_containers(page))
    unit_odds, words = pooled(np.array(odds), page.blocks.words.astype(np.float64), units.of_block, len(units))
    kept, rules = cut(units, unit_odds, words, headline, 0.0, RULES_OF_KINDS)
    return kept.tolist(), rules.tolist()


def test_the_cut_leaves_the_unit_of_the_headline_out() -> None:
    markup = "<h1>Rain</h1><p>It rained all night.</p><p>Buy boots here now.</p>"
    assert cut_of(markup, [9.0, 3.0, -5.0], range(0)) == ([True, True, False], [2 * HEADING + 1, 1, 0])
    assert cut_of(markup, [9.0, 3.0, -5.0], range(1)) == ([False, True, False], [2 * HEADING, 1, 0])


def test_a_list_that_holds_the_headline_is_judged_as_any() -> None:
    markup = "<ul><li>Rain</li><li>Snow</li></ul><p>It rained all night, and then it snowed for a week.</p>"
    kept, rules = cut_of(markup, [3.0, 3.0, 3.0], range(1))
    assert kept == [True, True, True]
    assert rules[0] == rules[1] == RULES_OF_KINDS[1, LIST] + 1


def test_shifts_are_those_of_gauss_and_hermite() -> None:
    points, weights = np.polynomial.hermite_e.hermegauss(9)
    found, shares = shifts()
    assert found.tolist() == points.tolist()
    np.testing.assert_allclose(shares, weights / weights.sum(), rtol=1e-15)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("as follows:", True),
        ("如下：", True),
        ("as follows:  \n", True),
        ("as: follows", False),
        (":" + " " * 9, False),
    ],
)
def test_a_line_that_announces_something_ends_in_a_colon(text: str, ends: bool) -> None:
    whole, last = f"{text}a:", np.array([len(text), len(text) + 2])
    assert ends_in_colon(whole, last, np.array([0, -1, 0])).tolist() == [ends, False]
