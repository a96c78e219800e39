"""Datasets × systems → predictions, rows and a report: all that ``tamis evaluate`` does."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tamis.batch import Progress
from tamis.characters import counted
from tamis.errors import OptionError
from tamis.evaluation import report
from tamis.evaluation.datasets import Dataset, Sample, open_dataset, take
from tamis.evaluation.run import read_predictions, run
from tamis.evaluation.score import ScoreRow, check_measures, score, write_csv, write_parquet
from tamis.evaluation.systems import open_system
from tamis.files import write_text


@dataclass(frozen=True, kw_only=True)
class EvaluationPlan:
    """What to evaluate, and how."""

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    measures: tuple[str, ...] = ("bag", "words")  # the first one is what tables are about
    baseline: str | None = None
    f1_of: report.F1Of = "pages"
    limit: int | None = None  # pages per dataset, the same ones every time
    workers: int = 2
    timeout_seconds: float = 30.0

    def __post_init__(self) -> None:
        check_measures(self.measures)
        if not self.datasets or not self.systems or not self.measures:
            raise OptionError("name at least one dataset, one system and one measure")
        if self.baseline is not None and self.baseline not in self.systems:
            raise OptionError(f"the baseline {self.baseline!r} is not among the systems: {', '.join(self.systems)}")


def evaluate(plan: EvaluationPlan, out: Path, progress: Progress = lambda *_: None) -> list[ScoreRow]:
    """Run, score and report; predictions are kept in ``out``, and a rerun continues where this one stopped."""
    datasets = [open_dataset(name) for name in plan.datasets]
    for system in plan.systems:
        open_system(system)  # a wrong name is answered before any work
    rows: list[ScoreRow] = []
    samples: dict[str, list[Sample]] = {}
    for dataset in datasets:
        summary = run(
            dataset,
            plan.systems,
            out,
            limit=plan.limit,
            workers=plan.workers,
            timeout_seconds=plan.timeout_seconds,
            progress=progress,
        )
        samples[dataset.name] = _samples(dataset, plan.limit)
        # By id, not as workers ended: resampling draws by position, and a report is the same every time.
        predictions = itertools.chain.from_iterable(
            sorted(read_predictions(file), key=lambda prediction: prediction.id) for file in summary.files.values()
        )
        rows += score(samples[dataset.name], predictions, plan.measures, processes=plan.workers)
    write_csv(out / "scores.csv", rows)
    write_parquet(out / "scores.parquet", rows)
    _write_report(plan, out, rows, samples)
    return rows


def _samples(dataset: Dataset, limit: int | None) -> list[Sample]:
    return list(dataset) if limit is None else take(dataset, limit)


def _write_report(plan: EvaluationPlan, out: Path, rows: Sequence[ScoreRow], samples: dict[str, list[Sample]]) -> None:
    measure = plan.measures[0]
    title = f"{counted(len(plan.systems), 'system')} on {counted(len(plan.datasets), 'dataset')}"
    found = report.tables(rows, measure, plan.baseline, plan.f1_of)
    pages = _differing_pages(out, rows, measure, samples)
    write_text(out / "report.md", report.to_markdown(title, found))
    write_text(out / "report.html", report.to_html(title, found, rows, measure, pages))


def _differing_pages(
    out: Path, rows: Sequence[ScoreRow], measure: str, samples: dict[str, list[Sample]]
) -> list[report.ComparedPage]:
    wanted = report.largest_differences(rows, measure)
    texts: dict[tuple[str, str], dict[str, str]] = {page: {} for page in wanted}
    for dataset, found in samples.items():
        for sample in found:
            if (dataset, sample.id) in texts:
                texts[dataset, sample.id]["gold"] = sample.gold or ""
    for file in sorted(out.glob("predictions/*/*.jsonl")):
        for prediction in read_predictions(file):
            if (prediction.dataset, prediction.id) in texts:
                texts[prediction.dataset, prediction.id][prediction.system] = prediction.text
    return [report.ComparedPage(dataset=dataset, id=page, texts=texts[dataset, page]) for dataset, page in wanted]
