"""Refreshes what docs/segmenters/*.md take from the code: what a segmenter's docstring says, and its options.

python -m bench.segmenter_pages
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.method_pages import about, options_table
from bench.scores import ROOT
from tamis import registry

FOLDER = ROOT / "docs" / "segmenters"


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
    }
    for part, content in parts.items():
        begin, end = f"<!-- {part}: begin -->\n", f"<!-- {part}: end -->"
        before, mark, rest = page.partition(begin)
        if mark:
            page = f"{before}{begin}{content}\n{end}{rest.partition(end)[2]}"
    return page


if __name__ == "__main__":
    sys.exit(main())
