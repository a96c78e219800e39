"""Health, metrics and logs."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import time
from typing import Any

import httpx
import pytest

from tamis.service import logs
from tamis.service.jobs import Pool
from tamis.service.metrics import Metrics
from tamis.service.observer import Observer


def test_metrics_count_requests_by_route_and_status(service: httpx.Client) -> None:
    def count() -> int:
        text = service.get("/metrics").text
        found = re.search(r'tamis_requests_total\{route="/api/score",method="POST",status="200"\} (\d+)', text)
        return int(found[1]) if found else 0

    before = count()
    service.post("/api/score", json={"gold": "a"})
    assert count() == before + 1


def test_durations_are_counted_at_and_below_their_bound() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.002, 0.0021, 31.0):
        metrics.add("/a", "GET", 200, seconds)
    text = metrics.text(Pool(workers=1, queue=1, timeout_seconds=1.0))
    counts = dict(re.findall(r'bucket\{route="/a",le="([^"]+)"\} (\d+)', text))
    assert (counts["0.002"], counts["0.005"], counts["30.0"], counts["+Inf"]) == ("2", "3", "3", "4")
    assert 'tamis_request_seconds_count{route="/a"} 4' in text
    assert text.endswith("\n")


def test_every_line_of_the_metrics_is_one_that_prometheus_reads(service: httpx.Client) -> None:
    found = service.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+')
    for line in found.text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or sample.fullmatch(line), line


@pytest.mark.parametrize(("asked", "path"), [("/read?url=secret", "/read"), ("/https://[secret", "/…")])
def test_logs_are_json_lines_without_the_urls_of_pages(service: httpx.Client, asked: str, path: str) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonLines())
    logs.LOGGER.addHandler(handler)
    level = logs.LOGGER.level
    logs.LOGGER.setLevel(logging.INFO)
    entries: list[dict[str, Any]] = []
    try:
        service.get(asked)
        end = time.monotonic() + 10
        while not entries and time.monotonic() < end:  # written after the answer was sent
            time.sleep(0.01)
            lines = stream.getvalue().splitlines(keepends=True)
            written = [json.loads(line) for line in lines if line.endswith("\n")]
            entries = [entry for entry in written if entry["path"] != "/metrics"]  # asked for by the test before
    finally:
        logs.LOGGER.removeHandler(handler)
        logs.LOGGER.setLevel(level)
    entry = entries[0]
    assert entry["event"] == "request"
    assert entry["path"] == path
    assert entry["status"] == 422
    assert entry["level"] == "info"
    assert "secret" not in stream.getvalue()


def test_a_request_that_the_end_of_the_service_cuts_off_is_told_to_come_again() -> None:
    async def endless(_: Any, __: Any, ___: Any) -> None:
        await asyncio.sleep(60)

    async def receive() -> Any:
        return {"type": "http.request"}

    async def cut_off() -> list[Any]:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
        request = asyncio.create_task(Observer(endless, Metrics())(scope, receive, send))
        await asyncio.sleep(0)
        request.cancel()
        await request
        return sent

    start, body = asyncio.run(cut_off())
    assert start["status"] == 503
    assert (b"retry-after", b"1") in start["headers"]
    assert b"the service is shutting down" in body["body"]


def test_a_fault_of_a_worker_is_logged_as_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    async def fail() -> None:
        pool = Pool(workers=1, queue=1, timeout_seconds=60.0)
        await pool.run("no such operation", {}, b"")
        await pool.close()

    asyncio.run(fail())
    (line,) = capfd.readouterr().err.splitlines()
    entry = json.loads(line)
    assert (entry["level"], entry["event"], entry["operation"]) == ("error", "fault", "no such operation")
    assert "KeyError" in entry["trace"]
