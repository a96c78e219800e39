"""What can be left out of any format, and what selectors add and take away."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page.text import words

PAGE = (
    "<h1>Title</h1><p>See <a href=/x>the link</a> and <math alttext='x^2'><mi>x</mi></math> now.</p>"
    "<img src=a.png alt=picture><table><tr><th>Kind<th>v<tr><td>1<td>2</table><p>End.</p>"
    "<div id=comments><p>First!</p></div>"
)


def render(output: str, **options: object) -> str:
    return tamis.extract(PAGE, method="keep_all").render(output, **options)


def test_links_go_and_their_text_stays() -> None:
    assert "See the link and" in render("markdown", links=False)
    assert "href" not in render("html", links=False)
    assert "<ref" not in render("tei", links=False)


@pytest.mark.parametrize("output", ["markdown", "html", "tei", "json"])
def test_images_go(output: str) -> None:
    assert "a.png" in render(output)
    assert "a.png" not in render(output, images=False)


@pytest.mark.parametrize("output", ["text", "markdown", "html", "tei", "json"])
@pytest.mark.parametrize(
    ("option", "gone"), [("tables", "Kind"), ("formulas", "x^2"), ("comments", "First!"), ("max_characters", "End.")]
)
def test_text_that_is_left_out_is_in_no_format(output: str, option: str, gone: str) -> None:
    def said(**options: object) -> str:
        written = render(output, **options)
        if output != "json":
            return written
        found = json.loads(written)
        return json.dumps([found["text"], found["markdown"], found["html"], found["content"]])

    value = 20 if option == "max_characters" else False
    if option != "formulas" or output != "text":  # plain text has the letters of a formula, not its source
        assert gone in said()
    assert gone not in said(**{option: value})


def test_formulas_leave_the_plain_text_too() -> None:
    assert "and x now" in render("text")
    assert "and now" in render("text", formulas=False)


def test_raw_formulas_are_left_out_as_well() -> None:
    page = "<script src=mathjax.js></script><p>So $x^2$ and \\(y\\) it is."
    assert tamis.extract(page, method="keep_all").render("markdown", formulas=False) == "So and it is."


@given(st.integers(0, 80))
def test_the_text_is_never_longer_and_ends_with_a_whole_word(most: int) -> None:
    whole = render("text")
    cut = render("text", max_characters=most)
    assert len(cut) <= most
    assert words(cut) == words(whole)[: len(words(cut))]
    following = whole[len(cut) :].split()
    assert not following or len(cut) + len(following[0]) > most - 2  # a blank line may stand between


@pytest.mark.parametrize(
    ("most", "expected"), [(4, ""), (5, "Title"), (6, "Title"), (9, "Title"), (10, "Title\n\nSee")]
)
def test_the_border_of_the_longest_text(most: int, expected: str) -> None:
    assert render("text", max_characters=most) == expected


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(OptionError, match="max_characters is -1"):
        render("text", max_characters=-1)


def test_unknown_options_are_answered_with_near_ones() -> None:
    with pytest.raises(OptionError, match="did you mean links"):
        render("markdown", link=False)
    with pytest.raises(OptionError, match="has no options"):
        render("mark", links=False)


def test_posts_are_listed_on_request() -> None:
    page = (
        "<article><p>The ferry left at noon, and nobody knew when it would be back.</p></article><div class=comments>"
        "<div class=comment><b class=author>Ann</b> <time datetime=2024-05-01>1 May</time>"
        "<p class=comment-text>I was on board and saw nothing of it.</p></div>"
        "<div class=comment><b class=author>Bob</b> <time datetime=2024-05-02>2 May</time>"
        "<p class=comment-text>So was I, and we must have missed it.</p></div></div>"
    )
    result = tamis.extract(page)
    assert "posts" not in result.to_dict()
    posts = result.to_dict(posts=True)["posts"]
    assert [(post["author"], post["date"], post["parent"]) for post in posts] == [
        ("Ann", "2024-05-01", None),
        ("Bob", "2024-05-02", None),
    ]


def test_words_like_comments_alone_hide_nothing() -> None:
    page = "<body class='comments-open'><article class='post comment-status-open'><p>Text.</article>"
    assert tamis.extract(page, method="keep_all").render("text", comments=False) == "Text."


def test_selectors_go_before_the_method() -> None:
    page = "<p>One two.</p><nav>Menu</nav><aside>Advert</aside>"
    result = tamis.extract(page, method="keep_all", drop="nav, aside")
    assert (result.text, result.made.options) == (
        "One two.",
        {"title": False, "hidden": False, "drop": "nav, aside"},
    )
    linked = "<p>One two.</p><nav><a href=/>Menu</a></nav>"
    assert tamis.extract(linked, method="lqf", threshold=0.5).text == "One two."
    assert tamis.extract(linked, method="lqf", threshold=0.5, keep="nav", drop="p").text == "Menu"
    assert tamis.extract(page, method="keep_all", keep="p", drop="p").text == "Menu\n\nAdvert"


def test_hidden_text_is_not_kept_by_a_selector() -> None:
    assert tamis.extract("<div>a<p hidden>b</div>", method="keep_all", drop="div", keep="p").text == ""


@pytest.mark.parametrize("selector", ["a[", "", "p:unknown", ">"])
def test_a_wrong_selector_is_named(selector: str) -> None:
    with pytest.raises(OptionError, match="not a CSS selector"):
        tamis.extract(PAGE, method="keep_all", keep=selector)


def test_a_selector_is_a_string() -> None:
    with pytest.raises(OptionError, match="CSS selectors"):
        tamis.extract(PAGE, method="keep_all", drop=["p"])


def test_selected_nodes_come_in_document_order() -> None:
    page = tamis.parse("<p id=a>x<b>y</b><p id=b>z")
    assert [page.attributes(node).get("id") for node in page.select("p")] == ["a", "b"]
    assert page.select("table") == []
