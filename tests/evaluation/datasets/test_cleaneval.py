from __future__ import annotations

from pathlib import Path

from tamis.evaluation.datasets import open_dataset


def put(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_marks_wrapper_and_address_are_taken_off(tmp_path: Path) -> None:
    put(tmp_path / "pages" / "1.html", '<text id="1" encoding="x">\n<html><p>Füße</p></html>\n</text>')
    put(tmp_path / "gold" / "1-cleaned.txt", "URL: http://a.example/1\n\n<h>Title\n<p>Füße, a < b\n  <l>item\n")
    (sample,) = open_dataset(tmp_path)
    assert sample.url == "http://a.example/1"
    assert sample.gold == "\nTitle\nFüße, a < b\nitem\n"
    assert sample.markup.strip() == "<html><p>Füße</p></html>"
    assert sample.extra["gold_marked"].startswith("URL: ")


def test_what_has_no_counterpart_is_reported(tmp_path: Path) -> None:
    for name in ("1", "2"):
        put(tmp_path / "pages" / f"{name}.html", "<p>a</p>")
    for name in ("1", "3"):
        put(tmp_path / "gold" / f"{name}-cleaned.txt", "<p>a")
    dataset = open_dataset(tmp_path)
    assert [(sample.id, sample.gold) for sample in dataset] == [("1", "a"), ("2", None)]
    places = {problem.place for problem in dataset.problems}
    assert places == {"2", str(tmp_path / "gold" / "3-cleaned.txt")}


def test_two_gold_texts_for_one_name_are_reported(tmp_path: Path) -> None:
    put(tmp_path / "pages" / "1.html", "<p>a</p>")
    put(tmp_path / "dev" / "1-cleaned.txt", "<p>first")
    put(tmp_path / "test" / "1-cleaned.txt", "<p>second")
    dataset = open_dataset(tmp_path)
    assert [sample.gold for sample in dataset] == ["first"]
    assert [problem.place for problem in dataset.problems] == [str(tmp_path / "test" / "1-cleaned.txt")]
