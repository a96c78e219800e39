"""Refreshes what docs/segmenters/*.md take from the code and from docs/segmentation-quality.md.

python -m bench.segmenter_pages

From the code come what a segmenter's docstring says and its options, from the other page its scores.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.marks import refilled
from bench.method_pages import about, options_table
from bench.scores import ROOT
from bench.tables import read_row
from tamis import registry

FOLDER = ROOT / "docs" / "segmenters"
QUALITY = ROOT / "docs" / "segmentation-quality.md"
_MEASURES = {
    "characters": ("deepest: F", "level 1: F"),
    "nodes": ("nodes, deepest", "nodes, level 1"),
    "pixels": ("pixels, deepest", "pixels, level 1"),
    "edges": ("edges, deepest", "edges, level 1"),
    "boxes": ("box F, deepest", "box F, level 1"),
}
"""What is counted, and the columns of its two values."""


def main() -> int:
    for name in registry.names("segmenters"):
        file = page_path(name)
        if file.exists():
            file.write_text(refreshed(file.read_text(encoding="utf-8"), name), encoding="utf-8")
    return 0


def page_path(name: str) -> Path:
    return FOLDER / f"{name}.md"


def refreshed(page: str, name: str) -> str:
    """A segmenter's page with everything between its marks written anew; a page without marks stays as it is."""
    parts = {
        "about": about(name, "segmenters"),
        "options": options_table(registry.load("segmenters", name).Options),
        "scores": score_table(name),
    }
    return refilled(page, parts)


def score_table(name: str) -> str:
    """How well its smallest regions agree with blocks that people marked."""
    rows = [
        "F of its smallest regions against the smallest blocks that people marked, and against the main ones; the "
        "pages and all other measures are in [segmentation](../segmentation-quality.md).",
        "",
        "| counted in | smallest blocks | main blocks |",
        "|---|---:|---:|",
    ]
    for measure, columns in _MEASURES.items():
        row = read_row(QUALITY, name, columns[0])
        rows.append(f"| {measure} | {' | '.join(row[column] for column in columns)} |")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main())
