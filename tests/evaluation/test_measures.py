from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.errors import MissingExtraError
from tamis.evaluation import measures
from tamis.evaluation.datasets import Sample
from tamis.evaluation.score import MEASURES
from tamis.evaluation.systems import SystemAnswer
from tamis.evaluation.words import compare_words

WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd", "e", "漢"]), max_size=25)
TEXTS = WORDS.map(" ".join)
PAIRS = [
    measures.character_sequence,
    measures.word_sequence,
    measures.bag_of_words,
    measures.set_of_words,
    measures.rouge_n,
    measures.rouge_lsum,
    measures.shingles,
]


def longest_common_subsequence(left: list[str], right: list[str]) -> int:
    """The textbook table, slow and plain."""
    row = [0] * (len(right) + 1)
    for mine in left:
        diagonal = 0
        for place, theirs in enumerate(right, start=1):
            above = row[place]
            row[place] = diagonal + 1 if mine == theirs else max(above, row[place - 1])
            diagonal = above
    return row[-1]


@given(WORDS, WORDS)
def test_word_sequence_agrees_with_the_textbook_algorithm(gold: list[str], found: list[str]) -> None:
    overlap = longest_common_subsequence(gold, found)
    expected = measures.from_counts(overlap, len(found), len(gold))
    assert measures.word_sequence(" ".join(gold), " ".join(found)) == pytest.approx(expected, abs=1e-12)


@given(TEXTS, TEXTS)
def test_character_sequence_agrees_with_the_textbook_algorithm(gold: str, found: str) -> None:
    expected = measures.from_counts(longest_common_subsequence(list(gold), list(found)), len(found), len(gold))
    assert measures.character_sequence(gold, found) == pytest.approx(expected, abs=1e-12)


@given(WORDS, WORDS)
def test_bag_of_words_agrees_with_crossing_words_out(gold: list[str], found: list[str]) -> None:
    left = list(gold)
    overlap = 0
    for word in found:
        if word in left:
            left.remove(word)
            overlap += 1
    expected = measures.from_counts(overlap, len(found), len(gold))
    assert measures.bag_of_words(" ".join(gold), " ".join(found)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", PAIRS)
@given(TEXTS, TEXTS)
@settings(max_examples=50)
def test_scores_lie_between_zero_and_one(measure: measures.Measure, gold: str, found: str) -> None:
    assert all(0 <= value <= 1 for value in measure(gold, found))


@pytest.mark.parametrize("measure", PAIRS)
@given(TEXTS.filter(bool))
@settings(max_examples=50)
def test_a_text_equals_itself(measure: measures.Measure, text: str) -> None:
    assert measure(text, text).f1 == 1


@pytest.mark.parametrize("measure", PAIRS)
def test_an_empty_extraction_is_precise_and_recalls_nothing(measure: measures.Measure) -> None:
    assert measure("some gold text", "") == (1, 0, 0)


@pytest.mark.parametrize("measure", PAIRS)
def test_an_empty_gold_text_is_fully_recalled(measure: measures.Measure) -> None:
    assert measure("", "some words here") == (0, 1, 0)


@given(WORDS, WORDS, WORDS)
def test_places_are_never_easier_than_bags(before: list[str], gold: list[str], after: list[str]) -> None:
    page = " ".join([*before, *gold, *after])
    placed = measures.word_occurrences(page, " ".join(gold), " ".join(before))
    assert placed.f1 <= measures.bag_of_words(" ".join(gold), " ".join(before)).f1 + 1e-12


def test_the_same_sentence_from_the_menu_does_not_count() -> None:
    page = "read the news today. here is the body: read the news today. the end"
    menu = measures.word_occurrences(page, "body: read the news today. the end", "read the news today. here")
    assert menu.f1 < measures.bag_of_words("body: read the news today. the end", "read the news today. here").f1


@pytest.mark.parametrize(("gold", "found", "score"), [("a b", "a b", 1), ("a b", "c d", 0), ("", "", 1)])
def test_cleaneval_of_equal_and_of_disjoint_texts(gold: str, found: str, score: float) -> None:
    assert measures.cleaneval(gold, found) == score


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        ("a b c", "c b a", (1 / 3, 1 / 3)),  # within a line the order counts
        ("a b\nc d", "c d\na b", (1, 1)),  # between lines it does not
        ("a b c d", "a b\nd c", (0.75, 0.75)),  # what several lines have of it is taken together
        ("a\na\na", "a", (1, 1 / 3)),  # a word of the text is counted once
        ("a", "a\n\na", (0.5, 1)),
        ("a\n \n...\nb", "a b", (1, 1)),  # lines without words change nothing
    ],
)
def test_rouge_lsum_takes_lines_in_any_order(gold: str, found: str, score: tuple[float, float]) -> None:
    assert measures.rouge_lsum(gold, found)[:2] == pytest.approx(score)


def test_losing_the_body_costs_blocks_as_much_as_losing_the_subtitle() -> None:
    gold = [True] * 5 + [False] * 5
    without_subtitle = [True, False, True, True, True] + [False] * 5
    without_body = [True, True, True, True, False] + [False] * 5
    score = measures.blocks(gold, without_subtitle)
    assert score == measures.blocks(gold, without_body)
    assert tuple(score) == pytest.approx((1, 0.8, 8 / 9))


def test_words_are_folded_and_punctuation_falls_away() -> None:
    assert Counter(compare_words("The cat. THE CAT!")) == {"the": 2, "cat": 2}
    assert compare_words("The", fold_case=False) == ["The"]


def test_mixed_scripts_split_only_where_there_are_no_spaces() -> None:
    assert compare_words("Tokyo東京2020") == ["tokyo", "東", "京", "2020"]


def test_blocks_of_different_pages_are_not_compared() -> None:
    with pytest.raises(ValueError, match="shorter"):
        measures.blocks([True, False], [True])


def test_n_grams_are_counted_wherever_they_stand() -> None:
    assert measures.rouge_n("a b c d", "x b c d")[:2] == pytest.approx((2 / 3, 2 / 3))
    assert measures.rouge_n("a b c d", "x b c d", 3)[:2] == (0.5, 0.5)
    assert measures.shingles("a b c", "a b c").f1 == 1, "a short text is one shingle"


def test_one_page_is_steady_and_no_bytes_take_no_time() -> None:
    assert (measures.stability([0.4]), measures.stability([])) == (0, 0)
    assert measures.seconds_per_kb(0.5, 0) == 0


def test_without_the_extra_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(MissingExtraError, match=r"scoring texts.*tamis\[evaluation\]"):
        measures.word_sequence("a", "a")


@pytest.mark.parametrize("measure", [measures.word_sequence, measures.bag_of_words, measures.set_of_words])
def test_case_is_folded_or_not_as_asked(measure: Callable[..., measures.Score]) -> None:
    assert measure("The Storm", "the storm").f1 == 1
    assert measure("The Storm", "the Storm", fold_case=False).f1 == 0.5


@pytest.mark.parametrize("name", ["words", "bag", "set"])
def test_both_readings_of_case_have_a_name(name: str) -> None:
    sample, answer = Sample(id="a", html="", gold="The Storm"), SystemAnswer("the storm")
    assert MEASURES[name](sample, answer) == (1, 1, 1)
    assert MEASURES[f"{name}_cased"](sample, answer) == (0, 0, 0)
