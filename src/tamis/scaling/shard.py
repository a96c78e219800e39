"""The unit of work: one shard becomes one output file, one file of reasons and a manifest, or nothing at all.

Records are worked on by a process of their own, so that one that never ends, eats the memory or kills the process
costs itself alone; no engine below this level gives that. Doing a shard twice gives the same files.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamis.errors import InputError
from tamis.evaluation import workers
from tamis.scaling.inputs import Record, read_shard
from tamis.scaling.job import Job
from tamis.scaling.process import STATUSES, WRITTEN, Outcome, describe, processor
from tamis.scaling.shards import Shard
from tamis.scaling.writing import Aside, LineRows, open_rows

_SAY_SECONDS = 1.0  # how often a shard under way says how far it is


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What became of a shard; written last, so that a shard with a manifest is done."""

    shard: str
    job: str
    version: str
    sources: tuple[str, ...]
    output: str
    records: int
    counts: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)  # by filter
    seconds: float = 0.0


@dataclass(frozen=True)
class Places:
    """Where the files of a shard are."""

    out: Path
    name: str
    ending: str

    @property
    def data(self) -> Path:
        return self.out / "data" / f"{self.name}.{self.ending}"

    @property
    def rejected(self) -> Path:
        return self.out / "rejected" / f"{self.name}.jsonl"

    @property
    def manifest(self) -> Path:
        return self.out / "manifests" / f"{self.name}.json"

    @property
    def progress(self) -> Path:
        return self.out / "progress" / f"{self.name}.json"


def places(out: Path, shard: Shard, job: Job) -> Places:
    return Places(out, shard.name, job.output)


def finished(out: Path, shard: Shard, job: Job) -> Manifest | None:
    """The manifest of a shard that is done."""
    files = places(out, shard, job)
    try:
        values = json.loads(files.manifest.read_bytes())
        manifest = Manifest(**{**values, "sources": tuple(values["sources"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return manifest if manifest.job == job.digest() and files.data.exists() else None


def process_shard(shard: Shard, job: Job, out: Path) -> Manifest:
    """Work off a shard, unless it is done; after any interruption it can be done again."""
    if done := finished(out, shard, job):
        return done
    files, start = places(out, shard, job), time.monotonic()
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    try:
        with Aside(files.data) as data, Aside(files.rejected) as rejected, Aside(files.manifest) as last:
            rows, reasons = open_rows(data.part, job), LineRows(rejected.part)
            said = 0.0
            for outcome in _outcomes(shard, job):
                counts[outcome.status] += 1
                if outcome.status in WRITTEN:
                    rows.add(outcome.row)
                else:
                    reasons.add({**outcome.row, "status": outcome.status, "reason": outcome.reason})
                if outcome.status == "skipped":
                    skipped[outcome.reason.partition(":")[0]] += 1
                if time.monotonic() - said > _SAY_SECONDS:
                    said = time.monotonic()
                    _say(files.progress, counts)
            rows.close()
            reasons.close()
            manifest = Manifest(
                shard=shard.name,
                job=job.digest(),
                version=job.version,
                sources=shard.sources,
                output=str(files.data.relative_to(out)),
                records=counts.total(),
                counts={status: counts[status] for status in STATUSES},
                skipped=dict(sorted(skipped.items())),
                seconds=round(time.monotonic() - start, 3),
            )
            last.part.write_text(json.dumps(dataclasses.asdict(manifest), indent=1))
            for file in (data, rejected, last):
                file.keep()
    except OSError as error:
        raise InputError(f"cannot write {shard.name!r} to {str(out)!r}: {error.strerror or error}") from error
    finally:
        files.progress.unlink(missing_ok=True)
    return manifest


def _outcomes(shard: Shard, job: Job) -> Any:
    make = functools.partial(processor, job)
    for done in workers.run_all(read_shard(shard, job), make, count=1, timeout_seconds=job.limits.seconds):
        yield done.value if done.status == "done" else _lost(done)


def _lost(done: workers.Outcome[Record]) -> Outcome:
    """What became of a record whose processing did not come back."""
    row = describe(done.task)
    if done.status == "timed out":
        return Outcome("timed out", row, done.error)
    if done.status == "crashed" or done.error.startswith("MemoryError"):
        return Outcome("quarantined", row, done.error)
    return Outcome("failed", row, done.error)


def _say(path: Path, counts: Counter[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_text(json.dumps(counts))
    part.replace(path)
