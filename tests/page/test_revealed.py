"""Pages seen otherwise: hidden blocks shown, the end cut off; and what elements are called."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import tamis
from tamis.page.html import INLINE_NAMES
from tamis.page.model import HIDDEN, UNRENDERED, Page
from tests.block_pages import MARKUP, PAGES


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<p>a</p><p hidden>b</p>", ["a", "b"]),
        ("<p>a</p><div style='display:none'><p>b</p>c</div>", ["a", "b", "c"]),
        ("<p>a</p><section aria-hidden=true><h2>b</h2></section>", ["a", "b"]),
        ("<p>a <span hidden>icon</span> b</p>", ["a b"]),
        ("<p>a <b style='display:none'>x</b></p><ul hidden><li>b</li></ul>", ["a", "b"]),
        ("<span hidden><p>b</p></span>", ["b"]),  # an inline element that holds a block hides a block
        ("<div hidden><p>b <span hidden>x</span></p></div>", ["b x"]),  # it is hidden as all of its line was
        ("<p>a</p><template><p>b</p></template><script>c</script>", ["a"]),  # never shown, not hidden
        ("<p>a</p><div hidden><template><p>b</p></template>c</div>", ["a", "c"]),
        ("<dialog><p>b</p></dialog><p>a</p>", ["b", "a"]),
    ],
)
def test_blocks_that_hide_themselves_are_shown(markup: str, shown: list[str]) -> None:
    assert texts(tamis.parse(markup).revealed()) == shown


def test_a_page_that_hides_no_blocks_is_itself() -> None:
    page = tamis.parse("<p>a <span hidden>b</span></p>")
    assert page.revealed() is page


@given(PAGES)
@settings(max_examples=50)
def test_only_what_is_hidden_changes(page: Page) -> None:
    before = page.nodes.flags.copy()
    shown = page.revealed()
    assert np.array_equal(page.nodes.flags, before)
    assert shown.text is page.text
    assert np.array_equal(shown.nodes.parent, page.nodes.parent)
    assert np.array_equal(shown.nodes.flags | HIDDEN, page.nodes.flags | HIDDEN)
    assert np.array_equal(shown.hidden_flags, before)
    assert set(page.nodes.visible_texts.tolist()) <= set(shown.nodes.visible_texts.tolist())
    assert shown.revealed().nodes.flags.tolist() == shown.nodes.flags.tolist()
    assert shown.description == page.description


@given(PAGES)
@settings(max_examples=50)
def test_what_stays_hidden_are_inline_elements_without_blocks(page: Page) -> None:
    shown = page.revealed()
    for node in np.flatnonzero(shown.nodes.flags & HIDDEN).tolist():
        name = page.name(node)
        assert name in INLINE_NAMES or name.startswith("#")


def test_a_revealed_page_cannot_be_written_to() -> None:
    shown = tamis.parse("<p hidden>b</p>").revealed()
    assert not shown.nodes.flags.flags.writeable
    assert not shown.blocks.start.flags.writeable


def test_a_cut_page_ends_before_the_node_and_says_so() -> None:
    page = tamis.parse("<p>a</p><p>b <b>c</b></p><p>d</p>")
    leaf = page.blocks[1].leaves[0]
    cut = page.cut(leaf, "enough")
    assert texts(cut) == ["a"]
    assert (cut.truncated, cut.warnings) == (True, ("truncated: enough",))
    assert texts(page.cut(page.blocks[1].leaves[1], "enough")) == ["a", "b"]
    assert (page.truncated, page.warnings, texts(page)) == (False, (), ["a", "b c", "d"])


@given(MARKUP)
@settings(max_examples=50)
def test_cutting_at_a_block_leaves_the_blocks_before_it(markup: str) -> None:
    page = tamis.parse(markup).revealed()
    for number, block in enumerate(page.blocks):
        cut = page.cut(block.leaves[0], "here")
        assert texts(cut) == texts(page)[:number]
        assert cut.text == page.text
        assert ((cut.nodes.flags & UNRENDERED) != 0)[block.leaves[0] :].all()
        assert np.array_equal(cut.hidden_flags, page.hidden_flags)


def test_warnings_add_up() -> None:
    page = tamis.parse("plain text").cut(1, "first").cut(1, "second")
    assert page.warnings[-2:] == ("truncated: first", "truncated: second")
    assert page.warnings[0].startswith("plain text")


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ("", ""),
        ("class='a  B'", "a  B"),
        ("id=main", " #main"),
        ("class=a id=b role=main itemprop=name", "a #b role=main prop=name"),
        ("itemprop=x role=y class=z", "z role=y prop=x"),
        ("class id='' role", ""),
        ("title=x data-class=y", ""),
    ],
)
def test_an_element_is_called_by_its_classes_id_role_and_property(attributes: str, name: str) -> None:
    page = tamis.parse(f"<p {attributes}>x</p>")
    found = page.names(np.arange(len(page.nodes)))
    assert found[page.select("p")[0]] == name
    assert [called for called in found if called != name] == [""] * (len(found) - 1 if name else 0)


def test_what_is_no_element_has_no_name() -> None:
    page = tamis.parse("<!doctype html><!-- class=a --><p class=a>text</p>")
    names = dict(zip(map(page.name, range(len(page.nodes))), page.names(np.arange(len(page.nodes))), strict=True))
    assert names.pop("p") == "a"
    assert not any(names.values())
    assert page.names(np.zeros(0, dtype=np.int64)) == []


def test_names_can_be_written_down() -> None:
    page = tamis.parse("<p class='a\ud800b' id=c>x</p><p class=d>y</p>")
    assert page.names(np.array(page.select("p"))) == ["a\ufffdb #c", "d"]
