"""``tamis train``: a model file that extracts, and a card beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

import tamis
from tamis.cli import main
from tests.training.pages import write_dataset

for module in ("scipy", "catboost"):
    pytest.importorskip(module, reason="belongs to the extra train")


def test_a_model_is_trained_used_and_described(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "my.npz"
    asked = ["train", str(write_dataset(tmp_path)), "--out", str(out), "--work", str(tmp_path / "work")]
    assert main(asked) == 0
    assert f"its card to {out.with_suffix('.md')}" in capfd.readouterr().err
    card = out.with_suffix(".md").read_text(encoding="utf-8")
    assert "| small | as stated by its source | 12 | 0 |" in card
    assert "100\ntrees" in card
    page = "<ul class=menu><li><a href=/>Home</a></ul><div class=post><p>The river rose in the night, again.</p></div>"
    assert "The river rose" in tamis.extract(page, model=str(out)).text


@pytest.mark.parametrize(
    ("flags", "answer"),
    [
        (["--out", "model.bin"], "must end in .npz, not 'model.bin'"),
        (["--workers", "0"], "--workers is 0, but must be at least 1"),
        (
            ["a.tar.xz", "b.tar.xz", "--model", "mesh"],
            "mesh is trained on one archive of labelled pages, but 2 are given",
        ),
    ],
)
def test_wrong_flags_are_answered(flags: list[str], answer: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *flags]) == 2
    assert answer in capfd.readouterr().err
