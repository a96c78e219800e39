"""Blocks that say again what another block says."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tamis
from tamis.about.titles import folded
from tamis.extractors.sieve import _reference
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.copies import copies, repeats_headline
from tamis.extractors.sieve.decide import ELLIPSIS_TAIL
from tamis.extractors.sieve.kernel import kernel
from tamis.extractors.sieve.units import KIND_NAMES, build_units
from tamis.page.text import Ints

LONG = "The river rose in the night, and by morning the lower road was under water."
OTHER = "Nobody was hurt, said the mayor, but forty houses had to be left in a hurry."


def dropped(markup: str, odds: dict[int, float] | None = None) -> list[int]:
    """Numbers of the blocks that repeat another; all are equally likely unless said otherwise."""
    page = tamis.parse(markup)
    likely = np.zeros(len(page.blocks))
    for number, value in (odds or {}).items():
        likely[number] = value
    containers = build_containers(page)
    return copies(page, containers, likely, build_units(page, containers))


def test_a_copy_for_other_screens_is_found() -> None:
    assert dropped(f"<p>{LONG}</p><p>{OTHER}</p><div class=mobile><p>{LONG}</p></div>") == [2]


def test_of_two_copies_the_likelier_is_the_original() -> None:
    assert dropped(f"<p>{LONG}</p><p>{OTHER}</p><div class=mobile><p>{LONG}</p></div>", {2: 1.0}) == [0]


def test_a_copy_beside_the_original_is_found_although_it_looks_alike() -> None:
    assert dropped(f"<p>{LONG}</p><p>{LONG}</p>") == [1]


@pytest.mark.parametrize("twin", [_reference, kernel])
@pytest.mark.parametrize(("opening", "broken"), [(3, [1]), (4, [1]), (5, [])])
def test_of_what_breaks_off_only_what_begins_as_another_text_is_looked_at(
    twin: ModuleType, opening: int, broken: list[int]
) -> None:
    page = tamis.parse("<p>Read all of it</p><p>Readers who read…</p><p>Nobody does</p>")
    units = build_units(page, build_containers(page))
    every = np.ones(len(KIND_NAMES), dtype=np.uint8)
    assert twin.long_texts(page, units, every, 1, 1, opening)[2] == broken


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{LONG}</p><p>{OTHER}</p>",
        f"<p>{LONG}</p><p>{OTHER}</p><p>{LONG}</p>",  # a refrain, or the terms of each offer
        "<p>Not at all, he said.</p><div><p>Not at all, he said.</p></div>",
        f"<p>{LONG * 9}</p><div><p>{OTHER * 9}</p></div>",  # too long for quotes
    ],
)
def test_what_is_short_or_looks_alike_may_be_said_again(markup: str) -> None:
    assert dropped(markup) == []


@pytest.mark.parametrize(
    "quote", ["<aside><p>{}</p></aside>", "<blockquote>{}</blockquote>", "<div class=pullquote>{}</div>"]
)
def test_a_pull_quote_repeats_a_sentence_of_the_text(quote: str) -> None:
    assert dropped(f"<p>{OTHER} {LONG}</p>{quote.format(LONG)}") == [1]
    assert dropped(f"<p>{OTHER}</p>{quote.format(LONG)}") == []
    assert dropped(f"<p>{OTHER} Früher, Ärger: {LONG}</p>{quote.format(f'Früher, ärger {LONG}')}") == [1]


@pytest.mark.parametrize("end", ["…", "...", " […] Read more", "… more"])
def test_the_beginning_of_a_text_that_stands_in_full_elsewhere_is_a_copy(end: str) -> None:
    assert dropped(f"<div>{LONG[:60]}{end}</div><p>{LONG} {OTHER}</p>") == [0]
    assert dropped(f"<div>{LONG[:60]}{end}</div><p>{OTHER}</p>") == []


def test_the_headline_shown_again_is_found_outside_structures() -> None:
    page = tamis.parse(
        "<div>Rivers rise</div><h1>Rivers rise</h1><p>Rivers rise!</p><p>Rivers fall</p>"
        "<ul><li>Rivers rise</li><li>Lakes stay</li></ul><p>Rivers rise; what was said of them is another story</p>"
    )
    assert repeats_headline(page, range(1, 2), build_units(page, build_containers(page))) == [0, 2]


def both(name: str, *arguments: Any) -> list[bool]:
    """What the twins answer, which is the same."""
    ours, theirs = (getattr(twin, name)(*arguments) for twin in (kernel, _reference))
    assert ours.tolist() == theirs.tolist()
    found: list[bool] = ours.tolist()
    return found


def as_ranges(texts: Sequence[str]) -> tuple[str, Ints, Ints]:
    """Texts behind each other, and where each begins and ends."""
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return "".join(texts), np.append(0, ends[:-1]), ends


@pytest.mark.parametrize(
    ("text", "breaks"),
    [
        ("A text that goes on...", True),
        ("A text that goes on…", True),
        ("A text that ends..", False),
        ("A text.. .that ends", False),
        ("... " + "x" * (ELLIPSIS_TAIL - 4), True),
        ("... " + "x" * (ELLIPSIS_TAIL - 3), False),
        ("…\n \t" + "x" * (ELLIPSIS_TAIL - 2) + " \n", True),
        ("…\n \t" + "x" * (ELLIPSIS_TAIL - 1) + " \n", False),
        ("кот…", True),
        ("😀...", True),
        ("", False),
    ],
)
def test_a_text_breaks_off_at_an_ellipsis_near_its_end(text: str, breaks: bool) -> None:
    assert both("break_off", *as_ranges(["..", text, "..."])) == [False, breaks, True]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Rivers rise 2", True),
        (" “RIVERS – rise: 2!” ", True),
        ("Rivers rise", False),
        ("Rivers rise 22", False),
        ("Riversrise 2", False),
        ("Rivers rise 2 é", False),
        ("ﬁ Rivers rise 2", False),
        ("", False),
    ],
)
def test_a_text_says_what_is_wanted_but_for_case_and_marks(text: str, says: bool) -> None:
    assert both("says", *as_ranges(["x", text]), "rivers rise 2") == [False, says]
    assert both("says", *as_ranges([text, "ÉTÉ!"]), "été") == [False, True]
    assert both("says", *as_ranges([text]), "") == [not text]


@given(st.lists(st.text(alphabet="ab \n", max_size=24), min_size=1, max_size=9))
@example(["1", "11", "11"])  # a text that begins and ends as no other, and one that is these ends
def test_texts_are_the_same_whatever_their_white_space(texts: list[str]) -> None:
    both("same_texts", *as_ranges(texts))


@given(st.lists(st.text(alphabet="aB1 -_.’éßK\u0345漢", max_size=12), min_size=1, max_size=6))
def test_blocks_are_folded_like_any_text(texts: list[str]) -> None:
    page = tamis.parse("".join(f"<p>x{text}</p>" for text in texts))
    numbers = list(range(0, len(page.blocks), 2))
    expected = [folded(page.text[slice(*page.blocks[number].span)]) for number in numbers]
    assert kernel.folded_blocks(page, numbers) == _reference.folded_blocks(page, numbers) == expected


@given(st.lists(st.text(alphabet="tabTAbleé=İ ", max_size=12), max_size=6))
def test_words_are_found_in_names_whatever_their_case(names: list[str]) -> None:
    words = ("table", "tab", "able", "ble", "tt=a")
    expected = [word for word in words if any(word in name.lower() for name in names)]
    assert kernel.words_in(tuple(names), words) == _reference.words_in(tuple(names), words) == expected
