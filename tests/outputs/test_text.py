"""Plain text: what is kept, as a reader sees it."""

from __future__ import annotations

import pytest

import tamis
from tamis.page.spans import Span
from tamis.results import Extraction


def text(markup: str, *kept: str) -> str:
    """The text output when the given stretches of ``page.text`` are kept, or all of it."""
    page = tamis.parse(markup)
    starts = [page.text.index(part) for part in kept]
    spans = tuple(Span(start, start + len(part)) for start, part in zip(starts, kept, strict=True))
    if not kept:
        return tamis.extract(page, method="keep_all").text
    return Extraction(page=page, spans=spans).text


def test_blocks_are_separated_by_blank_lines() -> None:
    assert text("<h1>Title</h1><p>One.</p><p>Two.</p>") == "Title\n\nOne.\n\nTwo."


def test_inline_elements_neither_glue_nor_split_words() -> None:
    assert text("<p>un<b>break</b>able <i> spaced</i>\n<u>words </u>here") == "unbreakable spaced words here"


def test_a_line_break_starts_a_line_and_two_start_a_block() -> None:
    assert text("<p>one <br> two<br><br>three") == "one\ntwo\n\nthree"


def test_preformatted_text_keeps_its_white_space() -> None:
    assert text("<pre>\n  a <b> b</b>\n\n\tc<br>d  \n</pre>") == "  a  b\n\n\tc\nd"


def test_plain_text_is_kept_as_it_is() -> None:
    assert text("first  line\n\n   second < line\n") == "first  line\n\n   second < line"


def test_cells_are_apart_from_each_other_and_from_what_is_around() -> None:
    assert text("before<table><tr><td>a</td><td>b</td></tr></table>after") == "before\n\na\n\nb\n\nafter"


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        (("wor",), "wor"),
        (("ne wo",), "ne wo"),
        (("one", "two"), "one two"),
        (("on", "ds", "tw"), "on ds tw"),
        (("one", " words "), "one words"),
        (("",), ""),
    ],
)
def test_what_is_left_out_between_kept_words_leaves_a_blank(kept: tuple[str, ...], expected: str) -> None:
    assert text("<p>one words <b>two</b>", *kept) == expected


def test_hidden_text_between_kept_letters_leaves_no_blank() -> None:
    assert text("<p>half<i hidden>xx</i>way", "half", "way") == "halfway"


def test_hidden_text_that_is_kept_on_purpose_is_written() -> None:
    assert text("<title>The title</title><p>seen<i hidden> secret word</i>", "The title", "secret", "word") == (
        "The title\n\nsecret word"
    )


def test_a_dropped_line_leaves_one_line_break() -> None:
    assert text("<p>one<br>two<br>three", "one", "three") == "one\nthree"


def test_spans_that_meet_or_reach_too_far_double_nothing() -> None:
    page = tamis.parse("<p>one <b>two</b>")
    assert Extraction(page=page, spans=(Span(0, 5), Span(3, 7), Span(7, 99))).text == "one two"


@pytest.mark.parametrize("markup", ["", "<p> </p>", "<script>x</script>", "<hr>"])
def test_nothing_kept_is_an_empty_string(markup: str) -> None:
    assert text(markup) == ""
