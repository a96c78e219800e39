"""A run: shards that are not done yet, given to an engine, watched, and summed up."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamis.errors import InputError, OptionError, UnknownNameError
from tamis.files import write_text
from tamis.ranges import COUNT, check_range
from tamis.scaling import local
from tamis.scaling.finishing import prepare
from tamis.scaling.job import Job
from tamis.scaling.local import Done
from tamis.scaling.shard_plan import FOLDER_SHARDS, Shard, part_of, plan
from tamis.scaling.shard_work import Manifest, finished, process_shard, read_manifest
from tamis.scaling.stages import Stage, folder_of, stages_of
from tamis.scaling.writing import import_parquet
from tamis.stored import DamageError
from tamis.stored.documents import read_json
from tamis.stored.values import made

ENGINES = ("local", "ray")
_WATCH_SECONDS = 0.5
_STALE_SECONDS = 120.0  # a shard that says nothing for longer was killed; longer than any record may take by default


@dataclass(frozen=True, kw_only=True)
class RunProgress:
    """How far a run is in one of its stages."""

    stage: Stage
    shards: int
    done: int
    failed: int
    counts: Counter[str]  # of records, those of shards under way included
    fresh: int  # records of this run, without what an earlier one had done
    seconds: float


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """What became of a run."""

    out: Path
    stage: Stage  # the last one that was worked on
    shards: int
    resumed: int  # were done before
    counts: dict[str, int]
    skipped: dict[str, int]
    failures: tuple[tuple[str, str], ...] = field(default=())  # shards that could not be done, and why
    waiting: int = 0  # shards, of all parts, without which the next stage cannot begin
    seconds: float = 0.0

    @property
    def records(self) -> int:
        return sum(self.counts.values())


def run(
    inputs: Sequence[str],
    job: Job,
    out: Path,
    *,
    engine: str = "local",
    workers: int | None = None,
    part: str | None = None,
    watch: Callable[[RunProgress], object] | None = None,
) -> RunReport:
    """Work off everything that is not done yet; call it again after any interruption."""
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    check_range("workers", workers, COUNT)
    start, count = time.monotonic(), workers or os.cpu_count() or 1
    everything = plan(inputs)
    shards = part_of(everything, part)
    _check_extras(shards, job)
    open_folder(out, job)
    _refuse_other_shards(out, everything)
    first, *later = stages_of(job)
    report = _run_stage(shards, job, out, first, engine, count, watch)
    for stage in later:
        if missing := sum(finished(shard, job, out, report.stage) is None for shard in everything):
            report = dataclasses.replace(report, waiting=missing)
            break
        prepare(everything, job, out, stage, count)
        report = _run_stage(shards, job, out, stage, engine, count, watch)
    return dataclasses.replace(report, seconds=time.monotonic() - start)


def _check_extras(shards: Sequence[Shard], job: Job) -> None:
    """What is missing is told once, not by every shard."""
    if job.output == "parquet" or any(shard.kind == "parquet" for shard in shards):
        import_parquet()


def _run_stage(
    shards: Sequence[Shard],
    job: Job,
    out: Path,
    stage: Stage,
    engine: str,
    workers: int,
    watch: Callable[[RunProgress], object] | None,
) -> RunReport:
    ready = {shard.name: manifest for shard in shards if (manifest := finished(shard, job, out, stage))}
    todo = [shard for shard in shards if shard.name not in ready]
    manifests = list(ready.values())
    failures: list[tuple[str, str]] = []
    process = functools.partial(process_shard, job=job, out=out.resolve(), stage=stage)
    with _Watch(folder_of(out, job, stage), stage, shards, manifests, failures, watch):
        for done in _engine(engine)(todo, process, workers):
            if done.manifest is None:
                failures.append((done.shard.name, done.error))
            else:
                manifests.append(done.manifest)
    return RunReport(
        out=out,
        stage=stage,
        shards=len(shards),
        resumed=len(ready),
        counts=dict(_total(manifests)),
        skipped=dict(sum((Counter(manifest.skipped) for manifest in manifests), Counter())),
        failures=tuple(failures),
    )


def open_folder(out: Path, job: Job) -> None:
    """Make the output folder, or find that it belongs to the same job."""
    file = out / "job.json"
    try:
        if file.exists():
            other = made(dict[str, Any], read_json(file))
            if other != job.to_dict():
                raise OptionError(f"{_differences(out, other, job)}: pass another --out, or remove the folder")
            return
        out.mkdir(parents=True, exist_ok=True)
        others = [entry.name for entry in out.iterdir() if not entry.name.startswith(".")]
        if others and not file.exists():  # others of a job array may have begun just now
            raise OptionError(f"{str(out)!r} contains other files: pass another --out, or an empty folder")
        write_text(file, json.dumps(job.to_dict(), indent=1))
    except OSError as error:
        raise InputError(f"cannot write to {str(out)!r}: {error.strerror or error}") from error
    except DamageError as error:
        raise InputError(f"{str(file)!r} {error}: pass another --out, or remove the folder") from error


def _refuse_other_shards(out: Path, shards: Sequence[Shard]) -> None:
    """Pages of a folder are cut into shards anew when there are others among them: they would be written twice."""
    names = {shard.name for shard in shards}
    pages = {source for shard in shards if shard.kind == "html" for source in shard.sources}
    for file in sorted((out / "manifests").glob(f"{FOLDER_SHARDS}-*.json")) if pages else ():
        if file.stem not in names and not pages.isdisjoint(read_manifest(file).sources):
            raise OptionError(
                f"{str(out)!r} contains the same pages in other shards, since files were added to a folder or removed "
                "from it: pass another --out, or remove the folder"
            )


def _differences(out: Path, other: dict[str, object], job: Job) -> str:
    own = job.to_dict()
    names = sorted(name for name in {*own, *other} if own.get(name) != other.get(name))
    said = ", ".join(f"{name} {other.get(name)!r} instead of {own.get(name)!r}" for name in names)
    return f"{str(out)!r} belongs to another job ({said[:300]})"


def _engine(name: str) -> Callable[[Sequence[Shard], Callable[[Shard], Manifest], int], Iterator[Done]]:
    if name == "local":
        return local.run_shards
    from tamis.scaling import ray

    return ray.run_shards


def _total(manifests: Sequence[Manifest]) -> Counter[str]:
    total: Counter[str] = Counter()
    for manifest in manifests:
        total.update(manifest.counts)
    return total


class _Watch:
    """Says how far the run is, twice a second, from what shards under way leave in a folder."""

    def __init__(
        self,
        folder: Path,
        stage: Stage,
        shards: Sequence[Shard],
        manifests: list[Manifest],
        failures: list[tuple[str, str]],
        watch: Callable[[RunProgress], object] | None,
    ) -> None:
        self._folder, self._stage = folder / "progress", stage
        self._names = {shard.name for shard in shards}
        self._manifests, self._failures, self._watch = manifests, failures, watch
        self._added, self._total = len(manifests), _total(manifests)
        self._before = self._total.total()
        self._told: Counter[str] = Counter()
        self._start = time.monotonic()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> None:
        if self._watch is not None:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        if self._watch is not None:
            self._thread.join()

    def _look(self) -> None:
        assert self._watch is not None  # noqa: S101 - started only then
        while not self._is_over.wait(_WATCH_SECONDS):
            self._watch(self._progress())
        self._watch(self._progress())

    def _progress(self) -> RunProgress:
        new = self._manifests[self._added :]
        self._added += len(new)
        self._total.update(_total(new))
        counts = self._total.copy()
        for file in self._folder.glob("*.json"):
            try:
                if file.stem in self._names and time.time() - file.stat().st_mtime < _STALE_SECONDS:
                    counts.update(made(dict[str, int], read_json(file)))
            except (OSError, DamageError):  # it has just ended
                continue
        # A shard that has just ended is for a moment neither under way nor done; nothing is told to have got less.
        counts = self._told = max(counts, self._told, key=Counter.total)
        return RunProgress(
            stage=self._stage,
            shards=len(self._names),
            done=self._added,
            failed=len(self._failures),
            counts=counts,
            fresh=max(counts.total() - self._before, 0),
            seconds=time.monotonic() - self._start,
        )
