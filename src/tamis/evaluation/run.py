"""Dataset × systems → predictions: one file per pair, written page by page, taken up again where a run ended.

A file of predictions holds JSON lines: first what was run on what, then one line per page. Pages are not scored here,
so that scoring does not disturb the timing.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamis import batch
from tamis._version import VERSION
from tamis.batch import Outcome, Progress
from tamis.errors import FileFormatError
from tamis.evaluation.datasets import LINKED_PAGES, Dataset, Problem, Sample, take
from tamis.evaluation.systems import SystemAnswer, made_by, open_system
from tamis.files import write_text
from tamis.ranges import COUNT, POSITIVE, check_range
from tamis.stored import DamageError
from tamis.stored.documents import parse_json
from tamis.stored.values import made

_MAX_ERROR_CHARACTERS = 500
_MAX_SLUG_CHARACTERS = 60


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What a system made of a page."""

    id: str
    system: str
    dataset: str
    status: str  # one of batch.STATUSES
    text: str = field(repr=False)
    spans: tuple[tuple[int, int], ...] | None = field(repr=False)  # of page.text, where the system tells them
    seconds: float
    size: int  # of the page, in bytes
    error: str


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """How a run went, what earlier runs had done included."""

    dataset: str
    pages: int
    counts: Mapping[str, Mapping[str, int]]  # for each system how many pages had each status
    files: Mapping[str, Path]  # of predictions, for each system
    problems: tuple[Problem, ...]  # of the dataset


def run(
    dataset: Dataset,
    systems: Sequence[str],
    out: Path,
    *,
    limit: int | None = None,
    sample_by_hash: bool = True,
    workers: int = 1,
    timeout_seconds: float = 30.0,
    progress: Progress = lambda *_: None,
) -> RunSummary:
    """Run systems on the pages of a dataset that they have not seen yet; how it went.

    With ``limit``, so many pages are chosen by the hash of their ids, or else the first ones.
    """
    _check(limit, workers, timeout_seconds)
    for system in systems:
        open_system(system)  # a wrong name is answered before hours of work
    # Labelled pages fit into memory, and unpacking them again for each system would take longer than some systems do.
    samples = _choose(dataset, limit, sample_by_hash)
    header = {"tamis": VERSION, "dataset": dataset.name, "digest": dataset.digest()}
    files = {system: predictions_path(out, dataset.name, system) for system in systems}
    for system, file in files.items():
        about = {**header, "system": system, "made": made_by(system)}
        _run_system(system, file, about, samples, workers, timeout_seconds, progress)
    chosen = {sample.id for sample in samples}
    counts = {
        system: dict(Counter(row.status for row in read_predictions(file) if row.id in chosen))
        for system, file in files.items()
    }
    problems = tuple(dataset.problems)
    return RunSummary(dataset=dataset.name, pages=len(samples), counts=counts, files=files, problems=problems)


def _run_system(
    system: str,
    file: Path,
    header: Mapping[str, str],
    samples: Sequence[Sample],
    workers: int,
    timeout_seconds: float,
    progress: Progress,
) -> None:
    """Append what a system makes of the pages that are not in its file yet."""
    done = _resume(file, header)
    todo = batch.left(samples, lambda sample: sample.id in done)
    sizes = {sample.id: len(sample.data) for sample in todo}
    make = functools.partial(_extract_of, system)
    outcomes = batch.run_supervised(map(_question, todo), make, processes=workers, timeout_seconds=timeout_seconds)
    # A lone surrogate, which UTF-8 cannot hold, becomes the JSON escape that stands for it.
    with file.open("a", encoding="utf-8", errors="backslashreplace") as rows, closing(outcomes):
        for sample, outcome in batch.watched(outcomes, progress, system, len(samples), len(samples) - len(todo)):
            prediction = _prediction(sample.id, outcome, system, header["dataset"], sizes[sample.id])
            rows.write(json.dumps(vars(prediction), ensure_ascii=False) + "\n")
            rows.flush()


def predictions_path(out: Path, dataset: str, system: str) -> Path:
    """Where the predictions of a system on a dataset are kept.

    >>> predictions_path(Path("out"), "public/dragnet", "bte").as_posix()
    'out/predictions/public-dragnet/bte.jsonl'
    """
    return out / "predictions" / dataset.replace("/", "-") / f"{_slug(system)}.jsonl"


def read_predictions(path: Path) -> list[Prediction]:
    """The predictions in a file, in the order in which they were made; a half-written last line is left out."""
    try:
        return [made(Prediction, parse_json(line)) for line in _whole_lines(path)[1:]]
    except (OSError, DamageError) as error:
        hint = "delete the file and run again"
        raise FileFormatError(f"cannot read predictions from {str(path)!r}: one {error}; {hint}") from error


def _check(limit: int | None, workers: int, timeout_seconds: float) -> None:
    check_range("limit", limit, COUNT)
    check_range("workers", workers, COUNT)
    check_range("timeout_seconds", timeout_seconds, POSITIVE)


def _choose(dataset: Dataset, limit: int | None, sample_by_hash: bool) -> list[Sample]:
    if limit is None:
        return list(dataset)
    return take(dataset, limit) if sample_by_hash else list(itertools.islice(dataset, limit))


def _resume(file: Path, header: Mapping[str, str]) -> set[str]:
    """Ids of the pages that are done. A file about something else is begun anew, a half-written line is cut off."""
    lines = _whole_lines(file) if file.exists() else []
    if not lines or _object(lines[0]) != header:
        write_text(file, json.dumps(header) + "\n")
        return set()
    os.truncate(file, sum(map(len, lines)))
    return {prediction.id for prediction in read_predictions(file)}


def _whole_lines(file: Path) -> list[bytes]:
    data = file.read_bytes()
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)


def _object(line: bytes) -> Any:
    try:
        return parse_json(line)
    except DamageError:
        return None


def _question(sample: Sample) -> Sample:
    """What a system is shown of a sample: the page, decoded alike for all of them, and never the label."""
    linked = {key: value for key, value in sample.extra.items() if key == LINKED_PAGES}
    return dataclasses.replace(sample, html=sample.markup, gold=None, extra=linked)


def _extract_of(system: str) -> Callable[[Sample], Outcome[SystemAnswer]]:
    answer = open_system(system).answer

    def work(sample: Sample) -> Outcome[SystemAnswer]:
        found = answer(sample)
        return Outcome("ok" if found.text.strip() else "empty", found)

    return work


def _prediction(
    identity: str, outcome: Outcome[SystemAnswer | None], system: str, dataset: str, size: int
) -> Prediction:
    answer = outcome.value or SystemAnswer("")
    return Prediction(
        id=identity,
        system=system,
        dataset=dataset,
        status=outcome.status,
        text=answer.text,
        spans=answer.spans,
        seconds=outcome.seconds,
        size=size,
        error=outcome.reason[:_MAX_ERROR_CHARACTERS],
    )


def _slug(system: str) -> str:
    """A file name for a system; one that had to be changed carries a piece of its hash, so that no two are the same.

    >>> _slug("cetr_km"), _slug("lqf:threshold=0.5")
    ('cetr_km', 'lqf-threshold=0.5-5b13476f')
    """
    slug = re.sub(r"[^\w.=-]+", "-", system, flags=re.ASCII)[:_MAX_SLUG_CHARACTERS]
    return slug if slug == system else f"{slug}-{hashlib.sha256(system.encode()).hexdigest()[:8]}"
