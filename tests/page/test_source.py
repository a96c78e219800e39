"""Tokens and lines show the source as the authors of the linear methods saw it."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.page.model import Page


def tokens(markup: str) -> list[str]:
    """Tags as they are written, words as they are read."""
    page = tamis.parse(markup)
    return [
        page.source[source_start:source_end] if is_tag else page.text[start:end]
        for is_tag, source_start, source_end, start, end in zip(
            page.tokens.is_tag,
            page.tokens.source_start,
            page.tokens.source_end,
            page.tokens.start,
            page.tokens.end,
            strict=True,
        )
    ]


def sources(page: Page) -> list[str]:
    return [page.source[start:end] for start, end in zip(page.tokens.source_start, page.tokens.source_end, strict=True)]


def test_words_and_tags_come_in_source_order() -> None:
    markup = "<title>A page</title>\n<p class=x>one <b>two</b>three</p>"
    assert tokens(markup) == "<title>|A|page|</title>|<p class=x>|one|<b>|two|</b>|three|</p>".split("|")


def test_stray_and_unclosed_tags_are_tokens() -> None:
    assert tokens("</p>a</b><div>b</br></table>c") == ["</p>", "a", "</b>", "<div>", "b", "</br>", "</table>", "c"]


def test_doctype_and_instructions_are_tags() -> None:
    assert tokens("<!doctype html>a<?pi?>b") == ["<!doctype html>", "a", "<?pi?>", "b"]


def test_comments_programs_and_styles_are_no_tokens() -> None:
    assert tokens("a<!-- b --><script>c</script><style>d</style><!-- <p> -->e") == ["a", "e"]


def test_comments_split_words_as_tags_do() -> None:
    assert tokens("<p>un<!-- x -->broken") == ["<p>", "un", "broken"]


def test_entities_are_read_as_what_they_stand_for() -> None:
    page = tamis.parse("<p>AT&amp;T caf&eacute; a&nbsp;b &lt;p&gt; &#x6f22;&#x5b57;</p>")
    words = ["AT&T", "café", "a", "b", "<p>", "漢", "字"]
    assert tokens("<p>AT&amp;T caf&eacute; a&nbsp;b &lt;p&gt; &#x6f22;&#x5b57;</p>") == ["<p>", *words, "</p>"]
    assert sources(page)[1:-1] == ["AT&amp;T", "caf&eacute;", "a", "b", "&lt;p&gt;", "&#x6f22;", "&#x5b57;"]


def test_tags_have_code_names_lengths_and_places() -> None:
    page = tamis.parse("<p  class = 'a b'>x</p>\n<my-tag>")
    assert page.tokens.code_length.tolist() == [len("<pclass='ab'>"), 0, 4, 8]
    assert page.tokens.is_closing.tolist() == [False, False, True, False]
    assert page.tokens.start.tolist() == [0, 0, 1, 1]
    assert page.tokens.end.tolist() == [0, 1, 1, 1]
    assert page.tokens.tag[3] == 0
    assert page.tokens.tag[0] == page.tokens.tag[2] != 0


def test_text_that_moves_in_front_of_a_table_is_found_there() -> None:
    page = tamis.parse("<table>moved<tr><td>cell</td></tr>too</table>after")
    assert page.text == "movedtoocellafter"
    assert tokens("<table>moved<tr><td>cell</td></tr>too</table>after") == [
        "<table>",
        "moved",
        "<tr>",
        "<td>",
        "cell",
        "</td>",
        "</tr>",
        "too",
        "</table>",
        "after",
    ]


def test_text_that_the_parser_drops_is_no_token() -> None:
    assert tokens("<frameset>dropped<frame></frameset>") == ["<frameset>", "<frame>", "</frameset>"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<body><noscript><p>a &lt; b</noscript>c", "<body>|<noscript>|<p>|a|<|b|</noscript>|c"),
        ("<noscript>a<noscript>b</noscript>c</noscript>d", "<noscript>|a|<noscript>|b|</noscript>|c|</noscript>|d"),
        ("<textarea><p>a &amp; b</p></textarea>c", "<textarea>|<p>|a|&|b|</p>|</textarea>|c"),
        ("<textarea>a <b></textarea>c", "<textarea>|a|<b>|</textarea>|c"),
        ("<noframes><p>a</noframes>b", "<noframes>|<p>|a|</noframes>|b"),
        ("<xmp><b>a</xmp>b", "<xmp>|<b>a|</xmp>|b"),
    ],
)
def test_markup_that_is_kept_as_text_is_looked_into_where_the_tree_does(markup: str, expected: str) -> None:
    assert tokens(markup) == expected.split("|")


@pytest.mark.parametrize("name", ["title", "style", "script", "textarea"])
def test_a_self_closed_element_of_svg_swallows_nothing(name: str) -> None:
    assert tokens(f"<svg><{name}/></svg><p>hello you")[-3:] == ["<p>", "hello", "you"]


@pytest.mark.parametrize(
    "markup",
    ["<p>a\ufdd0b c", "<p>a&#xFDD0;b c", "<p>a &#xFDD0;&#xFDD1; c", "\ufdd0\ufdd1<p>a", "<p>a&#xFFFFE;\U0001ffff"],
)
def test_characters_that_are_used_for_marks_do_no_harm(markup: str) -> None:
    page = tamis.parse(markup)
    found = "".join(page.text[start:end] for start, end in zip(page.tokens.start, page.tokens.end, strict=True))
    assert found == "".join(page.text.split())


def test_a_page_with_all_mark_characters_still_has_tags() -> None:
    marks = "\ufdd0" + "".join(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
    assert "".join(tokens(f"<p>{marks} word</p>")) == f"<p>{marks}word</p>"
    assert tokens(f"<table>{marks} word</table>") == ["<table>", "</table>"]  # where text moves, marks are needed


def test_line_ends_are_unified() -> None:
    page = tamis.parse("a\r\nb\rc\nd")
    assert page.source == "a\nb\nc\nd"
    assert page.tokens.line.tolist() == [0, 1, 2, 3]


NEWS_ITEM = """<div class="item">
<h3><a href="/weather">Weather</a></h3>
<p class="by">by <a href="/u/kim">Kim</a></p>
<p><i>Rain fell on the hills all night, and by the morning the river had risen
over its banks; the <a href="/bridge">old bridge</a> was closed to cars.</i></p>
<ul><li>rain</li></ul>
</div>"""


def test_a_news_item_is_a_vector_of_content_and_code() -> None:
    page = tamis.parse(NEWS_ITEM)
    is_word = ~page.tokens.is_tag
    text = "".join(NEWS_ITEM.split())
    code = sum(page.tokens.code_length.tolist())
    content = int((page.tokens.end - page.tokens.start)[is_word].sum())
    assert content + code == len(text)
    assert content == len("".join(page.text.split()))
    assert int(is_word.sum()) == 29
    anchors = np.isin(page.tokens.tag, page.tokens.tag[page.tokens.source_start == NEWS_ITEM.index("<a ")])
    assert int(anchors.sum()) == 6


STORY = """<div id="topnav">
<div id="storyPageContent2">
<div id="author">James Smith</div>
OKLAHOMA CITY - Police were told that
The Oklahoman reported Sunday. <br><br> Jones had
</div></div>"""


def test_lines_of_the_worked_example_have_their_tags_and_characters() -> None:
    lines = tamis.parse(STORY).lines
    assert lines.tags.tolist() == [1, 1, 2, 0, 2, 2]
    assert lines.characters.tolist() == [0, 0, 11, 37, 41, 0]


def test_lines_know_their_range_of_the_text() -> None:
    page = tamis.parse(STORY)
    texts = [page.text[start:end] for start, end in zip(page.lines.start, page.lines.end, strict=True)]
    assert texts[2:5] == [
        "James Smith",
        "OKLAHOMA CITY - Police were told that",
        "The Oklahoman reported Sunday.  Jones had",
    ]
    assert texts[:2] == ["", ""]


def test_a_tag_written_on_two_lines_is_on_one() -> None:
    lines = tamis.parse("<p\nclass=x>a\nb</p>").lines
    assert lines.tags.tolist() == [1, 1]
    assert lines.characters.tolist() == [1, 1]


def test_lines_without_tokens_are_left_out() -> None:
    assert len(tamis.parse("a\n\n<!-- x\n -->\n\nb").lines) == 2


def test_nothing_has_no_tokens_and_no_lines() -> None:
    page = tamis.parse("")
    assert len(page.tokens) == 0
    assert len(page.lines) == 0
    assert page.lines.first_token.tolist() == [0]


def test_chosen_words_that_follow_each_other_become_one_span() -> None:
    page = tamis.parse("<p>a <b>b</b></p><p>c d</p>")
    chosen = ~page.tokens.is_tag
    assert page.word_spans(chosen) == ((0, 6),)
    chosen[np.flatnonzero(chosen)[1]] = False
    assert page.word_spans(chosen) == ((0, 1), (3, 6))
    assert page.word_spans(np.zeros(len(page.tokens), dtype=np.bool_)) == ()


def test_chosen_words_are_clipped_to_what_is_visible() -> None:
    page = tamis.parse("<p>a <b hidden>b</b> c</p>")
    assert page.word_spans(~page.tokens.is_tag) == ((0, 2), (3, 5))


@pytest.mark.parametrize(
    "markup",
    [
        "\ufeff<p>été\r\nété",
        "<p>été\0été é\0té",
        b"\xef\xbb\xbf<p>\xc3\xa9t\xc3\xa9",
        "<meta charset=l1>été".encode("latin-1"),
    ],
)
@pytest.mark.parametrize("text", ["été", "<p>", "\ufeff", "absent"])
def test_texts_are_counted_as_in_the_source(markup: str | bytes, text: str) -> None:
    page = tamis.parse(markup)
    assert page.count_in_source(text) == page.source.count(text)
