from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest

from tamis import regions, segmenters
from tamis.errors import InputError, OptionError, UnknownNameError
from tamis.evaluation.datasets import Sample, write
from tamis.evaluation.measures import word_sequence
from tamis.evaluation.score import ScoreRow
from tamis.evaluation.segment_runs import SegmentPlan, best_settings, evaluate_segmenters, oracle_of
from tamis.page.load import parse

PAGE = "<nav><a href=/>Home</a> <a href=/x>Storm</a></nav><article><h1>Storm</h1><p>It hit the coast.</p></article>"
GOLD = "Storm It hit the coast."
MARKED = (
    '<body><nav data-block="1" data-block-type="Menu">Home News</nav>'
    '<div data-block="1" data-block-type="Content"><p data-block="2" data-block-type="Article">It hit the coast.</p>'
    "</div>"
)


def row(system: str, page: str, f1: float) -> ScoreRow:
    return ScoreRow("set", system, page, "", 0, "ok", 1, 0.1, "oracle", f1, f1, f1)


@pytest.mark.parametrize("method", ["text_nodes", "partition", "one"])
def test_no_choice_of_regions_is_above_the_oracle(method: str) -> None:
    found = segmenters.segment(parse(PAGE), method)
    texts = regions.texts(found.page, regions.walk(found.root))
    choices = chain.from_iterable(combinations(texts, size) for size in range(len(texts) + 1))
    best = max(word_sequence(GOLD, " ".join(choice)).f1 for choice in choices)
    assert oracle_of(found, GOLD).f1 == pytest.approx(best)


def test_a_segmenter_is_bounded_by_the_regions_it_makes(tmp_path: Path) -> None:
    write(tmp_path / "pages.jsonl", [Sample(id="a", html=PAGE, gold=GOLD), Sample(id="b", html=PAGE)])
    plan = SegmentPlan(datasets=(str(tmp_path / "pages.jsonl"),), segmenters=("text_nodes", "one"), workers=1)
    rows = evaluate_segmenters(plan, tmp_path / "out")
    assert {row.system: row.f1 for row in rows} == {
        "text_nodes": 1.0,
        "one": word_sequence(GOLD, f"Home Storm {GOLD}").f1,
    }
    assert "F1 (oracle)" in (tmp_path / "out" / "report.md").read_text()


def test_marked_blocks_are_what_segments_are_compared_with(tmp_path: Path) -> None:
    folder = tmp_path / "marked"
    folder.mkdir()
    (folder / "index.blocks.html").write_text(MARKED)
    plan = SegmentPlan(datasets=(str(folder),), segmenters=("text_nodes", "one"), workers=1)
    rows = {(row.system, row.measure): row.f1 for row in evaluate_segmenters(plan, tmp_path / "out")}
    assert rows["text_nodes", "b_cubed_characters"] == rows["text_nodes", "adjusted_rand_level_1"] == 1
    assert rows["one", "b_cubed_characters"] < 1
    assert "F1 (b_cubed_characters)" in (tmp_path / "out" / "report.md").read_text()


def test_the_best_setting_is_that_of_each_page() -> None:
    rows = [row("bcs:a=1", "x", 0.5), row("bcs:a=2", "x", 0.7), row("bcs:a=1", "y", 0.9), row("bcs:a=2", "y", 0.1)]
    found = best_settings([*rows, row("vips", "x", 0.3)])
    assert [(one.system, one.id, one.f1) for one in found] == [
        ("bcs, best setting", "x", 0.7),
        ("bcs, best setting", "y", 0.9),
    ]


@pytest.mark.parametrize(
    ("names", "error"),
    [((), OptionError), (("vipps",), UnknownNameError), (("vips:nothing=1",), OptionError)],
)
def test_wrong_names_are_answered_before_any_work(names: tuple[str, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        SegmentPlan(datasets=("missing",), segmenters=names)


def test_pages_without_gold_are_an_error(tmp_path: Path) -> None:
    write(tmp_path / "pages.jsonl", [Sample(id="a", html=PAGE)])
    plan = SegmentPlan(datasets=(str(tmp_path / "pages.jsonl"),), segmenters=("one",), workers=1)
    with pytest.raises(InputError, match="no page has a gold text"):
        evaluate_segmenters(plan, tmp_path / "out")
