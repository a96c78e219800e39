from __future__ import annotations

import pytest

from tamis.evaluation.block_choices import by_places, by_text
from tamis.evaluation.datasets import GOLD_SPANS, Sample
from tamis.evaluation.score import MEASURES
from tamis.evaluation.systems import SystemAnswer
from tamis.page.load import parse

MAIN = (
    "Flood",
    "Rain fell on the hills all night.",
    "By our reporter",
    "Nobody could remember such water.",
    "Photograph",
)
OTHER = ("Home", "News", "Sports", "Imprint", "Contact")
PAGE = "".join(f"<p>{text}</p>" for text in (*MAIN, *OTHER))


def blocks(text: str) -> tuple[float, float, float] | None:
    return MEASURES["blocks"](Sample(id="a", html=PAGE, gold="\n".join(MAIN)), SystemAnswer(text))


def test_losing_the_subtitle_costs_as_much_as_losing_the_longest_paragraph() -> None:
    """The example of the thesis: one of five blocks is missed."""
    for missed in (MAIN[2], MAIN[3]):
        found = blocks("\n".join(text for text in MAIN if text != missed))
        assert found == pytest.approx((1.0, 0.8, 0.89), abs=0.005)


def test_places_tell_copies_apart_and_texts_do_not() -> None:
    page = parse("<p>Storm</p><p>Ads</p><p>Storm</p>")
    assert by_places(page, [(8, 13)]).tolist() == [False, False, True]
    assert by_text(page, "Storm").sum() == 1


@pytest.mark.parametrize(("end", "is_chosen"), [(4, False), (5, True)])
def test_more_than_half_of_a_block_must_be_chosen(end: int, is_chosen: bool) -> None:
    assert by_places(parse("<p>abcdefgh</p>"), [(0, end)]).tolist() == [is_chosen]


def test_gold_places_are_used_where_there_are_some() -> None:
    sample = Sample(id="a", html="<p>Storm</p><p>Ads</p><p>Storm</p>", gold="Storm", extra={GOLD_SPANS: [[8, 13]]})
    assert MEASURES["blocks"](sample, SystemAnswer("Storm", ((0, 5),))) == (0, 0, 0)
    assert MEASURES["blocks"](sample, SystemAnswer("Storm", ((8, 13),))) == (1, 1, 1)


def test_a_page_without_gold_has_no_score() -> None:
    assert MEASURES["blocks"](Sample(id="a", html=PAGE), SystemAnswer("x")) is None
