"""Comments and forum posts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.about.posts import Post
from tamis.about.threads import read_threads

ARTICLE = "<h1>A river rises</h1>" + "<p>The river rose in the night, and nobody slept in the village.</p>" * 5


def posts(markup: str, url: str | None = None) -> tuple[Post, ...]:
    return read_threads(tamis.parse(markup, url=url))


def comment(number: int, inner: str = "") -> str:
    return (
        f"<li class='comment' id=comment-{number}><div><cite class=fn>Reader {chr(64 + number)}</cite>"
        f"<time datetime='2020-05-0{number}T10:00Z'></time></div>"
        f"<div class=comment-content><p>What reader number {number} thinks.</p></div>{inner}</li>"
    )


def test_comments_have_author_date_text_and_place() -> None:
    page = tamis.parse(ARTICLE + f"<ol class=comment-list>{comment(1)}{comment(2)}</ol>")
    first, second = read_threads(page)
    assert (first.author, first.date, first.text) == ("Reader A", "2020-05-01T10:00Z", "What reader number 1 thinks.")
    assert [page.text[start:end] for start, end in second.spans] == ["What reader number 2 thinks."]
    assert page.attributes(second.node)["class"] == "comment-content"
    assert (first.parent, second.parent) == (None, None)


def test_replies_know_what_they_answer() -> None:
    nested = comment(1, f"<ol class=children>{comment(2, f'<ol>{comment(3)}</ol>')}</ol>") + comment(4)
    assert [post.parent for post in posts(ARTICLE + f"<ol>{nested}</ol>")] == [None, 0, 1, None]


def test_flat_lists_tell_replies_by_their_depth() -> None:
    flat = "".join(
        comment(number).replace("class='comment'", f"class='comment depth-{depth}'")
        for number, depth in ((1, 1), (2, 2), (3, 2), (4, 1))
    )
    assert [post.parent for post in posts(ARTICLE + f"<ol>{flat}</ol>")] == [None, 0, 0, None]


def forum_post(number: int) -> str:
    return (
        f"<div class=post id=p{number}><h3><a href='/t/1#p{number}'>Re: Rivers</a></h3><dl class=profile>"
        f"<dt><a href='/member.php?u={number}'>user{number}</a></dt><dd>Joined: 1 Jan 2005</dd></dl>"
        f"<p class=info>{number} May 2020, 10:30</p><div class=content>Post number {number} of the thread.</div></div>"
    )


def test_a_forum_thread_is_its_posts() -> None:
    found = posts("".join(map(forum_post, range(1, 5))), "http://a.example/forum/t/1")
    assert [(post.author, post.author_url, post.date) for post in found] == [
        (f"user{number}", f"/member.php?u={number}", f"2020-05-0{number}T10:30") for number in range(1, 5)
    ]
    assert found[0].text == "Post number 1 of the thread."


def test_names_in_a_row_before_the_text_belong_to_it() -> None:
    rows = "".join(
        f"<tr><td><a href=/user/{n}>user{n}</a> {n} May 2020</td></tr>"
        f"<tr><td class=message>Message number {n} of many.</td></tr>"
        for n in range(1, 5)
    )
    found = posts(f"<table>{rows}</table>")
    assert [(post.author, post.date) for post in found] == [(f"user{n}", f"2020-05-0{n}") for n in range(1, 5)]


@pytest.mark.parametrize(
    "markup",
    [
        "",
        ARTICLE,
        ARTICLE + "<div class=comments>No comments yet.</div>",
        ARTICLE + "<div class=comment-respond><form><p class=comment-form-comment>Leave a reply</p></form></div>",
        "".join(  # a blog's front page
            f"<article class=post><h2><a href=/{n}>Title</a></h2><a class=author href=/user/{n}>Ann</a> {n} May 2020"
            f"<div class=entry-content>The beginning of article {n}, to be read there.</div></article>"
            for n in range(1, 6)
        ),
        "".join(f"<p class=text>Paragraph number {n}.</p>" for n in range(9)),
    ],
)
def test_pages_without_posts_have_none(markup: str) -> None:
    assert posts(markup) == ()


def test_posts_of_json_ld_are_read_when_the_markup_has_none() -> None:
    item = {
        "@type": "DiscussionForumPosting",
        "author": {"name": "Ann"},
        "text": "First &lt;b&gt;",
        "comment": [
            {"@type": "Comment", "author": "Bo", "datePublished": "2020-05-01", "text": "<p>Second</p>"},
            {
                "@type": "Comment",
                "author": "Cy",
                "text": "Third",
                "comment": {"@type": "Comment", "author": "Di", "text": "Fourth"},
            },
        ],
    }
    found = posts(f'<script type="application/ld+json">{json.dumps(item)}</script>')
    assert [(post.author, post.parent) for post in found] == [("Ann", None), ("Bo", 0), ("Cy", 0), ("Di", 2)]
    assert (found[1].text, found[1].date, found[1].spans) == ("Second", "2020-05-01", ())


def test_questions_that_nobody_asked_are_no_posts() -> None:
    item = {"@type": "Question", "name": "Why?", "acceptedAnswer": {"@type": "Answer", "text": "Because."}}
    assert (
        posts(f'<script type="application/ld+json">{json.dumps({"@type": "FAQPage", "mainEntity": [item]})}</script>')
        == ()
    )


def test_a_result_offers_the_comments_of_its_page() -> None:
    result = tamis.extract(ARTICLE + f"<ol>{comment(1)}{comment(2)}</ol>", method="keep_all")
    assert [post.author for post in result.comments] == ["Reader A", "Reader B"]


PIECES = (
    comment(1),
    comment(2),
    forum_post(3),
    "<div class='comment post message'>",
    "</div>",
    "<ol>",
    "3 May 2020",
    "<a href=/user/1>x</a>",
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_posts_are_in_order_and_answer_earlier_ones(pieces: list[str]) -> None:
    page = tamis.parse("".join(pieces))
    found = read_threads(page)
    assert found == read_threads(tamis.parse("".join(pieces)))
    assert [post.node for post in found] == sorted(post.node for post in found)
    for number, post in enumerate(found):
        assert post.parent is None or 0 <= post.parent < number
        assert all(0 <= start < end <= len(page.text) for start, end in post.spans)
