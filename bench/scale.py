"""What a batch run costs: overhead, two workers, peers on the same archive, and memory.

python -m bench.scale [--pages 200] [--rounds 3] [--memory 0]

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

from bench.pages import ROOT, load_pages
from tamis.scaling.inputs import read_shard
from tamis.scaling.job import Job
from tamis.scaling.process import process_record
from tamis.scaling.run import run
from tamis.scaling.shards import plan

TEXT_ONLY, FULL = Job(metadata=False), Job()


def main() -> None:
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
        return
    with tempfile.TemporaryDirectory() as folder:
        pages, origin = load_pages(chosen.dataset, chosen.pages)
        archive = write_archive(Path(folder) / "pages.warc.gz", (page.encode() for page in pages))
        if chosen.memory:
            watch_memory(Path(folder), pages, chosen.memory)
            return
        size = sum(map(len, pages))
        print(f"{len(pages)} pages, {size / len(pages) / 1000:.0f} kB on average, from {origin}\n")
        if chosen.profile:
            profile(archive)
            return
        compare(archive, chosen.rounds)


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


def watch_memory(folder: Path, pages: list[str], count: int) -> None:
    """Resident memory of the processes of one shard, ten times in the course of it."""
    small = sorted(pages, key=len)[: max(len(pages) // 4, 1)]
    bodies = (small[number % len(small)].encode() + b"<!-- %d -->" % number for number in range(count))
    archive = write_archive(folder / "small.warc.gz", bodies)
    print(f"{count} records, {sum(map(len, small)) / len(small) / 1000:.0f} kB on average, metadata included")
    seen: list[tuple[int, list[float]]] = []
    is_over = threading.Event()

    def look(progress: Any) -> None:
        if not is_over.is_set():
            seen.append((progress.counts.total(), sorted(_memory_of_children())))

    report = run([str(archive)], FULL, folder / "out", workers=1, watch=look)
    is_over.set()
    print(f"{report.records} records in {report.seconds:.0f} seconds\n{'records':>9}   MB of the processes")
    full = [sample for sample in seen if len(sample[1]) >= 2]
    for place in range(11):
        records, sizes = full[min(place * (len(full) - 1) // 10, len(full) - 1)]
        print(f"{records:>9}   {', '.join(f'{size:.0f}' for size in sizes)}")
    print(f"the largest at any time: {max(max(sizes) for _, sizes in full):.0f} MB")


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
    main()
