"""Counts and durations for Prometheus, in its text format."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tamis.service.jobs import Pool

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)  # seconds; ours
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Metrics:
    """What happened since the service started."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()  # by route, method and status
        self._durations: dict[str, list[int]] = {}  # by route: requests per class of duration
        self._seconds: dict[str, float] = {}  # by route, in all

    def add(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one request."""
        self._requests[route, method, status] += 1
        self._durations.setdefault(route, [0] * (len(_BOUNDS) + 1))[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[route] = self._seconds.get(route, 0.0) + seconds

    def text(self, pool: Pool) -> str:
        """Everything, in the format that Prometheus reads."""
        return "\n".join([*self._request_lines(), *_gauge_lines(pool)]) + "\n"

    def _request_lines(self) -> Iterator[str]:
        yield "# HELP tamis_requests_total Requests that were answered."
        yield "# TYPE tamis_requests_total counter"
        for (route, method, status), count in sorted(self._requests.items()):
            yield f'tamis_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}'
        yield "# HELP tamis_request_seconds From the first byte of a request to the last of its answer."
        yield "# TYPE tamis_request_seconds histogram"
        for route, counts in sorted(self._durations.items()):
            total = 0
            for bound, count in zip((*map(repr, _BOUNDS), "+Inf"), counts, strict=True):
                total += count
                yield f'tamis_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'tamis_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'tamis_request_seconds_count{{route="{route}"}} {total}'


def _gauge_lines(pool: Pool) -> Iterator[str]:
    yield "# HELP tamis_jobs Jobs that are worked on, and that wait for a worker."
    yield "# TYPE tamis_jobs gauge"
    yield f'tamis_jobs{{state="running"}} {pool.running}'
    yield f'tamis_jobs{{state="waiting"}} {pool.waiting}'
    yield "# HELP tamis_workers_lost_total Workers that were replaced."
    yield "# TYPE tamis_workers_lost_total counter"
    for reason, count in pool.lost.items():
        yield f'tamis_workers_lost_total{{reason="{reason}"}} {count}'
    yield "# HELP tamis_resident_memory_bytes Memory of this process and of its workers."
    yield "# TYPE tamis_resident_memory_bytes gauge"
    yield f'tamis_resident_memory_bytes{{process="service"}} {resident_bytes(os.getpid())}'
    yield f'tamis_resident_memory_bytes{{process="workers"}} {sum(map(resident_bytes, pool.process_ids()))}'


def resident_bytes(process_id: int) -> int:
    """Memory of a process; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{process_id}/statm").read_text().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError, ValueError):
        return 0
