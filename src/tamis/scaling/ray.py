"""The engine of a cluster: every shard a Ray task, on machines that share the output folder.

Ray gives each task a process and repeats it when its process or its machine is lost; everything about records is done
inside the shard.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tamis.errors import MissingExtraError
from tamis.scaling.job import Job
from tamis.scaling.local import TRIES, Done
from tamis.scaling.shard import process_shard
from tamis.scaling.shards import Shard


def run_shards(shards: Sequence[Shard], job: Job, out: Path, workers_count: int) -> Iterator[Done]:
    """Work off the shards on the cluster that RAY_ADDRESS names, or on a small one started here."""
    try:
        import ray
    except ImportError:
        raise MissingExtraError("ray", "the engine ray") from None
    started = not ray.is_initialized()
    if started:
        address = os.environ.get("RAY_ADDRESS")
        size: dict[str, Any] = {} if address else {"num_cpus": workers_count, "include_dashboard": False}
        ray.init(address=address, log_to_driver=False, **size)
    try:
        yield from _run(ray, shards, job, out.resolve())
    finally:
        if started:
            ray.shutdown()


def _run(ray: Any, shards: Sequence[Shard], job: Job, out: Path) -> Iterator[Done]:
    task = ray.remote(num_cpus=1, max_retries=TRIES - 1)(process_shard)
    under_way = {task.remote(shard, job, out): shard for shard in shards}
    while under_way:
        ready, _ = ray.wait(list(under_way), num_returns=1)
        for reference in ready:
            shard = under_way.pop(reference)
            try:
                yield Done(shard, ray.get(reference))
            except ray.exceptions.RayError as error:
                yield Done(shard, None, str(getattr(error, "cause", None) or error).splitlines()[0])
