"""What the service costs: throughput beside a bare loop, delays at half load, memory over many requests.

python -m bench.service [--workers 1] [--dataset public/wcxb] [--pages 100] [--seconds 10] [--rounds 3]
python -m bench.service --soak 100000      only memory, over requests with ordinary, hostile and broken pages in turn

The bare loop is ``tamis.extract(page).text`` in one process over the same pages; the second one runs such a loop in as
many processes as the service has workers. They take turns with wrk (or with a small client of our own where wrk is
missing), which posts the pages over connections that stay open. With a worker for every core, client and service take
their share of the cores that the bare loops have for themselves; with ``--workers`` fewer, they do not. Processor time
per page tells what the service adds even on a machine that is busy with something else.

A soak asks for every format of ordinary pages, of the hostile pages of the tests and of random bytes, and says what was
answered. It fails if anything was answered with a fault of the service (500; a busy machine may also answer 503, 504),
or if the least that the service or its workers hold in the second half is more than a tenth above what they held after
the first 5,000 requests.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import itertools
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import tamis
from bench.growth import hostile_pages
from bench.pages import load_pages
from tamis.characters import counted
from tamis.service.settings import usable_cores
from tamis.workers import map_in_order

_CONNECTIONS = 8
_SOAK_STEP = 5_000  # requests between two looks at the memory; after the first ones everything is imported and filled
_FAULT = 500
_MAX_GROWTH = 1.1  # ours: what the memory of a process that holds on to nothing varies by
_SOAK_FORMATS = ("text", "markdown", "html", "json", "tei", "mark", "delete")
_HEAD = "POST /api/extract?format={format} HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/html; charset=utf-8\r\n"
_SCRIPT = """\
local pages = {{}}
local headers = {{["Host"] = "{host}", ["Content-Type"] = "text/html; charset=utf-8"}}
for number = 0, {last} do
  local file = io.open("{folder}/" .. number, "rb")
  pages[number] = wrk.format("POST", "/api/extract?format=text", headers, file:read("*a"))
  file:close()
end
local count = 0
function request()
  count = count + 1
  return pages[count % {count}]
