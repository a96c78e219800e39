"""What every format of labelled pages owes, checked for each module of the folder without naming one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.evaluation import datasets


@pytest.mark.parametrize("name", datasets.formats())
def test_a_format_has_its_two_functions_and_a_summary(name: str) -> None:
    module = datasets._format(name)
    assert callable(module.recognises)
    assert callable(module.read)
    assert (module.__doc__ or "").splitlines()[0].endswith(".")


@pytest.mark.parametrize("name", datasets.formats())
def test_a_format_does_not_recognise_what_is_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "readme.md").write_text("Nothing is here.")
    (tmp_path / "empty").touch()
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "loop").symlink_to("loop")
    for place in ("missing", "folder", "empty", "noise", "loop", "noise/below"):
        assert not datasets._format(name).recognises(tmp_path / place), place
