"""One command makes all tables and figures again: none is forgotten, and its table is true."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from importlib.util import find_spec

import pytest

from bench.remake import STEPS, Done, Step, report, run_all
from bench.scores import ROOT

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


def test_unknown_step_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.remake", "--only", "quantity"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "there is no step quantity" in done.stderr
