"""The engine of one machine: processes that take one shard after the other, and are replaced when they die."""

from __future__ import annotations

import functools
import math
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import NamedTuple

from tamis.batch import Outcome, run_supervised
from tamis.errors import OptionError
from tamis.scaling.shard_plan import Shard
from tamis.scaling.shard_work import Manifest

TRIES = 3  # a shard whose process was killed is done again so often; its records cannot kill it


class Done(NamedTuple):
    """A shard that came to an end: its manifest, or why there is none."""

    shard: Shard
    manifest: Manifest | None
    error: str = ""


def run_shards(
    shards: Sequence[Shard], process: Callable[[Shard], Manifest], workers_count: int
) -> Generator[Done, None, None]:
    """Work off the shards with so many at a time, in the order in which they end."""
    waiting = _Waiting(shards)
    for attempt in range(1, TRIES + 1):
        try:
            yield from _run(waiting, process, workers_count)
            return
        except OptionError:  # a process did not even start: killed at once, or a filter that cannot be imported
            if attempt == TRIES:
                raise
            waiting.give_back()


def _run(waiting: _Waiting, process: Callable[[Shard], Manifest], workers_count: int) -> Generator[Done, None, None]:
    make = functools.partial(_worker, process)
    with closing(run_supervised(waiting, make, processes=workers_count, timeout_seconds=math.inf)) as outcomes:
        for shard, outcome in outcomes:
            if outcome.status == "ok":
                waiting.done(shard)
                yield Done(shard, outcome.value)
            elif outcome.status == "crashed" and waiting.tries[shard.name] < TRIES:
                waiting.add(shard)
            else:
                waiting.done(shard)
                yield Done(shard, None, outcome.reason)


def _worker(process: Callable[[Shard], Manifest]) -> Callable[[Shard], Outcome[Manifest]]:
    return lambda shard: Outcome("ok", process(shard))


class _Waiting:
    """Shards that wait; others may be added also when it was empty before."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = deque(shards)
        self._under_way: dict[str, Shard] = {}
        self.tries: Counter[str] = Counter()

    def add(self, shard: Shard) -> None:
        self._shards.append(shard)

    def done(self, shard: Shard) -> None:
        del self._under_way[shard.name], self.tries[shard.name]

    def give_back(self) -> None:
        """Let those wait again that were taken and are not done."""
        waiting = {shard.name for shard in self._shards}
        self._shards.extendleft(shard for name, shard in self._under_way.items() if name not in waiting)

    def __iter__(self) -> _Waiting:
        return self

    def __next__(self) -> Shard:
        if not self._shards:
            raise StopIteration
        shard = self._shards.popleft()
        self._under_way[shard.name] = shard
        self.tries[shard.name] += 1
        return shard
