"""Answers that are wrong, lead elsewhere or ask to come again, and the character set that they announce."""

from __future__ import annotations

import email.utils
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import AddressError, TransferError
from tamis.fetching.answers import _PLAIN_TYPE, _charset, announced_encoding
from tests.fetching.fetchers import PAGE, fetcher
from tests.fetching.web import Web, answer


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"garbage\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.0\r\n",
        b"\x00\xff\x00\xff",
        b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>short",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ],
)
def test_broken_answers_are_tried_again_and_then_an_error(web: Web, raw: bytes) -> None:
    web.answers["/"] = raw
    with pytest.raises(TransferError, match="cannot fetch"):
        fetcher(retries=1).fetch(web.url())
    assert len(web.requests) == 2
    web.answers["/"] = [raw, answer(PAGE)]
    assert fetcher(retries=1).fetch(web.url()).body == PAGE.encode()


def test_a_connection_that_breaks_off_is_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        count = 0

        def listen() -> None:
            nonlocal count
            while count < 3:
                connection, _ = server.accept()
                count += 1
                connection.recv(100)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                connection.close()

        with ThreadPoolExecutor() as pool:
            pool.submit(listen)
            with pytest.raises(TransferError, match="broke"):
                fetcher(retries=2).fetch(f"http://site.example:{server.getsockname()[1]}/")
        assert count == 3


def test_a_port_that_nobody_listens_on_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(TransferError, match=f"does not answer on port {port}"):
        fetcher().fetch(f"http://site.example:{port}/")


@pytest.mark.parametrize(
    "kind", ["application/pdf", "image/png", "application/json", "text/css", "TEXT/JAVASCRIPT; a=b"]
)
def test_what_is_no_page_is_refused_without_reading_it(web: Web, kind: str) -> None:
    web.answers["/"] = answer(b"", Content_Type=kind, Content_Length="1000000000")
    with pytest.raises(AddressError, match="not a page"):
        fetcher().fetch(web.url())
    web.answers["/"] = answer(b"data", Content_Type=kind)
    assert fetcher(content_types=()).fetch(web.url()).body == b"data"


@pytest.mark.parametrize("kind", ["text/html", "application/xhtml+xml", "TEXT/HTML;charset=x", "text/plain", ""])
def test_pages_and_answers_without_a_type_are_read(web: Web, kind: str) -> None:
    web.answers["/"] = answer(PAGE, Content_Type=kind)
    assert fetcher().fetch(web.url()).body == PAGE.encode()


@pytest.mark.parametrize(
    "status", ["404 Not Found", "403 Forbidden", "410 Gone", "304 Not Modified", "300 Choices", "302 Found"]
)
def test_other_answers_than_pages_are_errors_and_not_tried_again(web: Web, status: str) -> None:
    web.answers["/"] = answer(b"", status)
    with pytest.raises(AddressError, match=f"status {status[:3]}"):
        fetcher().fetch(web.url())
    assert len(web.requests) == 1


# Redirects


def test_redirects_are_followed_and_told(web: Web) -> None:
    web.answers["/a"] = answer(b"", "301 Moved", Location="b#there")
    web.answers["/b"] = answer(b"", "307 Moved", Location=web.url("/ü", host="other.example"))
    web.answers["/%C3%BC"] = answer(PAGE)
    answered = fetcher().fetch(web.url("/a"))
    end = web.url("/%C3%BC", host="other.example")
    assert (answered.requested, answered.url) == (web.url("/a"), end)
    assert [tuple(hop) for hop in answered.hops] == [
        (web.url("/a"), 301, web.url("/b")),
        (web.url("/b"), 307, end),
    ]


def test_redirects_in_a_circle_end(web: Web) -> None:
    web.answers["/a"] = answer(b"", "302 Found", Location="/b")
    web.answers["/b"] = answer(b"", "302 Found", Location="/a")
    with pytest.raises(AddressError, match="in a loop"):
        fetcher().fetch(web.url("/a"))
    assert web.paths == ["/a", "/b"]


