"""The linear views: compiled and readable twins agree, and so do both ways to find words of the source in the text."""

from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis import kernels
from tamis.page.source import _reference, build_tokens
from tamis.page.source.kernel import kernel
from tamis.page.text import word_ranges
from tests.hostile import HOSTILE

_reason = kernels.why_not("tamis.page.source")
needs_kernel = pytest.mark.skipif(
    bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin to compare with"
)
MARKUP = st.lists(
    st.sampled_from(
        "<table>|</table>|<tr>|</tr>|<td>|</td>|<th>|<tbody>|<caption>|</caption>|<b>|</b>|<p>|</p>|<div>|</div>|"
        "<select>|<option>|<pre>|\n|<!-- c -->|<script>x y</script>|<textarea>a</textarea>|<title>t</title>|&amp;|"
        "&nbsp;|a|a b|漢| |<frameset>|<svg>|<template>|<noscript>|<body>|<iframe srcdoc='a'>|\0".split("|")
    ),
    max_size=14,
).map("".join)


def plain(values: object) -> list[object]:
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in values]  # type: ignore[attr-defined]


@given(MARKUP)
def test_words_have_the_same_places_with_and_without_a_second_parse(markup: str) -> None:
    page = tamis.parse(markup)
    quick = build_tokens(page)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "places_in_order", lambda *_: None)
        thorough = build_tokens(page)
    for field in dataclasses.fields(quick):
        assert getattr(quick, field.name).tolist() == getattr(thorough, field.name).tolist(), field.name


def test_text_that_a_table_moves_is_found_where_it_went() -> None:
    page = tamis.parse("<table>b<tr><td>a</td></tr>a</table>")
    starts = page.tokens.start[~page.tokens.is_tag].tolist()
    assert page.text == "baa"
    assert starts == [0, 2, 1]


@needs_kernel
@given(st.text(st.sampled_from("ab \n\xa0漢\U0001f600"), max_size=30), st.text(st.sampled_from("ab \n漢"), max_size=30))
def test_twins_agree_on_places(source: str, other: str) -> None:
    compiled = kernels.choose("tamis.page.source")
    starts, ends = word_ranges(source)
    for text in (source, other, " ".join(source), source.replace(" ", ""), source + other):
        ours, theirs = (twin.places_in_order(source, text, starts, ends) for twin in (compiled, _reference))
        assert (ours is None) == (theirs is None)
        assert plain(ours or ()) == plain(theirs or ())
    assert (
        compiled.code_lengths(source, starts, ends).tolist() == _reference.code_lengths(source, starts, ends).tolist()
    )


@needs_kernel
@pytest.mark.parametrize("letter", ["a", "é", "漢", "\U0001f600"])
@pytest.mark.parametrize("length", [0, 1, 4_093, 4_094, 4_095, 4_096, 9_000])
def test_twins_agree_on_nameless_ends(letter: str, length: int) -> None:
    compiled = kernels.choose("tamis.page.source")
    for end in ("", "<", "</", "</>", "</>b</>", "</ >", "<//>"):
        markup = letter * length + end
        assert compiled.without_nameless_ends(markup) == _reference.without_nameless_ends(markup)
        assert len(compiled.without_nameless_ends(markup)) == len(markup)


@needs_kernel
@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_twins_agree_on_tokens(name: str) -> None:
    compiled, markup = kernels.choose("tamis.page.source"), tamis.parse(HOSTILE[name].make(HOSTILE[name].small)).source
    kinds = {kind: int(kind) for kind in turbohtml.TokenType}
    both = [
        plain(twin.read_events(turbohtml.tokenize(markup, capture_source=True), kinds, {"p", "script"}))
        for twin in (compiled, _reference)
    ]
    assert both[0] == both[1]


@needs_kernel
def test_ranges_outside_of_the_source_are_refused() -> None:
    """The kernel reads memory, so it does not trust its arguments."""
    for start, end in ((-1, 2), (2, 1), (0, 4)):
        with pytest.raises(ValueError, match="outside"):
            kernels.choose("tamis.page.source").code_lengths("abc", np.array([start]), np.array([end]))


@needs_kernel
def test_every_function_of_one_twin_is_in_the_other() -> None:
    compiled = kernels.choose("tamis.page.source")
    own = {name for name in dir(compiled) if callable(getattr(compiled, name)) and not name.startswith("_")}
    assert own - {"Events", "class_table"} == {
        name
        for name, function in inspect.getmembers(_reference, inspect.isfunction)
        if function.__module__ == _reference.__name__
    }
