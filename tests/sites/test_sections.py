"""Sectioning elements are believed unless the content is elsewhere."""

from __future__ import annotations

import pytest

import tamis
from tamis.sites.sections import misleading_sections

STORY = "<p>The river rose in the night, and the road along it was closed to all.</p>" * 9
MENU = "<ul>" + "<li><a href=/>Home</a></li>" * 20 + "</ul>"


def said(markup: str, method: str = "bte") -> list[str]:
    return [str(one) for one in misleading_sections(tamis.extract(markup, method=method))]


@pytest.mark.parametrize(
    "markup",
    [
        f"<nav>{MENU}</nav><main><article>{STORY}</article></main><footer>Imprint</footer>",
        f"<nav>{MENU}</nav><div>{STORY}</div>",
        f"<article>{STORY}</article><article>Teaser</article>",
        "<aside><p>Too short to tell.</p></aside>",
        "",
    ],
)
def test_nothing_is_said_of_elements_that_are_used_as_they_are_meant(markup: str) -> None:
    assert said(markup) == []


@pytest.mark.parametrize("name", ["aside", "footer", "nav"])
def test_content_in_an_element_that_says_it_is_none(name: str) -> None:
    assert said(f"<{name}>{STORY}</{name}>") == [f"sections: 100% of the content is in <{name}>"]


@pytest.mark.parametrize("name", ["article", "main"])
def test_an_element_that_says_it_is_the_content_and_is_not(name: str) -> None:
    assert said(f"<{name}><a href=/>Teaser</a></{name}><div>{STORY}</div>") == [
        f"sections: <{name}> holds 0% of the content"
    ]
