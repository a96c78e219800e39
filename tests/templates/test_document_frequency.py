"""A text on more than a third of the other pages is template."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError


def pages_with(text: str, holders: int, count: int) -> list[str]:
    return [f"<p>page {n} has words of its own</p>" + f"<p>{text}</p>" * (n < holders) for n in range(count)]


@pytest.mark.parametrize(("holders", "is_kept"), [(2, True), (3, True), (4, False), (7, False)])
def test_below_at_and_above_a_third_of_the_six_other_pages(holders: int, is_kept: bool) -> None:
    pages = pages_with("recurring text", holders, 7)
    template = tamis.learn_template(pages, method="document_frequency")
    assert ("recurring text" in template.extract(tamis.parse(pages[0])).text) is is_kept


@pytest.mark.parametrize(("holders", "is_kept"), [(2, True), (3, False)])
def test_all_training_pages_are_others_of_a_new_page(holders: int, is_kept: bool) -> None:
    template = tamis.learn_template(pages_with("recurring text", holders, 6), method="document_frequency")
    assert ("recurring" in template.extract(tamis.parse("<p>recurring text</p><p>new</p>")).text) is is_kept


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5), min_size=4, max_size=9))
@settings(max_examples=40)
def test_the_filter_does_what_its_definition_says(contents: Sequence[Sequence[str]]) -> None:
    pages = [
        tamis.parse(f"<p>{n}</p>" + "".join(f"<p>{text}</p>" for text in texts)) for n, texts in enumerate(contents)
    ]
    template = tamis.learn_template(pages, method="document_frequency")
    for number, page in enumerate(pages):
        others = [texts for place, texts in enumerate(contents) if place != number]
        kept = [text for text in contents[number] if sum(text in texts for texts in others) <= len(others) / 3]
        assert template.extract(page).text.split() == [str(number), *kept]


def test_case_counts_and_white_space_does_not() -> None:
    pages = [
        f"<p>Own {n}</p><p>{'Recurring   text' if n % 2 else 'Recurring text'}</p><p>recurring Text {n}</p>"
        for n in range(6)
    ]
    text = tamis.learn_template(pages, method="document_frequency").extract(tamis.parse(pages[0])).text
    assert text == "Own 0\n\nrecurring Text 0"


def test_cells_are_counted_as_a_whole_when_asked_for() -> None:
    pages = [f"<table><tr><td><b>Label</b> value {n}</td><td>Recurring cell</td></tr></table>" for n in range(6)]
    by_texts = tamis.learn_template(pages, method="document_frequency").extract(tamis.parse(pages[0])).text
    by_cells = (
        tamis.learn_template(pages, method="document_frequency", units="cells").extract(tamis.parse(pages[0])).text
    )
    assert by_texts == "value 0"
    assert by_cells == "Label value 0"


def test_words_do_not_grow_together_where_text_is_removed() -> None:
    pages = [f"<p>own{n}<b> <i>Recurring</i> </b><u>last{n}</u></p>" for n in range(6)]
    assert tamis.learn_template(pages, method="document_frequency").extract(tamis.parse(pages[0])).text == "own0 last0"


def test_the_share_must_be_a_share() -> None:
    with pytest.raises(OptionError, match="max_share"):
        tamis.learn_template([], method="document_frequency", max_share=1.1)
