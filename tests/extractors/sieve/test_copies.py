"""Blocks that say again what another block says."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.copies import _holding, copies, repeats_headline

LONG = "The river rose in the night, and by morning the lower road was under water."
OTHER = "Nobody was hurt, said the mayor, but forty houses had to be left in a hurry."


def dropped(markup: str, odds: dict[int, float] | None = None) -> list[int]:
    """Numbers of the blocks that repeat another; all are equally likely unless said otherwise."""
    page = tamis.parse(markup)
    likely = np.zeros(len(page.blocks))
    for number, value in (odds or {}).items():
        likely[number] = value
    found = copies(page, build_containers(page), likely, np.ones(len(page.blocks), dtype=np.bool_))
    return np.flatnonzero(found).tolist()


def test_a_copy_for_other_screens_is_found() -> None:
    assert dropped(f"<p>{LONG}</p><p>{OTHER}</p><div class=mobile><p>{LONG}</p></div>") == [2]


def test_of_two_copies_the_likelier_is_the_original() -> None:
    assert dropped(f"<p>{LONG}</p><p>{OTHER}</p><div class=mobile><p>{LONG}</p></div>", {2: 1.0}) == [0]


def test_a_copy_beside_the_original_is_found_although_it_looks_alike() -> None:
    assert dropped(f"<p>{LONG}</p><p>{LONG}</p>") == [1]


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


@pytest.mark.parametrize("end", ["…", "...", " […] Read more", "… more"])
def test_the_beginning_of_a_text_that_stands_in_full_elsewhere_is_a_copy(end: str) -> None:
    assert dropped(f"<div>{LONG[:60]}{end}</div><p>{LONG} {OTHER}</p>") == [0]
    assert dropped(f"<div>{LONG[:60]}{end}</div><p>{OTHER}</p>") == []


def test_the_headline_shown_again_is_found_outside_structures() -> None:
    page = tamis.parse("<div>Rivers rise</div><h1>Rivers rise</h1><p>Rivers rise!</p><p>Rivers fall</p>")
    content = np.array([False, False, True, False])
    assert repeats_headline(page, np.array([1]), content).tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    ("text", "ranges", "holding"),
    [
        ("a... b c...", [(0, 4), (5, 6), (7, 11)], [0, 2]),
        ("a.....b", [(0, 3), (3, 7)], [1]),  # two dots and three: the mark lies across the border, and behind it
        ("....", [(0, 2), (2, 4)], []),
        ("x ... y", [(0, 1), (6, 7)], []),
        ("...", [(0, 3)], [0]),
    ],
)
def test_marks_are_found_within_ranges_only(text: str, ranges: list[tuple[int, int]], holding: list[int]) -> None:
    starts, ends = ([pair[end] for pair in ranges] for end in (0, 1))
    assert list(_holding(text, "...", starts, ends)) == holding
    assert holding == [number for number, (start, end) in enumerate(ranges) if text.find("...", start, end) >= 0]
