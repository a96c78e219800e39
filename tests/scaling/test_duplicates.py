"""Duplicates: signatures estimate what two texts share, and the first of those that are alike is kept."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.scaling.duplicates import first_alike, read_signatures, signature
from tamis.scaling.job import Duplicates

NEAR, EXACT = Duplicates(), Duplicates(resemblance=1)


def owners(texts: list[str], chosen: Duplicates = NEAR) -> list[int]:
    found = first_alike(read_signatures([signature(text, chosen) for text in texts], chosen), chosen)
    return [int(place) for place in found]


def words(seed: int, count: int) -> list[str]:
    return [str(number) for number in random.Random(seed).sample(range(100_000), count)]


def with_changes(text: list[str], changes: int) -> str:
    """Words replaced so far apart that each change takes five runs away."""
    return " ".join(
        "new" + word if place % 10 == 5 and place < 10 * changes else word for place, word in enumerate(text)
    )


def test_the_share_of_equal_places_estimates_the_share_of_common_runs() -> None:
    text = words(1, 1000)
    for changes in (5, 20, 50):
        first, second = read_signatures([signature(with_changes(text, count), NEAR) for count in (0, changes)], NEAR)
        gone = 5 * changes
        assert float((first == second).mean()) == pytest.approx((996 - gone) / (996 + gone), abs=0.13)


def test_near_texts_belong_to_the_first_of_them() -> None:
    text, other = words(1, 1000), words(2, 1000)
    texts = [" ".join(other), with_changes(text, 0), with_changes(text, 5), " ".join(other), with_changes(text, 60)]
    assert owners(texts) == [0, 1, 1, 0, 4]


def test_exact_means_the_same_words_in_any_case_and_spacing() -> None:
    texts = ["One two  three", "one\ntwo three", "one two three four", "three two one"]
    assert owners(texts, EXACT) == [0, 0, 2, 3]


def test_what_hangs_together_through_a_third_text_is_one_group() -> None:
    text = words(1, 1000)
    chain = [with_changes(text, changes) for changes in (0, 14, 28)]
    assert owners(chain) == [0, 0, 0]
    assert owners([chain[0], chain[2]]) == [0, 1]


@given(st.lists(st.sampled_from(["a", "b c", "b  C", "d e f g h i j", "", "\ud800", "一二三四五六七"]), max_size=12))
def test_exact_agrees_with_a_dictionary(texts: list[str]) -> None:
    from tamis.page.text import words as split

    seen: dict[tuple[str, ...], int] = {}
    expected = [seen.setdefault(tuple(split(text.casefold())), place) for place, text in enumerate(texts)]
    assert owners(texts, EXACT) == expected


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.randoms())
def test_groups_do_not_depend_on_the_order(seeds: list[int], chance: random.Random) -> None:
    texts = [" ".join(words(seed, 50)) for seed in seeds]
    order = list(range(len(texts)))
    chance.shuffle(order)
    shuffled = owners([texts[place] for place in order])
    groups = {frozenset(order[place] for place in range(len(order)) if shuffled[place] == first) for first in shuffled}
    assert groups == {frozenset(place for place, seed in enumerate(seeds) if seed == wanted) for wanted in seeds}


def test_no_texts_have_no_owners() -> None:
    assert owners([]) == []
    assert first_alike(np.zeros((0, 8), dtype=np.uint16), EXACT).tolist() == []
