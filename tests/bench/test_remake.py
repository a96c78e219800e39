"""One command makes all tables and figures again: none is forgotten, and its table is true."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench import remake
from bench.remake import STEPS, Done, Step, key_of_step, report, run_all, run_or_keep
from bench.scores import ROOT
from tamis.stored.keys import source_digest

_MEASURING = re.compile(r"python -m bench\.(\w+)")
_OTHERS = {
    "fuzz": "finds faults, not numbers",
    "twins": "compares two implementations; its outcome is that there is no difference",
    "packaging": "installs from the network",
    "release": "builds",
    "teach": "teaches the model; an hour on a GPU",
    "remake": "is the command itself",
    "imports": "counts files and imports; no page has its table",
}


def test_every_command_that_the_documentation_names_is_a_step() -> None:
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    named = {name for page in pages for name in _MEASURING.findall(page.read_text(encoding="utf-8"))}
    steps = {command.removeprefix("bench.") for step in STEPS if (command := step.command.split()[0]) != "tamis"}
    assert steps <= named | {"segmentation_speed"}
    assert named - steps == {*_OTHERS}


def test_steps_are_modules_and_write_pages_that_exist() -> None:
    assert len({step.name for step in STEPS}) == len(STEPS)
    for step in STEPS:
        assert find_spec(step.command.split()[0]) is not None
        for page in re.findall(r"[\w./-]+\.(?:md|csv|svg)", step.writes):
            assert (ROOT / "docs" / page).exists() or (ROOT / page).exists(), page


def test_pages_are_written_after_those_that_they_read() -> None:
    places = {step.name: place for place, step in enumerate(STEPS)}
    for step in STEPS:
        for needed in step.needs.split(", "):
            assert places.get(needed, -1) < places[step.name]


def test_steps_run_side_by_side_after_what_they_need_and_some_alone() -> None:
    events: list[tuple[str, str]] = []
    both_run = threading.Barrier(2, timeout=60)

    def run(step: Step) -> Done:
        events.append(("begin", step.name))
        if step.name in "ab":
            both_run.wait()
        events.append(("end", step.name))
        return Done(step, 0, 0.0, 0.0)

    steps = [
        Step("a", "", ""),
        Step("b", "", ""),
        Step("c", "", "", "a"),
        Step("d", "", "", alone=True),
        Step("e", "", ""),
    ]
    assert [done.step.name for done in run_all(steps, run, 2)] == ["a", "b", "c", "d", "e"]
    assert {*events[:2]} == {("begin", "a"), ("begin", "b")}
    assert events.index(("end", "a")) < events.index(("begin", "c"))
    assert events[-4:] == [("begin", "d"), ("end", "d"), ("begin", "e"), ("end", "e")]


@pytest.mark.parametrize(("status", "told"), [(0, "| ok |"), (3, "| FAILED (3) |")])
def test_report_says_what_failed_and_how_long_it_took(status: int, told: str) -> None:
    said = report([Done(Step("one", "bench.figures", "figures/"), status, 90.0, 30.0)])
    assert f"| one {told} 1.5 | 0.5 | figures/ |" in said


def test_an_interrupted_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    statuses = {"quality": 0, "growth": 1}
    asked: list[str] = []

    def run(step: Step, work: Path) -> Done:
        asked.append(step.name)
        (work / f"{step.name}.txt").write_text("printed")
        return Done(step, statuses[step.name], 1.0, 1.0)

    steps = [step for step in STEPS if step.name in statuses]
    for state, anew, expected in (
        ("one", False, ["quality", "growth"]),
        ("one", False, ["growth"]),  # which failed
        ("two", False, ["quality", "growth"]),
        ("two", True, ["quality", "growth"]),
    ):
        asked.clear()
        done = [run_or_keep(step, tmp_path, state, run, anew=anew) for step in steps]
        assert asked == expected
        assert [one.step.name for one in done if one.is_kept] == [name for name in statuses if name not in expected]
    (tmp_path / "quality.txt").unlink()
    assert not run_or_keep(steps[0], tmp_path, "two", run).is_kept
    assert "| quality | kept | 0.0 |" in report([Done(steps[0], 0, is_kept=True)])


def test_a_step_is_done_again_when_its_sources_or_what_it_needs_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bench").mkdir()
    for name in ("first", "second", "third"):
        (tmp_path / "bench" / f"{name}.py").write_text("import bench.shared")
    (tmp_path / "bench" / "shared.py").write_text("")
    steps = (Step("a", "bench.first", ""), Step("b", "bench.second", "", "pages, a"), Step("c", "bench.third", ""))
    monkeypatch.setattr(remake, "STEPS", steps)
    monkeypatch.setattr(remake, "ROOT", tmp_path)

    def changed(name: str) -> list[str]:
        source_digest.cache_clear()
        before = [key_of_step(step, "") for step in steps]
        (tmp_path / "bench" / f"{name}.py").write_text("import bench.shared\nx = 1")
        source_digest.cache_clear()
        return [step.name for step, key in zip(steps, before, strict=True) if key_of_step(step, "") != key]

    assert [changed(name) for name in ("third", "second", "first", "shared")] == [
        ["c"],
        ["b"],
        ["a", "b"],
        ["a", "b", "c"],
    ]


def test_the_next_run_begins_anew_once_all_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remake, "STEPS", STEPS[-2:])
    asked = []
    status = 1

    def run(step: Step, work: Path) -> Done:
        asked.append(step.name)
        (work / f"{step.name}.txt").write_text("")
        return Done(step, status)

    monkeypatch.setattr(remake, "_run", run)
    monkeypatch.setattr(sys, "argv", ["remake", "--work", str(tmp_path)])
    assert remake.main() == 1
    status = 0
    assert [remake.main(), remake.main()] == [0, 0]
    assert asked == ["scale_memory"] * 3  # coverage is for releases
    assert not list(tmp_path.glob("*.key"))


def test_unknown_step_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.remake", "--only", "quantity"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "there is no step quantity" in done.stderr
