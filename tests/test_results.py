"""An extraction knows what was kept, of what, by whom."""

from __future__ import annotations

import dataclasses

import pytest

import tamis
from tamis.page.limits import Limits
from tamis.page.spans import Span
from tamis.results import Extraction, Made
from tamis.results.extractions import changed


def extraction(markup: str, *spans: tuple[int, int]) -> Extraction:
    return Extraction(page=tamis.parse(markup), spans=tuple(Span(*span) for span in spans))


def test_blocks_say_whether_they_were_kept() -> None:
    choices = extraction("<p>aaaa</p><p>bbbb</p>", (4, 8)).blocks
    assert [(choice.number, choice.text, choice.kept, choice.label, choice.score) for choice in choices] == [
        (0, "aaaa", False, "other", 0.0),
        (1, "bbbb", True, "main", 1.0),
    ]
    assert choices[1].span == Span(4, 8)


@pytest.mark.parametrize(("end", "kept"), [(1, False), (2, False), (3, True), (4, True)])
def test_a_block_is_kept_when_more_than_half_of_it_is(end: int, kept: bool) -> None:
    (choice,) = extraction("<p>aaaa</p>", (0, end)).blocks
    assert choice.kept == kept
    assert choice.score == end / 4


def test_hidden_text_does_not_count_for_a_block() -> None:
    (choice,) = extraction("<p>aa<i hidden>xxxxxxxx</i>aa</p>", (0, 2), (10, 12)).blocks
    assert choice.score == 1.0


def test_one_span_may_cover_many_blocks() -> None:
    assert all(choice.kept for choice in extraction("<p>a<p>b<p>c", (0, 3)).blocks)


def test_scores_and_reasons_of_the_method_are_shown() -> None:
    result = dataclasses.replace(extraction("<p>a<p>b", (0, 1)), scores=(0.9, 0.1), reasons=("long", "short"))
    assert [(choice.score, choice.reason) for choice in result.blocks] == [(0.9, "long"), (0.1, "short")]


def test_nothing_kept_is_empty_and_says_so() -> None:
    result = extraction("<p>a")
    assert result.status == "empty"
    assert result.warnings == ("empty: no main content was found on the page",)
    assert [choice.kept for choice in result.blocks] == [False]


def test_a_page_without_blocks_has_no_choices() -> None:
    assert extraction("").blocks == ()


def test_something_kept_is_ok() -> None:
    assert extraction("<p>a", (0, 1)).status == "ok"
    assert extraction("<p>a", (0, 1)).warnings == ()


def test_a_page_that_was_cut_is_truncated_whatever_was_kept() -> None:
    page = tamis.parse("<p>aaaa", limits=Limits(max_bytes=5))
    assert Extraction(page=page, spans=()).status == "truncated"
    assert Extraction(page=page, spans=(Span(0, 2),)).status == "truncated"
    assert "max_bytes" in Extraction(page=page, spans=()).warnings[0]


def test_notes_of_the_method_are_warnings() -> None:
    assert dataclasses.replace(extraction("<p>a", (0, 1)), notes=("note",)).warnings == ("note",)


def test_who_made_a_result_is_written_down() -> None:
    made = tamis.extract("<p>a b c", method="keep_all").made
    assert made == Made(method="keep_all", options={"title": False, "hidden": False}, version=tamis.__version__)


def test_results_are_frozen() -> None:
    result = extraction("<p>a", (0, 1))
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.spans = ()  # type: ignore[misc]


def test_metadata_is_that_of_the_page() -> None:
    assert extraction("<title>T</title>").metadata.title == "T"


def test_a_changed_extraction_is_what_replace_makes_of_it() -> None:
    one = tamis.extract("<h1>Rain</h1><p hidden>Later.</p><p>Rain at last, after forty dry days in the valley.</p>")
    assert one.text  # so that something was computed of it, which must not be taken over
    ours, theirs = changed(one, page_type="forum"), dataclasses.replace(one, page_type="forum")
    assert ours == theirs
    assert vars(ours).keys() == vars(theirs).keys()
    assert ours.shared is not one.shared
