"""What a range allows, and what is said of a number outside."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import OptionError
from tamis.ranges import COUNT, FINITE, NOT_NEGATIVE, POSITIVE, SHARE, SOME_SHARE, Range, check_range, check_ranges

HALF_OPEN = Range(0, 1, is_open_above=True)


@pytest.mark.parametrize(
    ("allowed", "inside", "outside"),
    [
        (SHARE, (0, 0.5, 1), (-0.001, 1.001, math.nan, math.inf)),
        (SOME_SHARE, (0.001, 1), (0, 1.001, math.nan)),
        (HALF_OPEN, (0, 0.999), (-1, 1)),
        (POSITIVE, (0.001, math.inf), (0, -1, math.nan)),
        (FINITE, (0.001, 1e300), (0, math.inf, math.nan)),
        (NOT_NEGATIVE, (0, 5, math.inf), (-0.1, math.nan)),
        (COUNT, (1, 2), (0, -1)),
    ],
    ids=str,
)
def test_a_range_ends_where_it_says(allowed: Range, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    assert [value for value in inside if value not in allowed] == []
    assert [value for value in outside if value in allowed] == []


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        (SHARE, "from 0 to 1"),
        (SOME_SHARE, "above 0 and at most 1"),
        (HALF_OPEN, "from 0 to below 1"),
        (POSITIVE, "above 0"),
        (FINITE, "above 0"),
        (COUNT, "at least 1"),
        (Range(0, 9, is_open=True, is_open_above=True), "above 0 and below 9"),
    ],
)
def test_what_is_outside_is_refused_by_name(allowed: Range, said: str) -> None:
    with pytest.raises(OptionError, match=f"^width is -1, but must be {said}$"):
        check_range("width", -1, allowed)


def test_the_first_field_outside_is_named_and_none_is_no_number() -> None:
    options = SimpleNamespace(k=None, share=0.5, pages=0)
    check_ranges(options, k=COUNT, share=SHARE)
    with pytest.raises(OptionError, match="pages is 0"):
        check_ranges(options, k=COUNT, share=SHARE, pages=COUNT)


@given(st.floats(), st.floats(allow_nan=False), st.floats(allow_nan=False), st.booleans(), st.booleans())
def test_a_range_is_two_comparisons(value: float, least: float, most: float, below: bool, above: bool) -> None:
    allowed = Range(least, most, is_open=below, is_open_above=above)
    expected = (least < value if below else least <= value) and (value < most if above else value <= most)
    assert (value in allowed) == expected
