from __future__ import annotations

import pytest

from tamis.extractors._articles import is_article
from tamis.extractors._slopes import cut, low_slope, regions
from tamis.page.load import parse
from tamis.page.model import Page


def page_of(tokens: list[int]) -> Page:
    """A page with these tags (1) and words (0)."""
    return parse(" ".join("<br>" if token else "word" for token in tokens))


@pytest.mark.parametrize(
    ("words", "article"),
    [(12, False), (16, True), (20, True)],  # 12, 16 and 20 of 160 tokens lie in the region
)
def test_a_tenth_of_the_page_in_low_regions_makes_an_article(words: int, article: bool) -> None:
    assert is_article(page_of([1] * 60 + [0] * words + [1] * (100 - words))) == article


def test_regions_that_are_steep_on_the_whole_make_no_article() -> None:
    # After an opening of words, two steep sections and a flat one by turns: never the three that close a region.
    page = page_of([0] * 16 + ([1] + [0] * 7 + [1] * 4) * 10)
    sections = cut(page.tokens.is_tag)
    assert regions(low_slope(sections), retroactive=False)[2:].all()
    assert not is_article(page)


def test_a_page_of_menus_is_no_article() -> None:
    menu = "".join(f"<li><a href=/{number}>Topic {number}</a></li>" for number in range(100))
    assert not is_article(parse(f"<ul>{menu}</ul>"))


def test_a_story_among_menus_is_an_article() -> None:
    menu = "<li><a href=/>Topic</a></li>" * 40
    story = "<p>" + "The river rose again during the night and the bridge was closed. " * 8 + "</p>"
    assert is_article(parse(f"<ul>{menu}</ul>{story}<ul>{menu}</ul>"))


def test_plain_text_is_an_article() -> None:
    assert is_article(parse("Only words, and no tag at all."))


@pytest.mark.parametrize("markup", ["", "<p>", "<p>word", "<br>" * 300])
def test_pages_without_text_or_regions_are_no_articles(markup: str) -> None:
    assert not is_article(parse(markup))
