"""A page that is there twice is counted once."""

from __future__ import annotations

import tamis
from tamis.templates._duplicates import distinct
from tamis.templates._texts import fingerprint

LONG = " ".join(f"word{n}" for n in range(400))


def test_pages_with_the_same_text_are_copies_whatever_their_markup() -> None:
    pages = [tamis.parse(markup) for markup in ("<p>a  b</p>", "<div>a\nb</div>", "<p>a c</p>")]
    assert [fingerprint(page) for page in pages[:2]] == [fingerprint(pages[0])] * 2
    assert distinct(pages, enough=1) == [0, 2]


def test_nine_tenths_of_common_shingles_make_a_near_copy() -> None:
    near = LONG + " and then"  # 396 of 398 shingles
    half = LONG.replace("word200", "other words", 1)[:1800]
    pages = [tamis.parse(f"<p>{text}</p>") for text in (LONG, near, half)]
    assert distinct(pages, enough=1) == [0, 2]


def test_near_copies_stay_when_too_few_pages_would_be_left() -> None:
    pages = [tamis.parse(f"<p>{LONG} page {n}</p>") for n in range(6)]
    assert distinct(pages, enough=1) == [0]
    assert distinct(pages, enough=4) == [0, 1, 2, 3, 4, 5]


def test_no_pages_are_no_pages() -> None:
    assert distinct([], enough=4) == []
