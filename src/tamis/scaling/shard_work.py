"""The unit of work: one shard becomes one output file, one file of reasons and a manifest, or nothing at all.

Records are worked on by a process of their own, so that one that never ends, eats the memory or kills the process
costs itself alone; no engine below this level gives that. Doing a shard twice gives the same files.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.batch import STATUSES, Outcome, run_supervised
from tamis.errors import FileFormatError, InputError
from tamis.files import aside, write_text
from tamis.scaling.inputs import InputRecord, read_shard
from tamis.scaling.job import Job
from tamis.scaling.memories import site_finder, sketcher
from tamis.scaling.process import PROVENANCE, WRITTEN, ResultRow, describe, processor
from tamis.scaling.samples import sample_records, template_finder
from tamis.scaling.shard_plan import Shard
from tamis.scaling.stages import FIRST, ShardFiles, Stage, dropped_path, key_of, places, sites_folder, templates_folder
from tamis.scaling.writing import SIGNATURE, LineRows, Rows, open_rows, read_objects, read_rows
from tamis.stored import reading
from tamis.stored.documents import read_json
from tamis.stored.values import made

_SAY_SECONDS = 1.0  # how often a shard under way says how far it is


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What became of a shard; written last, so that a shard with a manifest is done."""

    shard: str
    key: str  # of what it was made from
    version: str
    sources: tuple[str, ...]
    output: str
    records: int
    counts: dict[str, int]
    skipped: dict[str, int]  # by filter
    seconds: float


def read_manifest(path: Path) -> Manifest:
    """What a shard left when it was done; anything else is a ``FileFormatError``."""
    with reading("the manifest", path, "remove it, and its shard is done again"):
        manifest: Manifest = made(Manifest, read_json(path))
    return manifest


def finished(shard: Shard, job: Job, out: Path, stage: Stage) -> Manifest | None:
    """The manifest of a shard that is done."""
    files = places(shard, job, out, stage)
    try:
        manifest = read_manifest(files.manifest)
    except (OSError, FileFormatError):
        return None
    return manifest if manifest.key == key_of(shard, job, out, stage) and files.data.exists() else None


def process_shard(shard: Shard, job: Job, out: Path, stage: Stage = "pages") -> Manifest:
    """Work off a shard, unless it is done; after any interruption it can be done again."""
    if done := finished(shard, job, out, stage):
        return done
    files = places(shard, job, out, stage)
    try:
        return _write(shard, job, out, stage, files)
    except OSError as error:
        if done := finished(shard, job, out, stage):  # by another process that was believed to be dead
            return done
        raise InputError(f"cannot write {shard.name!r} to {str(out)!r}: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            files.progress.unlink()


def _write(shard: Shard, job: Job, out: Path, stage: Stage, files: ShardFiles) -> Manifest:
    start, said = time.monotonic(), 0.0
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    # Files get their names from the last to the first of these.
    with (
        aside(files.manifest, durable=True) as manifest_part,
        aside(files.rejected, durable=True) as rejected,
        aside(files.data, durable=True) as data,
    ):
        with (
            _open_rows(data, job, stage) as rows,
            closing(LineRows(rejected)) as reasons,
            closing(_outcomes(shard, job, out, stage)) as outcomes,
        ):
            for outcome in outcomes:
                counts[outcome.status] += 1
                if outcome.status in WRITTEN:
                    rows.add(outcome.value)
                elif outcome.value:
                    reasons.add({**outcome.value, "status": outcome.status, "reason": outcome.reason})
                if outcome.status == "skipped":
                    skipped[outcome.reason.partition(": ")[0]] += 1
                if time.monotonic() - said > _SAY_SECONDS:
                    said = time.monotonic()
                    _say(files.progress, counts)
        manifest = Manifest(
            shard=shard.name,
            key=key_of(shard, job, out, stage),
            version=job.version,
            sources=shard.sources,
            output=str(files.data.relative_to(out)),
            records=counts.total(),
            counts={status: counts[status] for status in STATUSES},
            skipped=dict(sorted(skipped.items())),
            seconds=round(time.monotonic() - start, 3),
        )
        manifest_part.write_text(json.dumps(dataclasses.asdict(manifest), indent=1))
    return manifest


def _open_rows(path: Path, job: Job, stage: Stage) -> AbstractContextManager[Rows]:
    if stage in FIRST:
        return closing(LineRows(path))
    return closing(open_rows(path, job, has_signatures=stage == "pages" and job.duplicates is not None))


def _outcomes(shard: Shard, job: Job, out: Path, stage: Stage) -> Generator[Outcome[ResultRow], None, None]:
    if stage == "kept":
        yield from _kept(shard, job, out)
    elif stage == "samples" and job.templates:
        yield from sample_records(read_shard(shard, job), job.templates)
    elif stage == "sites":
        yield from _worked_off(shard, job, functools.partial(sketcher, job))
    else:
        yield from _extracted(shard, job, out)


def _extracted(shard: Shard, job: Job, out: Path) -> Generator[Outcome[ResultRow], None, None]:
    open_templates = None
    if job.templates:
        folder = templates_folder(out)
        hosts = frozenset(_between(dict[str, str], folder / "hosts.json"))
        open_templates = functools.partial(template_finder, folder, hosts)
    open_sites = functools.partial(site_finder, sites_folder(out)) if job.sites else None
    yield from _worked_off(shard, job, functools.partial(processor, job, open_templates, open_sites))


def _worked_off(
    shard: Shard, job: Job, make: Callable[[], Callable[[InputRecord], Outcome[ResultRow]]]
) -> Generator[Outcome[ResultRow], None, None]:
    records = read_shard(shard, job)
    with closing(run_supervised(records, make, processes=1, timeout_seconds=job.limits.seconds)) as found:
        for record, outcome in found:
            row = describe(record) if outcome.value is None else outcome.value
            yield Outcome(outcome.status, row, outcome.reason)


def _kept(shard: Shard, job: Job, out: Path) -> Generator[Outcome[ResultRow], None, None]:
    """What the stage before has written, without the duplicates."""
    files = places(shard, job, out, "pages")
    dropped = _between(dict[str, str], dropped_path(out, shard))
    for number, row in enumerate(read_rows(files.data, job)):
        del row[SIGNATURE]
        if first := dropped.get(str(number)):
            yield Outcome(
                "skipped", {name: row[name] for name in PROVENANCE}, f"duplicates: its text is that of {first}"
            )
        else:
            yield Outcome(row["status"], row)
    for line in read_objects(files.rejected):
        yield Outcome(line.pop("status"), line, line.pop("reason"))


def _between(kind: Any, path: Path) -> Any:
    """What was written between two stages."""
    with reading("the file", path, "remove the output folder and run again"):
        return made(kind, read_json(path))


def _say(path: Path, counts: Counter[str]) -> None:
    write_text(path, json.dumps(counts))
