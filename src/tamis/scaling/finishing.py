"""What is done between stages, when all shards of the one before are done: in one process, from small files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamis.files import write_text
from tamis.scaling import duplicates
from tamis.scaling.job import Job
from tamis.scaling.memories import join_memories
from tamis.scaling.samples import learn_templates
from tamis.scaling.shard_plan import Shard
from tamis.scaling.stages import (
    Stage,
    digest_of,
    dropped_path,
    found_path,
    key_of,
    places,
    read_found,
    sites_folder,
    stages_of,
    templates_folder,
)
from tamis.scaling.writing import SIGNATURE, read_rows


def prepare(shards: Sequence[Shard], job: Job, out: Path, stage: Stage, workers_count: int) -> None:
    """Find out what a stage needs to know of all shards, unless that is known; the order of their ends is no matter."""
    before: Stage = "pages" if stage == "kept" else stages_of(job)[0]
    source = digest_of([[shard.name, key_of(shard, job, out, before)] for shard in shards])
    if read_found(out, stage).get("from") == source:
        return
    if stage == "kept":
        _find_duplicates(shards, job, out)
        found: dict[str, Any] = {}
    elif job.sites:
        files = [places(shard, job, out, "sites").data for shard in shards]
        found = {"key": digest_of(join_memories(files, sites_folder(out)))}
    else:
        files = [places(shard, job, out, "samples").data for shard in shards]
        hosts = learn_templates(files, templates_folder(out), job, workers_count)
        found = {"key": digest_of(hosts)}
        _write(templates_folder(out) / "hosts.json", hosts)
    _write(found_path(out, stage), {"from": source, **found})


def _find_duplicates(shards: Sequence[Shard], job: Job, out: Path) -> None:
    assert job.duplicates is not None  # noqa: S101 - there is no such stage without

    def column(shard: Shard, name: str) -> Iterator[str]:
        return (row[name] for row in read_rows(places(shard, job, out, "pages").data, job, [name]))

    tables = [duplicates.read_signatures(column(shard, SIGNATURE), job.duplicates) for shard in shards]
    starts = np.cumsum([0, *map(len, tables)]).tolist()
    owner = duplicates.first_alike(np.concatenate(tables), job.duplicates)
    copies = np.flatnonzero(owner != np.arange(len(owner)))
    firsts = frozenset(owner[copies].tolist())
    ids: dict[int, str] = {}
    for shard, start in zip(shards, starts[:-1], strict=True):
        ids |= {place: name for place, name in enumerate(column(shard, "id"), start) if place in firsts}
    for shard, start, end in zip(shards, starts[:-1], starts[1:], strict=True):
        own = copies[np.searchsorted(copies, start) : np.searchsorted(copies, end)].tolist()
        _write(dropped_path(out, shard), {place - start: ids[int(owner[place])] for place in own})


def _write(path: Path, values: object) -> None:
    write_text(path, json.dumps(values, indent=1), durable=True)
