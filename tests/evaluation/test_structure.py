from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.evaluation.datasets import GOLD_MARKED, Sample
from tamis.evaluation.score import MEASURES
from tamis.evaluation.structure import MarkedSegment, cleaneval_structure, mark_scores, marks_of, read_marks
from tamis.evaluation.systems import SystemAnswer, open_system
from tamis.page.load import parse

PAGE = (
    "<nav>Home</nav><h1><span>Storm</span></h1><p>It hit<br>the coast.<br><br>Later it rained.</p>"
    "<ul><li><p>First</p><li>Second</ul><h2>Again</h2><table><tr><td>Cell</table>"
)
GOLD = (
    "URL: http://a.example/\n<h>Storm\n<p>It hit\nthe coast.\n\n<p>Later it rained.\n"
    "<l>First\n<l>Second\n<h>Again\n<p>Cell"
)
SEGMENTS = st.lists(
    st.builds(MarkedSegment, st.sampled_from("hpl"), st.lists(st.sampled_from("abc"), min_size=1, max_size=4)),
    max_size=5,
)


def sample(html: str = PAGE, gold: str | None = GOLD) -> Sample:
    return Sample(id="a", html=html, gold="", extra={} if gold is None else {GOLD_MARKED: gold})


def test_blocks_are_marked_by_the_element_around_them() -> None:
    page = parse(PAGE)
    menu = len("Home")
    assert marks_of(page, [(menu, len(page.text))]) == read_marks(GOLD)


def test_our_output_is_scored_against_the_marked_gold() -> None:
    answer = open_system("keep_all").answer(sample())
    found = MEASURES["structure"](sample(), answer)
    assert found is not None
    assert found == pytest.approx((7 / 8, 1, 14 / 15))  # the menu is one paragraph too many
    whole = MEASURES["cleaneval_structure"](sample(), answer)
    assert whole is not None
    assert whole.f1 == pytest.approx(19 / 21)  # its mark and its word are inserted


def test_a_wrong_mark_and_a_missing_border_cost() -> None:
    gold = read_marks("<h>Storm\n<p>It hit the coast\n<l>First")
    assert mark_scores(gold, read_marks("<p>Storm\n<p>It hit the coast\n<l>First")) == pytest.approx((2 / 3,) * 3)
    assert mark_scores(gold, read_marks("<h>Storm\n<p>It hit the coast First")) == pytest.approx((1, 2 / 3, 0.8))


def test_a_text_without_marks_is_paragraphs() -> None:
    answer = SystemAnswer("Storm\n\nIt hit the coast.\n\nLater it rained.")
    found = MEASURES["structure"](sample(), answer)
    assert found is not None
    assert found[:2] == pytest.approx((2 / 3, 2 / 7))


def test_a_system_may_write_the_marks_itself() -> None:
    assert MEASURES["structure"](sample(), SystemAnswer(GOLD)) == (1, 1, 1)


def test_a_page_without_marked_gold_has_no_score() -> None:
    assert MEASURES["structure"](sample(gold=None), SystemAnswer("x")) is None


def test_nothing_kept_has_no_marks() -> None:
    assert marks_of(parse(""), []) == marks_of(parse(PAGE), []) == []


@given(SEGMENTS, SEGMENTS)
@settings(max_examples=100)
def test_scores_have_bounds_and_a_text_equals_itself(gold: list[MarkedSegment], found: list[MarkedSegment]) -> None:
    assert all(0 <= value <= 1 for value in (*mark_scores(gold, found), cleaneval_structure(gold, found)))
    assert mark_scores(gold, gold).f1 == cleaneval_structure(gold, gold) == 1
    assert cleaneval_structure(gold, found) == pytest.approx(cleaneval_structure(found, gold))
