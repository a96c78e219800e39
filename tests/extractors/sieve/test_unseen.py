"""Dialogs and hidden text that nothing reveals are no content; what a click reveals is judged like the rest."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.unseen import unseen

TEXT = "<p>Rain fell on the hills all night, and in the morning the river had risen over its banks.</p>" * 4
NOTE = "<p>The archive opens again in May, and all who come before noon pay half of the price.</p>"


def set_aside(markup: str, *, shows_hidden: bool = False) -> set[str]:
    """First words of the blocks that are set aside although all are likely."""
    page = tamis.parse(markup).revealed()
    words = page.blocks.words.astype(np.float64)
    found = unseen(page, build_containers(page), np.ones(len(words)), words, shows_hidden=shows_hidden)
    if found is None:
        return set()
    return {block.text.split(",")[0] for block, is_unseen in zip(page.blocks, found, strict=True) if is_unseen}


ARCHIVE = {"The archive opens again in May"}


@pytest.mark.parametrize(
    "markup",
    [
        f"<dialog open>{NOTE}</dialog>",
        f"<div role=Dialog>{NOTE}</div>",
        f"<div aria-modal=true><div>{NOTE}</div></div>",
        f"<div style='display:none'>{NOTE}</div>",
        f"<div hidden id=a>{NOTE}</div><a href='/page#a'>elsewhere</a>",
    ],
)
def test_what_lies_over_the_page_or_is_never_shown_is_set_aside(markup: str) -> None:
    assert set_aside(TEXT + markup + TEXT) == ARCHIVE


@pytest.mark.parametrize(
    "markup",
    [
        NOTE,
        f"<a href='#a'>More</a><div id=a hidden>{NOTE}</div>",
        f"<button aria-controls='b a'>More</button><div id=a style='display: none'><div>{NOTE}</div></div>",
        f"<div role=tabpanel hidden>{NOTE}</div>",
        f"<div class=Accordion-body style='display:none'>{NOTE}</div>",
        f"<details>{NOTE}</details>",
    ],
)
def test_what_is_shown_or_can_be_revealed_is_not(markup: str) -> None:
    assert set_aside(TEXT + markup + TEXT) == set()


def test_a_page_that_is_one_dialog_is_read() -> None:
    assert set_aside(f"<div role=dialog>{TEXT}</div>") == set()


def test_hidden_text_that_is_asked_for_is_read() -> None:
    assert set_aside(TEXT + f"<div hidden>{NOTE}</div>", shows_hidden=True) == set()


def test_the_reason_says_so() -> None:
    result = tamis.extract(
        f"<title>Rain</title><h1>Rain</h1><article>{TEXT}<dialog open>{NOTE}</dialog>{TEXT}</article>"
    )
    assert "archive" not in result.text
    assert "dropped: in a dialog, or hidden and revealed by nothing" in (result.rules or ())
