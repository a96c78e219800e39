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

from tamis._version import VERSION
from tamis.errors import FileFormatError, OptionError
from tamis.evaluation.datasets import Dataset, Problem, Sample, take
from tamis.evaluation.systems import Answer, made_by, open_system
from tamis.stored import DamageError
from tamis.stored.documents import parse_json
from tamis.stored.values import made
from tamis.workers import Outcome, run_all

STATUSES = ("ok", "empty", "failed", "timed out", "crashed")
_MAX_ERROR_CHARACTERS = 500
_MAX_SLUG_CHARACTERS = 60

Progress = Callable[[str, int, int], None]
"""Called with a system, how many of its pages are done, and how many there are."""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What a system made of a page."""

    id: str
    system: str
    dataset: str
    status: str  # one of STATUSES
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
    progress: Progress | None = None,
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
    counts = {}
    for system, file in files.items():
        done = _resume(file, {**header, "system": system, "made": made_by(system)})
        todo = [sample for sample in samples if sample.id not in done]
        tasks = map(_question, todo)
        make = functools.partial(_extract_of, system)
        outcomes = run_all(tasks, make, count=workers, timeout_seconds=timeout_seconds)
        sizes = {sample.id: len(sample.data) for sample in todo}
        # A lone surrogate, which UTF-8 cannot hold, becomes the JSON escape that stands for it.
        with file.open("a", encoding="utf-8", errors="backslashreplace") as rows, closing(outcomes):
            for number, outcome in enumerate(outcomes, start=len(samples) - len(todo) + 1):
                prediction = _prediction(outcome, system, dataset.name, sizes[outcome.task.id])
                rows.write(json.dumps(vars(prediction), ensure_ascii=False) + "\n")
                rows.flush()
                if progress:
                    progress(system, number, len(samples))
        chosen = {sample.id for sample in samples}
        counts[system] = dict(Counter(row.status for row in read_predictions(file) if row.id in chosen))
    problems = tuple(dataset.problems)
    return RunSummary(dataset=dataset.name, pages=len(samples), counts=counts, files=files, problems=problems)


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
    if limit is not None and limit < 1:
        raise OptionError(f"limit is {limit}, but must be at least 1")
    if workers < 1:
        raise OptionError(f"workers is {workers}, but must be at least 1")
    if not timeout_seconds > 0:
        raise OptionError(f"timeout_seconds is {timeout_seconds}, but must be above 0")


def _choose(dataset: Dataset, limit: int | None, sample_by_hash: bool) -> list[Sample]:
    if limit is None:
        return list(dataset)
    return take(dataset, limit) if sample_by_hash else list(itertools.islice(dataset, limit))


def _resume(file: Path, header: Mapping[str, str]) -> set[str]:
    """Ids of the pages that are done. A file about something else is begun anew, a half-written line is cut off."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = _whole_lines(file) if file.exists() else []
    if not lines or _object(lines[0]) != header:
        file.write_text(json.dumps(header) + "\n", encoding="utf-8")
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
    linked = {key: value for key, value in sample.extra.items() if key == "linked_pages"}
    return dataclasses.replace(sample, html=sample.markup, gold=None, extra=linked)


def _extract_of(system: str) -> Callable[[Sample], Answer]:
    return open_system(system).answer


def _prediction(outcome: Outcome[Sample], system: str, dataset: str, size: int) -> Prediction:
    answer: Answer = outcome.value or Answer("")
    done = "ok" if answer.text.strip() else "empty"
    return Prediction(
        id=outcome.task.id,
        system=system,
        dataset=dataset,
        status={"done": done, "raised": "failed"}.get(outcome.status, outcome.status),
        text=answer.text,
        spans=answer.spans,
        seconds=outcome.seconds,
        size=size,
        error=outcome.error[:_MAX_ERROR_CHARACTERS],
    )


def _slug(system: str) -> str:
    """A file name for a system; one that had to be changed carries a piece of its hash, so that no two are the same.

    >>> _slug("cetr_km"), _slug("lqf:threshold=0.5")
    ('cetr_km', 'lqf-threshold=0.5-5b13476f')
    """
    slug = re.sub(r"[^\w.=-]+", "-", system, flags=re.ASCII)[:_MAX_SLUG_CHARACTERS]
    return slug if slug == system else f"{slug}-{hashlib.sha256(system.encode()).hexdigest()[:8]}"
