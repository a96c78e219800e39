"""Kept text as ranges of the markup."""

from __future__ import annotations

from collections import Counter
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page.spans import Span
from tamis.results import Extraction

PARTS = (
    "<p> </p> <b> </b> <table> <tr> <td> </table> <i hidden> </i> <br> <script>x</script> <!--note--> &amp; &lt;b "
    "one two漢字 &eacute;t&eacute; word, end. \n".split(" ")
)


def kept(markup: str, *parts: str) -> Extraction:
    page = tamis.parse(markup)
    places = [page.text.index(part) for part in parts]
    return Extraction(page=page, spans=tuple(Span(at, at + len(part)) for at, part in zip(places, parts, strict=True)))


def slices(extraction: Extraction) -> list[str]:
    return [extraction.page.source[start:end] for start, end in extraction.source_spans]


def test_a_range_holds_the_words_with_the_tags_between_them() -> None:
    assert slices(kept("<p>one <b>two</b> three</p><p>four", "one two three")) == ["one <b>two</b> three"]


def test_what_is_dropped_between_kept_words_is_in_no_range() -> None:
    assert slices(kept("<p>one two three", "one", "three")) == ["one", "three"]
    assert slices(kept("<p>one <i hidden>secret</i> three", "one", "three")) == ["one", "three"]


def test_entities_belong_to_their_word() -> None:
    assert slices(kept("<p>a caf&eacute; b", "café")) == ["caf&eacute;"]


def test_text_that_the_parser_moves_is_found_where_it_stands() -> None:
    extraction = kept("<table><tr><td>cell</td></tr>moved</table>", "moved", "cell")
    assert slices(extraction) == ["cell", "moved"]


@pytest.mark.parametrize("markup", ["", "<p>one"])
def test_nothing_kept_has_no_range(markup: str) -> None:
    assert Extraction(page=tamis.parse(markup), spans=()).source_spans == ()


@given(st.lists(st.sampled_from(PARTS), max_size=25), st.data())
def test_ranges_are_sorted_and_hold_the_kept_words(parts: list[str], data: st.DataObject) -> None:
    page = tamis.parse("".join(f"{part} " for part in parts))
    edges = sorted(data.draw(st.sets(st.integers(0, len(page.text)), max_size=6)))
    spans = tuple(Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=False))
    extraction = Extraction(page=page, spans=spans)
    found = extraction.source_spans
    flat = [edge for span in found for edge in span]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(page.source) for start, end in found)
    texts = ["".join(_shown(page.source[start:end]).split()) for start, end in found]
    assert all(text in "".join(page.text.split()) for text in texts)  # in the order of the text
    solid = "".join("".join(page.text[start:end].split()) for start, end in spans)
    assert Counter(solid) <= Counter("".join(texts))


def _shown(markup: str) -> str:
    """What a browser would show of a slice."""
    page = tamis.parse(f"<body>{markup}")
    return page.text if "<" in markup else unescape(markup)
