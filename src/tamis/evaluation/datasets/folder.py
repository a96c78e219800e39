"""A folder of ``x.html`` with the gold text beside it in ``x.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tamis.evaluation.datasets import Report, Sample, file_bytes


def recognises(path: Path) -> bool:
    return path.is_dir() and any(page.with_suffix(".txt").exists() for page in path.glob("*.html"))


def read(path: Path, report: Report) -> Iterator[Sample]:
    for page in sorted(path.glob("*.html")):
        gold = page.with_suffix(".txt")
        html = file_bytes(page, report)
        text = file_bytes(gold, report) if gold.exists() else None
        if html is not None:
            yield Sample(id=page.stem, html=html, gold=None if text is None else text.decode("utf-8-sig", "replace"))
