from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.evaluation.measures import from_counts, matched_places
from tamis.evaluation.oracle import best_choice

WORDS = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


@given(st.lists(WORDS, max_size=6), WORDS)
@settings(max_examples=200)
def test_no_other_choice_of_blocks_scores_higher(blocks: list[str], gold: str) -> None:
    words = [block.split() for block in blocks]
    places = matched_places(list(chain.from_iterable(words)), gold.split())
    starts = [sum(map(len, words[:number])) for number in range(len(words) + 1)]
    matched = [sum(starts[number] <= place < starts[number + 1] for place in places) for number in range(len(words))]
    every_choice = chain.from_iterable(combinations(range(len(blocks)), size) for size in range(len(blocks) + 1))
    best = max(
        from_counts(sum(matched[one] for one in choice), sum(len(words[one]) for one in choice), len(gold.split())).f1
        for choice in every_choice
    )
    assert best_choice(blocks, gold).score.f1 >= best - 1e-12


def test_nothing_matches_nothing_is_chosen() -> None:
    assert best_choice(["a b"], "x").chosen == ()
