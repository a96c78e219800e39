"""Statements about methods as comparisons that can be made on any table of scores, and verdicts on them.

A part of a claim is a list of comparisons, each true or false. The same comparisons are made on the published table and
on ours. A part holds if our share of true ones is at least 0.9 of the published share, holds partly from 0.5 on, and
else does not hold. A claim holds, or does not, if all its parts do; otherwise it holds partly.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bench.scores import Scores

Layout = TypeVar("Layout")
"""Which datasets of a table are what."""

HOLDS, PARTLY, NOT = "holds", "holds partly", "does not hold"
_HOLDS_FROM, _PARTLY_FROM = 0.9, 0.5


@dataclass(frozen=True)
class Part(Generic[Layout]):
    """One statement of a claim."""

    text: str
    compare: Callable[[Scores, Layout], list[bool]]
    figure: Callable[[Scores, Layout], str] | None = None  # numbers to show beside the count

    def share(self, scores: Scores, layout: Layout) -> float:
        return statistics.fmean(self.compare(scores, layout))

    def count(self, scores: Scores, layout: Layout) -> str:
        found = self.compare(scores, layout)
        numbers = f" ({self.figure(scores, layout)})" if self.figure else ""
        return f"{sum(found)} of {len(found)}{numbers}"


@dataclass(frozen=True)
class Claim(Generic[Layout]):
    """What was found, and why it is found again or not."""

    name: str
    parts: tuple[Part[Layout], ...]
    why: str


def part_verdict(published: float, ours: float) -> str:
    """The verdict on one part, from two shares of true comparisons.

    >>> part_verdict(0.7, 0.7), part_verdict(1.0, 0.6), part_verdict(1.0, 0.4)
    ('holds', 'holds partly', 'does not hold')
    """
    if ours >= _HOLDS_FROM * published:
        return HOLDS
    return PARTLY if ours >= _PARTLY_FROM * published else NOT


def claim_verdict(verdicts: Sequence[str]) -> str:
    """The verdict on a claim, from those on its parts.

    >>> claim_verdict(["holds", "does not hold"])
    'holds partly'
    """
    return verdicts[0] if len(set(verdicts)) == 1 else PARTLY


def ahead(
    scores: Scores,
    datasets: Sequence[str],
    better: Sequence[str],
    worse: Sequence[str],
    field: str = "f1",
    margin: float = 0.0,
) -> list[bool]:
    """Whether each of some systems is above each of others by more than a margin, on every dataset."""
    return [
        _value(scores, dataset, one, field) > _value(scores, dataset, other, field) + margin
        for dataset in datasets
        for one, other in itertools.product(better, worse)
        if one != other
    ]


def is_best(scores: Scores, datasets: Sequence[str], system: str, among: Sequence[str]) -> list[bool]:
    """Whether no other system is above this one, on every dataset."""
    return [scores.f1(dataset, system) >= best(scores, dataset, among) for dataset in datasets]


def best(scores: Scores, dataset: str, among: Sequence[str]) -> float:
    return max(scores.f1(dataset, system) for system in among)


def rank(scores: Scores, dataset: str, system: str, among: Sequence[str], field: str = "f1") -> int:
    """How many systems are above this one."""
    mine = _value(scores, dataset, system, field)
    return sum(_value(scores, dataset, other, field) > mine for other in among)


def kendall(scores: Scores, dataset: str, among: Sequence[str], measure: str) -> float:
    """How far the ranking by a measure agrees with that by words in order: 1 for the same, -1 for the reverse."""
    pairs = list(itertools.combinations(among, 2))
    agreement = 0
    for one, other in pairs:
        by_words = scores.f1(dataset, one) - scores.f1(dataset, other)
        by_other = scores.f1(dataset, one, measure) - scores.f1(dataset, other, measure)
        agreement += (by_words * by_other > 0) - (by_words * by_other < 0)
    return agreement / len(pairs)


def _value(scores: Scores, dataset: str, system: str, field: str) -> float:
    value: float = getattr(scores.cells[dataset, system, "words"], field)
    return value
