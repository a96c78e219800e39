"""What is compiled of the search for dates and headlines, and its readable reference, are one truth, written twice."""

from __future__ import annotations

import inspect
from html import unescape

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tamis
from tamis import kernels
from tamis.about import _reference
from tamis.about.openings import opening_table
from tamis.about.titles import folded
from tamis.page.html import TAG_CODES

_reason = kernels.why_not("tamis.about")
pytestmark = pytest.mark.skipif(
    bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin to compare with"
)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("in 1999 and 2020", [3, 12]),
        ("May '07, ’12", [4, 9]),
        ("3. 4.\n19", [0]),
        ("12/10/08", [1]),
        ("٣/٤/١٩", [0]),
        ("19 May", []),
        ("", []),
        ("20", []),
        ("1.2", []),
    ],
)
def test_places_of_dates_are_found(text: str, places: list[int]) -> None:
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.date_places(text).tolist() == places


@given(st.text(st.sampled_from("0129'’./- \n\u2003年٣a\U0001d7ce"), max_size=40))
def test_twins_agree(text: str) -> None:
    compiled, readable = (twin.date_places(text) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled.dtype == readable.dtype
    assert compiled.tolist() == readable.tolist()


_TITLE = st.text(st.sampled_from("aB_1 \t\u3000-–—|·•»«›‹:/~⋆*⎮｜－漢é&\0"), max_size=24)


@given(_TITLE)
@example("Rain - Post | News")
@example("Rain ---x :: y")
@example("漢 －　b")
def test_separators_of_titles_are_found_the_same(title: str) -> None:
    compiled, readable = (twin.title_cuts(title) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable


def test_separators_of_titles_are_found() -> None:
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.title_cuts("Rain - Post | News: more") == [(4, 7), (11, 14), (18, 20)]
        assert twin.title_cuts("a-b c:d") == []


@given(st.lists(_TITLE, min_size=1, max_size=5), st.integers(0, 12))
@example(["AT&amp;amp;T", "“Rain”", "\u0345 x", "---"], 12)
def test_texts_of_nodes_are_folded_the_same(texts: list[str], most: int) -> None:
    ends = np.cumsum([len(text) for text in texts])
    arguments = "".join(texts), [*range(len(texts))], ends - [len(text) for text in texts], ends, most
    compiled, readable = (twin.folded_nodes(*arguments) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable
    shown = [(place, folded(unescape(text[:most]))) for place, text in enumerate(texts)]
    assert compiled == [(place, text) for place, text in shown if text]


def test_nodes_outside_of_the_page_are_not_folded() -> None:
    one, none = np.array([1]), np.array([0])
    for nodes, starts, ends in (([1], none, one), ([-1], none, one), ([0], none, one + 9), ([0], -one, one)):
        with pytest.raises(IndexError):
            kernels.choose("tamis.about").folded_nodes("abc", nodes, starts, ends, 40)


@given(st.lists(_TITLE, min_size=1, max_size=5), st.sampled_from(["a", "b1", "é", ""]))
def test_beginnings_are_looked_at_the_same(texts: list[str], letters: str) -> None:
    ends = np.cumsum([len(text) for text in texts])
    arguments = "".join(texts), ends - [len(text) for text in texts], ends, letters
    compiled, readable = (twin.may_begin(*arguments) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable
    expected = {place for place, text in enumerate(texts) if folded(text)[:1] in list(letters)}
    assert expected <= set(compiled), "no text that begins so is overlooked"


@pytest.mark.parametrize("seed", range(40))
def test_what_tells_the_headline_is_found_the_same(seed: int) -> None:
    random = np.random.default_rng(seed)
    parts = [
        "<h1>a",
        "<h1>b</h1>",
        "<nav>",
        "</nav>",
        "<h2 hidden>",
        "<h2>c",
        "<svg><title>d",
        "</svg>",
        "<title>e",
        "<meta name=f>",
    ]
    nodes = tamis.parse("".join(random.choice(parts, 30))).nodes
    groups = np.zeros(256, dtype=np.uint8)
    for group, name in enumerate(("title", "meta", "h1", "h2", "nav"), start=1):
        groups[TAG_CODES[name]] = group
    arguments = nodes.tag, nodes.flags, nodes.end, groups, 3, 5
    compiled, readable = (twin.telling_nodes(*arguments) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable


_OPENINGS = opening_table(["by", "fr"])


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("by me", True),
        (" \n By", True),
        ("(me", True),
        ("_", True),
        ("b", False),
        ("bus", False),
        ("", False),
        (" ", False),
    ],
)
def test_a_text_opens_as_the_table_says(text: str, opens: bool) -> None:
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.opening_so(text, np.array([0]), np.array([len(text)]), _OPENINGS) == [0] * opens


@given(st.text(st.sampled_from("byfr (\n\u2003é年\U0001d7ce"), max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_twins_agree_on_how_texts_open(text: str, start: int, end: int) -> None:
    starts, ends = np.array([0, min(start, len(text))]), np.array([len(text), min(end, len(text))])
    compiled, readable = (
        twin.opening_so(text, starts, ends, _OPENINGS) for twin in (kernels.choose("tamis.about"), _reference)
    )
    assert compiled == readable


def test_a_table_that_is_too_small_is_refused() -> None:
    """The kernel reads memory, so it does not trust its arguments."""
    with pytest.raises(IndexError):
        kernels.choose("tamis.about").opening_so("a", np.array([0]), np.array([1]), b"")


def test_every_function_of_one_twin_is_in_the_other() -> None:
    compiled = kernels.choose("tamis.about")
    own = {name for name in dir(compiled) if callable(getattr(compiled, name)) and not name.startswith("_")}
    assert own == {
        name
        for name, function in inspect.getmembers(_reference, inspect.isfunction)
        if function.__module__ == _reference.__name__
    }


_NAMES = st.none() | st.text(st.sampled_from("abAB-_ é漢\U0001d7ce\u212a"), max_size=12)


@given(st.lists(_NAMES, max_size=6))
@example(["", None, "x", "AB", "a b", "bab-A", "\u212aab"])
def test_words_in_names_are_found_the_same(values: list[str | None]) -> None:
    words = ["ab", "bab", "b-a"]
    compiled, readable = (twin.holding(values, words) for twin in (kernels.choose("tamis.about"), _reference))
    assert compiled == readable


def test_words_are_found_in_any_case_wherever_they_stand() -> None:
    values = ["post-Author", None, "authö", "AUTHOR", "auth or", "xx BYLINE"]
    for twin in (kernels.choose("tamis.about"), _reference):
        assert twin.holding(values, ["author", "byline"]) == [0, 3, 5]
