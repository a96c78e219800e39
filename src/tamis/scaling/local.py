"""The engine of one machine: processes that take one shard after the other, and are replaced when they die."""

from __future__ import annotations

import functools
import math
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tamis.evaluation import workers
from tamis.scaling.job import Job
from tamis.scaling.shard import Manifest, process_shard
from tamis.scaling.shards import Shard

TRIES = 3  # a shard whose process was killed is done again so often; its records cannot kill it


class Done(NamedTuple):
    """A shard that came to an end: its manifest, or why there is none."""

    shard: Shard
    manifest: Manifest | None
    error: str = ""


def run_shards(shards: Sequence[Shard], job: Job, out: Path, workers_count: int) -> Iterator[Done]:
    """Work off the shards with so many at a time, in the order in which they end."""
    waiting = _Waiting(shards)
    tries: Counter[str] = Counter()
    make = functools.partial(_worker, job, out)
    for outcome in workers.run_all(waiting, make, count=workers_count, timeout_seconds=math.inf):
        shard = outcome.task
        if outcome.status == "done":
            yield Done(shard, outcome.value)
            continue
        tries[shard.name] += 1
        if outcome.status == "crashed" and tries[shard.name] < TRIES:
            waiting.add(shard)
        else:
            yield Done(shard, None, outcome.error)


def _worker(job: Job, out: Path) -> Callable[[Shard], Manifest]:
    return functools.partial(process_shard, job=job, out=out)


class _Waiting:
    """Shards that wait; others may be added also when it was empty before."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = deque(shards)

    def add(self, shard: Shard) -> None:
        self._shards.append(shard)

    def __iter__(self) -> _Waiting:
        return self

    def __next__(self) -> Shard:
        if not self._shards:
            raise StopIteration
        return self._shards.popleft()
