from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tamis.errors import OptionError
from tamis.extractors._slopes import Sections, Tail, check_tail, cut, low_slope, regions, spread, window_length
from tamis.page.text import Bools

# Tags and words in stretches, as on a page: single coin flips would hardly ever make three low windows in a row.
TOKENS = st.lists(st.tuples(st.booleans(), st.integers(1, 60)), max_size=20).map(
    lambda stretches: [int(is_tag) for is_tag, length in stretches for _ in range(length)]
)
TAILS = st.sampled_from(["extend", "drop"])

PLATEAU = [1, 1, 0] * 100 + [0] * 400 + [1, 1, 0] * 100  # text from token 300 to 699


def marked(tokens: list[int], *, retroactive: bool = False, tail: Tail = "extend") -> Bools:
    sections = cut(np.array(tokens, dtype=np.bool_))
    return spread(sections, regions(low_slope(sections), retroactive=retroactive), tail)


def printed_algorithm(tokens: list[int], *, retroactive: bool, tail: str) -> list[bool]:
    """Gottron's algorithm 3.2 step by step, with the choices that its text leaves open."""
    n = len(tokens)
    if not any(tokens):
        return [True] * n
    d, total = [], 0
    for token in tokens:
        total += token
        d.append(total)
    w = 8 if n < 200 else 50 if n > 5000 else -((-7 * n - 5000) // 800)
    starts = [i for i in range(0, n, w // 2) if i <= n - 1 - w]
    states: list[int] = []
    history, inside = [0, 0], 0
    for i in starts:
        low = int((d[i + w - 1] - d[i]) / w < 0.5 * d[n - 1] / n)
        changed = False
        if inside == 0 and [low, *history] == [1, 1, 1]:
            inside, changed = 1, True
        elif inside == 1 and [low, *history] == [0, 0, 0]:
            inside, changed = 0, True
        states.append(inside)
        if changed and retroactive:
            states[-3:] = [inside] * 3
        history = [low, history[0]]
    marks = [False] * n
    for i, state in zip(starts, states, strict=True):
        for j in range(i, i + w):
            marks[j] = bool(state)
    if states and tail == "extend":
        for j in range(starts[-1], n):
            marks[j] = bool(states[-1])
    return marks


@given(TOKENS, st.booleans(), TAILS)
@example(PLATEAU, False, "extend")
@example(PLATEAU, True, "drop")
def test_regions_are_those_of_the_printed_algorithm(tokens: list[int], retroactive: bool, tail: Tail) -> None:
    expected = printed_algorithm(tokens, retroactive=retroactive, tail=tail)
    assert marked(tokens, retroactive=retroactive, tail=tail).tolist() == expected


def test_a_plateau_is_found_late_and_left_late() -> None:
    places = np.flatnonzero(marked(PLATEAU))
    assert (places[0], places[-1], len(places)) == (315, 706, 392)


def test_a_retroactive_region_begins_and_ends_where_its_sections_do() -> None:
    places = np.flatnonzero(marked(PLATEAU, retroactive=True))
    assert (places[0], places[-1], len(places)) == (301, 692, 392)


@pytest.mark.parametrize(
    ("tokens", "length"),
    [(0, 8), (199, 8), (200, 8), (201, 9), (1000, 15), (4999, 50), (5000, 50), (5001, 50), (10**7, 50)],
)
def test_sections_grow_with_the_page(tokens: int, length: int) -> None:
    assert window_length(tokens) == length


def test_a_section_is_low_below_half_the_slope_of_the_page() -> None:
    rise = np.array([1, 2, 3])  # half the slope of the page is 2 tags in 8 tokens
    sections = Sections(length=8, step=4, tokens=100, tags=50, inner_tags=rise, rise=rise)
    assert low_slope(sections).tolist() == [True, False, False]


def test_the_first_token_of_a_section_does_not_raise_its_curve() -> None:
    sections = cut(np.array([1] + [0] * 9, dtype=np.bool_))
    assert (sections.inner_tags.tolist(), sections.rise.tolist()) == ([1], [0])


@pytest.mark.parametrize(("sections", "opens"), [(2, False), (3, True)])
def test_three_sections_open_a_region(sections: int, opens: bool) -> None:
    few_tags = np.array([0] * 4 + [1] * sections + [0] * 4, dtype=np.bool_)
    assert regions(few_tags, retroactive=False).any() == opens
    assert regions(few_tags, retroactive=True).any() == opens


@pytest.mark.parametrize(("sections", "closes"), [(2, False), (3, True)])
def test_three_sections_close_a_region(sections: int, closes: bool) -> None:
    few_tags = np.array([1] * 4 + [0] * sections + [1], dtype=np.bool_)
    assert regions(few_tags, retroactive=False)[-1] != closes
    assert regions(few_tags, retroactive=True)[-1] != closes


def test_a_page_that_ends_in_text_keeps_its_end_unless_told_to_drop_it() -> None:
    tokens = [1] * 100 + [0] * 50  # the last section covers tokens 140 to 147
    assert marked(tokens)[-10:].all()
    assert marked(tokens, tail="drop")[-10:].tolist() == [True] * 8 + [False] * 2


@pytest.mark.parametrize("length", [1, 7, 8])
def test_a_page_no_longer_than_one_section_has_no_region(length: int) -> None:
    assert not marked([1] + [0] * (length - 1)).any()


@pytest.mark.parametrize("length", [1, 8, 300])
def test_a_page_without_tags_is_one_plateau(length: int) -> None:
    assert marked([0] * length).all()


def test_a_page_of_tags_has_no_plateau() -> None:
    assert not marked([1] * 300).any()


def test_no_tokens_make_no_marks() -> None:
    assert marked([]).tolist() == []


def test_an_unknown_tail_is_refused_with_what_is_known() -> None:
    with pytest.raises(OptionError, match="tail is 'keep', but 'extend' or 'drop'"):
        check_tail("keep")
