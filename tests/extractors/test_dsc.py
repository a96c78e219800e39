from __future__ import annotations

import pytest

from tamis.errors import OptionError
from tamis.extractors import dsc
from tamis.page.load import parse
from tamis.page.text import words

MENU = "<ul>" + "".join(f"<li><a href=/{topic}>Topic {topic}</a></li>" for topic in range(20)) + "</ul>"


def story(name: str, sentences: int = 20) -> str:
    """A paragraph whose words say where they stand."""
    return "<p>" + " ".join(f"{name}{number}" for number in range(sentences * 5)) + "</p>"


def kept(markup: str, **options: object) -> list[str]:
    page = parse(markup)
    extraction = dsc.extract(page, dsc.Options(**options))  # type: ignore[arg-type]
    return [word for start, end in extraction.spans for word in words(page.text[start:end])]


def test_a_plateau_of_the_thesis_length_is_marked_from_its_third_window() -> None:
    """300 tokens of menu, 400 words, 300 tokens of menu: the tokens 315 to 706 are chosen."""
    steps = "<br><br> menu "
    page = steps * 100 + " ".join(f"text{number}" for number in range(400)) + " " + steps * 100
    chosen = kept(page)
    assert chosen[0] == "text15"
    assert chosen[-3:] == ["text399", "menu", "menu"]


def test_text_in_two_pieces_is_found_without_the_menu_between() -> None:
    chosen = kept(MENU + story("first") + MENU + story("second") + MENU)
    assert {"first50", "second50"} <= set(chosen)
    assert "10" not in chosen


HEADED = MENU + "<h1>Bridge closed</h1><p>Opening sentence.</p>" + story("body") + MENU


def test_headline_and_opening_are_lost() -> None:
    """A weakness that the thesis names: the first two windows of a region are not marked."""
    chosen = kept(HEADED)
    assert "Bridge" not in chosen
    assert "Opening" not in chosen
    assert "body0" not in chosen
    assert "body50" in chosen


def test_a_retroactive_region_begins_and_ends_earlier() -> None:
    late, early = kept(HEADED), kept(HEADED, retroactive=True)
    assert (late[0], late[-1]) == ("body9", "body99")
    assert (early[0], early[-1]) == ("body0", "body93")


def test_an_article_full_of_links_is_lost() -> None:
    """A weakness that the thesis names: here its text has as many tags as the rest of the page."""
    article = "<p>" + "by the <a href=/bridge>bridge</a> " * 60 + "</p>"
    assert kept(article) == []


def test_the_end_of_a_page_that_ends_in_text_is_kept_unless_dropped() -> None:
    page = MENU + " ".join(f"text{number}" for number in range(53))
    assert kept(page)[-1] == "text52"
    assert kept(page, tail="drop")[-1] != "text52"


def test_text_that_nobody_sees_is_not_returned() -> None:
    chosen = kept(MENU + story("shown") + "<div hidden>" + story("secret") + "</div>" + story("again") + MENU)
    assert {"shown50", "again50"} <= set(chosen)
    assert not any(word.startswith("secret") for word in chosen)


@pytest.mark.parametrize(
    ("markup", "chosen"),
    [
        ("", []),
        ("word", ["word"]),
        ("only words and no tag", ["only", "words", "and", "no", "tag"]),
        ("word " * 300, ["word"] * 300),
        ("<p>", []),
        ("<p>word", []),
        ("<p>a b c d e f g", []),  # eight tokens: no window fits
        ("<p></p>" * 300, []),
    ],
)
def test_pages_of_next_to_nothing_have_an_answer(markup: str, chosen: list[str]) -> None:
    assert kept(markup) == chosen


def test_an_unknown_tail_is_refused() -> None:
    with pytest.raises(OptionError, match="tail"):
        dsc.Options(tail="cut")  # type: ignore[arg-type]
