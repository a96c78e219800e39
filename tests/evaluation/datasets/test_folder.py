from __future__ import annotations

from pathlib import Path

from tamis.evaluation.datasets import open_dataset


def test_pages_have_their_gold_text_beside_them(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(b"<p>caf\xe9")
    (tmp_path / "b.txt").write_text("café", encoding="utf-8-sig")
    (tmp_path / "a.html").write_text("<p>no gold")
    dataset = open_dataset(tmp_path)
    assert [(sample.id, sample.gold) for sample in dataset] == [("a", None), ("b", "café")]
    assert [sample.markup for sample in dataset] == ["<p>no gold", "<p>café"]
    assert [problem.place for problem in dataset.problems] == ["a"]


def test_a_page_that_cannot_be_read_costs_itself(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>a")
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "gone.html").symlink_to(tmp_path / "nowhere")
    dataset = open_dataset(tmp_path)
    assert [sample.id for sample in dataset] == ["a"]
    assert [problem.place for problem in dataset.problems] == [str(tmp_path / "gone.html")]
