"""Words as places: the same words from another place of the page are other words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.evaluation.datasets import GOLD_SPANS, Sample
from tamis.evaluation.score import MEASURES
from tamis.evaluation.systems import SystemAnswer, open_system
from tamis.evaluation.word_places import page_words, span_occurrences
from tamis.page.load import parse

STORM = "<ul><li>Storm hits coast</li></ul><p>Ads</p><p>Storm hits coast</p>"
MENU, BODY = (0, 16), (19, 35)


def occurrences(answer: SystemAnswer, **extra: object) -> float:
    found = MEASURES["occurrences"](Sample(id="a", html=STORM, gold="Storm hits coast", extra=extra), answer)
    assert found is not None
    return found.f1


def test_the_copy_in_the_menu_is_not_the_one_in_the_body() -> None:
    assert parse(STORM).text[slice(*MENU)] == parse(STORM).text[slice(*BODY)] == "Storm hits coast"
    assert occurrences(SystemAnswer("Storm hits coast", (MENU,)), **{GOLD_SPANS: [list(BODY)]}) == 0
    assert occurrences(SystemAnswer("Storm hits coast", (BODY,)), **{GOLD_SPANS: [list(BODY)]}) == 1


def test_a_text_alone_cannot_tell_its_copies_apart() -> None:
    assert occurrences(SystemAnswer("Storm hits coast", None), **{GOLD_SPANS: [list(BODY)]}) == 1
    assert occurrences(SystemAnswer("Storm hits coast", (MENU,))) == 1


def test_words_end_where_blocks_do() -> None:
    page = parse("<p>One <b>w</b>ord<br>line</p><p>Next<span hidden>secret</span></p><title>Name</title>")
    found = page_words(page)
    assert found.words == ["One", "word", "line", "Next", "secret", "Name"]
    assert [page.text[start:end] for start, end in zip(found.start, found.end, strict=True)] == found.words


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4), st.data())
@settings(max_examples=100)
def test_places_agree_with_counting_words_one_by_one(spans: list[tuple[int, int]], data: st.DataObject) -> None:
    page = parse(STORM)
    other = data.draw(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4))
    found = page_words(page)

    def touched(ranges: list[tuple[int, int]]) -> set[int]:
        places = {place for start, end in ranges for place in range(start, end)}
        return {number for number, word in enumerate(zip(*found[1:], strict=True)) if places & set(range(*word))}

    wanted, given_words = touched(spans), touched(other)
    score = span_occurrences(page, spans, other)
    assert score.recall == pytest.approx(len(wanted & given_words) / len(wanted) if wanted else 1)
    assert score.precision == pytest.approx(len(wanted & given_words) / len(given_words) if given_words else 1)


def test_methods_tell_where_their_text_stands() -> None:
    answer = open_system("keep_all").answer(Sample(id="a", html=STORM))
    assert answer.spans == ((0, 35),)
    assert open_system("command:cat").answer(Sample(id="a", html=STORM)).spans is None


def test_gold_places_that_are_none_are_named() -> None:
    with pytest.raises(InputError, match="gold_spans of 'a'"):
        occurrences(SystemAnswer("x", ()), **{GOLD_SPANS: [["here"]]})
