"""The title, without the name of the site."""

from __future__ import annotations

import pytest

import tamis
from tamis.about.titles import folded, without_site


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Rivers rise | The Daily Post", "Rivers rise"),
        ("The Daily Post - Rivers rise", "Rivers rise"),
        ("Rivers rise - and fall | The Daily Post", "Rivers rise - and fall"),
        ("Rivers rise – dailypost", "Rivers rise"),
        ("Rivers rise", "Rivers rise"),
        ("Rivers: a history", "Rivers: a history"),
        ("Long rivers of the whole world | A section", "Long rivers of the whole world"),
        ("Rivers | A section with a very long name indeed", "Rivers | A section with a very long name indeed"),
    ],
)
def test_the_name_of_the_site_is_cut_off(title: str, expected: str) -> None:
    assert without_site(title, ["the daily post"]) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("河水再次上涨_要闻_每日邮报", "河水再次上涨_要闻"),
        ("河水再次上涨-每日邮报", "河水再次上涨"),
        ("a_b_每日邮报", "a_b_每日邮报"),
    ],
)
def test_in_chinese_no_blanks_stand_before_the_name_of_the_site(title: str, expected: str) -> None:
    assert without_site(title, ["每日邮报"]) == expected


def test_what_a_heading_repeats_is_the_title_in_chinese_too() -> None:
    assert without_site("河水再次上涨_要闻_每日邮报", [], {folded("河水再次上涨")}) == "河水再次上涨"


def test_what_a_heading_repeats_is_the_title() -> None:
    assert without_site("News - Rivers - Lakes", [], {folded("Rivers - Lakes")}) == "Rivers - Lakes"


@pytest.mark.parametrize(
    ("markup", "title", "source"),
    [
        ("<title>T</title>", "T", "title element"),
        ("<title>Rivers rise | S</title><meta property=og:site_name content=S>", "Rivers rise", "title element"),
        ("<title>B</title><meta property=og:title content=A>", "A", "meta og:title"),
        ("<meta property=og:title content='Best rivers 2020'><h1>The long rivers of Europe</h1>", None, "h1"),
        ("<meta property=og:title content='Search words'><h1>Rivers</h1>", "Search words", "meta og:title"),
        ("<title>Home</title><h1>Rivers</h1>", "Rivers", "h1"),
        ("<title>Untitled document</title>", None, None),
        ("<svg><title>Icon</title></svg><p>text", None, None),
        ("<title>A</title><h1 hidden>B is hidden from all</h1>", "A", "title element"),
    ],
)
def test_the_title_is_what_declarations_and_headings_agree_on(
    markup: str, title: str | None, source: str | None
) -> None:
    found = tamis.parse(markup, url="http://www.post.example/").metadata
    assert found.sources.get("title") == source
    assert found.title == (title or ("The long rivers of Europe" if source else None))
