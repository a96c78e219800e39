"""Stages of a run. Most jobs have one; templates, site memories and duplicates need to have seen all records before.

Every stage works off the same shards into a folder of its own, and the last one into the output folder itself. A shard
is done in a stage as long as what it was made from is the same: the job, and what was found out between the stages.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tamis.scaling.job import Job
from tamis.scaling.shard_plan import Shard
from tamis.stored import DamageError
from tamis.stored.documents import read_json
from tamis.stored.values import made

Stage = Literal["samples", "sites", "pages", "kept"]
FIRST: tuple[Stage, ...] = ("samples", "sites")
"""Stages before that of the pages: what they write is read between the stages, one JSON object a line."""


def stages_of(job: Job) -> tuple[Stage, ...]:
    """What is learned of hosts, if asked for; rows of all pages; rows without duplicates, if asked for."""
    before: tuple[Stage, ...] = ("samples",) if job.templates else ("sites",) if job.sites else ()
    after: tuple[Stage, ...] = ("kept",) if job.duplicates else ()
    return (*before, "pages", *after)


@dataclass(frozen=True)
class ShardFiles:
    """Where the files of a shard are."""

    folder: Path
    name: str
    ending: str

    @property
    def data(self) -> Path:
        return self.folder / "data" / f"{self.name}.{self.ending}"

    @property
    def rejected(self) -> Path:
        return self.folder / "rejected" / f"{self.name}.jsonl"

    @property
    def manifest(self) -> Path:
        return self.folder / "manifests" / f"{self.name}.json"

    @property
    def progress(self) -> Path:
        return self.folder / "progress" / f"{self.name}.json"


def folder_of(out: Path, job: Job, stage: Stage) -> Path:
    return out if stage == stages_of(job)[-1] else out / "stages" / stage


def places(shard: Shard, job: Job, out: Path, stage: Stage) -> ShardFiles:
    ending = "jsonl" if stage in FIRST else job.output
    return ShardFiles(folder_of(out, job, stage), shard.name, ending)


def templates_folder(out: Path) -> Path:
    return out / "stages" / "templates"


def sites_folder(out: Path) -> Path:
    return out / "stages" / "memories"


def dropped_path(out: Path, shard: Shard) -> Path:
    """Rows of a shard that are duplicates, each with the id of the row that is kept."""
    return out / "stages" / "dropped" / f"{shard.name}.json"


def found_path(out: Path, stage: Stage) -> Path:
    """What was found out before a stage: from which shards, and what."""
    return out / "stages" / f"before-{stage}.json"


def read_found(out: Path, stage: Stage) -> dict[str, Any]:
    try:
        values: dict[str, Any] = made(dict[str, Any], read_json(found_path(out, stage)))
    except (OSError, DamageError):
        return {}
    return values


def key_of(shard: Shard, job: Job, out: Path, stage: Stage) -> str:
    """What a shard's output of a stage depends on, in one word."""
    parts = [job.digest()]
    if stage not in FIRST and (job.templates or job.sites):
        parts.append(read_found(out, "pages").get("key", ""))
    if stage == "kept":
        path = dropped_path(out, shard)
        parts.append(hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "")
    return parts[0] if len(parts) == 1 else digest_of(parts)


def digest_of(values: object) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
