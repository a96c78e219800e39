"""``tamis train --model elements``: a model that extracts, a card with its rules, a picture of each tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tamis
from tamis.cli import main
from tests.training.pages import write_dataset

pytest.importorskip("rapidfuzz", reason="belongs to the extra train")


def test_a_model_is_trained_used_and_described(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "my.json"
    asked = ["train", str(write_dataset(tmp_path)), "--model", "elements", "--out", str(out), "--workers", "1"]
    assert main([*asked, "--work", str(tmp_path / "work")]) == 0
    assert f"its card to {out.with_suffix('.md')}" in capfd.readouterr().err
    trees = json.loads(out.read_text())["trees"]
    assert sorted(file.name for file in tmp_path.glob("*.svg")) == sorted(f"my-{name}.svg" for name in trees)
    assert "## Rules" in out.with_suffix(".md").read_text()
    page = "<div><h1>Flood</h1><p>The river rose in the night, again.</p></div>"
    assert "The river rose" in tamis.extract(page, method="elements", model=str(out)).text


def test_the_file_must_be_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--model", "elements", "--out", "model.npz"]) == 2
    assert "must end in .json, not 'model.npz'" in capfd.readouterr().err
