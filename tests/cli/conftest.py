"""A folder of pages; and a method from outside, found through its entry point, with options and faults on demand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamis import registry
from tests.cli.extracting import EMPTY, OTHER, PAGE

METHOD = '''"""Keep the blocks with enough words."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.errors import OptionError
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    min_words: int = 2  # shorter blocks are dropped
    # what becomes of headings
    headings: Literal["keep", "drop"] = "keep"
    loud: bool = False

    def __post_init__(self):
        if self.min_words < 0:
            raise OptionError(f"min_words is {self.min_words}, but must not be negative")


def extract(page, options):
    if "crash now" in page.text:
        raise RuntimeError("cannot count")
    if "interrupt now" in page.text:
        raise KeyboardInterrupt
    kept = page.blocks.words >= options.min_words
    spans = page.clip(page.blocks.start[kept], page.blocks.end[kept])
    return Extraction(page=page, spans=spans, notes=("loud",) if options.loud else ())
'''


@pytest.fixture
def long_blocks(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The method ``long_blocks``; the value is the folder it is installed in."""
    site = tmp_path_factory.mktemp("site")
    (site / "long_blocks_method.py").write_text(METHOD)
    about = site / "long_blocks-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: long-blocks\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[tamis.extractors]\nlong_blocks = long_blocks_method\n")
    monkeypatch.syspath_prepend(site)
    registry.foreign.cache_clear()
    yield site
    sys.modules.pop("long_blocks_method", None)
    monkeypatch.undo()
    registry.foreign.cache_clear()


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three pages, and the current directory above it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "pages"
    (folder / "sub").mkdir(parents=True)
    (folder / "b.HTM").write_text(OTHER)
    (folder / "a.html").write_text(PAGE)
    (folder / "sub" / "c.xhtml").write_text(EMPTY)
    (folder / "notes.txt").write_text("no page")
    return folder
