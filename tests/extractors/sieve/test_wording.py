"""What blocks say: words, beginnings and whole short texts, weighed by a learned table."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.sieve import _reference, kernel
from tamis.extractors.sieve.containers import build_containers
from tamis.extractors.sieve.features import FAMILIES, PLACES, word_columns
from tamis.extractors.sieve.features.wording import LONGEST, MOST, WordTable, code, phrases, said
from tamis.page.load import parse
from tests.toy_model import toy_model


def table_of(weights: dict[str, int]) -> WordTable:
    found = sorted((code(phrase), weight) for phrase, weight in weights.items())
    return WordTable(*np.array(found, dtype=np.int64).reshape(-1, 2).T.copy())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("— · —", []),
        ("Home", ["home", "^home", "=home"]),
        ("ΟΔΟΣ Åsa", ["οδοσ", "åsa", "^οδοσ", "^οδοσ åsa", "=οδοσ åsa"]),  # letter by letter: no final sigma
        ("阅读更多", ["阅读", "读更", "更多", "^阅读", "^阅读 读更", "=阅读 读更 更多"]),
        ("字 a1b", ["字", "a", "0", "b", "^字", "^字 a", "=字 a 0 b"]),
        ("one two three four five", ["one", "two", "three", "four", "five", "^one", "^one two"]),
    ],
)
def test_words_beginnings_and_short_texts_are_phrases(text: str, expected: list[str]) -> None:
    assert phrases(text) == expected


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert len(phrases("word " * 100)) == MOST + 2
    assert phrases("x" * 1000)[0] == "x" * LONGEST


def test_the_sum_is_divided_by_the_root_of_all_phrases_known_or_not() -> None:
    page = parse("<p>Subscribe now</p><p>The river rose</p>")
    columns = dict(
        zip(
            FAMILIES["wording"],
            word_columns(*said(page), table_of({"subscribe": -1500, "river": 400, "^the": 200})),
            strict=True,
        )
    )
    assert columns["wording"].tolist() == pytest.approx([-1.5 / math.sqrt(5), 0.6 / math.sqrt(6)])
    assert columns["best_wording"].tolist() == pytest.approx([0, 0.4])
    assert columns["worst_wording"].tolist() == pytest.approx([-1.5, 0])


def test_an_empty_table_says_nothing() -> None:
    assert not word_columns(*said(parse("<p>Subscribe now")), table_of({})).any()


def test_the_phrase_that_weighs_most_is_named() -> None:
    assert table_of({"read": -200, "=read more": -900, "more": 500}).strongest("Read more") == ("=read more", -900)
    assert table_of({"read": -200, "=read more": -100, "more": 250}).strongest("Read more") == ("read", -200)
    assert table_of({}).strongest("Read more")[1] == 0


LETTERS = st.text(st.sampled_from("abZ ÉßİΣσ1²٣_-—字かー・é한गा\U00020000\U0001f600\n"), max_size=60)


@given(st.lists(LETTERS, min_size=1, max_size=4))
def test_both_twins_read_the_same(texts: list[str]) -> None:
    page = parse("".join(f"<p>{text}</p>" for text in texts))
    if not len(page.blocks):
        return
    known = sorted({phrase for text in texts for phrase in phrases(text)})[::2]
    table = table_of({phrase: 7 * place - 20 for place, phrase in enumerate(known)})
    containers = build_containers(page)
    names = toy_model().class_names
    rows = [PLACES[name] for name in FAMILIES["wording"]]
    first = kernel.kernel.read_evidence(page, containers, names, table).columns[rows]
    second = _reference.read_evidence(page, containers, names, table).columns[rows]
    assert np.array_equal(first, second)


def test_a_reason_names_the_phrase() -> None:
    story = "The river rose in the night, and nobody slept. " * 9
    result = tamis.extract(f"<h1>River</h1><p>{story}</p><div>We use cookies to measure how this site is used.</div>")
    assert re.search(r"-\d\.\d says cookies\b", result.blocks[-1].reason)
