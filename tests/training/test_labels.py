from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.evaluation.words import compare_words
from tamis.page.model import Page
from tamis.training import labels
from tamis.training.labels import NEAR, SHINGLE, text_labels

STORY = "rain fell on the hills all night and by the morning the river had risen over its banks".split()
MORE = "nobody in the town could remember such a flood since the old bridge was built".split()
FILLER = [f"filler{number}" for number in range(NEAR + 1)]


def shares(texts: list[list[str]], gold: list[str]) -> list[float]:
    return [float(share) for share in text_labels(texts, gold)]


def test_what_is_in_the_gold_text_is_content_and_nothing_else() -> None:
    assert shares([["home", "news"], STORY, ["copyright"], MORE], STORY + MORE) == [0, 1, 0, 1]


def test_a_menu_matched_word_by_word_is_no_content() -> None:
    menu = ["nobody", *FILLER, "river", *FILLER, "flood", *FILLER]
    assert shares([menu, STORY[3:]], ["nobody", "river", "flood", *STORY[3:]]) == [0, 1]


@pytest.mark.parametrize(("between", "is_content"), [(NEAR - 2, True), (NEAR - 1, True), (NEAR, False)])
def test_a_match_counts_when_its_neighbour_is_near(between: int, is_content: bool) -> None:
    text = ["alpha", *FILLER[:between], "beta"]
    assert shares([text], ["alpha", "beta"]) == [2 / (between + 2) if is_content else 0]


def test_one_gold_word_may_be_missing_between_neighbours_but_not_two() -> None:
    assert shares([["alpha", "gamma"]], ["alpha", "beta", "gamma"]) == [1]
    assert shares([["alpha", "delta"]], ["alpha", "beta", "gamma", "delta"]) == [0]


def test_gold_in_another_order_is_rescued() -> None:
    assert shares([MORE, STORY, ["x"]], STORY + MORE) == [1, 1, 0]


@pytest.mark.parametrize(("length", "expected"), [(SHINGLE - 1, 0), (SHINGLE, 1)])
def test_only_runs_of_words_are_rescued(length: int, expected: float) -> None:
    assert shares([MORE[:length], STORY], STORY + MORE[:length]) == [expected, 1]


def test_a_text_is_rescued_when_more_than_half_of_its_runs_are_in_the_gold() -> None:
    moved = MORE[:10]  # six runs of five words
    for count, expected in ((5, 0), (6, 0), (7, 0), (8, 4 / 6), (9, 5 / 6), (10, 1)):
        assert shares([moved, STORY], STORY + moved[:count])[0] == pytest.approx(expected)


def test_a_second_copy_of_a_rescued_text_is_no_content() -> None:
    assert shares([MORE, MORE, STORY], STORY + MORE) == [1, 0, 1]


def test_a_block_that_is_half_content_stays_half() -> None:
    assert shares([STORY[:8] + FILLER[:8]], STORY[:8]) == [0.5]


@pytest.mark.parametrize("gold", [[], ["unrelated"], ["un", "related", "words", "that", "are", "not", "there"]])
def test_without_a_match_nothing_is_content(gold: list[str]) -> None:
    assert shares([STORY, []], gold) == [0, 0]


def test_no_texts_no_labels() -> None:
    assert shares([], STORY) == []
    assert shares([[], []], STORY) == [0, 0]
    assert block_labels(tamis.parse(""), "gold") == []


def test_every_character_is_a_word_in_scripts_without_blanks() -> None:
    page = tamis.parse("<nav>首页 新闻</nav><p>河水在夜里上涨，桥被关闭。</p><p>版权所有</p>")
    assert block_labels(page, "河水在夜里上涨，桥被关闭。") == [0, 1, 0]


def test_case_and_punctuation_do_not_count() -> None:
    page = tamis.parse("<h1>Rivers!</h1><p>“Rain fell,” she said.</p>")
    assert block_labels(page, "RIVERS rain fell she said") == [1, 1]


def test_alignment_stops_where_it_would_take_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "MAX_CELLS", len(STORY) * len(STORY))
    assert shares([STORY, ["x"], STORY], STORY)[2] == 0
    monkeypatch.setattr(labels, "MAX_CELLS", 2 * len(STORY) * len(STORY))
    assert shares([["x"], FILLER, STORY], STORY) == [0, 0, 1]


_WORDS = st.lists(st.sampled_from("a b c d e f".split()), max_size=12)


@given(st.lists(_WORDS, max_size=5), _WORDS)
@settings(max_examples=60)
def test_labels_are_shares(texts: list[list[str]], gold: list[str]) -> None:
    found = text_labels(texts, gold)
    assert found.shape == (len(texts),)
    assert ((found >= 0) & (found <= 1)).all()
    known = [any(word in gold for word in text) for text in texts]
    assert not found[~np.array(known, dtype=np.bool_)].any()


@given(st.lists(_WORDS.filter(lambda text: len(text) > 1), min_size=1, max_size=5))
@settings(max_examples=60)
def test_the_whole_page_as_gold_makes_everything_content(texts: list[list[str]]) -> None:
    assert shares(texts, [word for text in texts for word in text]) == [1] * len(texts)


def block_labels(page: Page, gold: str) -> list[float]:
    """Labels of the blocks of a page, as training makes them."""
    texts = [compare_words(block.text) for block in page.blocks]
    labels: list[float] = text_labels(texts, compare_words(gold)).tolist()
    return labels
