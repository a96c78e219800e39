from __future__ import annotations

from pathlib import Path

from tamis.evaluation.datasets import GOLD_SPANS, open_dataset
from tamis.page.load import parse

PAGE = """<div><span class="x-nc-sel0">Menu</span></div>
<h1><span class="x-nc-sel1">Head<span class="x-nc-sel0"> (advertisement)</span></span></h1>
<p><span class="x-nc-sel2">Body with a <span class="own">span</span>.</span></p>
<p><span class="x-nc-sel3">More.</span> <span class="x-nc-sel5">A comment.</span></p>
"""


def test_headline_full_text_and_supplement_are_the_gold_text(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (sample,) = open_dataset(tmp_path)
    assert sample.gold is not None
    assert sample.gold.split() == "Head Body with a span . More.".split()
    assert sample.extra["comments"] == "A comment."


def test_only_the_labelling_spans_are_taken_out(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (sample,) = open_dataset(tmp_path)
    assert sample.html == (
        "<div>Menu</div>\n<h1>Head (advertisement)</h1>\n"
        '<p>Body with a <span class="own">span</span>.</p>\n<p>More. A comment.</p>\n'
    )


def test_a_page_that_is_all_menu_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.html").write_text('<span class="x-nc-sel0">Menu</span>')
    dataset = open_dataset(tmp_path)
    assert [sample.gold is None for sample in dataset] == [False, True]
    assert [problem.place for problem in dataset.problems] == ["b"]


def test_the_places_of_the_gold_text_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (sample,) = open_dataset(tmp_path)
    text = parse(sample.html).text
    found = " ".join(text[start:end] for start, end in sample.extra[GOLD_SPANS])
    assert found.split() == (sample.gold or "").split()


def test_a_page_that_the_labels_had_changed_has_no_places(tmp_path: Path) -> None:
    broken = '<table><span class="x-nc-sel2">First</span><tr><td><span class="x-nc-sel2">Second</span></table>'
    moved = '<select><span class="x-nc-sel2"><input>Third</span></select>'
    for name, page in (("a", broken), ("b", moved)):
        (tmp_path / f"{name}.html").write_text(page)
    for sample in open_dataset(tmp_path):
        text = parse(sample.html).text
        found = " ".join(text[start:end] for start, end in sample.extra.get(GOLD_SPANS, ()))
        assert found.split() in ([], (sample.gold or "").split())
