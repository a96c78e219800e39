"""Chunks for retrieval: within a section, not too long, whole rows and lines, everything in order."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page.text import words
from tamis.results import Chunk, Extraction

PAGE = (
    "<h1 id=top>Rivers</h1><p>One sentence here. Another one.</p>"
    "<h2><a name=floods></a>Floods</h2><p>Water rose.</p><pre>if high:\n    leave()</pre>"
    "<table><tr><th>Year<th>Level<tr><td>1999<td>4 m<tr><td>2002<td>6 m</table>"
    "<h3>After</h3><section id=help><p>Help came.</p></section>"
)


def chunks(markup: str, max_tokens: int = 512, overlap: int = 0) -> tuple[Chunk, ...]:
    return tamis.extract(markup, method="keep_all", url="https://example.org/a").chunks(max_tokens, overlap)


def test_a_chunk_lies_in_one_section_and_knows_its_headings() -> None:
    assert [(chunk.headings, chunk.text.split("\n")[0]) for chunk in chunks(PAGE)] == [
        (("Rivers",), "Rivers"),
        (("Rivers", "Floods"), "Floods"),
        (("Rivers", "Floods", "After"), "After"),
    ]


def test_the_fragment_is_the_nearest_id() -> None:
    assert [chunk.fragment for chunk in chunks(PAGE)] == ["top", "floods", "floods"]
    assert chunks(PAGE, max_tokens=2)[-1].fragment == "help"
    assert [chunk.fragment for chunk in chunks("<p>no id")] == [""]


def test_headings_that_follow_each_other_stay_together() -> None:
    (chunk,) = chunks("<h1>Rivers</h1><h2>Floods</h2><p>Water rose.")
    assert (chunk.text, chunk.headings) == ("Rivers\n\nFloods\n\nWater rose.", ("Rivers", "Floods"))


def test_a_heading_of_a_higher_level_ends_the_ones_below() -> None:
    found = chunks("<h2>A</h2><p>a<h3>B</h3><p>b<h2>C</h2><p>c")
    assert [chunk.headings for chunk in found] == [("A",), ("A", "B"), ("C",)]


def test_rows_and_lines_of_code_are_never_cut() -> None:
    texts = [chunk.text for chunk in chunks(PAGE, max_tokens=3)]
    assert "1999\t4 m" in texts
    assert any("    leave()" in text.split("\n") for text in texts)


def test_long_text_is_cut_between_sentences_and_else_between_words() -> None:
    assert [chunk.text for chunk in chunks("<p>One two. Three four five. Six.", max_tokens=3)] == [
        "One two.",
        "Three four five.",
        "Six.",
    ]
    assert [chunk.text for chunk in chunks("<p>one two three four five", max_tokens=2)] == [
        "one two",
        "three four",
        "five",
    ]


def test_a_heading_takes_the_first_sentence_of_its_text_along() -> None:
    first, second = chunks("<h2>Floods</h2><p>Water rose. Then it fell again.", max_tokens=4)
    assert (first.text, second.text) == ("Floods\n\nWater rose.", "Then it fell again.")


def test_the_end_of_a_chunk_is_repeated_within_its_section() -> None:
    found = chunks("<p>One two. Three four. Five six. Seven.<h2>Next</h2><p>Eight.", max_tokens=4, overlap=2)
    assert [chunk.text for chunk in found] == [
        "One two. Three four.",
        "Three four. Five six.",
        "Five six. Seven.",
        "Next\n\nEight.",
    ]


def test_spans_lead_back_to_the_page() -> None:
    result = tamis.extract(PAGE, method="keep_all")
    for chunk in result.chunks(max_tokens=4):
        there = "".join(result.page.text[start:end] for start, end in chunk.spans)
        assert "".join(there.split()) == "".join(chunk.text.split())


def test_a_tokenizer_may_count_or_list() -> None:
    page = "<p>abcd efgh"
    result = tamis.extract(page, method="keep_all")
    assert [chunk.text for chunk in result.chunks(max_tokens=5, tokenizer=len)] == ["abcd", "efgh"]
    assert [chunk.tokens for chunk in result.chunks(max_tokens=9, tokenizer=list)] == [9]


def test_numbers_of_tokens_may_be_those_of_numpy() -> None:
    result = tamis.extract("<p>abcd efgh", method="keep_all")
    found = result.chunks(max_tokens=5, tokenizer=lambda text: np.int64(len(text)))
    assert [chunk.tokens for chunk in found] == [4, 4]


@pytest.mark.parametrize("tokenizer", [5, "gpt-4"])
def test_a_tokenizer_that_is_no_function_is_refused(tokenizer: Any) -> None:
    for markup in ("<p>abcd", ""):
        with pytest.raises(OptionError, match=f"tokenizer is {tokenizer!r}, but a function .* or None"):
            tamis.extract(markup, method="keep_all").chunks(tokenizer=tokenizer)


@pytest.mark.parametrize("given", [None, 1.5, -1])
def test_a_tokenizer_that_gives_no_tokens_is_refused(given: Any) -> None:
    with pytest.raises(OptionError, match=f"the tokenizer gave {given}"):
        tamis.extract("<p>abcd", method="keep_all").chunks(5, tokenizer=lambda _: given)


def test_tokens_may_run_across_lines() -> None:
    """Here two blanks and a line end are a token each, so that lines are more together than one by one."""
    result = tamis.extract("<p>ab<p>cd<p>ef<p>gh<p>ij", method="keep_all")
    found = result.chunks(max_tokens=8, tokenizer=len)
    assert [chunk.text for chunk in found] == ["ab\n\ncd", "ef\n\ngh", "ij"]


def test_many_rows_are_counted_in_line_with_their_number() -> None:
    """What the tokenizer is given all together grows as the table does, also where all of it fits."""

    def read(rows: int) -> int:
        seen = 0

        def tokenizer(part: str) -> int:
            nonlocal seen
            seen += len(part)
            return len(part.split())

        result = tamis.extract(f"<table>{'<tr><td>a b<td>c' * rows}</table>", method="keep_all")
        assert len(result.chunks(max_tokens=100_000, tokenizer=tokenizer)) == 1
        return seen

    assert read(2000) < 5 * read(500)


def test_characters_of_scripts_without_spaces_are_tokens() -> None:
    assert [chunk.text for chunk in chunks("<p>漢字漢字。", max_tokens=3)] == ["漢字漢", "字。"]


@pytest.mark.parametrize(("max_tokens", "overlap"), [(0, 0), (5, 5), (5, -1), (None, 0), (5.5, 0), (5, 1.5)])
def test_sizes_that_cannot_be_are_refused(max_tokens: Any, overlap: Any) -> None:
    with pytest.raises(OptionError):
        chunks(PAGE, max_tokens=max_tokens, overlap=overlap)


def test_nothing_kept_has_no_chunks() -> None:
    assert chunks("") == ()
    assert tamis.extract("").render("chunks") == ""


def test_json_lines_have_the_address_with_its_fragment() -> None:
    result = tamis.extract(PAGE, method="keep_all", url="https://example.org/a#old")
    first, *_ = map(json.loads, result.render("chunks").splitlines())
    assert (first["url"], first["fragment"], first["headings"]) == ("https://example.org/a#top", "top", ["Rivers"])
    assert len(result.render("chunks", max_tokens=3).splitlines()) > 5


_BLOCKS = (
    "<h1>Big title</h1>",
    "<h2>Middle</h2>",
    "<h3 id=x>Low</h3>",
    "<p>One two three. Four five six seven! Eight.</p>",
    "<p>word</p>",
    "<pre>a = 1\n  b = 2\n\nc c c c c c</pre>",
    "<table><tr><th>k<th>v<tr><td>1 1<td>2<tr><td><td>3 3 3 3 3</table>",
    "<ul><li>one<li>two two<ul><li>deep</ul></ul>",
    "<p>漢字漢字漢字。漢</p>",
    "soft\xadhyphen<br>line",
)


@st.composite
def _extractions(draw: st.DrawFn) -> Extraction:
    return tamis.extract("".join(draw(st.lists(st.sampled_from(_BLOCKS), max_size=8))), method="keep_all")


@given(_extractions(), st.integers(1, 12), st.booleans())
def test_chunks_cover_the_text_in_order_and_are_not_too_long(result: Extraction, most: int, own: bool) -> None:
    tokenizer = (lambda text: len(words(text))) if own else None
    found = result.chunks(max_tokens=most, tokenizer=tokenizer)
    assert [word for chunk in found for word in words(chunk.text)] == words(result.text)
    lines = {line.strip() for line in result.text.split("\n")}
    for chunk in found:
        assert chunk.tokens == len(words(chunk.text))
        assert chunk.tokens <= most or chunk.text.strip() in lines
    flat = [edge for chunk in found for span in chunk.spans for edge in span]
    assert flat == sorted(flat)


@given(_extractions(), st.integers(2, 12), st.data())
def test_overlap_repeats_the_end_of_the_chunk_before(result: Extraction, most: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(1, most - 1))
    text = result.page.text
    lines = {line.strip() for line in result.text.split("\n")}
    last = 0
    for chunk in result.chunks(max_tokens=most, overlap=overlap):
        start, end = chunk.spans[0].start, chunk.spans[-1].end
        assert not text[last:start].strip()  # nothing is left out
        assert len(words(text[start:last])) <= overlap
        assert end > last
        assert chunk.tokens <= most or chunk.text.strip() in lines
        last = end
    assert not text[last:].strip()


@pytest.mark.parametrize("text", ["word ", "Short sentence here. ", "字"])
def test_one_long_paragraph_is_counted_in_line_with_its_length(text: str) -> None:
    """What the tokenizer is given all together grows as the paragraph does."""

    def read(times: int) -> int:
        seen = 0

        def tokenizer(part: str) -> int:
            nonlocal seen
            seen += len(part)
            return len(part) // 4

        result = tamis.extract(f"<p>{text * times}</p>", method="keep_all")
        found = result.chunks(max_tokens=64, overlap=16, tokenizer=tokenizer)
        assert len("".join("".join(chunk.text.split()) for chunk in found)) >= len("".join((text * times).split()))
        return seen

    few, many = read(60_000 // len(text)), read(480_000 // len(text))
    assert many < 12 * few
