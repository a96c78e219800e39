from __future__ import annotations

import pytest

from tamis.errors import OptionError
from tamis.extractors import adsc, dsc
from tamis.page.load import parse
from tamis.page.text import words
from tamis.results import Extraction

MENU = "<ul>" + "<li><a href=/topic>Topic</a></li>" * 20 + "</ul>"


def kept(markup: str, **options: object) -> list[str]:
    page = parse(markup)
    return chosen_words(adsc.extract(page, adsc.Options(**options)))  # type: ignore[arg-type]


def chosen_words(extraction: Extraction) -> list[str]:
    return [word for start, end in extraction.spans for word in words(extraction.page.text[start:end])]


def test_text_in_two_pieces_is_found_without_the_menu_between() -> None:
    chosen = kept(MENU + "<p>" + "first " * 80 + "</p>" + MENU + "<p>" + "second " * 80 + "</p>" + MENU)
    assert {"first", "second"} <= set(chosen)
    assert "Topic" not in chosen


@pytest.mark.parametrize(("words_each", "finds"), [(1, False), (2, False), (3, True)])
def test_words_must_outnumber_tags(words_each: int, finds: bool) -> None:
    # Two tags in every group; with two words four of the eight tokens of every window are tags.
    group = "<i>" + "word " * words_each + "</i>"
    assert bool(kept(group * 39)) == finds


def test_what_the_rest_of_the_page_is_like_does_not_matter() -> None:
    """Where dsc compares with the page: evenly mixed text never has less than half the tags of the page."""
    page = parse(("<i>" + "word " * 5 + "</i>") * 60)
    assert chosen_words(dsc.extract(page, dsc.Options())) == []
    assert len(chosen_words(adsc.extract(page, adsc.Options()))) > 290


def test_the_beginning_of_a_region_is_kept_unless_told_otherwise() -> None:
    text = " ".join(f"text{number}" for number in range(80))
    early, late = kept(MENU + text + MENU), kept(MENU + text + MENU, retroactive=False)
    assert "text5" in early
    assert "text5" not in late
    assert "text50" in late


def test_the_end_of_a_page_that_ends_in_text_is_kept_unless_dropped() -> None:
    page = MENU + " ".join(f"text{number}" for number in range(53))
    assert kept(page)[-1] == "text52"
    assert kept(page, tail="drop")[-1] != "text52"


def test_lists_of_long_titles_are_taken_for_text() -> None:
    """A weakness: five words against four tags."""
    assert "title" in kept(("<li><a href=/x>a rather long title here</a></li>") * 30)


@pytest.mark.parametrize(
    ("markup", "chosen"),
    [("", []), ("word", ["word"]), ("word " * 300, ["word"] * 300), ("<p>word", []), ("<p></p>" * 300, [])],
)
def test_pages_of_next_to_nothing_have_an_answer(markup: str, chosen: list[str]) -> None:
    assert kept(markup) == chosen


def test_an_unknown_tail_is_refused() -> None:
    with pytest.raises(OptionError, match="tail"):
        adsc.Options(tail="cut")  # type: ignore[arg-type]
