"""What a batch run costs: overhead, two workers, peers on the same archive, and memory.

python -m bench.scale [--pages 200] [--rounds 3]
python -m bench.scale --parts              only what a page costs in each part of a run
python -m bench.scale --memory 200000      only memory, over that many records with hostile pages among them

A WARC file is made from labelled training pages in a temporary folder, and one that holds them several times. All
loops take turns, each in a process of its own, several rounds, the best counting. Times are CPU seconds: on a machine
that others use they say what wall time would be on a quiet one. Linear algebra has one thread everywhere.

The loops count when everything is imported and one page has been worked on. A run cannot be asked when that is: what
it takes for the pages once is subtracted from what it takes for them several times, so that its start, which varies by
more than a run adds to a hundred pages, is in neither.
"""

from __future__ import annotations

import argparse
import cProfile
import functools
import gzip
import json
import math
import operator
import os
import pstats
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from bench.growth import hostile_pages
from bench.pages import ROOT, load_pages
from tamis.processes import ONE_THREAD
from tamis.scaling.inputs import read_shard
from tamis.scaling.job import Job
from tamis.scaling.process import WRITTEN, describe, process_record
from tamis.scaling.run import run
from tamis.scaling.shard_plan import plan
from tamis.scaling.writing import open_rows
from tamis.workers import run_all

TEXT_ONLY, FULL = Job(metadata=False), Job()
AT_ONCE = "two bare loops at once"

_TIMES = 5  # ours: how often the pages are in the larger archive
_SMALL_CHARACTERS = 4_000  # ours: the beginning of a page is a page, and many can be done
_MAX_GROWTH = 1.1  # ours: what the memory of a process that holds on to nothing varies by


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--dataset", default="train/wcxb")
    arguments.add_argument("--pages", type=int, default=200)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--memory", type=int, default=0, help="records of a run whose memory is watched; 0: none")
    arguments.add_argument("--parts", action="store_true", help="say what a page costs in each part of a run")
    arguments.add_argument("--profile", action="store_true", help="say where the bare loop spends its time")
    arguments.add_argument("--loop", nargs=2, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if not ONE_THREAD.items() <= os.environ.items():  # as workers have it; it is read when NumPy is loaded
        os.environ.update(ONE_THREAD)
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - the same command once more
    if chosen.loop:
        name, path = chosen.loop
        print(json.dumps(LOOPS[name](path)))  # a ``Cost`` as a list
        return 0
    with tempfile.TemporaryDirectory() as folder:
        pages, origin = load_pages(chosen.dataset, chosen.pages)
        archive = write_archive(Path(folder) / "pages.warc.gz", (page.encode() for page in pages))
        if chosen.memory:
            return 0 if watch_memory(Path(folder), pages, chosen.memory) else 1
        Path(_larger(str(archive))).write_bytes(archive.read_bytes() * _TIMES)
        size = sum(map(len, pages))
        print(f"{len(pages)} pages, {size / len(pages) / 1000:.0f} kB on average, from {origin}\n")
        if chosen.profile:
            profile(archive)
        elif chosen.parts:
            show_parts(archive, chosen.rounds)
        else:
            compare(archive, chosen.rounds)
    return 0


def write_archive(path: Path, bodies: Iterable[bytes]) -> Path:
    with path.open("wb") as file:
        for number, body in enumerate(bodies):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
            head = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/{number}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))
    return path


class Cost(NamedTuple):
    """What a loop took: CPU seconds for its pages, and for those of them that do not count."""

    pages: int
    cpu: float
    begin_pages: int = 0
    begin_cpu: float = 0.0

    @property
    def each(self) -> float:
        """Of a page that counts."""
        return (self.cpu - self.begin_cpu) / max(self.pages - self.begin_pages, 1)


