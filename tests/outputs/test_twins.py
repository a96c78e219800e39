"""The compiled kernel of the outputs and its readable reference are one truth, written twice."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.output_twins import output_differences, page_differences
from tamis import kernels, parse
from tamis.outputs import _reference, _reference_markdown
from tamis.outputs._events import BREAK, CLOSE, OPEN, TEXT, CellSpan, Event
from tamis.outputs._notes import Notes
from tamis.outputs._reference import ListPlaces, RowPlaces
from tamis.outputs._walk import Plan
from tamis.page.spans import Span
from tests.hostile import HOSTILE

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted(file for folder in ("examples", "tests/guard") for file in (ROOT / folder).rglob("*.html"))

_reason = kernels.why_not("tamis.outputs")
pytestmark = pytest.mark.skipif(
    bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin to compare with"
)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_pages_of_the_project_give_the_same(file: Path) -> None:
    assert output_differences(file.read_text(encoding="utf-8", errors="replace")) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_give_the_same(name: str) -> None:
    assert output_differences(HOSTILE[name].make(HOSTILE[name].small)) == []


_MARKUP = (
    "<p> <b> <br> </p> <ul> <li> <ul><li> </ul> <dl> <dt> <dd> <i_hidden> </i> <pre> </pre> <svg> </svg> &nbsp; "
    "&#x1F600;".split()
)


@given(
    st.lists(st.one_of(st.text(max_size=6), st.sampled_from(_MARKUP)), max_size=30),
    st.lists(st.tuples(st.integers(-2, 60), st.integers(-2, 60)), max_size=5),
)
def test_any_text_and_any_spans_give_the_same(parts: list[str], ranges: list[tuple[int, int]]) -> None:
    page = parse("".join(parts).replace("_", " "))
    length = len(page.text)
    assert (
        page_differences(page, tuple(Span(min(start, length + 1), min(end, length + 1)) for start, end in ranges)) == []
    )


_INLINE_MARKUP = (
    "<em> </em> <strong> </strong> <b> </b> <del> </del> <code> </code> <sup> </sup> <ruby> </ruby> <br> </p> <p> <h2> "
    "<a_href=/x?a=1&amp;b;c> <a_href=#fn1> </a> <li_id=fn1> <img_src=/i.png_alt=[x]> <td> <table><tr><td> <pre> </pre> "
    "<textarea> </textarea> <dl><dd> <hr> * ** _ ` ~ ~~ [ ] ( ! &lt; &amp; \\ $x$ \\(y\\) # 1. - &nbsp; &#173; a é 1 ."
).split()


@given(st.lists(st.sampled_from(_INLINE_MARKUP), max_size=40), st.sampled_from(["", " ", "\n "]))
def test_any_inline_markup_gives_the_same(parts: list[str], between: str) -> None:
    assert output_differences(between.join(parts).replace("_", " ")) == []


@pytest.mark.parametrize("event", [Event(CLOSE, "em", 1), Event(CLOSE, "a", 1)])
def test_elements_that_close_before_they_open_are_refused(event: Event) -> None:
    for twin in (kernels.choose("tamis.outputs"), _reference):
        with pytest.raises(IndexError):
            twin.inline([Event(TEXT, "", -1, "a"), event], 0, True)


def test_the_place_after_a_paragraph_is_told() -> None:
    stream = [
        Event(OPEN, "p", 1),
        Event(TEXT, "", -1, "a_"),
        Event(BREAK),
        Event(TEXT, "", -1, "b"),
        Event(CLOSE, "p", 1),
    ]
    for twin in (kernels.choose("tamis.outputs"), _reference):
        assert twin.inline(stream, 1, True) == ("a\\_  \nb", 4)
        assert twin.inline([*stream[:2], stream[-1]], 1, True) == ("a\\_", 2)
        assert twin.inline([], 0, True) == ("", 0)


def test_cells_with_more_than_paragraphs_are_left_to_the_caller() -> None:
    def cell(name: str, *inner: Event) -> list[Event]:
        return [Event(OPEN, name, 1, span=CellSpan(2, 1)), *inner, Event(CLOSE, name, 1)]

    plain = cell("th", Event(OPEN, "p", 2), Event(TEXT, "", -1, "a|b"), Event(CLOSE, "p", 2))
    for twin in (kernels.choose("tamis.outputs"), _reference):
        assert twin.cells([*plain, *cell("td")], 0, True) == (
            [("th", "a\\|b", CellSpan(2, 1)), ("td", "", CellSpan(2, 1))],
            7,
        )
        assert twin.cells([*plain, *cell("td", Event(OPEN, "ul", 3), Event(CLOSE, "ul", 3))], 0, True)[1] == 5
        assert twin.cells(plain[:-1], 0, True) == ([], 0)
    with pytest.raises(IndexError):
        kernels.choose("tamis.outputs").cells(plain, -1, True)


def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_reference, "table_cells", lambda *_: (np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64)))
    assert output_differences("<p>one") == ["cells"]


def test_pieces_outside_of_the_text_are_refused() -> None:
    """The kernel reads memory, so it does not trust its arguments."""
    compiled, one, none = kernels.choose("tamis.outputs"), np.array([5]), np.array([0])
    is_apart = np.array([False])
    for node, start, end, first in (
        *((none, start, end, none) for start, end in ((one, one + 1), (none - 1, one), (one, none))),
        (one, none, none, none),
        (none, none, none, one),
        (none, none, none, none - 1),
        (none, none, none, np.array([0, 0])),
    ):
        with pytest.raises(IndexError):
            compiled.written("abc", node, start, end, none, is_apart, none, first, {}, {}, None, None, none[:0])


def test_places_of_no_text_are_refused() -> None:
    compiled, none = kernels.choose("tamis.outputs"), np.array([0])
    pieces = "abc", none, none, none + 3, none, np.array([False]), none, none
    empty, no = np.zeros(0, dtype=np.int64), np.array([False])
    for items, rows in ((ListPlaces(empty, no[:0], empty), None), (None, RowPlaces(no[:0], empty, empty))):
        with pytest.raises(ValueError, match="an array of 1 numbers was expected"):
            compiled.written(*pieces, {}, {}, items, rows, empty)
    for items, rows, listed in (
        (None, RowPlaces(~no, none, none - 1), empty),
        (None, RowPlaces(~no, none, none + 2**40), empty),
        (None, None, none + 1),
    ):
        with pytest.raises(IndexError):
            compiled.written(*pieces, {}, {}, items, rows, listed)
    with pytest.raises(ValueError, match="other characters"):
        compiled.written(*pieces, {0: "\u2014"}, {}, None, None, empty)
    for code, marks in (({0: None}, {}), ({0: 5}, {}), ({}, {0: b"- "})):
        with pytest.raises(TypeError):
            compiled.written(*pieces, code, marks, None, None, empty)
    with pytest.raises(IndexError):
        compiled.runs(none + 5, none, no, np.zeros(1, dtype=np.uint8))


_FAR = np.array([0, 10**12])
_TAGS = np.array([1, 1], dtype=np.uint8)
_NO_TAGS = np.array([False, False])
_ASTRAY: dict[str, tuple[object, ...]] = {
    "list_places": (np.array([1]), _TAGS, _FAR, np.array([2, 2]), ~_NO_TAGS, _NO_TAGS, np.zeros(0, dtype=np.int64)),
    "described": (_TAGS, -_FAR, np.array([True, True]), 1, 2),
    "row_places": (np.array([1]), np.array([-1, -1]), np.array([False, False]), _FAR),
    "beside": (np.array([1]), _TAGS, _FAR, np.arange(3), np.array([False, True])),
    "media": (np.array([1]), _TAGS, _TAGS, np.array([-1, 0]), _FAR, np.arange(2), _NO_TAGS, 1, 0, None),
    "tagged": (np.array([0, 1]), _TAGS, np.array([True])),
    "meaning": (_TAGS, _TAGS, np.array([True]), 1),
    "line_numbers": (_TAGS, 1, np.array([2])),
    "links_in_heads": ("abc", _FAR, _TAGS, np.array([2, 2]), _FAR, _FAR, np.array([True, True]), 1, 5, "a"),
}


@pytest.mark.parametrize("name", _ASTRAY)
def test_nodes_outside_of_the_page_are_refused(name: str) -> None:
    with pytest.raises(IndexError):
        getattr(kernels.choose("tamis.outputs"), name)(*_ASTRAY[name])


def test_what_is_no_array_of_whole_numbers_is_refused() -> None:
    compiled, none, no = kernels.choose("tamis.outputs"), np.array([0]), np.array([False])
    fine: list[Any] = ["abc", none, none, none + 3, none, no, none, none, {}, {}, None, None, none[:0]]
    assert compiled.written(*fine) == "abc"
    for place, wrong in (
        (0, None),
        *(
            (place, wrong)
            for place in (1, 2, 3, 4, 6, 7, 12)
            for wrong in (None, 0, [0], none * 1.0, none.astype("i4"))
        ),
        *((5, wrong) for wrong in (None, [False], none)),
        *((place, np.zeros((2, 2), dtype=np.int64)[:, 0]) for place in (1, 2, 6)),
    ):
        with pytest.raises((TypeError, ValueError)):
            compiled.written(*fine[:place], wrong, *fine[place + 1 :])


def test_columns_that_do_not_fit_the_page_are_refused() -> None:
    page, compiled = parse("<p>abc"), kernels.choose("tamis.outputs")
    nodes, run = page.nodes, page.flow.run
    whole: list[Any] = [nodes.tag, nodes.flags, nodes.parent, nodes.end, nodes.text_start, nodes.text_end, run]
    kept = (Span(0, 3),)
    assert compiled.kept_text(page.text, kept, *whole).node.tolist() == [1, 3, 4]
    for place in (1, 2, 4, 5, 6):
        with pytest.raises(ValueError, match="numbers was expected"):
            compiled.kept_text(page.text, kept, *whole[:place], whole[place][:-1], *whole[place + 1 :])
    for spans in ((Span(0, 3), 3), ((0, 3, 4),), ((0,),)):
        with pytest.raises(ValueError, match="a start and an end"):
            compiled.kept_text(page.text, spans, *whole)
    with pytest.raises(IndexError):
        compiled.kept_text(page.text, kept, *whole[:2], nodes.parent + 10**12, *whole[3:])
    one, none = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    columns = nodes.tag, nodes.flags, nodes.text_start, nodes.text_end, run
    for ends, clutter in ((none, None), (one + 3, np.zeros(2, dtype=np.bool_))):
        with pytest.raises(ValueError, match="numbers was expected"):
            compiled.cut_pieces(page.text, one, ends, clutter, *columns)
    many = np.zeros(len(nodes) + 9, dtype=np.int64)
    assert len(compiled.cut_pieces(page.text, many, many + 3, None, *columns).node) == len(many)
    with pytest.raises(IndexError):
        compiled.list_places(one, nodes.tag, nodes.parent, nodes.end, _NO_TAGS, _NO_TAGS, none)


@given(st.text(alphabet="ab\x00\n\x1c \x7f\xa0\xe9\u2003\u2019\U0001f600", max_size=60), st.integers(0, 9))
def test_any_white_space_gives_the_same(text: str, step: int) -> None:
    """Characters are looked at several at a time."""
    borders = np.arange(0, len(text) + 1, step + 1) if step else np.array([0, len(text)])
    start, end, run = borders[:-1], borders[1:], np.zeros(len(borders) - 1, dtype=np.int64)
    is_apart, first = (np.arange(len(run)) % 3 == 2), np.arange(min(len(run), 1))
    pieces = text, run, start, end, run, is_apart, np.zeros(1, dtype=np.int64), first
    found = [
        twin.written(*pieces, {}, {}, None, None, first[:0]) for twin in (kernels.choose("tamis.outputs"), _reference)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["inline", "blocks", "items", "cells"])
@pytest.mark.parametrize("event", [1, (), (OPEN, "p")])
def test_what_is_no_event_is_refused(name: str, event: object) -> None:
    with pytest.raises(TypeError):
        getattr(kernels.choose("tamis.outputs"), name)([event, event, event], 0, True)


_SPACES = "\t \x1c\x85\xa0\u3000é-"


@given(st.lists(st.none() | st.text(alphabet="ab" + _SPACES, max_size=8), max_size=8))
def test_any_classes_give_the_same(values: list[str | None]) -> None:
    words = frozenset({"a", "ab", "b-a"})
    found = kernels.choose("tamis.outputs").with_words(values, words)
    assert found == _reference.with_words(values, words)
    assert [place for place, value in enumerate(values) if value and words & {*value.split()}] == found


def test_long_words_and_those_of_other_alphabets_are_not_looked_for() -> None:
    for word in ("", "é", "a" * 64):
        with pytest.raises(ValueError, match="short ASCII word"):
            kernels.choose("tamis.outputs").with_words([None], frozenset({word}))


@given(st.lists(st.text(alphabet="1٣.:| \u2003aé汉😀", max_size=4), max_size=6))
def test_numbers_alone_are_found_alike(texts: list[str]) -> None:
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    starts = ends - np.array([len(text) for text in texts], dtype=np.int64)
    asked = "".join(texts), starts, ends, np.arange(len(texts), dtype=np.int64)
    found = [twin.numbers_alone(*asked).tolist() for twin in (kernels.choose("tamis.outputs"), _reference)]
    assert found[0] == found[1] == [place for place, text in enumerate(texts) if not set(text) & {*"aé汉😀"}]


@pytest.mark.parametrize(("start", "end", "node"), [(-1, 1, 0), (0, 4, 0), (0, 1, 1), (0, 1, -1)])
def test_numbers_are_not_looked_for_outside_of_the_page(start: int, end: int, node: int) -> None:
    with pytest.raises(IndexError):
        kernels.choose("tamis.outputs").numbers_alone("123", *(np.array([one]) for one in (start, end, node)))


def test_pieces_outside_of_the_page_are_not_walked() -> None:
    page = parse("<p>abc")
    one, none, is_cut = np.array([len(page.nodes)]), np.array([0]), np.array([False])
    plan = Plan(
        page=page,
        holder=np.zeros(len(page.nodes), dtype=np.int64),
        tables={},
        spans={},
        code=frozenset(),
        plain=frozenset(),
        areas=frozenset(),
        roles={},
        tasks={},
        hrefs={},
        notes=Notes({}, {}, frozenset()),
        has_raw_formulas=False,
    )
    lines = np.zeros(len(page.nodes), dtype=np.int64)
    for node, start, end in ((one, none, none + 1), (none, none, none + 1), (none + 4, none, none + 9)):
        with pytest.raises(IndexError):
            kernels.choose("tamis.outputs").walked(plan, node, start, end, none, is_cut, lines, {})


def test_every_function_of_one_twin_is_in_the_other() -> None:
    compiled = kernels.choose("tamis.outputs")
    readable = {
        name
        for module in (_reference, _reference_markdown)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert all(hasattr(_reference, name) for name in readable)
    own = {name for name in dir(compiled) if callable(getattr(compiled, name)) and not name.startswith("_")}
    assert readable == own - {"CutPieces", "KeptText", "ListPlaces", "RowPlaces", "Runs", "class_table"}
