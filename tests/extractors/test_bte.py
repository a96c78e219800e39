"""Body text extraction finds the exact optimum of its authors' objective."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.bte import best_window
from tamis.results import Extraction


def tags(pattern: str) -> list[bool]:
    """``T`` is a tag, ``w`` a word."""
    return [letter == "T" for letter in pattern.replace(" ", "")]


def objective(is_tag: list[bool], first: int, last: int) -> int:
    """Tags before, words inside, tags after; both ends belong to the window."""
    inside = is_tag[first : last + 1]
    return sum(is_tag[:first]) + len(inside) - sum(inside) + sum(is_tag[last + 1 :])


def slow_window(is_tag: list[bool]) -> tuple[int, int]:
    """The best window by trying all; of equals the smallest start, then the smallest end."""
    windows = [(first, last) for first in range(len(is_tag)) for last in range(first, len(is_tag))]
    if not windows or all(is_tag):
        return 0, 0
    first, last = max(windows, key=lambda window: objective(is_tag, *window))
    return first, last + 1


@pytest.mark.parametrize(
    ("pattern", "window"),
    [
        ("T T w w w T w w T T", (2, 8)),
        ("T T w T T w w w T w w T T w T", (5, 11)),
        ("w", (0, 1)),
        ("w T w", (0, 1)),
        ("w T w w", (0, 4)),
        ("w w T w", (0, 2)),
        ("T w", (1, 2)),
        ("T", (0, 0)),
        ("", (0, 0)),
    ],
)
def test_the_window_has_the_most_words_inside_and_the_most_tags_outside(pattern: str, window: tuple[int, int]) -> None:
    assert best_window(np.array(tags(pattern), dtype=np.bool_)) == window


@given(st.lists(st.booleans(), max_size=25))
def test_the_window_is_the_one_found_by_trying_all(is_tag: list[bool]) -> None:
    assert best_window(np.array(is_tag, dtype=np.bool_)) == slow_window(is_tag)


def test_the_objective_of_the_printed_example_is_nine() -> None:
    assert objective(tags("T T w w w T w w T T"), 2, 7) == 9


def test_an_article_between_menus_is_kept() -> None:
    menu = "<ul><li><a href=a>Home</a></li><li><a href=b>News</a></li></ul>"
    page = tamis.parse(f"{menu}<p>Seven words that <b>say</b> something at all</p><p>and four more here</p>{menu}")
    extraction = tamis.extract(page, method="bte")
    assert kept(extraction) == ["Seven words that say something at all" + "and four more here"]


def test_hidden_text_inside_the_window_is_left_out() -> None:
    extraction = tamis.extract("<p>one two three <i hidden>secret</i> four five</p>", method="bte")
    assert kept(extraction) == ["one two three ", " four five"]


def test_words_that_moved_in_front_of_a_table_are_taken_from_where_they_stand() -> None:
    page = tamis.parse("<p>a b c d e<table><tr><td>cell one two three</td></tr>moved</table>f g h i j k</p>")
    extraction = tamis.extract(page, method="bte")
    assert "".join(page.text[start:end] for start, end in extraction.spans) == page.text


def test_a_page_without_words_gives_nothing() -> None:
    extraction = tamis.extract("<p><br></p>", method="bte")
    assert extraction.spans == ()
    assert extraction.status == "empty"


def kept(extraction: Extraction) -> list[str]:
    return [extraction.page.text[start:end] for start, end in extraction.spans]
