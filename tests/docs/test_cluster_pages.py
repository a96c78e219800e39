from __future__ import annotations

from pathlib import Path

from bench.pages import documented
from tamis import registry

DOCS = Path(__file__).parents[2] / "docs"


def test_thresholds_are_those_of_the_code() -> None:
    page = (DOCS / "distances.md").read_text(encoding="utf-8")
    for name in documented("distances"):
        row = next(line for line in page.splitlines() if line.startswith(f"| [`{name}`]"))
        threshold = registry.load("distances", name).THRESHOLD
        assert row.split("|")[6].strip() == ("" if threshold is None else str(threshold))
