"""What holds for all formats: they write the same text, in order, once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.outputs._events import CLOSE, OPEN, PARAGRAPHS, TEXT
from tamis.outputs._structure import events
from tamis.page.limits import Limits
from tamis.page.spans import Span
from tamis.page.text import words
from tamis.results import Extraction

NAMES = (
    "a b blockquote br button caption code dd del details div dl dt em figcaption figure h2 hr i img kbd li noscript "
    "ol p picture pre q ruby rt script section span strong style sub summary sup svg table tbody td textarea th "
    "thead tr ul".split()
)
ATTRIBUTES = [
    "",
    "",
    "",
    " hidden",
    " href='x y(z)'",
    " href='javascript:x'",
    " class=lang-x",
    " start=7",
    " colspan=2",
    " rowspan=3",
    " src=i.png alt=picture",
    " role=presentation",
    " id=note-x",
    " href=#note-x",
]
TEXTS = (
    "word (word) word. snake_case *word* _word_ ** __ ` `` ~~ # ## - + 1. 2) > --- === | |--| ! [word] [word]: ](word) "
    "\\ \\* & &amp;lt; &lt;script> &lt;!-- é 漢字 : &nbsp; http://word/_x_".split()
)


def _markup() -> st.SearchStrategy[str]:
    text = st.builds(str.__add__, st.sampled_from(TEXTS), st.sampled_from(["", " ", "\n"]))
    opening = st.builds("<{}{}>".format, st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES))
    closing = st.sampled_from([f"</{name}>" for name in NAMES])
    return st.lists(st.one_of(text, text, opening, closing), max_size=30).map("".join)


@st.composite
def _extractions(draw: st.DrawFn) -> Extraction:
    """Any spans of any page."""
    page = tamis.parse(draw(_markup()), url=draw(st.sampled_from([None, "https://example.org/"])))
    edges = sorted(draw(st.sets(st.integers(0, len(page.text)), max_size=8)))
    spans = tuple(Span(start, end) for start, end in zip(edges[::2], edges[1::2], strict=False))
    return Extraction(page=page, spans=spans)


def keep_all(markup: str) -> Extraction:
    return tamis.extract(markup, method="keep_all")


@given(_markup())
def test_words_of_the_text_are_the_visible_words_in_order(markup: str) -> None:
    extraction = keep_all(markup)
    assert words(extraction.text) == [word for block in extraction.page.blocks for word in words(block.text)]


@given(_extractions())
def test_html_reads_back_as_the_same_words(extraction: Extraction) -> None:
    assert words(keep_all(f"<body>{extraction.html}").text) == words(extraction.text)


@given(_extractions())
def test_markdown_reads_back_as_the_same_words(extraction: Extraction) -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"maxNesting": 100})
    if extraction.page.format == "text":  # written as it is
        return
    html = reader.enable(["table", "strikethrough"]).render(extraction.markdown)
    assert words(keep_all(f"<body>{html}").text) == words(extraction.text)


@given(_extractions())
def test_every_kept_character_that_is_no_blank_is_written_once(extraction: Extraction) -> None:
    kept = "".join(extraction.page.text[start:end] for start, end in extraction.spans)
    in_events = "".join(event.text for event in events(extraction) if event.kind == TEXT)
    assert "".join(extraction.text.split()) == "".join(kept.split()) == "".join(in_events.split())


@given(_markup())
def test_markdown_holds_no_html(markup: str) -> None:
    outside_of_code = re.sub(r"(`+).*?\1", "", keep_all(markup).markdown, flags=re.DOTALL)
    assert "<script" not in outside_of_code


@given(_extractions())
def test_events_are_well_formed(extraction: Extraction) -> None:
    path: list[tuple[str, int]] = []
    for event in events(extraction):
        in_paragraph = any(name in PARAGRAPHS for name, _ in path)
        if event.kind == OPEN:
            assert not (in_paragraph and event.name in PARAGRAPHS)
            path.append((event.name, event.node))
        elif event.kind == CLOSE:
            assert path.pop() == (event.name, event.node)
        else:
            assert in_paragraph
    assert path == []


@given(_extractions())
def test_spans_in_pieces_and_out_of_order_give_the_same_output(extraction: Extraction) -> None:
    pieces = [Span(at, at + 1) for span in extraction.spans for at in range(*span)]
    shuffled = Extraction(page=extraction.page, spans=tuple(reversed(pieces)))
    assert [shuffled.text, shuffled.html] == [extraction.text, extraction.html]


@pytest.mark.parametrize("output", ["text", "html", "markdown"])
@pytest.mark.parametrize(
    "markup",
    [
        "<p>word</p>" * 10_000,
        "<b>" * 500 + "<p>word</p>" * 5_000,
        "<blockquote><ul><li>" * 160 + "<p>word</p>" * 5_000,
        "<p>" + "<b>word</b> " * 10_000,
        "<p>" + "word<br>" * 10_000,
        "<pre>word" + "<span> </span>" * 10_000 + "word</pre>",
        "<table><tr>" + "<td>word" * 2_000 + "<tr><td>word" * 2_000 + "</table>",
        "<p><a href=" + "x" * 10_000 + ">word" + "<p>word" * 2_000,
    ],
    ids=["blocks", "deep inline", "deep lists", "bold words", "lines", "spans in code", "ragged table", "long address"],
)
def test_large_pages_are_written_in_proportion(markup: str, output: str) -> None:
    written = keep_all(markup).render(output)
    assert len(re.findall("word", written)) == markup.count("word")
    assert len(written) < 20 * len(markup)


def test_what_is_too_deep_for_the_tree_is_written_once() -> None:
    page = tamis.parse("<div>" * 30 + "<ul><li>a<b>b</b><table><tr><td>c<td>d", limits=Limits(max_depth=33))
    extraction = tamis.extract(page, method="keep_all")
    assert words(keep_all(extraction.html).text) == words(extraction.text)
    assert re.sub(r"\W", "", extraction.text) == "abcd"
