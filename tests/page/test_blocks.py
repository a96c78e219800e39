"""Blocks are what a reader sees as paragraphs, with their counts."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page.blocks import longest_text, running_text
from tamis.page.model import Page


def shown(markup: str) -> list[str]:
    return [block.text for block in tamis.parse(markup).blocks]


def counts(markup: str) -> list[tuple[int, int]]:
    """Words and link words of each block."""
    return [(block.words, block.link_words) for block in tamis.parse(markup).blocks]


def holders(page: Page) -> list[str]:
    return [page.name(block.node) for block in page.blocks]


def test_inline_elements_interrupt_no_block() -> None:
    assert shown("<p>a <b>b</b> <a href=x>c <i>d</i></a><span> e</span></p>") == ["a b c d e"]


def test_block_elements_interrupt_at_both_ends() -> None:
    assert shown("a<div>b<p>c</p>d</div>e") == ["a", "b", "c", "d", "e"]


def test_unknown_elements_interrupt() -> None:
    assert shown("a<my-box>b</my-box>c") == ["a", "b", "c"]


def test_a_break_begins_a_line_and_two_breaks_a_block() -> None:
    assert shown("a<br>b<br><br>c<br> <!-- --><br>d") == ["a\nb", "c", "d"]


def test_three_breaks_are_as_good_as_two() -> None:
    assert shown("a<br><br><br>b") == ["a", "b"]


def test_hidden_text_between_breaks_does_not_keep_them_apart() -> None:
    assert shown("a<br><i hidden>b</i><br>c") == ["a", "c"]


def test_breaks_far_apart_are_not_two() -> None:
    assert shown("<p>a<br></p><p>b<br>c</p>") == ["a", "b\nc"]


def test_a_rule_begins_a_block() -> None:
    assert shown("a<hr>b") == ["a", "b"]


def test_white_space_is_no_block() -> None:
    assert shown("<p> \n </p><p>&nbsp;</p><p>a</p>") == ["a"]


def test_white_space_is_collapsed_and_trimmed() -> None:
    assert shown("<p>\n  a \t b&nbsp;&nbsp;c  </p>") == ["a b c"]


def test_comments_do_not_split_words() -> None:
    assert shown("un<!-- x -->broken") == ["unbroken"]


def test_white_space_and_breaks_of_preformatted_text_are_kept() -> None:
    assert shown("<pre>\n\n  a\n   b<br>c\n\n</pre>") == ["  a\n   b\nc"]


def test_words_are_counted_across_inline_elements() -> None:
    assert counts("<p>un<b>believ</b>able <i>two</i></p>") == [(2, 0)]


def test_a_break_ends_a_word() -> None:
    assert counts("<p>one<br>two</p>") == [(2, 0)]


def test_a_word_belongs_to_where_it_begins() -> None:
    assert counts("<p>pre<a href=x>fix two</a>nd</p>") == [(2, 1)]
    assert counts("<p><a href=x>link</a>ed</p>") == [(1, 1)]


def test_only_links_with_an_address_count() -> None:
    assert counts("<p>a <a href=x>b c</a> <a name=y>d</a></p>") == [(4, 2)]


def test_ideographs_are_words() -> None:
    assert counts("<p>漢字 <a href=x>仮名</a></p>") == [(4, 2)]


def test_characters_are_counted_without_white_space() -> None:
    blocks = tamis.parse("<p>a bc\n <a href=x>d e</a></p>").blocks
    assert blocks.characters.tolist() == [5]
    assert blocks.link_characters.tolist() == [2]


def test_hidden_text_counts_nowhere() -> None:
    page = tamis.parse("<p>a <b hidden>x y</b>b</p>")
    assert [block.text for block in page.blocks] == ["a b"]
    assert page.blocks[0].words == 2
    assert page.blocks[0].span == (0, 6)


def test_the_holder_is_the_nearest_block_element() -> None:
    page = tamis.parse("a<div>b<p><b><i>c</i></b></p><svg><g><text>d</text></g></svg></div>")
    assert holders(page) == ["body", "div", "p", "div"]


def test_text_outside_the_body_has_a_holder() -> None:
    assert holders(tamis.parse("<frameset></frameset><noframes>x</noframes>")) == ["body"]


def test_a_page_without_text_has_no_blocks() -> None:
    blocks = tamis.parse("").blocks
    assert len(blocks) == 0
    assert list(blocks) == []
    assert blocks.first_leaf.tolist() == [0]


def test_blocks_are_a_sequence() -> None:
    blocks = tamis.parse("<p>a<p>b<p>c").blocks
    assert blocks[-1].text == "c"
    assert [block.index for block in blocks] == [0, 1, 2]
    with pytest.raises(IndexError):
        blocks[3]


def test_arrays_of_blocks_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        tamis.parse("<p>a").blocks.words[0] = 5


def test_running_text_shows_the_pieces_it_is_given() -> None:
    page = tamis.parse("<p>one two<br>three <b>four</b></p>")
    assert running_text(page, page.blocks[0].leaves, ["two", "", "four"]) == "two\nfour"
    assert running_text(page, [], []) == ""


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>Press <button>Run</button> now", ["Press Run now"]),
        ("<h3>Units <div><button>US</button><button>Metric</button></div></h3>", ["Units", "US", "Metric"]),
        ("<p>Say <x-y><x-z>this</x-z></x-y> again", ["Say this again"]),
        ("<div><button>US</button><button>Metric</button></div>", ["US", "Metric"]),
    ],
)
def test_buttons_stand_in_the_line_only_where_a_line_holds_them(markup: str, expected: list[str]) -> None:
    page = tamis.parse(markup)
    assert [block.text for block in page.blocks] == expected


def test_pages_and_results_are_freed_at_once() -> None:
    """Nothing they hold holds them, so that their memory does not wait for a search."""
    gc.disable()
    try:
        page = tamis.parse("<h1>One</h1><p>Two words</p><div hidden><p>Three more words</p></div>")
        result = tamis.extract(page)
        assert result.text
        assert page.blocks[0].text == "One"
        remaining = [weakref.ref(thing) for thing in (page, page.blocks, result, result.shown, result.shown.page)]
        del page, result
        assert [reference() for reference in remaining] == [None] * 5
    finally:
        gc.enable()


@given(
    st.lists(
        st.sampled_from(["a", "  ", "<br>", "b<b>c</b>", "<p>", "<pre>", "</pre>", "<i hidden>dd</i>"]), max_size=12
    )
)
def test_the_longest_text_is_the_first_of_those_that_are_as_long(parts: list[str]) -> None:
    blocks = tamis.parse("".join(parts)).blocks
    for every in (1, 2):
        chosen = np.arange(len(blocks)) % every == 0
        texts = [block.text for block, is_chosen in zip(blocks, chosen, strict=True) if is_chosen]
        assert longest_text(blocks, chosen) == max(texts, key=len, default="")
