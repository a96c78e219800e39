"""Writes docs/mining.md from a table of numbers."""

from __future__ import annotations

import csv
from pathlib import Path

from bench.scores import ROOT

PAGE = ROOT / "docs" / "mining.md"
TABLE = ROOT / "docs" / "mining.csv"
READING = ("minutes to listen", "words kept", "words on 320 x 240", "words on 640 x 480")
MINING = (
    "words per page",
    "naive Bayes, known sites",
    "naive Bayes, new sites",
    "naive Bayes, one site known",
    "k-means, kinds",
    "k-means, sites",
)


def render_page(table: Path) -> str:
    """The whole page."""
    values = read_values(table)
    return _TEXT.format(reading=_table(values, READING), mining=_table(values, MINING))


def read_values(table: Path) -> dict[tuple[str, str], float]:
    """Numbers by task and method."""
    with table.open(encoding="utf-8", newline="") as file:
        return {(row["task"], row["method"]): float(row["value"]) for row in csv.DictReader(file)}


def _table(values: dict[tuple[str, str], float], tasks: tuple[str, ...]) -> str:
    methods = list(dict.fromkeys(method for task, method in values if task in tasks))
    lines = [f"| method | {' | '.join(tasks)} |", f"|---|{'---:|' * len(tasks)}"]
    lines += [f"| `{method}` | {' | '.join(_cell(values[task, method]) for task in tasks)} |" for method in methods]
    return "\n".join(lines)


def _cell(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


_TEXT = """TEXT
{reading}
{mining}
"""
