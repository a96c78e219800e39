"""The engine of a cluster: every shard a Ray task, on machines that share the output folder.

Ray gives each task a process and repeats it when its process or its machine is lost; everything about records is done
inside the shard.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Sequence
from typing import Any

from tamis.errors import MissingExtraError
from tamis.scaling.local import TRIES, Done
from tamis.scaling.shard_plan import Shard
from tamis.scaling.shard_work import Manifest

_AHEAD = 2  # tasks for every core that are known to the cluster: it never waits, and the driver's lists stay short


def run_shards(
    shards: Sequence[Shard], process: Callable[[Shard], Manifest], workers_count: int
) -> Generator[Done, None, None]:
    """Work off the shards on the cluster that RAY_ADDRESS names, or on a small one started here."""
    try:
        import ray
    except ImportError:
        raise MissingExtraError("ray", "the engine ray") from None
    if not shards:
        return
    started = not ray.is_initialized()
    if started:
        address = os.environ.get("RAY_ADDRESS")
        size: dict[str, Any] = {} if address else {"num_cpus": workers_count, "include_dashboard": False}
        ray.init(address=address, log_to_driver=False, **size)
    try:
        yield from _run(ray, shards, process)
    finally:
        if started:
            ray.shutdown()


def _run(ray: Any, shards: Sequence[Shard], process: Callable[[Shard], Manifest]) -> Generator[Done, None, None]:
    task = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_process)
    shared, folder = ray.put(process), os.getcwd()  # noqa: PTH109 - sent to others as it is
    waiting = iter(shards)
    under_way: dict[Any, Shard] = {}
    while True:
        room = _AHEAD * max(int(ray.cluster_resources().get("CPU", 1)), 1) - len(under_way)
        for _, shard in zip(range(room), waiting):  # noqa: B905 - as many as there is room for
            under_way[task.remote(shared, shard, folder)] = shard
        if not under_way:
            return
        ready, _ = ray.wait(list(under_way), num_returns=1)
        for reference in ready:
            shard = under_way.pop(reference)
            try:
                yield Done(shard, ray.get(reference))
            except ray.exceptions.RayError as error:
                yield Done(shard, None, str(getattr(error, "cause", None) or error).splitlines()[0])


def _process(process: Callable[[Shard], Manifest], shard: Shard, folder: str) -> Manifest:
    with contextlib.suppress(OSError):  # names of files may be relative to where the run was started
        os.chdir(folder)
    return process(shard)