def compare(archive: Path, rounds: int) -> None:
    best: dict[str, Cost] = {}
    for _ in range(rounds):
        for name in LOOPS:
            with start_loop(name, str(archive)) as loop:
                out, error = loop.communicate()
            if loop.returncode:
                print(f"{name}: {error.strip().splitlines()[-1]}")
                continue
            found = Cost(*json.loads(out))
            before = best.get(name, found)
            cpu, begin_cpu = min(found.cpu, before.cpu), min(found.begin_cpu, before.begin_cpu)
            best[name] = found._replace(cpu=cpu, begin_cpu=begin_cpu)
    bare = best["bare loop"].each
    print(f"{'':<34}{'pages':>7}{'CPU ms/page':>13}{'x bare loop':>13}")
    for name, cost in best.items():
        print(f"{name:<34}{cost.pages:>7}{cost.each * 1000:>13.2f}{cost.each / bare:>13.3f}")
    one = best["local, 1 worker"]
    print(f"\na run that begins and does the pages once: {one.begin_cpu:.2f} CPU seconds, not counted above")
    for name in ("FastWARC + resiliparse", "FastWARC + trafilatura"):
        if name in best:
            print(f"one worker: {best[name].each / one.each:.2f} x the pages per CPU second of {name}")
    print(f"two workers, if two cores are free: {2 * one.each / best['local, 2 workers'].each:.2f} x one")
    if AT_ONCE in best:
        print(f"two bare loops at once: {2 * bare / best[AT_ONCE].each:.2f} x one, which is what the machine gives")


def start_loop(name: str, path: str) -> subprocess.Popen[str]:
    """A process that prints the ``Cost`` of a loop."""
    command = [sys.executable, "-m", "bench.scale", "--loop", name, path]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def bare_loop(path: str, job: Job) -> Cost:
    """The records of the larger archive, worked on in this process; nothing is written."""
    (shard,) = plan([_larger(path)])
    process_record(next(read_shard(shard, job)), job)
    return _timed(process_record(record, job) for record in read_shard(shard, job))


def bare_loops_at_once(path: str) -> Cost:
    """Two bare loops that know nothing of each other: what two cores give where they share caches and memory."""
    with start_loop("bare loop", path) as one, start_loop("bare loop", path) as other:
        costs = [Cost(*json.loads(loop.communicate()[0])) for loop in (one, other)]
    return Cost(sum(cost.pages for cost in costs), sum(cost.cpu for cost in costs))


def local_run(path: str, job: Job, workers: int) -> Cost:
    """Runs over the archive and over the larger one, each as often as there are workers."""
    with tempfile.TemporaryDirectory() as name:
        found = []
        for archive in (path, _larger(path)):
            folder = Path(name) / Path(archive).stem
            folder.mkdir()
            for number in range(workers):
                shutil.copy(archive, folder / f"{number}.warc.gz")
            before = _cpu()
            report = run([str(folder)], job, Path(name) / f"out-{folder.name}", workers=workers)
            found.append((report.records, _cpu() - before))
    (begin_pages, begin_cpu), (pages, cpu) = found
    return Cost(pages, cpu, begin_pages, begin_cpu)


def fastwarc_loop(path: str, work: Callable[[bytes], object]) -> Cost:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    def bodies() -> Iterator[object]:
        with Path(path).open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
                yield work(record.reader.read())

    next(bodies())
    return _timed(bodies())


def resiliparse_loop(path: str) -> Cost:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def work(body: bytes) -> object:
        tree = HTMLTree.parse_from_bytes(body, detect_encoding(body) or "utf-8")
        return extract_plain_text(tree, main_content=True)

    return fastwarc_loop(_larger(path), work)


def trafilatura_loop(path: str) -> Cost:
    """Of the pages once: it takes several times as long for each."""
    import trafilatura

    return fastwarc_loop(path, trafilatura.extract)


LOOPS: dict[str, Callable[[str], Cost]] = {
    "bare loop": lambda path: bare_loop(path, TEXT_ONLY),
    AT_ONCE: bare_loops_at_once,
    "local, 1 worker": lambda path: local_run(path, TEXT_ONLY, 1),
    "local, 2 workers": lambda path: local_run(path, TEXT_ONLY, 2),
    "bare loop, metadata": lambda path: bare_loop(path, FULL),
    "local, 1 worker, metadata": lambda path: local_run(path, FULL, 1),
    "FastWARC + resiliparse": resiliparse_loop,
    "FastWARC + trafilatura": trafilatura_loop,
}


def _larger(path: str) -> str:
    return path.replace("pages.", "pages-again.")


def _timed(results: Iterable[object]) -> Cost:
    before = time.process_time()
    count = sum(1 for _ in results)
    return Cost(count, time.process_time() - before)


