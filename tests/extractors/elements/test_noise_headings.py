from __future__ import annotations

import pytest

import tamis
from tamis.extractors.elements.noise_headings import NOISE_HEADINGS, is_noise_heading, under_noise_heading


def below(markup: str, selector: str) -> list[bool]:
    page = tamis.parse(markup)
    marked = under_noise_heading(page)
    return [bool(marked[node]) for node in page.select(selector)]


def test_there_are_sixty() -> None:
    assert len(set(NOISE_HEADINGS)) == 60


@pytest.mark.parametrize("heading", NOISE_HEADINGS)
def test_each_is_recognised(heading: str) -> None:
    assert is_noise_heading(heading)
    assert is_noise_heading(heading.upper().replace("'", "’") + " …")


@pytest.mark.parametrize(
    "text", ["", "Related work", "The references", "Subscribe and follow us", "More from", "x" * 99]
)
def test_others_are_not(text: str) -> None:
    assert not is_noise_heading(text)


def test_a_site_name_is_any_text() -> None:
    assert is_noise_heading("Trending on The Daily Planet")
    assert not is_noise_heading("Trending on")


def test_a_section_ends_before_the_next_heading_of_its_level_or_above() -> None:
    markup = "<p>0</p><h2>See also</h2><p>1</p><h3>x</h3><p>2</p><h2>y</h2><p>3</p>"
    assert below(markup, "p") == [False, True, True, False]
    assert below(markup, "h2, h3") == [True, True, False]


def test_a_section_ends_with_the_smallest_element_that_has_other_words() -> None:
    markup = "<div><header><h3>Related</h3></header><ul><li>1</ul></div><p>2</p>"
    assert below(markup, "li, p") == [True, False]


def test_a_heading_alone_in_the_page_is_a_section() -> None:
    assert below("<h2>Related</h2>", "h2") == [True]


def test_sections_in_sections() -> None:
    markup = "<h2>References</h2><p>1</p><h3>Related</h3><p>2</p><h3>z</h3><p>3</p><h1>w</h1><p>4</p>"
    assert below(markup, "p") == [True, True, True, False]