@pytest.mark.parametrize(("length", "comes"), [(2, True), (3, True), (4, False)])
def test_redirects_are_followed_up_to_their_limit(web: Web, length: int, comes: bool) -> None:
    for place in range(length):
        web.answers[f"/{place}"] = answer(b"", "302 Found", Location=f"/{place + 1}")
    web.answers[f"/{length}"] = answer(PAGE)
    fetching = fetcher(max_redirects=3)
    if comes:
        assert len(fetching.fetch(web.url("/0")).hops) == length
    else:
        with pytest.raises(AddressError, match="more than 3 times"):
            fetching.fetch(web.url("/0"))


# Trying again


@pytest.mark.parametrize("status", ["429 Slow Down", "500 Error", "502 Bad", "503 Busy", "504 Late"])
def test_a_busy_server_is_asked_again_after_longer_and_longer_waits(web: Web, status: str) -> None:
    waits: list[float] = []
    web.answers["/"] = [answer(b"", status), answer(b"", status), answer(PAGE)]
    assert fetcher(sleep=waits.append).fetch(web.url()).status == 200
    assert waits == [0.5, 1.0]
    web.answers["/"] = answer(b"", status)
    with pytest.raises(TransferError, match=f"status {status[:3]}"):
        fetcher().fetch(web.url())
    assert len(web.requests) == 3 + 3


def test_the_wait_that_a_server_asks_for_is_kept(web: Web) -> None:
    waits: list[float] = []
    web.answers["/"] = [answer(b"", "503 Busy", Retry_After="3"), answer(PAGE)]
    fetcher(sleep=waits.append).fetch(web.url())
    assert waits == [3.0]
    date = email.utils.formatdate(time.time() + 3, usegmt=True)
    web.answers["/"] = [answer(b"", "429 Slow Down", Retry_After=date), answer(PAGE)]
    fetcher(sleep=waits.append).fetch(web.url())
    assert 1 < waits[1] < 4


@pytest.mark.parametrize("value", ["6", "86400", "9" * 400, "Wed, 21 Oct 2125 07:28:00 GMT"])
def test_a_wait_beyond_the_deadline_is_not_begun(web: Web, value: str) -> None:
    waits: list[float] = []
    web.answers["/"] = answer(b"", "503 Busy", Retry_After=value)
    with pytest.raises(TransferError, match="asks to come again"):
        fetcher(sleep=waits.append, deadline_seconds=5).fetch(web.url())
    assert waits == []


@pytest.mark.parametrize("value", ["soon", "-1", "", "²"])
def test_a_wait_that_says_nothing_is_ignored(web: Web, value: str) -> None:
    waits: list[float] = []
    web.answers["/"] = [
        answer(b"", "503 Busy").replace(b"\r\n\r\n", f"\r\nRetry-After: {value}\r\n\r\n".encode()),
        answer(),
    ]
    fetcher(sleep=waits.append).fetch(web.url())
    assert waits == [0.5]


@pytest.mark.parametrize(
    ("value", "encoding"),
    [
        ("text/html; charset=utf-8", "UTF-8"),
        ("Text/HTML;CHARSET=ISO-8859-1", "windows-1252"),
        ('text/html; charset="utf-8"', "UTF-8"),
        ("text/html; boundary=x; charset=utf-8", "UTF-8"),
        ("text/html; charset=utf-8; charset=koi8-r", "UTF-8"),
        ("text/html; charset*=us-ascii'en'utf-8", None),
        ("text/html; charset=klingon", None),
        ("text/html; charset=", None),
        ("text/html", None),
        ("", None),
    ],
)
def test_the_character_set_is_that_of_the_parameter_however_it_is_written(value: str, encoding: str | None) -> None:
    assert announced_encoding(value) == encoding


@given(st.lists(st.sampled_from(["text/html", ";", " ", "charset", "=", "utf-8", '"', "a", "\n", "*", "'", "é"])))
def test_plain_headers_are_read_as_the_parser_of_all_parameters_reads_them(pieces: list[str]) -> None:
    value = "".join(pieces)
    plain = _PLAIN_TYPE.fullmatch(value)
    assert plain is None or (plain[1] or "") == (_charset(value) or "")
