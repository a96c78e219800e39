"""Pages for the tests of ``tamis extract``, and the command with a method that leaves nothing out."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tamis.cli import main

PAGE = "<p>Alpha beta gamma delta.</p>"
OTHER = "<p>Epsilon zeta eta theta.</p>"
EMPTY = "<title>Nothing</title>"

Captured = pytest.CaptureFixture[str]


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def extract(*arguments: str) -> int:
    """The command with a method that leaves nothing out, whatever the default is."""
    return main(["extract", "--method", "keep_all", *arguments])


def files_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
