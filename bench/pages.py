"""Pages to measure with: a dataset of ``$TAMIS_DATA`` when there is one, else the project's own example pages."""

from __future__ import annotations

import json
import lzma
import os
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path | None:
    """The folder of datasets: ``$TAMIS_DATA``, or ``shared/data`` beside the project."""
    candidates = [os.environ.get("TAMIS_DATA"), ROOT.parent / "shared" / "data"]
    return next((Path(folder) for folder in candidates if folder and Path(folder).is_dir()), None)


def load_pages(dataset: str, limit: int | None = None) -> tuple[list[str], str]:
    """Markup of the pages, and a line that says where they come from."""
    folder = data_folder()
    if folder and (file := folder / f"{dataset}.jsonl.xz").exists():
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            return [json.loads(line)["html"] for line in islice(lines, limit)], f"{dataset} in {folder.name}"
    own = sorted((*ROOT.glob("examples/*.html"), *ROOT.glob("tests/cases/*/page.html")))
    reason = f"{dataset} was not found; set TAMIS_DATA" if folder else "no TAMIS_DATA"
    return [file.read_text(encoding="utf-8") for file in own], f"the project's own pages ({reason})"
