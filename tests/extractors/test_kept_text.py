from __future__ import annotations

import numpy as np

import tamis
from tamis.extractors._kept_text import block_reasons, kept_spans
from tamis.page.model import Page
from tamis.page.text import Bools


def texts_with(page: Page, *contents: str) -> Bools:
    return np.array(
        [page.name(node) == "#text" and page.node_text(node) in contents for node in range(len(page.nodes))]
    )


def test_white_space_between_kept_texts_is_kept() -> None:
    page = tamis.parse("<p><b>one</b> <i>two</i><u>three</u></p>")
    spans = kept_spans(page, texts_with(page, "one", " ", "two"))
    assert "".join(page.text[start:end] for start, end in spans) == "one two"


def test_white_space_alone_is_not_kept() -> None:
    page = tamis.parse("<p><b>one</b> <i>two</i></p>")
    assert kept_spans(page, texts_with(page, " ")) == ()


def test_hidden_text_is_not_kept() -> None:
    page = tamis.parse("<p>one<b hidden>two</b></p>")
    assert kept_spans(page, texts_with(page, "one", "two")) == ((0, 3),)


def test_nothing_is_kept_of_nothing() -> None:
    page = tamis.parse("")
    assert kept_spans(page, np.ones(len(page.nodes), dtype=np.bool_)) == ()
    assert block_reasons(page, np.zeros(len(page.nodes), dtype=np.int64), ("",)) == ()


def test_the_lowest_reason_of_a_block_counts_and_white_space_has_none() -> None:
    page = tamis.parse("<p><b>one</b> <i>two</i></p><p>three</p>")
    numbers = 2 * texts_with(page, "one") + 1 * texts_with(page, "two") + 2 * texts_with(page, "three")
    assert block_reasons(page, numbers.astype(np.int64), ("zero", "first", "second")) == ("first", "second")