def _cpu() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def show_parts(archive: Path, rounds: int) -> None:
    """CPU time of each part of a run by itself, text only, the best of some rounds; they add up to one worker."""
    (shard,) = plan([str(archive)])
    records = list(read_shard(shard, TEXT_ONLY))
    rows = [outcome.value for record in records if (outcome := process_record(record, TEXT_ONLY)).status in WRITTEN]

    def send(times: int) -> None:
        """To a process that does no work on them, and short answers back."""
        make = functools.partial(operator.attrgetter, "id")
        deque(run_all(records * times, make, count=1, timeout_seconds=math.inf), maxlen=0)

    def write() -> None:
        with closing(open_rows(archive.with_suffix(".parquet"), TEXT_ONLY)) as file:
            for row in rows:
                file.add(row)

    def best(work: Callable[[], object]) -> float:
        spent = []
        for _ in range(rounds + 1):  # the first is there to warm up
            before = _cpu()
            work()
            spent.append(_cpu() - before)
        return min(spent[1:]) / len(records)

    digests = best(lambda: [describe(record) for record in records])
    parts = {
        "read: unpack, headers, HTTP": best(lambda: deque(read_shard(shard, TEXT_ONLY), maxlen=0)),
        "messages to a child and back": (best(lambda: send(_TIMES)) - best(lambda: send(1))) / (_TIMES - 1),
        "digests": digests,
        "parse, extract, row": best(lambda: [process_record(record, TEXT_ONLY) for record in records]) - digests,
        "write Parquet": best(write),
    }
    for name, seconds in parts.items():
        print(f"{name:<34}{seconds * 1e6:>7.0f} µs/page{seconds / sum(parts.values()):>8.1%}")
    print(f"{'together':<34}{sum(parts.values()) * 1e6:>7.0f} µs/page")


def profile(archive: Path) -> None:
    measured = cProfile.Profile()
    measured.runcall(bare_loop, str(archive), TEXT_ONLY)
    pstats.Stats(measured).sort_stats("tottime").print_stats(25)


def watch_memory(folder: Path, pages: list[str], count: int) -> bool:
    """Whether the processes of one shard hold no more after its first tenth than they did then."""
    hostile = [make(max(full // 10_000, 8)) for _, make, full in hostile_pages()]
    small = [
        page if isinstance(page, bytes) else page.encode("utf-8", "replace")
        for page in (*(page[:_SMALL_CHARACTERS] for page in pages), *hostile)
    ]
    bodies = (small[number % len(small)] + b"<!-- %d -->" % number for number in range(count))
    archive = write_archive(folder / "small.warc.gz", bodies)
    print(
        f"{count} records, {sum(map(len, small)) / len(small) / 1000:.0f} kB on average, metadata included", flush=True
    )
    seen: list[tuple[int, list[float]]] = []
    is_over = threading.Event()

    def look(progress: Any) -> None:
        if not is_over.is_set() and len(sizes := sorted(_memory_of_children())) >= 2:
            seen.append((progress.counts.total(), sizes))

    report = run([str(archive)], FULL, folder / "out", workers=1, watch=look)
    is_over.set()
    print(f"{report.records} records in {report.seconds:.0f} seconds: {dict(report.counts)}")
    print(f"{'records':>9}   MB of the processes, the largest in each tenth of the run")
    largest = []
    for tenth in range(10):
        within = [sizes for records, sizes in seen if tenth <= records * 10 // count <= tenth + (tenth == 9)]
        largest.append(max((sum(sizes) for sizes in within), default=0.0))
        most = max(within, key=sum, default=[])
        print(f"{(tenth + 1) * count // 10:>9}   {', '.join(f'{size:.0f}' for size in most)}")
    growth = max(largest[1:]) / largest[0] if largest[0] else float("inf")
    print(f"largest later / largest in the first tenth: {growth:.2f}")
    return growth <= _MAX_GROWTH


def _memory_of_children() -> Iterator[float]:
    """Megabytes of every process below this one."""
    parents: dict[int, int] = {}
    sizes: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(folder.name)] = int(fields[1])
            sizes[int(folder.name)] = int(fields[21]) * resource.getpagesize() / 1e6
    below = {os.getpid()}
    for _ in range(4):
        below |= {process for process, parent in parents.items() if parent in below}
    return (sizes[process] for process in below - {os.getpid()})


if __name__ == "__main__":
    sys.exit(main())
