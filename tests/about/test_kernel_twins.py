"""The compiled search for dates and its readable reference are one truth, written twice."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis import kernels
from tamis.about import _reference
from tamis.about.openings import opening_table

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