end
"""


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--dataset", default="public/wcxb")
    arguments.add_argument("--pages", type=int, default=100)
    arguments.add_argument("--seconds", type=float, default=10.0)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--requests", type=int, default=5000, help="over which memory is watched")
    arguments.add_argument("--workers", type=int, default=usable_cores(), help="of the service")
    arguments.add_argument("--soak", type=int, default=0, help="requests with hostile pages among them; only that")
    chosen = arguments.parse_args()
    markup, origin = load_pages(chosen.dataset, chosen.pages)
    pages = [page.encode("utf-8", "replace") for page in markup]
    print(f"{len(pages)} pages, {sum(map(len, pages)) / len(pages) / 1000:.0f} kB on average, from {origin}")
    if chosen.soak:
        with _running_service(chosen.workers) as (address, _):
            return 0 if asyncio.run(_soak(address, pages, chosen.soak)) else 1
    with _running_service(chosen.workers) as (address, process), tempfile.TemporaryDirectory() as folder:
        asyncio.run(_some(address, pages, 2 * _CONNECTIONS))  # everything is imported then
        rates: dict[str, list[float]] = {}
        for _ in range(chosen.rounds):
            rates.setdefault("bare loop", []).append(bare_rate(pages, chosen.seconds))
            rates.setdefault("bare loops", []).append(_bare_many(pages, chosen.seconds, chosen.workers))
            rates.setdefault("service", []).append(_load(address, pages, chosen.seconds, Path(folder)))
        _print_rates(rates, chosen.workers)
        _print_processor_time(address, pages, process)
        rate = statistics.median(rates["service"]) / 2
        delays = asyncio.run(_paced(address, pages, rate, chosen.seconds * chosen.rounds))
        _print_delays(delays, rate)
        _watch_memory(address, pages, chosen.requests)
    return 0


def bare_rate(pages: list[bytes], seconds: float) -> float:
    """Pages per second of a loop in this process, when everything is imported."""
    _ = tamis.extract(pages[0]).text
    begin = time.perf_counter()
    for count, page in enumerate(itertools.cycle(pages)):
        if (passed := time.perf_counter() - begin) >= seconds:
            return count / passed
        _ = tamis.extract(page).text
    raise AssertionError("there are no pages")


def _bare_many(pages: list[bytes], seconds: float, count: int) -> float:
    from bench import service  # processes find it under this name, not under that of the main program

    return sum(map_in_order(functools.partial(service.bare_rate, pages), [seconds] * count, count=count))


@contextlib.contextmanager
def _running_service(workers: int) -> Iterator[tuple[str, int]]:
    """Where a service is, and its process."""
    command = [sys.executable, "-m", "tamis", "serve", "--port", "0", "--no-token", "--workers", str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield next(iter(process.stdout or ())).split()[-1].rstrip("/"), process.pid
        finally:
            process.terminate()


def _load(address: str, pages: list[bytes], seconds: float, folder: Path) -> float:
    """Pages per second of the service when it is asked for as many as it can do."""
    if shutil.which("wrk") is None:
        return asyncio.run(_greedy(address, pages, seconds))
    for number, page in enumerate(pages):
        (folder / str(number)).write_bytes(page)
    script = folder / "pages.lua"
    host = address.removeprefix("http://")
    script.write_text(_SCRIPT.format(last=len(pages) - 1, count=len(pages), folder=folder, host=host))
    command = ["wrk", "-t1", f"-c{_CONNECTIONS}", f"-d{seconds:g}s", "-s", str(script), address]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said:
        raise RuntimeError(said)
    return float(re.findall(r"Requests/sec:\s+([\d.]+)", said)[0])


async def _greedy(address: str, pages: list[bytes], seconds: float) -> float:
    begin, count = time.perf_counter(), 0
    turns = itertools.cycle(pages)

    async def ask() -> None:
        nonlocal count
        connection = await _Connection.open(address)
        while time.perf_counter() - begin < seconds:
            await connection.ask(next(turns))
            count += 1

    await asyncio.gather(*(ask() for _ in range(_CONNECTIONS)))
    return count / (time.perf_counter() - begin)


async def _paced(address: str, pages: list[bytes], rate: float, seconds: float) -> list[float]:
    """Seconds until each answer when requests come at even distances, whether or not earlier ones are answered."""
    idle: list[_Connection] = []
    delays: list[float] = []
    turns = itertools.cycle(pages)

    async def ask(page: bytes) -> None:
        begin = time.perf_counter()
        while idle and idle[-1].is_closed:  # the service closes connections that say nothing for long
            idle.pop()
        connection = idle.pop() if idle else await _Connection.open(address)
        await connection.ask(page)
        delays.append(time.perf_counter() - begin)
        idle.append(connection)

    begin = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, begin + number / rate - time.perf_counter()))
            group.create_task(ask(next(turns)))
    return delays


class _Connection:
    """A connection that stays open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> None:
        self._reader, self._writer = reader, writer
        self._host = host

    @classmethod
    async def open(cls, address: str) -> _Connection:
        host = address.removeprefix("http://")
        name, _, port = host.partition(":")
        return cls(*await asyncio.open_connection(name, int(port)), host)

    @property
    def is_closed(self) -> bool:
        return self._reader.at_eof()

    async def ask(self, page: bytes) -> None:
        if (status := await self.status(page, "text")) != 200:
            raise RuntimeError(f"a page was answered with status {status}")

    async def status(self, page: bytes, wanted: str) -> int:
        """The status that a page in some format is answered with."""
        head = _HEAD.format(host=self._host, format=wanted)
        self._writer.write(f"{head}Content-Length: {len(page)}\r\n\r\n".encode() + page)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        await self._reader.readexactly(int(re.findall(rb"(?i)content-length: (\d+)", answer)[0]))
        return int(answer.split(maxsplit=2)[1])


def _print_rates(rates: dict[str, list[float]], workers: int) -> None:
    medians = {name: statistics.median(values) for name, values in rates.items()}
    for name, values in rates.items():
        share = medians[name] / medians["bare loop"]
        each = ", ".join(f"{value:.0f}" for value in values)
        print(f"{name:10}  {medians[name]:7.1f} pages/s  {share:5.0%} of the bare loop  ({each})")
    print(f"service / {counted(workers, 'bare loop')}: {medians['service'] / medians['bare loops']:.0%}")


