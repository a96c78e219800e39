"""Shows that time grows in line with what is read: every stage on every hostile page at three sizes.

    python -m bench.growth            a few minutes; ``--quick`` takes pages of a quarter of the size

Prints the processor time at n, 2n and 4n and the factor per doubling of the characters and nodes that are read: HTML
makes of some pages trees that grow with the square (formatting that is opened again in each paragraph), and limits cut
others. A factor above 2.3 is measured again on pages twice as large, three times at most; if it stays, it is named, and
the exit status is 1. Times below 5 ms are too short to compare.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import tamis

Result = TypeVar("Result")

MAX_FACTOR = 2.3  # linear is 2; sorting and memory that no longer fits the cache account for the rest
TRIES = 3  # of what is above it: the same page was seen to give 2.1 and 2.5, as others use caches and memory, too
MIN_SECONDS = 0.005
MIN_GROWTH = 1.5  # of what is read, to tell from it how time grows
REPETITIONS = 3
SIZES = (1, 2, 4)
SHARE, QUICK_SHARE = 16, 64  # the smallest page is this part of the full size


@dataclass(frozen=True)
class Growth:
    page: str
    stage: str
    sizes: tuple[int, ...]  # characters of the markup and nodes of the page
    seconds: tuple[float, ...]  # one for each size

    @property
    def factor(self) -> float | None:
        """How much longer twice as much takes, at every size; None if the times are too short to tell."""
        measured = [one for one in zip(self.sizes, self.seconds, strict=True) if one[1] >= MIN_SECONDS]
        factors = (
            2 ** math.log(seconds / seconds_before, size / size_before)
            for (size_before, seconds_before), (size, seconds) in itertools.pairwise(measured)
            if size >= MIN_GROWTH * size_before
        )
        # The smallest, because a page that just left the processor's cache looks like growth once, not twice.
        return min(factors, default=None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    share = QUICK_SHARE if parser.parse_args().quick else SHARE
    culprits = []
    print(f"{'page':32} {'stage':18} {'n':>9} {'2n':>9} {'4n':>9}  per doubling")
    for name, make, full in hostile_pages():
        growths = measure(name, make, full // share)
        for _ in range(TRIES):
            if all((growth.factor or 0) <= MAX_FACTOR for growth in growths):
                break
            again = measure(name, make, 2 * full // share)
            growths = [min(pair, key=lambda growth: growth.factor or 0) for pair in zip(growths, again, strict=True)]
        for growth in growths:
            print(row(growth), flush=True)
        culprits += [growth for growth in growths if (growth.factor or 0) > MAX_FACTOR]
    for growth in culprits:
        print(f"grows too fast: {growth.stage} on {growth.page}, {growth.factor:.2f} per doubling", file=sys.stderr)
    return 1 if culprits else 0


def hostile_pages() -> list[tuple[str, Callable[[int], str | bytes], int]]:
    sys.path.insert(0, str(Path(__file__).parent.parent))  # the generators belong to the tests
    from tests.hostile import HOSTILE

    return [(name, case.make, case.full) for name, case in HOSTILE.items()]


def measure(name: str, make: Callable[[int], str | bytes], smallest: int) -> list[Growth]:
    pages = [make(smallest * size) for size in SIZES]
    sizes = tuple(len(markup) + len(tamis.parse(markup).nodes) for markup in pages)
    by_size = list(map(best_times, pages))
    return [Growth(name, stage, sizes, tuple(best[stage] for best in by_size)) for stage in by_size[0]]


def best_times(markup: str | bytes) -> dict[str, float]:
    """The shortest of a few runs of every stage; methods find their views computed."""
    runs = [times(markup) for _ in range(REPETITIONS)]
    return {stage: min(run[stage] for run in runs) for stage in runs[0]}


def times(markup: str | bytes) -> dict[str, float]:
    page, parsing = timed(lambda: tamis.parse(markup))
    stages: dict[str, Callable[[], object]] = {
        "blocks": lambda: page.blocks,
        "tokens": lambda: page.tokens,
        "lines": lambda: page.lines,
        **{method: functools.partial(tamis.extract, page, method=method) for method in tamis.methods()},
    }
    return {"parse": parsing, **{stage: timed(run)[1] for stage, run in stages.items()}}


def timed(run: Callable[[], Result]) -> tuple[Result, float]:
    start = time.process_time()
    result = run()
    return result, time.process_time() - start


def row(growth: Growth) -> str:
    times = " ".join(f"{seconds * 1000:7.1f}ms" for seconds in growth.seconds)
    return f"{growth.page:32} {growth.stage:18} {times}  {'-' if growth.factor is None else f'{growth.factor:.2f}'}"


if __name__ == "__main__":
    sys.exit(main())
