"""What a batch run costs: overhead, two workers, peers on the same archive, and memory.

python -m bench.scale [--pages 200] [--rounds 3]
python -m bench.scale --memory 200000      only memory, over that many records with hostile pages among them

A WARC file is made from labelled training pages in a temporary folder. All loops read it in turn, each in a process of
its own, several rounds, the best counting. Times are CPU seconds: on a machine that others use they say what wall
time would be on a quiet one. Linear algebra has one thread everywhere. Counting begins when everything is imported and
one page has been worked on.
"""

from __future__ import annotations

import argparse
import cProfile
import gzip
import json
import os
import pstats
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.growth import hostile_pages
from bench.pages import ROOT, load_pages
from tamis.scaling.inputs import read_shard
from tamis.scaling.job import Job
from tamis.scaling.process import process_record
from tamis.scaling.run import run
from tamis.scaling.shard_plan import plan

TEXT_ONLY, FULL = Job(metadata=False), Job()


_SMALL_CHARACTERS = 4_000  # ours: the beginning of a page is a page, and many can be done
_MAX_GROWTH = 1.1  # ours: what the memory of a process that holds on to nothing varies by


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--dataset", default="train/wcxb")
    arguments.add_argument("--pages", type=int, default=200)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--memory", type=int, default=0, help="records of a run whose memory is watched; 0: none")
    arguments.add_argument("--profile", action="store_true", help="say where the bare loop spends its time")
    arguments.add_argument("--loop", nargs=2, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.loop:
        name, path = chosen.loop
        print(json.dumps(LOOPS[name](path)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        pages, origin = load_pages(chosen.dataset, chosen.pages)
        archive = write_archive(Path(folder) / "pages.warc.gz", (page.encode() for page in pages))
        if chosen.memory:
            return 0 if watch_memory(Path(folder), pages, chosen.memory) else 1
        size = sum(map(len, pages))
        print(f"{len(pages)} pages, {size / len(pages) / 1000:.0f} kB on average, from {origin}\n")
        if chosen.profile:
            profile(archive)
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


def compare(archive: Path, rounds: int) -> None:
    best: dict[str, dict[str, float]] = {}
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # as workers have it
    for _ in range(rounds):
        for name in LOOPS:
            command = [sys.executable, "-m", "bench.scale", "--loop", name, str(archive)]
            done = subprocess.run(command, cwd=ROOT, env=one_thread, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{name}: {done.stderr.strip().splitlines()[-1]}")
                continue
            found = json.loads(done.stdout)
            if name not in best or found["cpu"] < best[name]["cpu"]:
                best[name] = found
    bare = best["bare loop"]
    print(f"{'':<34}{'pages':>7}{'CPU ms/page':>13}{'x bare loop':>13}")
    for name, found in best.items():
        each = found["cpu"] / max(found["pages"], 1)
        print(f"{name:<34}{found['pages']:>7.0f}{each * 1000:>13.2f}{each / (bare['cpu'] / bare['pages']):>13.3f}")
    one, two = best["local, 1 worker"], best["local, 2 workers"]
    print(f"\nbeginning a run and its shard: {one['start']:.2f} CPU seconds, not counted above")
    print(
        f"two workers, if two cores are free: {2 * one['cpu'] / one['pages'] / (two['cpu'] / two['pages']):.2f} x one"
    )


def bare_loop(path: str, job: Job) -> dict[str, float]:
    """The records of the archive, worked on in this process; nothing is written."""
    (shard,) = plan([path])
    process_record(next(read_shard(shard, job)), job)
    return _timed(process_record(record, job) for record in read_shard(shard, job))


def local_run(path: str, job: Job, workers: int) -> dict[str, float]:
    """A run over as many copies of the archive as there are workers, less one over archives of the first page."""
    (shard,) = plan([path])
    first = next(read_shard(shard, job)).html
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty, full = folder / "empty", folder / "full"
        for number in range(workers):
            for kind in (empty, full):
                kind.mkdir(exist_ok=True)
            write_archive(empty / f"{number}.warc.gz", [first if isinstance(first, bytes) else first.encode()])
            shutil.copy(path, full / f"{number}.warc.gz")
        costs = []
        for kind in (empty, full):
            before, start = _cpu(), time.perf_counter()
            report = run([str(kind)], job, folder / f"out-{kind.name}", workers=workers)
            costs.append((_cpu() - before, time.perf_counter() - start))
        (start_cpu, start_wall), (cpu, wall) = costs
        return {
            "pages": report.records - workers,
            "cpu": cpu - start_cpu,
            "wall": wall - start_wall,
            "start": start_cpu,
        }


def fastwarc_loop(path: str, work: Callable[[bytes], object]) -> dict[str, float]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    def bodies() -> Iterator[object]:
        with Path(path).open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
                yield work(record.reader.read())

    next(bodies())
    return _timed(bodies())


def resiliparse_loop(path: str) -> dict[str, float]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def work(body: bytes) -> object:
        tree = HTMLTree.parse_from_bytes(body, detect_encoding(body))
        return extract_plain_text(tree, main_content=True)

    return fastwarc_loop(path, work)


def trafilatura_loop(path: str) -> dict[str, float]:
    import trafilatura

    return fastwarc_loop(path, trafilatura.extract)


LOOPS: dict[str, Callable[[str], dict[str, float]]] = {
    "bare loop": lambda path: bare_loop(path, TEXT_ONLY),
    "local, 1 worker": lambda path: local_run(path, TEXT_ONLY, 1),
    "local, 2 workers": lambda path: local_run(path, TEXT_ONLY, 2),
    "bare loop, metadata": lambda path: bare_loop(path, FULL),
    "local, 1 worker, metadata": lambda path: local_run(path, FULL, 1),
    "FastWARC + resiliparse": resiliparse_loop,
    "FastWARC + trafilatura": trafilatura_loop,
}


def _timed(results: Iterable[object]) -> dict[str, float]:
    before, start = time.process_time(), time.perf_counter()
    count = sum(1 for _ in results)
    return {"pages": count, "cpu": time.process_time() - before, "wall": time.perf_counter() - start, "start": 0.0}


def _cpu() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


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
