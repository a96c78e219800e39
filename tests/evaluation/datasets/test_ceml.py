from __future__ import annotations

from pathlib import Path

from tamis.evaluation.datasets import GOLD_SPANS, open_dataset
from tamis.page.load import parse

PAGE = """<body><nav class="top">Menu</nav><h1 class="CEML__MAIN__CONTENT">Title</h1>
<div class='wide CEML__MAIN__CONTENT'><p>First.</p><p hidden>Never seen.</p></div><p class=CEML__MAIN__CONTENT>Last.</p>
"""


def test_the_gold_text_is_the_visible_text_of_labelled_elements(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (sample,) = open_dataset(tmp_path)
    assert sample.gold == "Title\n\nFirst.\n\nLast."


def test_no_trace_of_the_label_stays_in_the_page(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (sample,) = open_dataset(tmp_path)
    expected = PAGE.replace(' class="CEML__MAIN__CONTENT"', "").replace(" class=CEML__MAIN__CONTENT", "")
    assert sample.html == expected.replace("wide CEML__MAIN__CONTENT", "wide")


def test_a_page_without_labels_is_read_and_reported(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.html").write_text("<p>Not labelled yet.</p>")
    dataset = open_dataset(tmp_path)
    assert [sample.gold is None for sample in dataset] == [False, True]
    assert [problem.place for problem in dataset.problems] == ["b"]


def test_the_places_of_labelled_elements_hold_in_the_page_without_labels(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (sample,) = open_dataset(tmp_path)
    text = parse(sample.html).text
    found = "\n".join(text[start:end] for start, end in sample.extra[GOLD_SPANS])
    assert found.split() == (sample.gold or "").split()
