"""``tamis dataset gold`` and ``tamis dataset suggest``."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tamis.cli import main
from tamis.evaluation.datasets import open_dataset, write
from tests.evaluation.wrappers.test_suggest import CLASSES, page

Captured = pytest.CaptureFixture[str]


@pytest.fixture(name="site")
def _site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three pages of a site, and one of another template; the first two are labelled."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages").mkdir()
    for number in range(3):
        (tmp_path / "pages" / f"{number}.html").write_text(page(number, CLASSES).markup)
    (tmp_path / "pages" / "other.html").write_text("<h1>Elsewhere</h1><p>No such template.</p>")
    write(tmp_path / "labelled.jsonl", [page(number, CLASSES) for number in range(2)])
    return tmp_path


def test_rules_are_suggested_and_make_gold_for_the_whole_site(site: Path, capsys: Captured) -> None:
    assert main(["dataset", "suggest", "labelled.jsonl", "site.toml"]) == 0
    said = capsys.readouterr()
    assert said.out == "0\t1.000\n1\t1.000\n"
    assert "2 parts written to site.toml" in said.err
    assert main(["dataset", "gold", "site.toml", "pages", "gold.jsonl", "--report", "failed.csv"]) == 1
    said = capsys.readouterr()
    assert "other.html: text: nothing matches 'div.post'" in said.err
    assert "3 pages written to gold.jsonl, 1 failed" in said.err
    made = {sample.id: sample.gold for sample in open_dataset(site / "gold.jsonl")}
    assert made == {f"{number}.html": page(number, CLASSES).gold for number in range(3)}
    with (site / "failed.csv").open(newline="") as stream:
        assert list(csv.reader(stream)) == [["page", "reason"], ["other.html", "text: nothing matches 'div.post'"]]


def test_a_site_on_which_the_rules_work_ends_well(site: Path, capsys: Captured) -> None:
    (site / "site.toml").write_text("[[part]]\nselect = 'h1'\n")
    assert main(["dataset", "gold", "site.toml", "labelled.jsonl", "gold.zip"]) == 0
    assert "2 pages written to gold.zip, 0 failed" in capsys.readouterr().err


def test_many_failures_are_counted(site: Path, capsys: Captured) -> None:
    for number in range(30):
        (site / "pages" / f"n{number}.html").write_text("<p>x")
    (site / "site.toml").write_text("[[part]]\nselect = 'h1'\n")
    assert main(["dataset", "gold", "site.toml", "pages", "gold.jsonl"]) == 1
    assert "and 10 more failures" in capsys.readouterr().err


def test_a_wrong_rule_file_is_told_before_anything_is_written(site: Path, capsys: Captured) -> None:
    (site / "site.toml").write_text("[[part]]\nselekt = 'h1'\n")
    assert main(["dataset", "gold", "site.toml", "pages", "gold.jsonl"]) == 2
    assert "did you mean select?" in capsys.readouterr().err
    assert not (site / "gold.jsonl").exists()
