"""Blocks that stand or fall together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.units import HEADING, KIND_NAMES, STRUCTURES, Units, build_units
from tamis.page.model import Page
from tests.block_pages import FILLED_PAGES
from tests.hostile import HOSTILE

TEXT = "<p>Rain fell on the hills all night, and in the morning the river had risen over its banks.</p>" * 4


def units_of(page: Page) -> Units:
    return build_units(page, build_containers(page))


def groups(markup: str) -> list[tuple[str, str]]:
    """Kind and texts of the units of a page, without the running text around them."""
    page = tamis.parse(markup)
    units = units_of(page)
    texts: list[list[str]] = [[] for _ in range(len(units))]
    for number, block in zip(units.of_block.tolist(), page.blocks, strict=True):
        texts[number].append(block.text)
    found = [(KIND_NAMES[kind], " ".join(own)) for kind, own in zip(units.kind.tolist(), texts, strict=True)]
    return [pair for pair in found if not pair[1].startswith("Rain fell")]


ROWS = "<table><caption>Rivers</caption><tr><th>Name<th>Length<tr><td>Elbe<td>1094<tr><td>Oder<td>866</table>"

NAMED_ROWS = (
    "<div {0}><div {1}><div {2}>Elbe</div><div {2}>1094</div></div><div {1}><div {2}>Oder</div><div {2}>866</div></div>"
    "</div>"
)
CLASSES = ("class=table", "class=table-row", "class=table-cell")
ROLES = ("role=table", "role=row", "role=cell")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (ROWS, [("table", "Rivers Name Length Elbe 1094 Oder 866")]),
        ("<ul><li>one<li>two<ul><li>three</ul></ul>", [("list", "one two three")]),
        ("<pre>a = 1\n\nb = 2</pre>", [("code", "a = 1\n\nb = 2")]),
        ("<blockquote><p>one</p><p>two</p></blockquote>", [("quotation", "one two")]),
        ("<figure><img src=x.png><figcaption>one<p>two</figcaption></figure>", [("figure", "one two")]),
        (
            f"<figure>{ROWS}<figcaption>Source</figcaption></figure>",
            [("figure", "Rivers Name Length Elbe 1094 Oder 866 Source")],
        ),
        (NAMED_ROWS.format(*CLASSES), [("table", "Elbe 1094 Oder 866")]),
        (NAMED_ROWS.format(*ROLES), [("table", "Elbe 1094 Oder 866")]),
        (NAMED_ROWS.format("", "", ""), [("block", "Elbe"), ("block", "1094"), ("block", "Oder"), ("block", "866")]),
        (
            NAMED_ROWS.format(*ROLES).replace("Oder", "Oder " * 50),
            [("block", "Elbe"), ("block", "1094"), ("block", ("Oder " * 50).strip()), ("block", "866")],
        ),
        ("<dl><dt>a<dt>b<dd>c<dd>d<dt>e<dd>f</dl>", [("entry", "a b c d"), ("entry", "e f")]),
        ("<dl><div><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>", [("entry", "a b"), ("entry", "c d")]),
        ("<h2>One<br><br>two</h2>", [("heading", "One two")]),
        ("<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>", [("code", "1\n2 a\nb")]),
        (
            "<table><tr><td><p>left</p><td><h2>right</h2><p>text</p></table>",
            [("block", "left"), ("heading", "right"), ("block", "text")],
        ),
        (
            "<ul><li><h3>Card</h3><p>text</p><p>price</p><li><h3>Card</h3><p>text</p><p>price</p></ul>",
            [("heading", "Card"), ("block", "text"), ("block", "price")] * 2,
        ),
    ],
)
def test_structures_are_units(markup: str, expected: list[tuple[str, str]]) -> None:
    assert groups(TEXT + markup + TEXT) == expected


@pytest.mark.parametrize("markup", [ROWS, TEXT + ROWS.replace("Oder", "Oder " * 90) + TEXT], ids=["most", "long"])
def test_a_table_is_one_unit_whatever_it_holds(markup: str) -> None:
    assert [kind for kind, _ in groups(markup)] == ["table"]


@pytest.mark.parametrize("name", ["ul", "blockquote", "figure"])
def test_what_holds_most_of_the_page_is_no_structure(name: str) -> None:
    item = "li" if name == "ul" else "p"
    assert {kind for kind, _ in groups(f"<{name}><{item}>one<{item}>two</{name}>")} == {"block"}


def test_a_heading_that_was_never_closed_is_none() -> None:
    """What follows it is its content then, and would be taken for one long heading."""
    assert groups("<h1>Floods" + TEXT + "<h2>Dams</h2>" + TEXT) == [("block", "Floods"), ("heading", "Dams")]


def body_of(markup: str, heading: str) -> list[str]:
    page = tamis.parse(markup)
    units = units_of(page)
    texts = [block.text for block in page.blocks]
    unit = units.of_block[texts.index(heading)]
    return texts[units.body_start[unit] : units.body_end[unit]]


@pytest.mark.parametrize(
    ("markup", "body"),
    [
        ("<h2>H</h2><p>a</p><p>b</p>", ["a", "b"]),
        ("<h2>H</h2><p>a</p><h3>I</h3><p>b</p><h2>J</h2><p>c</p>", ["a", "I", "b"]),
        ("<div><div><h2>H</h2></div></div><div><p>a</p></div>", ["a"]),
        ("<header><h2>H</h2></header><p>a</p>", ["a"]),
        ("<section><h2>H</h2></section><p>a</p>", []),
        ("<section><h2>H</h2><p>a</p></section><p>b</p>", ["a"]),
        ("<div><h2>H</h2><p>a</p></div><p>b</p>", ["a"]),
        ("<p>a</p><h2>H</h2>", []),
        ("<details><summary>H</summary><p>a</p></details><p>b</p>", ["a"]),
    ],
)
def test_a_heading_heads_what_follows_in_its_part_of_the_page(markup: str, body: list[str]) -> None:
    assert body_of(markup, "H") == body


@pytest.mark.parametrize(
    ("markup", "around"),
    [
        ("<p>a</p><pre>x</pre><p>b</p>", ("a", "b")),
        ("<p>a</p><div><div><pre>x</pre></div></div><pre>y</pre><h2>H</h2><p>b</p>", ("a", "b")),
        ("<div><p>a</p></div><div><p>c</p><pre>x</pre></div><p>b</p>", ("c", "")),
        ("<pre>x</pre><p>b</p>", ("", "b")),
    ],
)
def test_a_structure_knows_the_text_around_it(markup: str, around: tuple[str, str]) -> None:
    page = tamis.parse(markup)
    units = units_of(page)
    texts = [*(block.text for block in page.blocks), ""]
    unit = units.of_block[texts.index("x")]
    assert (texts[units.before[unit]], texts[units.after[unit]]) == around


@given(FILLED_PAGES)
@settings(max_examples=80)
def test_every_block_is_in_one_unit_and_every_place_on_the_page(page: Page) -> None:
    check(page, units_of(page))


@pytest.mark.parametrize("name", HOSTILE)
def test_units_of_hostile_pages(name: str) -> None:
    page = tamis.parse(HOSTILE[name].make(HOSTILE[name].small)).revealed()
    if len(page.blocks):
        check(page, units_of(page))


def check(page: Page, units: Units) -> None:
    count = len(page.blocks)
    assert np.array_equal(np.unique(units.of_block), np.arange(len(units)))
    firsts = np.unique(units.of_block, return_index=True)[1]
    assert np.array_equal(firsts, np.sort(firsts)), "units come in the order of their first blocks"
    for column in (units.body_start, units.body_end, units.next_head):
        assert ((column >= 0) & (column <= count)).all()
    assert (units.body_start <= units.body_end).all()
    for column in (units.before, units.after, units.follows):
        assert ((column >= -1) & (column < count)).all()
        assert (column[~STRUCTURES[units.kind]] == -1).all()
    assert ((units.level > 0) == (units.kind == HEADING)).all()
