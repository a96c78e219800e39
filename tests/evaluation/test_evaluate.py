"""Whole evaluations on a dataset of three pages."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tamis.errors import InputError, OptionError, UnknownNameError
from tamis.evaluation.datasets import open_dataset
from tamis.evaluation.evaluate import EvaluationPlan, evaluate
from tamis.evaluation.gate import read_gate, run_gate, update_gate

TEXTS = (
    "The first page has a few words of text.",
    "The second page has other words.",
    "A third one, for good measure.",
)


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        page = f"<nav><a href=/>Home</a> <a href=/x>Menu</a></nav><p>{text}</p>"
        (folder / f"{number}.html").write_text(page, encoding="utf-8")
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


def plan(dataset: Path, **changes: object) -> EvaluationPlan:
    return EvaluationPlan(**{"datasets": (str(dataset),), "systems": ("keep_all", "bte"), "workers": 1, **changes})  # type: ignore[arg-type]


def test_an_evaluation_leaves_predictions_scores_and_a_report(dataset: Path, tmp_path: Path) -> None:
    rows = evaluate(plan(dataset, baseline="keep_all"), tmp_path / "out")
    means = {
        name: sum(row.f1 for row in rows if (row.system, row.measure) == (name, "bag")) / 3
        for name in ("keep_all", "bte")
    }
    assert means["keep_all"] < means["bte"] == 1
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(rows) == 2 * 2 * 3
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "Difference to keep_all" in report
    assert report.startswith("# 2 systems on 1 dataset\n")
    assert TEXTS[0] in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_second_run_does_nothing_again(dataset: Path, tmp_path: Path) -> None:
    first = evaluate(plan(dataset), tmp_path / "out")
    calls: list[tuple[str, int, int]] = []
    again = evaluate(plan(dataset), tmp_path / "out", lambda *call: calls.append(call))
    assert [row.seconds for row in again] == [row.seconds for row in first]


def test_the_order_in_which_pages_were_done_is_no_matter(dataset: Path, tmp_path: Path) -> None:
    first = evaluate(plan(dataset), tmp_path / "out")
    for file in (tmp_path / "out").rglob("*.jsonl"):
        head, *lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join([head, *reversed(lines)]), encoding="utf-8")
    assert evaluate(plan(dataset), tmp_path / "out") == first


def test_a_system_that_fails_scores_nothing_and_loses_nothing(dataset: Path, tmp_path: Path) -> None:
    rows = evaluate(plan(dataset, systems=("bte", "command:exit 3")), tmp_path / "out")
    failed = [row for row in rows if row.system == "command:exit 3"]
    assert {row.status for row in failed} == {"failed"}
    assert {row.f1 for row in failed} == {0.0}
    assert len(failed) == len(rows) / 2


@pytest.mark.parametrize(
    ("changes", "error", "named"),
    [
        ({"systems": ("btee",)}, UnknownNameError, "bte"),
        ({"measures": ("bagg",)}, UnknownNameError, "bag"),
        ({"datasets": ("nowhere",)}, InputError, "nowhere"),
        ({"baseline": "dsc"}, OptionError, "dsc"),
        ({"systems": ()}, OptionError, "at least one"),
    ],
)
def test_wrong_names_are_answered_before_any_work(
    dataset: Path, tmp_path: Path, changes: dict[str, object], error: type[Exception], named: str
) -> None:
    with pytest.raises(error, match=named):
        evaluate(plan(dataset, **changes), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def gate_file(dataset: Path, floor: float, digest: str | None = None) -> Path:
    path = dataset.parent / "gate.toml"
    digest = digest or open_dataset(dataset).digest()
    table = (
        f'[pages]\ndataset = "{dataset}"\ndigest = "{digest}"\nlimit = 2\nmeasure = "bag"\n'
        f"floors = {{ bte = {floor} }}\n"
    )
    path.write_text(table, encoding="utf-8")
    return path


def test_a_gate_is_open_at_its_floor_and_closed_above_it(dataset: Path, tmp_path: Path) -> None:
    assert run_gate(gate_file(dataset, 1.0), tmp_path / "out", workers=1) == []
    assert "below its floor" in run_gate(gate_file(dataset, 1.1), tmp_path / "out", workers=1)[0]


def test_a_gate_is_closed_when_the_data_has_changed(dataset: Path, tmp_path: Path) -> None:
    assert "digest" in run_gate(gate_file(dataset, 0.1, "other"), tmp_path / "out", workers=1)[0]


def test_floors_rise_by_themselves_and_fall_only_when_asked(dataset: Path, tmp_path: Path) -> None:
    path = gate_file(dataset, 0.5)
    assert update_gate(path, tmp_path / "out", workers=1) == ["pages: bte 0.5000 -> 0.9980"]
    assert read_gate(path)[0].floors == {"bte": 0.998}
    path = gate_file(dataset, 1.5)
    with pytest.raises(OptionError, match="lower"):
        update_gate(path, tmp_path / "out", workers=1)
    update_gate(path, tmp_path / "out", lower=True, workers=1)
    assert read_gate(path)[0].floors == {"bte": 0.998}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1", "table"),
        ("[a]\ndataset = 1", "dataset"),
        ("[a\n[b]", "line 1"),
        ("a = " + "[" * 10_000, "recursion"),
        ('[a]\ndataset = "d"\ndigest = "e"\nlimit = 1\nmeasure = "bag"\nfloors = {}\nextra = 1', "extra"),
    ],
)
def test_a_mistake_in_a_gate_file_is_named(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=expected):
        read_gate(path)
