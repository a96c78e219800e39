"""Boxes and screenshots in files: what was written is read, and nothing else."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import FileFormatError
from tamis.page.layout import laid_out
from tamis.rendering.kept import read_rendering, write_rendering


def test_what_a_browser_showed_survives(tmp_path: Path) -> None:
    boxes = laid_out(tamis.parse("<h1>Rain</h1><p>Water, at <b>last</b>.</p><img src=a>")).boxes
    assert boxes is not None
    for shown, screenshot in ((boxes, b"\x89PNG"), (boxes, None), (None, None), (None, b"x")):
        write_rendering(tmp_path / "a.npz", shown, screenshot)
        again, picture = read_rendering(tmp_path / "a.npz")
        assert picture == screenshot
        assert (again is None) == (shown is None)
        for field in fields(boxes) if again else ():
            assert np.array_equal(getattr(again, field.name), getattr(boxes, field.name)), field.name


def test_anything_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    np.savez(file, node=np.zeros(3, dtype=np.int64))
    for content in (b"", b"\x80\x04K\x01.", file.read_bytes()):
        file.write_bytes(content)
        with pytest.raises(FileFormatError, match="render the page again"):
            read_rendering(file)
