"""Mean scores by dataset, system and measure: the table that the reproduction writes and the documentation reads."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tamis.evaluation.measures import harmonic_mean, seconds_per_kb, stability
from tamis.evaluation.score import ScoreRow

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "docs" / "reproduction.csv"
PUBLISHED = ROOT / "bench" / "published"
AFTERWARDS = "group/"  # begins the names of groups of pages that are drawn from all datasets
LINK_RICH, SHORT = f"{AFTERWARDS}link-rich", f"{AFTERWARDS}short"


class Cell(NamedTuple):
    """One system on the pages of one dataset, by one measure."""

    pages: int
    precision: float
    recall: float
    f1: float
    deviation: float  # of F1 over the pages
    us_per_kb: float  # the median over the pages


@dataclass(frozen=True)
class Scores:
    """Cells by dataset, system and measure."""

    cells: Mapping[tuple[str, str, str], Cell]

    @property
    def datasets(self) -> list[str]:
        """Without groups, in the order of the table."""
        return [name for name in dict.fromkeys(key[0] for key in self.cells) if not name.startswith(AFTERWARDS)]

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(key[1] for key in self.cells))

    def f1(self, dataset: str, system: str, measure: str = "words") -> float:
        return self.cells[dataset, system, measure].f1

    def mean(self, system: str, field: str = "f1", measure: str = "words", datasets: Sequence[str] = ()) -> float:
        """Of a number over datasets, all of the same weight."""
        return statistics.fmean(
            getattr(self.cells[dataset, system, measure], field) for dataset in datasets or self.datasets
        )


def of_means(scores: Scores) -> Scores:
    """The same with the F1 of mean precision and mean recall, the convention of Weninger et al. (2010)."""
    cells = scores.cells.items()
    return Scores({key: cell._replace(f1=harmonic_mean(cell.precision, cell.recall)) for key, cell in cells})


def summarise(rows: Iterable[ScoreRow]) -> Scores:
    """Means over pages."""
    found: dict[tuple[str, str, str], list[ScoreRow]] = {}
    for row in rows:
        found.setdefault((row.dataset, row.system, row.measure), []).append(row)
    return Scores({key: _cell(group) for key, group in found.items()})


def read_scores(path: Path) -> Scores:
    with path.open(encoding="utf-8", newline="") as file:
        return Scores(
            {
                (row["dataset"], row["system"], row["measure"]): Cell(
                    int(row["pages"]), *(float(row[name]) for name in Cell._fields[1:])
                )
                for row in csv.DictReader(file)
            }
        )


def write_scores(path: Path, scores: Scores) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("dataset", "system", "measure", *Cell._fields))
        for key, cell in scores.cells.items():
            table.writerow((*key, cell.pages, *(f"{value:.3f}" for value in cell[1:5]), f"{cell.us_per_kb:.0f}"))


def _cell(rows: Sequence[ScoreRow]) -> Cell:
    return Cell(
        pages=len(rows),
        precision=statistics.fmean(row.precision for row in rows),
        recall=statistics.fmean(row.recall for row in rows),
        f1=statistics.fmean(row.f1 for row in rows),
        deviation=stability([row.f1 for row in rows]),
        # The mean of the thesis would be at the mercy of whatever else the machine is doing.
        us_per_kb=statistics.median(seconds_per_kb(row.seconds, row.size) for row in rows) * 1e6,
    )
