"""Batches of inputs in processes of their own, and the folder of what they find."""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from bench.fuzz import trying
from bench.fuzz.inputs import Input, make
from bench.fuzz.targets import TARGETS
from bench.fuzz.trying import Finding
from tamis.workers import EndedTask, run_all

_BATCH = 250  # inputs given to a process at a time
_BATCH_SECONDS = 600.0  # on the clock: hangs outside Python, where no signal is heard, are ended by it
_TOLD_SECONDS = 60.0
_MAX_REASONS = 200  # more different ones are no news


class Batch(NamedTuple):
    """Inputs that one process tries one after the other."""

    start: int
    size: int


class InputsOf(NamedTuple):
    """Which inputs are meant."""

    seed: int
    real: bool  # also from real pages
    only: tuple[str, ...] = ()  # for these targets; all if there are none

    def make(self, number: int) -> Input:
        """The input of a number."""
        return make(self.seed, number, self.real, self.only)


class Tried(NamedTuple):
    """What became of a batch."""

    inputs: Counter[str]  # by target
    reasons: Counter[str]
    findings: list[Finding]  # one for each reason that is new to the process


class Batches:
    """Batches until there are enough inputs or the time is over; those that must be tried again come first."""

    def __init__(self, inputs: int, end: float) -> None:
        self.inputs, self.end = inputs, end
        self.waiting: deque[Batch] = deque()
        self.next = 0

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        if self.waiting:
            return self.waiting.popleft()
        count = min(_BATCH, self.inputs - self.next)
        if count <= 0 or time.monotonic() > self.end:
            raise StopIteration
        self.next += count
        return Batch(self.next - count, count)


class Store:
    """The folder of findings: one for each reason."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reasons: Counter[str] = Counter()
        self._sizes: dict[str, int] = {}

    def add(self, finding: Finding, count: int = 0) -> None:
        """Keep a finding if it is the first or the smallest of its kind; ``count`` if it was not counted before."""
        self.reasons[finding.reason] += count
        if len(finding.input.data) >= self._sizes.get(finding.reason, sys.maxsize) or len(self._sizes) >= _MAX_REASONS:
            return
        self._sizes[finding.reason] = len(finding.input.data)
        name = f"{finding.input.target}-{hashlib.sha256(finding.reason.encode()).hexdigest()[:10]}"
        (self.folder / f"{name}.input").write_bytes(finding.input.data)
        about = {
            "target": finding.input.target,
            "choice": finding.input.choice,
            "reason": finding.reason,
            "detail": finding.detail,
        }
        (self.folder / f"{name}.json").write_text(json.dumps(about, indent=1), encoding="utf-8")


def open_worker(inputs_of: InputsOf) -> Callable[[Batch], Tried]:
    """What a process does with every batch."""
    trying.limit_memory()
    trying.warm_up(inputs_of.only or TARGETS)
    known: set[str] = set()

    def work(batch: Batch) -> Tried:
        tried = Tried(Counter(), Counter(), [])
        inputs = [inputs_of.make(number) for number in range(batch.start, batch.start + batch.size)]
        for one in sorted(inputs, key=attrgetter("target")):  # the caches of the processor stay warm: a third quicker
            tried.inputs[one.target] += 1
            finding = trying.attempt(one)
            if finding is not None:
                tried.reasons[finding.reason] += 1
                if finding.reason not in known:
                    known.add(finding.reason)
                    tried.findings.append(trying.smaller(finding))
        return tried

    return work


def run(inputs_of: InputsOf, batches: Batches, processes: int, store: Store) -> Counter[str]:
    """Inputs tried by target; what is found goes to the store."""
    inputs: Counter[str] = Counter()
    told = begin = time.monotonic()
    for outcome in run_all(
        batches, functools.partial(open_worker, inputs_of), count=processes, timeout_seconds=_BATCH_SECONDS
    ):
        if outcome.status == "raised":
            raise RuntimeError(f"the fuzzer itself fails in {outcome.task}: {outcome.error}")
        if outcome.status == "done":
            inputs += outcome.value.inputs
            store.reasons += outcome.value.reasons
            for finding in outcome.value.findings:
                store.add(finding)
        elif outcome.task.size > 1:  # somewhere in there: halves are tried alone
            half = outcome.task.size // 2
            batches.waiting += [
                Batch(outcome.task.start, half),
                Batch(outcome.task.start + half, outcome.task.size - half),
            ]
        else:
            one = inputs_of.make(outcome.task.start)
            inputs[one.target] += 1
            store.add(Finding(one, f"{one.target}: the process {_end(outcome)}", outcome.error), 1)
        if time.monotonic() - told > _TOLD_SECONDS:
            told = time.monotonic()
            rate = inputs.total() / (told - begin)
            print(f"{inputs.total():>10} inputs, {rate:.0f}/s, {len(store.reasons)} reasons", flush=True)
    return inputs


def _end(outcome: EndedTask[Batch]) -> str:
    return "hangs" if outcome.status == "timed out" else f"dies: {outcome.error}"
