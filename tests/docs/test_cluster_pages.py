from __future__ import annotations

import re
from pathlib import Path

import pytest

from tamis import registry

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("kind", ["distances", "clusterers"])
def test_every_method_has_a_section_and_every_figure_exists(kind: str) -> None:
    page = (DOCS / f"{kind}.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## `(\w+)`$", page, re.MULTILINE)
    assert sorted(sections) == list(registry.names(kind))
    figures = re.findall(r"\((figures/[^)]+)\)", page)
    assert figures
    assert all((DOCS / figure).is_file() for figure in figures)


def test_thresholds_are_those_of_the_code() -> None:
    page = (DOCS / "distances.md").read_text(encoding="utf-8")
    for name in registry.names("distances"):
        row = next(line for line in page.splitlines() if line.startswith(f"| [`{name}`]"))
        threshold = registry.load("distances", name).THRESHOLD
        assert row.split("|")[6].strip() == ("" if threshold is None else str(threshold))
