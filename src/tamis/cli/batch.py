"""Works off pages one after the other: one bad page costs one page, and nothing is written half."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.items import Item
from tamis.errors import TamisError
from tamis.files import aside

WALL = "wall: "
"""How warnings begin that say that something else stands in the place of the page."""
STATUSES = ("ok", "empty", "truncated", "failed")


class Result(NamedTuple):
    """What became of one page."""

    status: str  # one of STATUSES
    text: str
    warnings: tuple[str, ...]


def work_off(
    items: Sequence[Item],
    process: Callable[[str], Result],
    *,
    resume: bool,
    titled: bool,
    workers: int = 1,
    write: Callable[[str], None] = streams.write,
) -> int:
    """Process and deliver every item, say how it went, and answer with the exit code.

    ``write`` takes the results of items without a target, in their order, however many ``workers`` there are.
    """
    todo = [item for item in items if not (resume and item.target and item.target.exists())]
    results: list[Result] = []
    try:
        for item, result in _outcomes(_with_progress(todo), process, workers):
            if item.target is None and result.status != "failed":
                title = f"==> {item.source} <==\n" if titled else ""
                write("\n" * (titled and bool(results)) + title + result.text)
            results.append(result._replace(text=""))
    except KeyboardInterrupt:
        _say_interrupted(len(results), todo)
        return 130
    _report(items, todo, results)
    return int(any(result.status == "failed" for result in results))


def _outcomes(todo: Iterable[Item], process: Callable[[str], Result], workers: int) -> Iterator[tuple[Item, Result]]:
    """Every item with what became of it, in their order; some are worked on side by side."""
    if workers == 1:
        yield from ((item, _outcome(item, process)) for item in todo)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    try:
        for item in todo:
            waiting.append((item, pool.submit(_outcome, item, process)))
            if len(waiting) > workers:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _outcome(item: Item, process: Callable[[str], Result]) -> Result:
    try:
        result = process(item.source)
    except TamisError as error:
        return Result("failed", "", (str(error),))
    except Exception as error:  # a fault of the method: it is reported and costs no other page
        return Result("failed", "", (f"{item.source!r} made the method fail: {type(error).__name__}: {error}",))
    if item.target is not None:
        try:
            write_file(item.target, result.text)
        except OSError as error:
            return Result("failed", "", (f"cannot write {str(item.target)!r}: {error.strerror}",))
    return result


def write_file(target: Path, content: str | bytes) -> None:
    """The whole file or none: it gets its name when it is complete."""
    with aside(target) as part:
        part.write_bytes(content if isinstance(content, bytes) else streams.encoded(content))


def _with_progress(todo: Sequence[Item]) -> Iterable[Item]:
    """The items, with a progress bar where it does not run into the results."""
    on_screen = any(item.target is None for item in todo) and sys.stdout.isatty()
    if len(todo) < 2 or on_screen or not sys.stderr.isatty():
        return todo
    from rich.console import Console
    from rich.progress import track

    return track(todo, "", console=Console(stderr=True), transient=True)


def _say_interrupted(done: int, todo: Sequence[Item]) -> None:
    kept = any(item.target for item in todo)
    hint = "run the same command with --resume to go on" if kept else "with --out, --resume can go on where a run ended"
    streams.say(f"interrupted after {done} of {counted(len(todo), 'page')}: {hint}")


def _report(items: Sequence[Item], todo: Sequence[Item], results: Sequence[Result]) -> None:
    is_single = len(items) == 1
    for item, result in zip(todo, results, strict=True):
        if result.status == "failed":
            streams.say(f"failed: {result.warnings[0]}")
        elif is_single:
            for warning in result.warnings:
                streams.say(f"warning: {warning}")
        else:
            for warning in result.warnings:
                if warning.startswith(WALL):
                    streams.say(f"warning: {item.source}: {warning}")
    if is_single and items[0].target is None:
        return
    counts = Counter(result.status for result in results)
    parts = [f"{counts[status]} {status}" for status in STATUSES]
    if skipped := len(items) - len(results):
        parts.append(f"{skipped} skipped because their file exists")
    streams.say(f"{counted(len(items), 'page')}: {', '.join(parts)}")