def _print_processor_time(address: str, pages: list[bytes], process: int) -> None:
    count = len(pages) // _CONNECTIONS * _CONNECTIONS
    before = _seconds(process), _workers_seconds(process)
    asyncio.run(_some(address, pages, count))
    service, worked = _seconds(process) - before[0], _workers_seconds(process) - before[1]
    begin = time.process_time()
    for page in pages[:count]:
        _ = tamis.extract(page).text
    bare = time.process_time() - begin
    shown = ", ".join(
        f"{name} {seconds / count * 1000:.1f} ms"
        for name, seconds in (("bare", bare), ("workers", worked), ("service", service))
    )
    print(f"processor time per page: {shown}; bare / all of the service: {bare / (worked + service):.0%}")


def _workers_seconds(process: int) -> float:
    """Processor time that the workers of a service have used, also those that others have replaced."""
    workers = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return _seconds(process, of_ended_children=True) + sum(_seconds(int(worker)) for worker in workers)


def _seconds(process: int, *, of_ended_children: bool = False) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    user, system = fields[13:15] if of_ended_children else fields[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _print_delays(delays: list[float], rate: float) -> None:
    median, p99 = statistics.median(delays), statistics.quantiles(delays, n=100)[98]
    print(
        f"half load, {rate:.0f} requests/s, {len(delays)} requests: median {median * 1000:.1f} ms, "
        f"p99 {p99 * 1000:.1f} ms ({p99 / median:.1f} times the median)"
    )


def _watch_memory(address: str, pages: list[bytes], requests: int) -> None:
    print("memory in MB (service, workers) over requests:")
    steps = 5
    for step in range(steps + 1):
        if step:
            asyncio.run(_some(address, pages, requests // steps))
        print(f"{step * requests // steps:8}  " + "  ".join(f"{size:.0f}" for size in _memory(address)))


def _memory(address: str) -> tuple[float, ...]:
    """Megabytes of the service and of its workers together."""
    with urllib.request.urlopen(address + "/metrics") as answer:  # noqa: S310 - our own service
        text = answer.read().decode()
    return tuple(int(size) / 1e6 for size in re.findall(r"tamis_resident_memory_bytes\{.*\} (\d+)", text))


async def _soak(address: str, pages: list[bytes], requests: int) -> bool:
    """Whether memory stays flat and every answer is one of the page, not of a fault."""
    hostile = [make(max(full // 2000, 8)) for _, make, full in hostile_pages()]
    broken = [random.Random(number).randbytes(2_000) for number in range(20)]
    mixed = [
        *pages,
        *(page if isinstance(page, bytes) else page.encode("utf-8", "replace") for page in hostile),
        *broken,
    ]
    order = random.Random(1)
    statuses: Counter[int] = Counter()
    seen = []
    print(f"{len(mixed)} pages, {len(hostile)} of them hostile and {len(broken)} random bytes")
    print("requests, memory in MB (service, workers), answers so far")
    for done in range(0, requests, _SOAK_STEP):

        async def ask(times: int) -> None:
            connection = await _Connection.open(address)
            for _ in range(times):
                if connection.is_closed:  # this process had to wait for longer than the service does
                    connection = await _Connection.open(address)
                statuses[await connection.status(order.choice(mixed), order.choice(_SOAK_FORMATS))] += 1

        await asyncio.gather(*(ask(min(_SOAK_STEP, requests - done) // _CONNECTIONS) for _ in range(_CONNECTIONS)))
        seen.append(_memory(address))
        shown = "  ".join(f"{size:.0f}" for size in seen[-1])
        print(f"{statuses.total():8}  {shown}  {dict(statuses)}", flush=True)
    # Pages that are read at that moment come and go; what nobody lets go of is in the least of them, too.
    least = tuple(map(min, zip(*seen[len(seen) // 2 :], strict=True)))
    for name, sizes in (("least of the second half", least), ("largest", tuple(map(max, zip(*seen, strict=True))))):
        shares = (f"{size / first:.2f}" for size, first in zip(sizes, seen[0], strict=True))
        print(f"{name} / after the first step: {', '.join(shares)}")
    is_flat = all(size <= _MAX_GROWTH * first for size, first in zip(least, seen[0], strict=True))
    return is_flat and statuses[_FAULT] == 0


async def _some(address: str, pages: list[bytes], count: int) -> None:
    turns = itertools.cycle(pages)

    async def ask(times: int) -> None:
        connection = await _Connection.open(address)
        for _ in range(times):
            await connection.ask(next(turns))

    await asyncio.gather(*(ask(count // _CONNECTIONS) for _ in range(_CONNECTIONS)))


if __name__ == "__main__":
    sys.exit(main())
