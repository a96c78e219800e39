"""Works off pages one after the other: one bad page costs one page, and nothing is written half."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tamis import batch
from tamis.batch import Outcome
from tamis.characters import counted
from tamis.cli import streams
from tamis.cli.items import Item
from tamis.cli.progress import tracked
from tamis.errors import InputError
from tamis.files import aside
from tamis.results import WALL


def work_off(
    items: Sequence[Item],
    process: Callable[[str], Outcome[str]],
    *,
    resume: bool,
    titled: bool,
    workers: int = 1,
    write: Callable[[str], None] = streams.write,
) -> int:
    """Process and deliver every item, say how it went, and answer with the exit code.

    ``write`` takes the results of items without a target, in their order, however many ``workers`` there are.
    """
    todo = batch.left(items, lambda item: bool(resume and item.target and item.target.exists()))
    deliver = functools.partial(_deliver, process)
    outcomes: list[Outcome[None]] = []
    # A bar must not run into the results.
    on_screen = any(item.target is None for item in todo) and sys.stdout.isatty()
    try:
        for item, outcome in batch.run(
            tracked(todo, hidden=on_screen), deliver, threads=workers, name=lambda one: one.source
        ):
            if item.target is None and outcome.value is not None:
                title = f"==> {item.source} <==\n" if titled else ""
                write("\n" * (titled and bool(outcomes)) + title + outcome.value)
            outcomes.append(_without_text(outcome))
    except KeyboardInterrupt:
        _say_interrupted(len(outcomes), todo)
        return 130
    _report(items, todo, outcomes)
    return batch.exit_code(batch.count(outcomes))


def _deliver(process: Callable[[str], Outcome[str]], item: Item) -> Outcome[str | None]:
    """What became of a page, in its file if it has one."""
    outcome = process(item.source)
    if item.target is None:
        return outcome
    try:
        write_file(item.target, outcome.value)
    except OSError as error:
        raise InputError(f"cannot write {str(item.target)!r}: {error.strerror}") from error
    return _without_text(outcome)


def _without_text(outcome: Outcome[str | None]) -> Outcome[None]:
    """What is counted and told; texts of all pages would not fit into memory."""
    return Outcome(outcome.status, None, outcome.reason, outcome.warnings)


def write_file(target: Path, content: str | bytes) -> None:
    """The whole file or none: it gets its name when it is complete. An ``OSError`` names the target."""
    try:
        with aside(target) as part:
            part.write_bytes(content if isinstance(content, bytes) else streams.encoded(content))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from error


def _say_interrupted(done: int, todo: Sequence[Item]) -> None:
    kept = any(item.target for item in todo)
    hint = "run the same command with --resume to go on" if kept else "with --out, --resume can go on where a run ended"
    streams.say(f"interrupted after {done} of {counted(len(todo), 'page')}: {hint}")


def _report(items: Sequence[Item], todo: Sequence[Item], outcomes: Sequence[Outcome[None]]) -> None:
    is_single = len(items) == 1
    for item, outcome in zip(todo, outcomes, strict=True):
        if outcome.status in batch.LOST:
            streams.say(f"{outcome.status}: {outcome.reason}")
        elif is_single:
            for warning in outcome.warnings:
                streams.say(f"warning: {warning}")
        else:
            for warning in outcome.warnings:
                if warning.startswith(WALL):
                    streams.say(f"warning: {item.source}: {warning}")
    if is_single and items[0].target is None:
        return
    parts = [batch.told(batch.count(outcomes), batch.OF_ONE_PROCESS)]
    if skipped := len(items) - len(outcomes):
        parts.append(f"{skipped} skipped because their file exists")
    streams.say(f"{counted(len(items), 'page')}: {', '.join(parts)}")
