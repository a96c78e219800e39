from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.regions import (
    ALL_COMMENTS,
    COMMENT_PENALTY,
    MAIN_PENALTY,
    beside_content,
    outside_main,
    placed,
)

PAGE = tamis.parse("<nav>a</nav><main><div><p>b<p>c</div><aside>d</aside></main><footer>e</footer>")
CONTAINERS = build_containers(PAGE)
WORDS = np.array([5.0, 40, 60, 10, 5])
SURE, UNSURE = 3.0, -3.0


def test_comments_are_beside_the_content_unless_they_are_nearly_all_of_it() -> None:
    words, odds = np.array([1.0, 1.0]), np.array([0.0, 0.0])
    comments = np.array([False, True])
    for share, expected in ((ALL_COMMENTS - 0.01, True), (ALL_COMMENTS + 0.01, False)):
        words[:] = 1 - share, share
        assert (beside_content(comments, odds, words) is comments) == expected
    assert beside_content(np.zeros(2, dtype=np.bool_), odds, words) is None


def test_likely_words_count_and_not_all_words() -> None:
    comments, words = np.array([False, True]), np.array([10.0, 1000.0])
    assert beside_content(comments, np.array([5.0, -5.0]), words) is comments
    assert beside_content(comments, np.array([-5.0, 5.0]), words) is None


@pytest.mark.parametrize(
    ("odds", "expected"),
    [
        ([UNSURE, SURE, SURE, UNSURE, UNSURE], [True, False, False, True, True]),  # the div
        ([UNSURE, UNSURE, SURE, UNSURE, UNSURE], [True, True, False, True, True]),  # one paragraph
        ([UNSURE, SURE, UNSURE, SURE, UNSURE], [True, False, False, False, True]),  # main: the aside has a fifth
        ([UNSURE, SURE, SURE, SURE, UNSURE], [True, False, False, True, True]),  # a tenth is no reason to grow
        ([SURE] * 5, [True, False, False, False, True]),
        ([UNSURE] * 5, [False] * 5),  # nobody knows where it is
    ],
)
def test_the_main_container_is_the_smallest_with_most_of_what_is_sure(odds: list[float], expected: list[bool]) -> None:
    assert outside_main(CONTAINERS, np.array(odds), WORDS).tolist() == expected


@given(
    st.lists(st.floats(-8, 8), min_size=5, max_size=5), st.floats(0, 1), st.lists(st.booleans(), min_size=5, max_size=5)
)
def test_blocks_lose_what_their_place_costs_and_nothing_else(
    odds: list[float], article: float, named: list[bool]
) -> None:
    before, comments = np.array(odds), np.array(named)
    after = placed(before, WORDS, CONTAINERS, comments, article)
    less = before - COMMENT_PENALTY * comments
    outside = outside_main(CONTAINERS, less, WORDS)
    assert after == pytest.approx(less - MAIN_PENALTY * article * outside)
    if not any(named):
        assert placed(before, WORDS, CONTAINERS, None, article).tolist() == after.tolist()
