"""Bodies of requests: too long, too slow, never ended, or many pages at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request

import tamis
from tamis.service import heads
from tamis.service.batch_requests import BatchResponse
from tamis.service.heads import MAX_HEAD_BYTES
from tamis.service.problems import Answer, ProblemError
from tamis.service.settings import Settings
from tests.service.running import TOKEN, running
from tests.service.test_api import PAGE

HEAD = f"Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def small() -> Iterator[httpx.Client]:
    """A service that takes little, and waits for little."""
    with running(Settings(port=0, token=TOKEN, workers=1, max_bytes=10_000, upload_seconds=0.5)) as client:
        yield client


def _connect(client: httpx.Client) -> socket.socket:
    return socket.create_connection((client.base_url.host, client.base_url.port or 80), timeout=20)


def _status(connection: socket.socket) -> int:
    data = b""
    while b"\r\n" not in data:
        piece = connection.recv(4096)
        if not piece:
            break
        data += piece
    return int(data.split(b" ")[1])


@pytest.mark.parametrize(("size", "status"), [(9_999, 200), (10_000, 200), (10_001, 413)])
def test_a_body_may_be_as_long_as_the_limit(small: httpx.Client, size: int, status: int) -> None:
    page = b"<p>" + b"x" * (size - 3)
    found = small.post("/api/extract", content=page, headers={"Content-Type": "text/html"})
    assert found.status_code == status
    if status == 413:
        assert "longer than 10000 bytes" in found.json()["detail"]


def test_a_hundred_megabytes_are_answered_and_not_held(small: httpx.Client) -> None:
    before = _memory(small)
    piece = b"x" * 1_000_000
    found = small.post("/api/extract", content=iter([piece] * 100), headers={"Content-Type": "text/html"})
    assert found.status_code == 413
    assert _memory(small) - before < 30_000_000


def test_a_length_that_is_too_great_is_refused_before_the_body_comes(small: httpx.Client) -> None:
    with _connect(small) as connection:
        lines = f"POST /api/extract HTTP/1.1\r\n{HEAD}Content-Length: 100000000\r\n\r\n"
        begin = time.monotonic()
        connection.sendall(lines.encode())
        connection.shutdown(socket.SHUT_WR)
        assert time.monotonic() - begin < 10
    assert small.get("/healthz").status_code == 200


def test_a_body_that_does_not_come_is_given_up(small: httpx.Client) -> None:
    with _connect(small) as connection:
        connection.sendall(f'POST /api/extract HTTP/1.1\r\n{HEAD}Content-Length: 1000\r\n\r\n{{"html'.encode())
        assert _status(connection) == 408


def test_a_head_is_as_long_as_the_limit_at_most(small: httpx.Client) -> None:
    """Nobody was let in yet, so little is held for them; a whole head that came at once is read."""
    ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: "
    for size, status in ((MAX_HEAD_BYTES - len(ask), 200), (MAX_HEAD_BYTES + 1 - len(ask), 400)):
        with _connect(small) as connection:
            connection.sendall(ask + b"a" * size)
            time.sleep(0.3)  # so that the end of the head comes in a piece of its own
            with contextlib.suppress(OSError):
                connection.sendall(b"\r\n\r\n")
            assert _status(connection) == status


def test_a_head_that_does_not_come_is_given_up(small: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", 0.2)
    begun = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    for told in ("", begun, f"{begun}\r\n{begun}"):
        with _connect(small) as connection:
            connection.sendall(told.encode())
            data = b""
            while piece := connection.recv(4096):
                data += piece
        assert data.count(b"200 OK") == told.count("\r\n\r\n")


def test_an_upload_that_breaks_off_leaves_the_service_alive(small: httpx.Client) -> None:
    for _ in range(5):
        with _connect(small) as connection:
            connection.sendall(f'POST /api/extract HTTP/1.1\r\n{HEAD}Content-Length: 1000\r\n\r\n{{"html'.encode())
    found = small.post("/api/extract", json={"html": "<p>x", "format": "text"})
    assert found.status_code == 200


def _lines(found: httpx.Response) -> list[dict[str, Any]]:
    return [json.loads(line) for line in found.text.splitlines()]


def test_a_batch_is_answered_line_by_line_in_order(service: httpx.Client) -> None:
    asked = [
        json.dumps({"html": PAGE, "format": "text"}),
        "no JSON",
        "",
        json.dumps({"html": PAGE}),
        json.dumps({"html": PAGE, "method": "siev"}),
        json.dumps({"url": "http://127.0.0.1/"}),
        json.dumps({"html": "<p>Ünïcode stays whole", "format": "text", "method": "keep_all"}, ensure_ascii=False),
    ]
    found = service.post("/api/batch", content="\n".join(asked).encode())
    assert found.headers["content-type"] == "application/jsonl"
    lines = _lines(found)
    assert [line["line"] for line in lines] == [1, 2, 4, 5, 6, 7]
    assert lines[0]["result"] == tamis.extract(PAGE).text
    assert lines[1]["problem"]["status"] == 400
    assert lines[2]["result"] == json.loads(json.dumps(tamis.extract(PAGE).to_dict()))
    assert "did you mean sieve" in lines[3]["problem"]["detail"]
    assert "this machine" in lines[4]["problem"]["detail"]
    assert lines[5]["result"] == "Ünïcode stays whole"


def test_a_batch_is_answered_while_it_is_still_sent(service: httpx.Client) -> None:
    line = json.dumps({"html": PAGE, "format": "text"}).encode() + b"\n"
    with _connect(service) as connection:
        head = f"POST /api/batch HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode() + b"%x\r\n%b\r\n" % (len(line), line))
        data = b""
        while b'{"line": 1, "result"' not in data:
            piece = connection.recv(4096)
            assert piece, "the answer ended before the batch did"
            data += piece
        connection.sendall(b"%x\r\n%b\r\n0\r\n\r\n" % (len(line), line))
        while not data.endswith(b"0\r\n\r\n"):
            data += connection.recv(4096)
        assert b'{"line": 2, "result"' in data


def test_a_batch_that_breaks_off_is_no_fault(service: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    line = json.dumps({"html": PAGE, "format": "text"}).encode() + b"\n"
    counted = 'tamis_requests_total{route="/api/batch",method="POST",status="499"} '
    before = service.get("/metrics").text.count(counted)
    with _connect(service) as connection:
        head = f"POST /api/batch HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode() + b"%x\r\n%b\r\n" % (len(line), line))
        assert _status(connection) == 200
    end = time.monotonic() + 10
    while counted not in (told := service.get("/metrics").text) and time.monotonic() < end:
        time.sleep(0.02)
    assert before == 0
    assert counted + "1" in told
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_many_lines_do_not_fill_the_queue_of_others(service: httpx.Client) -> None:
    line = json.dumps({"html": PAGE, "format": "text"}).encode() + b"\n"
    lines = _lines(service.post("/api/batch", content=line * 300))
    assert [entry["line"] for entry in lines] == list(range(1, 301))
    assert all("result" in entry for entry in lines)


def test_a_batch_waits_for_its_turn_when_the_service_is_busy() -> None:
    turns: Iterator[Answer | ProblemError] = iter([busy(), busy(), Answer(200, "text/plain", b"done")])

    async def perform(_: bytes) -> Answer:
        turn = next(turns)
        if isinstance(turn, ProblemError):
            raise turn
        return turn

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/api/batch", "headers": []}
    response = BatchResponse(Request(scope, receive), Settings(workers=1), perform)
    asyncio.run(response(scope, receive, send))
    assert b"".join(message.get("body", b"") for message in sent) == b'{"line": 1, "result": "done"}\n'


def busy() -> ProblemError:
    return ProblemError(503, "busy", "come again")


def test_a_line_that_is_too_long_ends_the_batch_with_a_problem(small: httpx.Client) -> None:
    body = json.dumps({"html": "<p>x", "format": "text"}).encode() + b"\n" + b"y" * 20_000
    lines = _lines(small.post("/api/batch", content=body))
    assert "result" in lines[0]
    assert lines[1]["problem"]["status"] == 413


def test_a_batch_that_stops_coming_ends_with_a_problem(small: httpx.Client) -> None:
    with _connect(small) as connection:
        connection.sendall(f"POST /api/batch HTTP/1.1\r\n{HEAD}Content-Length: 1000\r\n\r\n{{}}\n".encode())
        data = b""
        while piece := connection.recv(4096):
            data += piece
            if data.endswith(b"0\r\n\r\n"):
                break
        assert b'"status": 408' in data


def _memory(client: httpx.Client) -> int:
    line = next(line for line in client.get("/metrics").text.splitlines() if 'process="service"' in line)
    return int(line.split()[-1])
