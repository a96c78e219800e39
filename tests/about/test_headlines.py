"""Which heading is the headline."""

from __future__ import annotations

import pytest

import tamis
from tamis.about.headlines import headline_candidates
from tests.hostile import HOSTILE

HEAD = "<title>Rivers rise again | The Daily Post</title>"
STORY = "<p>The river rose in the night, and the road was closed.</p>"


def shown(markup: str) -> list[str]:
    page = tamis.parse(markup, url="http://post.example/rivers")
    return [page.node_text(one.node).strip() for one in headline_candidates(page)]


@pytest.mark.parametrize(
    ("markup", "headline"),
    [
        (f"{HEAD}<h1>Rivers rise again</h1>{STORY}", "Rivers rise again"),
        (f"{HEAD}<header><h1>The Daily Post</h1></header><h2>Rivers rise again</h2>{STORY}", "Rivers rise again"),
        (f"{HEAD}<h1><a href='/'>The Daily Post</a></h1><h2>Rivers rise again</h2>", "Rivers rise again"),
        (f"{HEAD}<h1>Weather</h1><h1>Rivers rise again</h1><h1>More</h1>", "Rivers rise again"),
        (f"{HEAD}<header><h1>Rivers rise again</h1></header><article>{STORY}</article>", "Rivers rise again"),
        (f"{HEAD}<table><tr><td><b>Rivers rise again</b></table>{STORY}", "Rivers rise again"),
        (f"{HEAD}<h1>Rivers rise</h1><h2>Lakes</h2>", "Rivers rise"),
        (f"<title>Welcome</title><h1>Rivers rise again</h1>{STORY}", "Rivers rise again"),
        ("<title>News - Rivers rise - The Daily Post</title><h1>Rivers rise</h1>", "Rivers rise"),
        (
            "<meta property=og:title content='Rivers rise'><title>Post</title><h1>Post</h1><h2>Rivers rise</h2>",
            "Rivers rise",
        ),
        (
            "<script type=application/ld+json>{'@type': 'NewsArticle', 'headline': 'Rivers rise'}</script>"
            "<title>Post</title><h2>Lakes</h2><h3>Rivers rise</h3>".replace("'", '"'),
            "Rivers rise",
        ),
        (
            "<title>The Daily Post</title><meta property=og:site_name content='The Daily Post'><h1>The Daily Post</h1>",
            "The Daily Post",
        ),
    ],
)
def test_the_headline_is_the_heading_that_repeats_the_title(markup: str, headline: str) -> None:
    assert shown(markup) == [headline]


@pytest.mark.parametrize(
    "markup",
    [
        f"{HEAD}{STORY}",
        f"{HEAD}<nav><h2>Rivers rise again</h2></nav>",
        f"{HEAD}<footer><h1>Rivers rise again</h1></footer>",
        f"{HEAD}<h1>Lakes</h1><h1>Ponds</h1>",
        f"{HEAD}<h1 hidden>Rivers rise again</h1>",
        "<title></title><h2>Lakes</h2>",
    ],
)
def test_a_page_may_show_no_headline(markup: str) -> None:
    assert shown(markup) == []


def test_a_headline_shown_twice_has_two_candidates() -> None:
    assert shown(f"{HEAD}<h1>Rivers rise again</h1><div class=sticky><h1>Rivers rise again</h1></div>") == [
        "Rivers rise again",
        "Rivers rise again",
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_page_has_candidates_among_its_nodes(name: str) -> None:
    page = tamis.parse(HOSTILE[name].make(HOSTILE[name].small))
    assert all(0 < one.node < len(page.nodes) for one in headline_candidates(page))
