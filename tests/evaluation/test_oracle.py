from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.evaluation.measures import word_sequence
from tamis.evaluation.oracle import best_choice

WORDS = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


def brute_force(blocks: list[str], gold: str) -> float:
    """The best F1 over every choice of blocks."""
    choices = chain.from_iterable(combinations(blocks, size) for size in range(len(blocks) + 1))
    return max(word_sequence(gold, " ".join(choice)).f1 for choice in choices)


@given(st.lists(WORDS, max_size=7), WORDS)
@settings(max_examples=300)
def test_the_bound_is_that_of_brute_force(blocks: list[str], gold: str) -> None:
    found = best_choice(blocks, gold)
    assert found.score.f1 == pytest.approx(brute_force(blocks, gold), abs=1e-12)
    assert found.score == word_sequence(gold, " ".join(blocks[number] for number in found.chosen))


def test_a_short_copy_is_preferred_to_a_long_block_that_comes_first() -> None:
    blocks = ["Home News Storm hits coast Weather Login", "Storm hits coast", "More"]
    assert best_choice(blocks, "Storm hits coast") == ((1,), (1.0, 1.0, 1.0))


def test_hundreds_of_blocks_are_no_trouble() -> None:
    story = [f"word{number} of the story" for number in range(300)]
    blocks = list(chain.from_iterable((f"menu of the {number}", text) for number, text in enumerate(story)))
    found = best_choice(blocks, "\n".join(story))
    assert found.score.f1 == 1
    assert found.chosen == tuple(range(1, 600, 2))


def test_nothing_matches_nothing_is_chosen() -> None:
    assert best_choice(["a b"], "x").chosen == ()


def test_no_gold_needs_no_block() -> None:
    assert best_choice(["a b"], "") == ((), (1.0, 1.0, 1.0))
