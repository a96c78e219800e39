"""Goals are told in the tables; only errors set the exit status."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import segmentation
from bench.segmentation import Row


def test_a_goal_that_is_missed_is_told_and_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [Row(name, "a site", {"ms": spent}) for name, spent in (("bcs", 2.0), ("vips", 3.0))]
    for name, given in (("marked_pages", []), ("measure", rows), ("measure_templates", []), ("report", "")):
        monkeypatch.setattr(segmentation, name, lambda *_, given=given: given)
    monkeypatch.setattr(sys, "argv", ["segmentation", "--work", str(tmp_path), "--keep-docs"])
    segmentation.main()
    assert "| bcs: 10 times as fast as vips | 1.5 times | no |" in capsys.readouterr().out
