"""Plots of a report: how scores are spread, precision against recall, and the four document models of Gottron."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from html import escape

from tamis.evaluation.measures import stability
from tamis.evaluation.score import ScoreRow
from tamis.pictures import plots

_MODELS = (
    {"characters": "CS", "words_cased": "WS", "bag_cased": "BoW", "set_cased": "SoW"},
    {"characters": "CS", "words": "WS", "bag": "BoW", "set": "SoW"},
)
"""Measures by the names that Gottron (2008) gives them, from fine to coarse: as in the thesis, and with case folded."""


def spread(rows: Sequence[ScoreRow], systems: Sequence[str], measure: str) -> str:
    """F1 of the pages, a box for each system."""
    boxes = {system: [row.f1 for row in rows if row.system == system] for system in systems}
    return plots.box_plot(boxes, f"F1 of pages, {measure}")


def precision_recall(rows: Sequence[ScoreRow], systems: Sequence[str]) -> str:
    """Mean precision against mean recall, a point for each system."""
    points = {}
    for system in systems:
        own = [row for row in rows if row.system == system]
        points[system] = (statistics.fmean(row.recall for row in own), statistics.fmean(row.precision for row in own))
    return plots.scatter(points, "Mean over pages", "recall", "precision")


def model_section(rows: Sequence[ScoreRow], systems: Sequence[str]) -> list[str]:
    """For each dataset the curves of ``model_charts``; nothing unless all four models were measured."""
    parts = []
    for dataset in sorted({row.dataset for row in rows}):
        found = model_charts([row for row in rows if row.dataset == dataset], systems)
        if found:
            parts += [f"<h3>{escape(dataset)}</h3>", *found]
    return ["<h2>From characters to sets of words</h2>", *parts] if parts else []


def model_charts(rows: Sequence[ScoreRow], systems: Sequence[str]) -> list[str]:
    """F1, recall, precision and stability over CS, WS, BoW and SoW, a curve for each system (Gottron 2008, 5.4.3)."""
    measured = {row.measure for row in rows}
    models = next((models for models in _MODELS if measured.issuperset(models)), None)
    if models is None:
        return []
    places = {float(place): name for place, name in enumerate(models.values())}
    cells: dict[tuple[str, str], list[ScoreRow]] = {}
    for row in rows:
        cells.setdefault((row.system, row.measure), []).append(row)
    shown = [system for system in systems if all((system, measure) in cells for measure in models)]
    return [
        plots.curves(
            {
                system: [(place, value(cells[system, measure])) for place, measure in zip(places, models, strict=True)]
                for system in shown
            },
            title,
            "document model",
            places,
        )
        for title, value in _CHARTED.items()
    ]


_CHARTED: dict[str, Callable[[Sequence[ScoreRow]], float]] = {
    "F1": lambda rows: statistics.fmean(row.f1 for row in rows),
    "Recall": lambda rows: statistics.fmean(row.recall for row in rows),
    "Precision": lambda rows: statistics.fmean(row.precision for row in rows),
    "Stability (deviation of F1)": lambda rows: stability([row.f1 for row in rows]),
}
