"""One input tried: what it shows, and the smallest input that shows the same."""

from __future__ import annotations

import contextlib
import resource
import signal
import traceback
from collections.abc import Collection, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from bench.fuzz.checks import Violation
from bench.fuzz.inputs import Input
from bench.fuzz.targets import TARGETS

# Processor time: what the machine does besides does not count. An ordinary page takes a hundredth of it.
_SECONDS, _SECONDS_PER_BYTE = 1.0, 50e-6
_MEMORY, _MEMORY_PER_BYTE = 256 << 20, 500  # by which the largest size of the process may grow with one input
_ADDRESS_SPACE = 6 << 30
_MAX_ATTEMPTS = 200  # to make an input smaller
_TWICE = 32  # one input in so many is tried twice, and the answers compared


class Finding(NamedTuple):
    """An input that shows that something does not hold."""

    input: Input
    reason: str  # the same for inputs that show the same
    detail: str


class _TooSlow(BaseException):
    """The time for an input is over; nothing on the way catches it."""


def limit_memory() -> None:
    """Let this process fail before the machine does."""
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))


def attempt(one: Input) -> Finding | None:
    """What is wrong with what becomes of an input, if anything is."""
    finding = _attempt(one)
    if finding is not None and finding.reason.startswith("slow"):
        return _attempt(one)  # the first of its kind also imports
    return finding


def _attempt(one: Input) -> Finding | None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run = TARGETS[one.target].run
    try:
        with _limited(_SECONDS + _SECONDS_PER_BYTE * len(one.data), one.target == "growth"):
            value = run(one.data, one.choice)
            is_repeated = one.choice // 1024 % _TWICE == 0 and one.target != "growth"
            if is_repeated and repr(run(one.data, one.choice)) != repr(value):
                raise Violation("the same input gives another answer the second time")
    except Violation as error:
        return Finding(one, f"{one.target}: {error}", _detail(error))
    except _TooSlow as error:
        return Finding(one, f"slow: {one.target} in {_place(error)}", _detail(error))
    except Exception as error:
        return Finding(one, f"{one.target}: {type(error).__name__} in {_place(error)}", _detail(error))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    if grown > _MEMORY + _MEMORY_PER_BYTE * len(one.data):
        return Finding(one, f"memory: {one.target} takes hundreds of megabytes", f"{grown >> 20} MB more")
    return None


def smaller(finding: Finding) -> Finding:
    """The finding with less data, as far as that is quickly found."""
    best, size, attempts = finding, max(len(finding.input.data) // 2, 1), 0
    if finding.reason.startswith(("slow", "memory")) or finding.input.target == "growth":
        return finding
    while size and attempts < _MAX_ATTEMPTS:
        start = 0
        while start < len(best.input.data) and attempts < _MAX_ATTEMPTS:
            attempts += 1
            data = best.input.data
            found = attempt(best.input._replace(data=data[:start] + data[start + size :]))
            if found is not None and found.reason == finding.reason:
                best = found
            else:
                start += size
        size //= 2
    return best


@contextlib.contextmanager
def _limited(seconds: float, is_long: bool) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooSlow

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 60.0 if is_long else seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _place(error: BaseException) -> str:
    """The innermost function of ours on the way to an error."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    ours = [frame for frame in frames if "tamis" in Path(frame.filename).parts and "bench" not in frame.filename]
    if not ours:
        return frames[-1].name if frames else "?"
    return f"{Path(ours[-1].filename).stem}.{ours[-1].name}"


def _detail(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-12))[-4_000:]


def warm_up(names: Collection[str]) -> None:
    """Import what some targets need, so that their first input does not wait for it."""
    for name in names:
        with contextlib.suppress(Exception):  # is found, and told, when it is tried
            TARGETS[name].run(TARGETS[name].seeds(False)[0], 0)
