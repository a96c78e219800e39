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


def test_rows_of_a_table_are_lines_with_tabs_between_the_cells() -> None:
    rows = "<tr><th>a<th>b<th>c<tr><td>1<td><td>3<tr><td rowspan=2>x<td>y<td>z<tr><td>v<td>w"
    assert text(f"<p>before<table>{rows}</table>after") == "before\n\na\tb\tc\n1\t\t3\nx\ty\tz\n\tv\tw\n\nafter"


def test_a_cell_is_on_one_line_whatever_it_holds() -> None:
    cell = "<p>one</p><p>two<br>three</p><ul><li>four</ul>"
    assert text(f"<table><tr><th>k<th>v<tr><td>{cell}<td>x</table>") == "k\tv\none two three four\tx"


def test_items_are_lines_and_lists_in_lists_are_indented() -> None:
    assert text("<ul><li>one<li>two<ol><li>deep</ol></ul><ul><li>other") == "one\ntwo\n  deep\n\nother"


def test_items_of_several_paragraphs_stay_apart() -> None:
    assert text("<ul><li><p>a<p>b<li><p>c</ul>") == "a\n\nb\n\nc"


def test_code_in_an_item_is_not_indented() -> None:
    assert text("<ul><li>run<pre>x\n  y</pre></ul>") == "run\n\nx\n  y"


def test_marks_of_items_are_written_when_asked_for() -> None:
    page = "<ol start=3><li>a<br>b<ul><li>c</ul><li value=7>d<li>e</ol><dl><dt>t<dd>u"
    written = tamis.extract(page, method="keep_all").render("text", list_marks=True)
    assert written == "3. a\n   b\n  - c\n7. d\n8. e\n\nt\n  u"


def test_tables_for_layout_are_no_rows() -> None:
    assert text("<table><tr><td><h2>News</h2><p>One.<td><p>Two.</table>") == "News\n\nOne.\n\nTwo."


def test_a_description_is_indented_under_its_term_and_not_without_it() -> None:
    page = "<dl><dt>term<dd>kept<dt>dropped<dd>alone</dl>"
    assert text(page, "term", "kept") == "term\n  kept"
    assert text(page, "kept", "alone") == "kept\nalone"
    assert text(page, "term", "kept", "alone") == "term\n  kept\nalone"
