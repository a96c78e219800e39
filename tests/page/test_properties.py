"""What holds for any page, however broken."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import tamis
from tamis import registry
from tamis.page.html import INLINE_NAMES, PSEUDO_NAMES, TAG_NAMES
from tamis.page.limits import Limits
from tamis.page.model import FOREIGN, INVISIBLE, LINK, Page
from tamis.page.text import words

DOUBTFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffd]"
)  # Python and browsers read references to these differently

NAMES = [*(name for name in TAG_NAMES if name not in PSEUDO_NAMES), "x-unknown", "g", "mi", "isindex", "image"]
ATTRIBUTES = [
    "hidden",
    "href=x",
    "style='display:none'",
    "style='color:red'",
    "aria-hidden=true",
    "open",
    "class='a b'",
    "shadowrootmode=open",
    "srcdoc='<p>framed &amp;amp; text'",
    "encoding=text/html",
    "type=hidden",
    "title='>'",
    "a=\"un'closed",
]
LOOSE = [
    "<!-- a comment -->",
    "<!--",
    "-->",
    "<![CDATA[x y]]>",
    "<!doctype html>",
    "<?pi x?>",
    "</",
    "<",
    "<p",
    "<a href='",
]
ENTITIES = [
    "&amp;",
    "&nbsp;",
    "&lt;b&gt;",
    "&notit;",
    "&#0;",
    "&#xFDD0;",
    "&#xFDD1;",
    "&#x80;",
    "&",
    "&#x1F600;",
    "&NotEqualTilde;",
]
TEXTS = [
    "word",
    "two words",
    " ",
    "\n",
    "  \n\t",
    "漢字",
    "a\u00a0b",
    "\ufdd0",
    "x\r\ny",
    "e\u0301",
    "\u200b",
    "ไทย",
    "\ufeff",
    "😀",
]

texts = st.sampled_from(TEXTS) | st.sampled_from(ENTITIES) | st.text(max_size=8)
openings = st.builds(
    lambda name, attributes, slash: f"<{' '.join([name, *attributes])}{slash}>",
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=2),
    st.sampled_from(["", "", "", "/"]),
)
closings = st.sampled_from(NAMES).map(lambda name: f"</{name}>")
pieces = st.one_of(openings, openings, texts, texts, closings, st.sampled_from(LOOSE))
soups = st.lists(pieces, max_size=40).map("".join)
pages = st.builds(tamis.parse, soups)
small_limits = st.builds(Limits, max_depth=st.integers(1, 6), max_nodes=st.integers(1, 30))
cut_pages = st.builds(lambda soup, limits: tamis.parse(soup, limits=limits), soups, small_limits)


@given(st.binary(max_size=300) | st.builds(bytes.__add__, st.just(b"<p>"), st.binary(max_size=300)))
def test_any_bytes_give_a_result(data: bytes) -> None:
    check_views(tamis.parse(data))


@given(st.text(st.characters(), max_size=200))  # with lone surrogates
def test_any_text_gives_a_result(text: str) -> None:
    check_views(tamis.parse(text))


@given(soups)
def test_any_markup_gives_a_result(soup: str) -> None:
    page = tamis.parse(soup)
    check_views(page)
    for method in registry.names("extractors"):
        assert tamis.extract(page, method=method).status in {"ok", "empty", "truncated"}


@given(soups, st.sampled_from(["utf-8", "utf-16-le", "utf-16", "shift_jis", "gb18030", "latin-1"]))
def test_markup_in_any_encoding_gives_a_result(soup: str, encoding: str) -> None:
    check_views(tamis.parse(soup.encode(encoding, "replace")))


def check_views(page: Page) -> None:
    assert all(block.text for block in page.blocks)
    assert len(page.tokens) >= len(page.lines)
    page.text.encode()
    page.source.encode()
    assert page.metadata


@given(pages | cut_pages)
def test_parents_depths_and_ends_describe_one_tree(page: Page) -> None:
    nodes = page.nodes
    ends = list(range(1, len(nodes) + 1))
    for node in range(len(nodes) - 1, 0, -1):
        parent = nodes.parent[node]
        assert 0 <= parent < node
        assert nodes.depth[node] == nodes.depth[parent] + 1
        ends[parent] = max(ends[parent], ends[node])
    assert nodes.parent[0] == -1
    assert nodes.end.tolist() == ends


@given(pages | cut_pages)
def test_text_ranges_nest_like_the_tree(page: Page) -> None:
    nodes = page.nodes
    assert page.text == "".join(page.node_text(node) for node in nodes.texts)
    for node in range(len(nodes)):
        inside = [leaf for leaf in nodes.texts.tolist() if node <= leaf < nodes.end[node]]
        assert page.node_text(node) == "".join(page.node_text(leaf) for leaf in inside)
        if node:
            parent = nodes.parent[node]
            assert nodes.text_start[parent] <= nodes.text_start[node] <= nodes.text_end[node] <= nodes.text_end[parent]


@given(pages | cut_pages)
def test_blocks_hold_all_visible_text_once(page: Page) -> None:
    visible = "".join(page.node_text(node) for node in page.nodes.texts if not page.nodes.flags[node] & INVISIBLE)
    assert squeezed("".join(block.text for block in page.blocks)) == squeezed(visible)
    assert "".join(page.text[start:end] for start, end in zip(*page.visible, strict=True)) == visible


@given(pages | cut_pages)
def test_block_counts_are_those_of_a_count_by_hand(page: Page) -> None:
    blocks = page.blocks
    for block in blocks:
        leaves = block.leaves
        pieces = [page.node_text(leaf) for leaf in leaves]
        linked = [bool(page.nodes.flags[leaf] & LINK) for leaf in leaves]
        characters = [len(squeezed(piece)) for piece in pieces]
        starts = begins(page, leaves, pieces)
        assert block.span == (page.nodes.text_start[leaves[0]], page.nodes.text_end[leaves[-1]])
        assert block.words == sum(starts)
        assert block.link_words == sum(count for count, link in zip(starts, linked, strict=True) if link)
        assert blocks.characters[block.index] == sum(characters) > 0
        assert blocks.link_characters[block.index] == sum(
            count for count, link in zip(characters, linked, strict=True) if link
        )


def begins(page: Page, leaves: list[int], pieces: list[str]) -> list[int]:
    """Words that begin in each text node, when a word may go on from one node into the next of the same line."""
    counts = []
    before, line = "", -1
    for leaf, piece in zip(leaves, pieces, strict=True):
        if page.flow.line[leaf] != line:
            before = ""
        counts.append(len(words(before + piece)) - len(words(before)))
        before, line = before + piece, page.flow.line[leaf]
    return counts


@given(pages | cut_pages)
def test_a_block_is_held_by_its_nearest_ancestor_that_is_not_inline(page: Page) -> None:
    for block in page.blocks:
        for leaf in block.leaves:
            node = page.nodes.parent[leaf]
            while page.nodes.flags[node] & FOREIGN or page.name(node) in INLINE_NAMES:
                node = page.nodes.parent[node]
            assert node == block.node


@given(pages | cut_pages)
def test_every_token_is_a_word_of_the_text_or_a_tag_of_the_source(page: Page) -> None:
    tokens = page.tokens
    assert (np.diff(tokens.source_start) >= 0).all()
    for token in range(len(tokens)):
        source = page.source[tokens.source_start[token] : tokens.source_end[token]]
        start, end = int(tokens.start[token]), int(tokens.end[token])
        assert 0 <= start <= end <= len(page.text)
        if tokens.is_tag[token]:
            assert start == end
            assert source[0] == "<"
            assert source[-1] == ">"
            assert source.startswith("</") == tokens.is_closing[token]
            assert tokens.code_length[token] == len(squeezed(source))
        else:
            word = page.text[start:end]
            assert words(word) == [word]
            assert unescaped(source) == unescaped(word)
            assert tokens.code_length[token] == 0


def unescaped(text: str) -> str:
    # Twice, as text inside a textarea with markup is; both sides, as an escaped entity shows as an entity.
    return DOUBTFUL.sub("", html.unescape(html.unescape(text)))


@given(pages)
def test_no_two_tokens_are_the_same_word_of_the_text(page: Page) -> None:
    taken = np.zeros(len(page.text), dtype=np.int64)
    for start, end in zip(page.tokens.start, page.tokens.end, strict=True):
        taken[start:end] += 1
    assert (taken <= 1).all()


@given(pages | cut_pages)
def test_lines_are_consecutive_tokens_and_add_up(page: Page) -> None:
    tokens, lines = page.tokens, page.lines
    assert lines.first_token[0] == 0
    assert lines.first_token[-1] == len(tokens)
    assert (np.diff(lines.first_token) > 0).all()
    assert lines.tags.sum() == tokens.is_tag.sum()
    for line in range(len(lines)):
        inside = slice(lines.first_token[line], lines.first_token[line + 1])
        is_word = ~tokens.is_tag[inside]
        assert len(set(tokens.line[inside].tolist())) == 1
        assert 0 <= lines.start[line] <= lines.end[line] <= len(page.text)
        assert lines.characters[line] >= (tokens.end - tokens.start)[inside][is_word].sum()


WELL_FORMED = st.recursive(
    st.sampled_from(["word", "two words", "a &amp; b", "漢字", "caf&eacute;", "x<br>y", "<!-- no -->z", "\n"]),
    lambda inner: st.builds(
        lambda name, parts: f"<{name}>{' '.join(parts)}</{name}>",
        st.sampled_from("div p b ul section em h2 blockquote noscript svg".split()),
        st.lists(inner, max_size=4),
    ),
    max_leaves=15,
)


@given(WELL_FORMED)
def test_tokens_miss_no_word_of_an_ordinary_page(markup: str) -> None:
    page = tamis.parse(f"<body>{markup}</body>")
    covered = "".join(page.text[start:end] for start, end in zip(page.tokens.start, page.tokens.end, strict=True))
    assert covered == squeezed(page.text)


@pytest.mark.parametrize("method", registry.names("extractors"))
@given(page=pages | cut_pages)
@example(page=tamis.parse("<address hidden>word"))  # a method may show what hides itself: the page of its result
def test_what_is_extracted_is_visible_text_in_order(method: str, page: Page) -> None:
    extraction = tamis.extract(page, method=method)
    kept = squeezed("".join(page.text[start:end] for start, end in extraction.spans))
    visible = squeezed(
        "".join(page.text[start:end] for start, end in zip(*(extraction.view or extraction.page).visible, strict=True))
    )
    assert is_subsequence(kept, visible)


@given(soups)
def test_the_same_markup_gives_the_same_page(soup: str) -> None:
    page, again = tamis.parse(soup), tamis.parse(soup)
    assert page.text == again.text
    assert all(np.array_equal(array, vars(again.nodes)[name]) for name, array in vars(page.nodes).items())


@given(soups)
def test_a_page_reads_the_same_as_text_and_as_bytes(soup: str) -> None:
    readable = soup.encode("utf-8", "replace").decode("utf-8").removeprefix("\ufeff")
    page, again = tamis.parse(readable), tamis.parse(readable.encode(), encoding="utf-8")
    assume("binary" not in {page.format, again.format})  # control characters are counted against characters or bytes
    assert page.text == again.text
    assert page.tokens.start.tolist() == again.tokens.start.tolist()


def squeezed(text: str) -> str:
    return "".join(text.split())


def is_subsequence(text: str, other: str) -> bool:
    characters = iter(other)
    return all(character in characters for character in text)
