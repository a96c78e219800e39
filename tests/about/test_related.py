"""Captions, bylines and related links are closely related content; what only looks like them is not."""

from __future__ import annotations

import pytest

import tamis
from tamis.page.spans import Span
from tamis.results import Extraction

MAIN = "<p>Main words stand here.</p>"


def label(markup: str, said: str = "said") -> str:
    page = tamis.parse(markup)
    start = page.text.index("Main words")
    extraction = Extraction(page=page, spans=(Span(start, start + len("Main words stand here.")),))
    return next(block.label for block in extraction.blocks if block.text == said)


@pytest.mark.parametrize(
    "markup",
    [
        "<figure><img src=a><figcaption>said</figcaption></figure>",
        "<table><caption>said</caption><tr><td>1</table>",
        "<p class='wp-caption-text'>said</p>",
        "<p class=byline>said</p>",
        "<div id=post-meta><p>said</p></div>",
        "<p><a rel=author href=/ann>said</a></p>",
        "<p itemprop=datePublished>said</p>",
        "<div class='box related'><ul><li><a href=/b>said</a></ul></div>",
        "<aside><div class=see-also>said</div></aside>",
    ],
)
def test_what_says_that_it_belongs_to_the_content_is_closely_related(markup: str) -> None:
    assert label(f"<article>{MAIN}{markup}</article>") == "closely related"


@pytest.mark.parametrize(
    "markup",
    [
        "<p>said</p>",
        "<aside><p class=byline>said</p></aside>",
        "<footer><figcaption>said</figcaption></footer>",
        "<div class=comments><p class=author>said</p></div>",
        "<div class='related sponsored'>said</div>",
        "<div class=taboola><div class=related>said</div></div>",
        "<p class=correlated>said</p>",
        "<p><span class=byline>said</span> more</p>",
    ],
)
def test_what_stands_elsewhere_or_is_called_otherwise_is_not(markup: str) -> None:
    assert label(MAIN + markup, "said more" if "more" in markup else "said") == "other"


def test_main_content_is_main_whatever_it_is_called() -> None:
    page = f"<div class=related>{MAIN}<p>said</p></div>"
    assert label(page, "Main words stand here.") == "main"
    assert label(page) == "other"


def test_an_empty_page_has_no_blocks() -> None:
    assert tamis.extract("").blocks == ()
