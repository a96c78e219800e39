"""The glossary explains the words that the documentation and the public names are made of, each once."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tamis import registry
from tamis.batch import STATUSES as OUTCOMES
from tests.docs.stage import ROOT

ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", (ROOT / "docs/glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
WORDS = [word.strip() for words, _ in ROWS if words not in ("word", "---") for word in words.split(",")]
HOUSE = "page node block token box span region template cluster label feature method options extraction".split()


@pytest.mark.parametrize("word", [*HOUSE, *(kind.removesuffix("s") for kind in registry.FUNCTIONS)])
def test_words_of_the_public_names_are_explained(word: str) -> None:
    assert word in WORDS


def test_a_word_is_explained_once() -> None:
    assert [word for word, count in Counter(WORDS).items() if count > 1] == []


def test_all_outcomes_of_a_record_are_named() -> None:
    meaning = dict(ROWS)["outcome"]
    assert [status for status in OUTCOMES if status not in meaning] == []
