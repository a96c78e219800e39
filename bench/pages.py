"""Pages to measure with: a dataset when it is there, else the project's own example pages; and methods that have a page
in the documentation.
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from tamis import registry
from tamis.errors import InputError
from tamis.evaluation.datasets import open_dataset

ROOT = Path(__file__).resolve().parent.parent
_FOLDERS = {"extractors": "methods"}  # others are called after their kind


def documented(kind: str) -> tuple[str, ...]:
    """The methods of a kind that the documentation describes: a new one is a file, and its page may come later."""
    if kind == "outputs":  # they share pages, which name them as code: `html`, `--format html`
        told = "".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("outputs.md", "extracting.md"))
        return tuple(name for name in registry.names(kind) if re.search(rf"\b{name}`", told))
    folder = ROOT / "docs" / _FOLDERS.get(kind, kind)
    return tuple(name for name in registry.names(kind) if (folder / f"{name}.md").is_file())


def load_pages(dataset: str, limit: int | None = None) -> tuple[list[str], str]:
    """Markup of the pages, and where they come from."""
    try:
        return [sample.markup for sample in islice(open_dataset(dataset), limit)], dataset
    except InputError as error:
        own = sorted(ROOT.glob("examples/*.html"))
        return [file.read_text(encoding="utf-8") for file in own], f"the project's own pages ({error})"
