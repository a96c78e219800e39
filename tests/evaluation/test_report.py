from __future__ import annotations

import re

from tamis.evaluation import report
from tamis.evaluation.charts import model_charts
from tamis.evaluation.score import ScoreRow


def rows(system: str, dataset: str, scores: list[float], measure: str = "bag", status: str = "ok") -> list[ScoreRow]:
    return [
        ScoreRow(dataset, system, str(place), "article", 100, status, 2048, 0.001, measure, score, score, score)
        for place, score in enumerate(scores)
    ]


GOOD = [*rows("good", "one", [0.9, 1.0, 0.8]), *rows("good", "two", [0.7, 0.6])]
BAD = [*rows("bad", "one", [0.1, 0.2, 0.3]), *rows("bad", "two", [0.1, 0.0])]


def table(heading: str, found: list[report.Table]) -> report.Table:
    return next(one for one in found if one.heading.startswith(heading))


def test_systems_stand_from_best_to_worst() -> None:
    assert table("F1", report.tables([*BAD, *GOOD], "bag")).columns == ("dataset", "pages", "good", "bad")


def test_the_mean_is_over_datasets_not_over_pages() -> None:
    last = table("F1", report.tables(GOOD, "bag")).rows[-1]
    assert last == ("mean over datasets", "", f"**{(0.9 + 0.65) / 2:.3f}**")


def test_a_difference_that_is_no_accident_carries_a_star() -> None:
    cells = {row[0]: row[1] for row in table("Difference", report.tables([*GOOD, *BAD], "bag", "bad")).rows}
    assert cells["one"] == "+0.700*"


def test_no_difference_has_no_star() -> None:
    same = [row._replace(system="same") for row in GOOD]
    cells = {row[0]: row[1] for row in table("Difference", report.tables([*GOOD, *same], "bag", "good")).rows}
    assert cells == {"one": "+0.000", "two": "+0.000"}


def test_failures_are_counted() -> None:
    found = report.tables([*rows("weak", "one", [0, 0], status="crashed"), *rows("weak", "two", [1.0])], "bag")
    assert table("Failures", found).rows[0][:3] == ("weak", "2", "0")


def test_groups_are_shown_only_when_there_are_several() -> None:
    assert not any(one.heading == "By page type" for one in report.tables(GOOD, "bag"))
    mixed = [*GOOD, GOOD[0]._replace(page_type="forum", id="x")]
    assert [row[0] for row in table("By page type", report.tables(mixed, "bag")).rows] == ["article", "forum"]


def test_gold_lengths_fall_into_the_right_group() -> None:
    sizes = [GOOD[0]._replace(id=str(words), gold_words=words) for words in (149, 150, 499, 500, 1500)]
    groups = {row[0]: row[1] for row in table("By length", report.tables(sizes, "bag")).rows}
    assert groups == {"   0 - 150": "1", " 150 - 500": "2", " 500 - 1500": "1", "1500 and more": "1"}


def test_all_measures_stand_side_by_side() -> None:
    both = [*GOOD, *rows("good", "one", [0.5] * 3, measure="words")]
    assert table("All measures", report.tables(both, "bag")).rows == (("good", "0.775", "0.500"),)


def test_markdown_tables_have_as_many_cells_in_every_row() -> None:
    text = report.to_markdown("Title", report.tables([*GOOD, *BAD], "bag", "bad"))
    assert text.startswith("# Title\n")
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_the_page_is_self_contained_and_escapes_what_it_shows() -> None:
    pages = [report.ComparedPage(dataset="one", id="<b>", texts={"gold": "<script>alert(1)</script>"})]
    page = report.to_html("T", report.tables(GOOD, "bag"), GOOD, "bag", pages)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert not re.search(r"(?:src|href)=", page)
    assert page.count("<svg") == 2


def test_pages_with_the_largest_differences_come_first() -> None:
    assert report.largest_differences([*GOOD, *BAD], "bag")[:2] == [("one", "0"), ("one", "1")]


def test_stability_is_that_of_each_dataset() -> None:
    even = [*rows("even", "one", [0.2, 0.2]), *rows("even", "two", [0.9, 0.9])]
    found = report.tables(even, "bag")
    assert table("Stability", found).rows == (("one", "0.000"), ("two", "0.000"))
    assert "0.404" not in report.to_markdown("T", found)  # what both sets together would give


def test_f1_of_means_is_another_convention_than_the_mean_of_f1() -> None:
    first, second = (
        GOOD[0]._replace(precision=1.0, recall=0.5, f1=2 / 3),
        GOOD[1]._replace(precision=0.5, recall=1.0, f1=2 / 3),
    )
    usual = table("F1", report.tables([first, second], "bag"))
    cetr = table("F1 of means", report.tables([first, second], "bag", f1_of="means"))
    assert usual.rows[0][2].startswith("0.667")
    assert cetr.rows == (("one", "2", "0.750"), ("mean over datasets", "", "**0.750**"))


def test_systems_are_ordered_by_what_the_table_shows() -> None:
    split = [GOOD[0]._replace(precision=1.0, recall=0.0, f1=0.0), GOOD[1]._replace(precision=0.0, recall=1.0, f1=0.0)]
    flat = rows("flat", "one", [0.4, 0.4])
    assert table("F1", report.tables([*split, *flat], "bag")).columns[2:] == ("flat", "good")
    assert table("F1", report.tables([*split, *flat], "bag", f1_of="means")).columns[2:] == ("good", "flat")


def test_the_four_document_models_are_drawn_for_each_dataset() -> None:
    names = ("characters", "words", "bag", "set")
    every = [
        row for name in names for dataset in ("one", "two") for row in rows("good", dataset, [0.5, 1.0], measure=name)
    ]
    page = report.to_html("T", [], every, "bag")
    assert page.count("<svg") == 2 + 2 * 4
    assert [page.count(f">{name}</text>") for name in ("CS", "WS", "BoW", "SoW")] == [8] * 4
    assert report.to_html("T", [], [row for row in every if row.measure != "set"], "bag").count("<svg") == 2


def test_measures_of_the_thesis_are_drawn_rather_than_folded_ones() -> None:
    folded = [row for name in ("characters", "words", "bag", "set") for row in rows("good", "one", [0.5], measure=name)]
    cased = [row for name in ("words", "bag", "set") for row in rows("good", "one", [0.0], measure=f"{name}_cased")]
    (f1, *_) = model_charts([*folded, *cased], ["good"])
    assert 'points="60.0,150.0 220.0,270.0 380.0,270.0 540.0,270.0"' in f1
