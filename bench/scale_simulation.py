"""A hundred thousand shards against the scheduler of one machine, with failures: is each done, and exactly once?

python -m bench.scale_simulation [--shards 100000] [--workers 2]

The scheduler is the real one, with its processes and pipes; a shard is an empty file that is created once and never
twice. By the shard's own number some processes die before the file is written, some after it, some shards raise an
error, and the driver gives up in the middle and begins again with what is missing, as a rerun does.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

from tamis.scaling.local import run_shards
from tamis.scaling.shard_plan import Shard
from tamis.scaling.shard_work import Manifest

DIE_BEFORE, DIE_AFTER, RAISE, RUNS = 0.0005, 0.0005, 0.001, 5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--shards", type=int, default=100_000)
    arguments.add_argument("--workers", type=int, default=2)
    chosen = arguments.parse_args()
    shards = [Shard(name=f"{number:07}", kind="warc", sources=()) for number in range(chosen.shards)]
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        for kind in ("done", "tried"):
            (out / kind).mkdir()
        start, totals = time.monotonic(), Counter[str]()
        runs = 0
        while todo := [shard for shard in shards if not (out / "done" / shard.name).exists()]:
            runs += 1
            stop_after = len(shards) // RUNS if runs < RUNS else len(todo)
            totals += _run(todo, out, chosen.workers, stop_after)
        seconds = time.monotonic() - start
        done = sum(1 for _ in (out / "done").iterdir())
    each = seconds / len(shards) * 1000
    print(f"{done} of {len(shards)} shards done in {runs} runs; {seconds:.0f} s, {each:.2f} ms each")
    print(f"reported: {dict(totals)}")


def _run(todo: list[Shard], out: Path, workers: int, stop_after: int) -> Counter[str]:
    from bench import scale_simulation  # processes find it under this name, not under that of the main program

    counts: Counter[str] = Counter()
    ended = run_shards(todo, functools.partial(scale_simulation.process, out=out), workers)
    for number, done in enumerate(ended, 1):
        counts["done" if done.manifest else done.error] += 1
        if number == stop_after:
            counts["driver gave up"] += number < len(todo)
            break
    ended.close()
    return counts


def process(shard: Shard, out: Path) -> Manifest:
    """Once in a while something happens, the first time that a shard is tried."""
    file, tried = out / "done" / shard.name, out / "tried" / shard.name
    chance = random.Random(shard.name).random() if not tried.exists() else 1.0
    tried.touch()
    if chance < DIE_BEFORE:
        os.kill(os.getpid(), signal.SIGKILL)
    if not file.exists():
        file.touch(exist_ok=False)
    if chance < DIE_BEFORE + DIE_AFTER:
        os.kill(os.getpid(), signal.SIGKILL)
    if chance < DIE_BEFORE + DIE_AFTER + RAISE:
        file.unlink()
        raise ValueError("something")
    return Manifest(
        shard=shard.name, key="", version="", sources=(), output="", records=1, counts={}, skipped={}, seconds=0.0
    )


if __name__ == "__main__":
    main()
