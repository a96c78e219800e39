"""One driver for every long job: items → outcomes, one after the other or side by side, with one set of statuses.

Whatever becomes of an item costs that item alone. What is written says what is done: a job that was interrupted goes on
with the items that are left.

ok          there is a result
empty       the page was read, and has no content
truncated   there is a result, of the first part of the page alone: a limit was reached
skipped     left out on purpose: by a filter, as a duplicate, because there are enough others
failed      it cannot be read, the method failed, or the result cannot be written
timed out   it was not done when its time was over
crashed     it ended its process, or wanted more memory than it may have
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Generic, Literal, NamedTuple, TypeVar, get_args

from tamis import workers
from tamis.errors import TamisError

Status = Literal["ok", "empty", "truncated", "skipped", "failed", "timed out", "crashed"]
STATUSES: tuple[Status, ...] = get_args(Status)
OF_ONE_PROCESS: tuple[Status, ...] = ("ok", "empty", "truncated", "failed")
"""What can become of a page where nothing is left out, and no process stands between."""
LOST: tuple[Status, ...] = ("failed", "timed out", "crashed")
"""Items that should have a result and have none: a command that has lost one says so by its exit code."""

Item = TypeVar("Item")
Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
Progress = Callable[[str, int, int], None]
"""Called with the name of a part of the job, how much of it is done, and how much there is."""


class Outcome(NamedTuple, Generic[Value_co]):
    """What became of one item."""

    status: Status
    value: Value_co
    reason: str = ""  # why there is no result
    warnings: tuple[str, ...] = ()  # about a result that is there
    seconds: float = 0.0  # that it took, where it was measured


def left(items: Iterable[Item], is_done: Callable[[Item], bool]) -> list[Item]:
    """The items that an earlier run has not done."""
    return [item for item in items if not is_done(item)]


def run(
    items: Iterable[Item],
    process: Callable[[Item], Outcome[Value]],
    *,
    threads: int = 1,
    name: Callable[[Item], str] = str,
) -> Generator[tuple[Item, Outcome[Value | None]], None, None]:
    """Every item with its outcome, in their order. An error of ``process`` is an outcome too."""
    if threads == 1:
        for item in items:
            yield item, attempt(item, process, name)
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[tuple[Item, Future[Outcome[Value | None]]]] = deque()
    try:
        for item in items:
            waiting.append((item, pool.submit(attempt, item, process, name)))
            if len(waiting) > threads:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def run_supervised(
    items: Iterable[Item],
    make: Callable[[], Callable[[Item], Outcome[Value]]],
    *,
    processes: int,
    timeout_seconds: float,
) -> Generator[tuple[Item, Outcome[Value | None]], None, None]:
    """Every item with its outcome, in the order in which they end; each is worked on in a process that may be lost.

    Each process calls ``make`` once, and what it gives with every item (see ``tamis.workers``). Close the iterator to
    end the processes before the last item.
    """
    with closing(workers.run_all(items, make, count=processes, timeout_seconds=timeout_seconds)) as found:
        for done in found:
            yield done.task, _understood(done)


def attempt(
    item: Item, process: Callable[[Item], Outcome[Value]], name: Callable[[Item], str] = str
) -> Outcome[Value | None]:
    """What becomes of one item."""
    try:
        return process(item)
    except TamisError as error:
        return Outcome("failed", None, str(error))
    except Exception as error:  # a fault of the method: it is reported and costs no other item
        return Outcome("failed", None, f"{name(item)!r} made the method fail: {type(error).__name__}: {error}")


def watched(
    outcomes: Iterable[tuple[Item, Outcome[Value]]], progress: Progress, part: str, total: int, before: int = 0
) -> Iterator[tuple[Item, Outcome[Value]]]:
    """The same outcomes; ``progress`` is told of each. So many were done ``before``."""
    for number, outcome in enumerate(outcomes, start=before + 1):
        yield outcome
        progress(part, number, total)


def told(counts: Mapping[str, int], statuses: Sequence[Status] = STATUSES) -> str:
    """How often each status occurred, for people.

    >>> told({"ok": 3, "failed": 1}, OF_ONE_PROCESS)
    '3 ok, 0 empty, 0 truncated, 1 failed'
    """
    return ", ".join(f"{counts.get(status, 0)} {status}" for status in statuses)


def exit_code(counts: Mapping[str, int]) -> int:
    """1 if something was lost, else 0."""
    return int(any(counts.get(status, 0) for status in LOST))


def count(outcomes: Iterable[Outcome[Value]]) -> Counter[str]:
    """How often each status occurs."""
    return Counter(outcome.status for outcome in outcomes)


def _understood(done: workers.EndedTask[Item]) -> Outcome[Value | None]:
    if done.status == "done":
        outcome: Outcome[Value | None] = done.value
        return outcome._replace(seconds=done.seconds)
    status: Status = "failed" if done.status == "raised" else done.status
    if done.error.startswith("MemoryError"):
        status = "crashed"
    return Outcome(status, None, done.error, seconds=done.seconds)
