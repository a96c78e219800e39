"""What a character and what a word is."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.page.text import IDEOGRAPH, LETTER, SPACE, char_classes, collapse, word_ranges, word_starts, words

ALL = "".join(map(chr, range(sys.maxunicode + 1)))


def test_white_space_is_what_python_says_in_all_of_unicode() -> None:
    spaces = np.flatnonzero(char_classes(ALL) == SPACE).tolist()
    assert spaces == [code for code, character in enumerate(ALL) if character.isspace()]


def test_ascii_alone_is_classified_as_among_other_characters() -> None:
    ascii_only = ALL[:128]
    assert char_classes(ascii_only).tolist() == char_classes(ascii_only + "漢")[:-1].tolist()


@pytest.mark.parametrize("character", "漢 字 あ ア 々 ไ ລ က ក 豈 ｱ 𠀀 㐀 ⺀".split())
def test_scripts_without_spaces_have_one_word_per_character(character: str) -> None:
    assert char_classes(character).tolist() == [IDEOGRAPH]
    assert words(character * 3) == [character] * 3


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0x0E00, 0x0EFF),  # Thai, Lao
        (0x1000, 0x109F),  # Myanmar
        (0x1780, 0x17FF),  # Khmer
        (0x2E80, 0x2FDF),  # CJK Radicals Supplement, Kangxi Radicals
        (0x3005, 0x3007),  # iteration mark, closing mark, zero
        (0x3040, 0x30FF),  # Hiragana, Katakana
        (0x31F0, 0x31FF),  # Katakana Phonetic Extensions
        (0x3400, 0x4DBF),  # CJK Unified Ideographs Extension A
        (0x4E00, 0x9FFF),  # CJK Unified Ideographs
        (0xF900, 0xFAFF),  # CJK Compatibility Ideographs
        (0xFF66, 0xFF9D),  # halfwidth Katakana
        (0x20000, 0x323AF),  # Extensions B to H
    ],
)
def test_blocks_of_scripts_without_spaces_begin_and_end_where_unicode_says(first: int, last: int) -> None:
    classes = char_classes("".join(map(chr, (first - 1, first, last, last + 1)))).tolist()
    assert classes == [LETTER, IDEOGRAPH, IDEOGRAPH, LETTER]


@pytest.mark.parametrize("character", "a é я α א ب 한 1 . - _ 。 😀 \u200b \u0301 \ufeff".split())
def test_other_characters_make_words_together(character: str) -> None:
    assert char_classes(character).tolist() == [LETTER]
    assert words(character * 3) == [character * 3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("   ", []),
        ("a", ["a"]),
        (" a  b\n", ["a", "b"]),
        ("a\u00a0b\u2003c\u3000d", ["a", "b", "c", "d"]),
        ("ab漢cd", ["ab", "漢", "cd"]),
        ("don't stop-gap", ["don't", "stop-gap"]),
    ],
)
def test_words_are_split_at_white_space_and_around_ideographs(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_words_are_the_text_without_white_space(text: str) -> None:
    assert "".join(words(text)) == "".join(text.split())


@given(st.text(), st.lists(st.integers(0, 40), unique=True).map(sorted))
def test_a_break_begins_a_new_word(text: str, breaks: list[int]) -> None:
    borders = [0, *(place for place in breaks if 0 < place < len(text)), len(text)]
    parts = [text[first:last] for first, last in itertools.pairwise(borders)]
    starts, ends = word_ranges(text, np.array(breaks, dtype=np.int64))
    assert [text[start:end] for start, end in zip(starts, ends, strict=True)] == [
        word for part in parts for word in words(part)
    ]
    assert np.flatnonzero(word_starts(char_classes(text), np.array(breaks, dtype=np.int64))).tolist() == starts.tolist()


@given(st.text())
def test_collapsed_text_has_single_blanks(text: str) -> None:
    assert collapse(text).split(" ") == (text.split() or [""])
