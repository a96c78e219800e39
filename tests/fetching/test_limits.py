"""Servers that are slow without end, or send without end."""

from __future__ import annotations

import gzip
import threading
import time

import pytest

from tamis.errors import TransferError
from tests.fetching.fetchers import fetcher
from tests.fetching.web import Request, Send, Web, answer

DRIPS: dict[str, list[bytes]] = {
    "a body": [answer(b"", Content_Length="1000"), *[b"x"] * 200],
    "a head": [b"HTTP/1.1 200 OK\r\n", *[b"X-A: b\r\n"] * 200],
    "a status line": [bytes([byte]) for byte in b"HTTP/1.1 200 " + b"O" * 200],
    "chunks": [answer(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked"), *[b"1\r\nx\r\n"] * 200],
    "preliminary answers": [b"HTTP/1.1 103 Early Hints\r\n\r\n"] * 200,
    "silence": [b""] * 200,
}


@pytest.mark.parametrize("kind", DRIPS)
def test_the_deadline_holds_however_small_the_pieces_are(web: Web, kind: str) -> None:
    finished = threading.Event()

    def drip(_: Request, send: Send) -> None:
        for piece in DRIPS[kind]:
            send(piece)
            time.sleep(0.05)
        finished.set()

    web.answers["/"] = drip
    with pytest.raises(TransferError, match=r"longer than 0\.3 s"):
        fetcher(deadline_seconds=0.3).fetch(web.url())
    assert not finished.is_set()
    assert len(web.requests) <= 1, "there is no time to try again"


def test_the_deadline_holds_for_looking_up_a_name(web: Web) -> None:
    def slow(*_: object) -> list[str]:
        time.sleep(3)
        return ["127.0.0.1"]

    with pytest.raises(TransferError, match=r"longer than 0\.2 s"):
        fetcher(resolve=slow, deadline_seconds=0.2).fetch(web.url())
    assert web.requests == []


def test_the_deadline_holds_for_all_redirects_together(web: Web) -> None:
    def onward(request: Request, send: Send) -> None:
        time.sleep(0.1)
        send(answer(b"", "302 Found", Location=f"{request.path}x"))

    for length in range(1, 60):
        web.answers["/" + "x" * length] = onward
    with pytest.raises(TransferError, match=r"longer than 0\.5 s"):
        fetcher(deadline_seconds=0.5, max_redirects=100).fetch(web.url("/x"))


# Size


def test_an_endless_body_is_cut_at_the_limit(web: Web) -> None:
    def endless(_: Request, send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>start ")
        while True:
            send(b"word " * 1000)

    web.answers["/"] = endless
    answered = fetcher(max_bytes=100_000).fetch(web.url())
    assert (len(answered.body), answered.truncated) == (100_000, True)
    page = answered.parse()
    assert page.truncated
    assert page.warnings == ("truncated: only 100000 bytes of the page arrived",)


@pytest.mark.parametrize(("size", "truncated"), [(999, False), (1000, False), (1001, True)])
@pytest.mark.parametrize("packed", [False, True])
def test_the_limit_is_below_at_and_above(web: Web, size: int, truncated: bool, packed: bool) -> None:
    body = b"x" * size
    web.answers["/"] = answer(gzip.compress(body), Content_Encoding="gzip") if packed else answer(body)
    answered = fetcher(max_bytes=1000).fetch(web.url())
    assert (answered.body, answered.truncated) == (body[:1000], truncated)


def test_a_body_that_unpacks_to_much_is_cut_at_the_limit(web: Web) -> None:
    web.answers["/"] = answer(gzip.compress(bytes(50_000_000)), Content_Encoding="gzip")
    answered = fetcher(max_bytes=1_000_000).fetch(web.url())
    assert (len(answered.body), answered.truncated) == (1_000_000, True)


def test_a_body_that_is_packed_wrongly_is_an_error(web: Web) -> None:
    web.answers["/"] = answer("<p>plain</p>", Content_Encoding="gzip")
    with pytest.raises(TransferError, match="not gzip data"):
        fetcher().fetch(web.url())
    web.answers["/"] = answer("<p>plain</p>", Content_Encoding="compress")
    with pytest.raises(TransferError, match="'compress'"):
        fetcher().fetch(web.url())


def test_huge_heads_are_refused(web: Web) -> None:
    web.answers["/"] = answer(X_Long="x" * 1_000_000)
    with pytest.raises(TransferError):
        fetcher(retries=0).fetch(web.url())
