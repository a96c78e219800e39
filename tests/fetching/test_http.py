"""Fetching from a server that misbehaves in every way it can."""

from __future__ import annotations

import contextlib
import email.utils
import gzip
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpcore
import pytest

from tamis.errors import AddressError, OptionError, TransferError
from tamis.fetching import http
from tamis.fetching.http import Fetcher, Options
from tests.fetching.web import Request, Send, Web, answer

PAGE = "<title>One</title><p>Grüße</p>"
PUBLIC = "93.184.216.34"


def local(host: str, _: int) -> list[str]:
    """Every name is this machine."""
    return ["127.0.0.1"]


def fetcher(*, resolve: Any = local, sleep: Any = lambda _: None, keep: Path | None = None, **options: Any) -> Fetcher:
    """A fetcher for the server of the test, as impatient as tests are."""
    chosen = {"allow_private": True, "respect_robots": False, "deadline_seconds": 20.0, "delay_seconds": 0.0, **options}
    return Fetcher(Options(**chosen), resolve=resolve, sleep=sleep, keep=keep)


def test_a_page_comes_with_its_address_headers_and_character_set(web: Web) -> None:
    web.answers["/a"] = answer(PAGE.encode("latin-1"), Content_Type="Text/HTML; charset=ISO-8859-1", X_One="1")
    answered = fetcher().fetch(web.url("/a#top"))
    assert (answered.url, answered.status, answered.header("x-one")) == (web.url("/a"), 200, "1")
    assert (answered.content_type, answered.encoding, answered.truncated) == ("text/html", "windows-1252", False)
    page = answered.parse()
    assert (page.url, page.encoding) == (web.url("/a"), "windows-1252")
    assert "Grüße" in page.text


@pytest.mark.parametrize("label", ["x-unknown", "", '"', "é"])
def test_a_character_set_that_no_browser_knows_is_ignored(web: Web, label: str) -> None:
    web.answers["/"] = answer(PAGE, Content_Type=f"text/html; charset={label}")
    assert "Grüße" in fetcher().fetch(web.url()).parse().text


def test_the_host_is_named_and_nothing_of_the_environment_is_used(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1/")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1/")
    web.answers["/"] = answer()
    fetcher().fetch(web.url(host="news.example"))
    (request,) = web.requests
    assert request.headers["host"] == f"news.example:{web.port}"
    assert "tamis/" in request.headers["user-agent"]
    assert "gzip" in request.headers["accept-encoding"]


def test_cookies_are_not_kept(web: Web) -> None:
    web.answers["/"] = answer(Set_Cookie="id=1; Path=/")
    web.answers["/go"] = answer(b"", "302 Found", Location="/", Set_Cookie="id=2; Path=/")
    with fetcher() as fetching:
        for path in ("/", "/go", "/"):
            fetching.fetch(web.url(path))
    assert len(web.requests) == 4
    assert not any("cookie" in request.headers for request in web.requests)


# Machines that may not be reached


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["169.254.169.254"], ["fe80::1%eth0"]]
)
def test_a_name_that_leads_to_a_private_machine_is_refused_before_it_is_asked(
    web: Web, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _record_connections(monkeypatch, web)
    with pytest.raises(AddressError, match="inner"):
        fetcher(resolve=lambda *_: found, allow_private=False, ports=(web.port,)).fetch(web.url(host="inner.example"))
    assert asked == []
    assert web.requests == []


def test_the_machine_that_was_checked_is_the_one_that_is_asked(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that changes its meaning after the check gains nothing: it is looked up once per connection."""
    asked = _record_connections(monkeypatch, web)
    lookups: list[str] = []

    def rebinding(host: str, _: int) -> list[str]:
        lookups.append(host)
        return [PUBLIC] if len(lookups) == 1 else ["127.0.0.1"]

    web.answers["/"] = answer(PAGE)
    fetching = fetcher(resolve=rebinding, allow_private=False, ports=(web.port,))
    assert fetching.fetch(web.url()).status == 200
    assert (asked, lookups) == ([PUBLIC], ["site.example"])
    with pytest.raises(AddressError):
        fetching.fetch(web.url())
    assert asked == [PUBLIC]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{port}/secret",
        "http://2130706433:{port}/secret",
        "http://[::ffff:127.0.0.1]:{port}/secret",
        "//inner.example:{port}/secret",
        "http://169.254.169.254/latest/",
        "http://site.example:22/",
        "http://user@site.example/",
        "file:///etc/passwd",
        "gopher://site.example/",
        "http://",
    ],
)
def test_redirects_are_checked_like_any_address(web: Web, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _record_connections(monkeypatch, web)
    web.answers["/"] = answer(b"", "302 Found", Location=location.format(port=web.port))
    web.answers["/secret"] = answer("secret")

    def resolve(host: str, _: int) -> list[str]:
        return ["127.0.0.1"] if host == "inner.example" else [PUBLIC]

    with pytest.raises(AddressError):
        fetcher(resolve=resolve, allow_private=False, ports=(web.port,)).fetch(web.url())
    assert asked == [PUBLIC]
    assert web.paths == ["/"]


def test_the_next_machine_of_a_name_is_asked_when_the_first_is_silent(web: Web) -> None:
    web.answers["/"] = answer(PAGE)
    assert fetcher(resolve=lambda *_: ["127.0.0.2", "127.0.0.1"]).fetch(web.url()).status == 200


def test_the_name_goes_into_the_tls_handshake() -> None:
    hello = b""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> bytes:
            connection, _ = server.accept()
            with connection:
                return connection.recv(4096)

        with ThreadPoolExecutor() as pool:
            heard = pool.submit(listen)
            with pytest.raises(TransferError):
                fetcher(retries=0).fetch(f"https://secret.example:{server.getsockname()[1]}/")
            hello = heard.result(timeout=5)
    assert b"secret.example" in hello


def test_a_server_that_cannot_prove_who_it_is_is_refused(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    named = ["-subj", "/CN=secret.example", "-keyout", str(key), "-out", str(certificate)]
    made = subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *named],
        capture_output=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:

        def listen() -> None:
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as secure:
                secure.recv(4096)

        done = pool.submit(listen)
        with pytest.raises(AddressError, match="cannot prove who it is"):
            fetcher().fetch(f"https://secret.example:{server.getsockname()[1]}/")
        done.result(timeout=20)


def test_a_name_that_stands_for_nothing_is_an_error(web: Web) -> None:
    def unknown(*_: object) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    def failing(*_: object) -> list[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "later")

    with pytest.raises(AddressError, match="check the name"):
        fetcher(resolve=unknown).fetch(web.url())
    with pytest.raises(AddressError, match="no machine"):
        fetcher(resolve=lambda *_: []).fetch(web.url())
    with pytest.raises(TransferError, match="cannot be looked up now"):
        fetcher(resolve=failing).fetch(web.url())


# Time


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
    assert page.warnings == ("truncated: only 100000 bytes of the page came",)


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
    with pytest.raises(TransferError, match="no gzip data"):
        fetcher().fetch(web.url())
    web.answers["/"] = answer("<p>plain</p>", Content_Encoding="compress")
    with pytest.raises(TransferError, match="'compress'"):
        fetcher().fetch(web.url())


def test_huge_heads_are_refused(web: Web) -> None:
    web.answers["/"] = answer(X_Long="x" * 1_000_000)
    with pytest.raises(TransferError):
        fetcher(retries=0).fetch(web.url())


# Answers that are wrong


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
    with pytest.raises(AddressError, match="no page"):
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
    with pytest.raises(AddressError, match="in a circle"):
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


# Delays and robots.txt


def test_pages_of_a_host_are_fetched_with_a_delay_and_other_hosts_are_not_kept_waiting(web: Web) -> None:
    waits: list[float] = []
    web.answers["/"] = answer()
    fetching = fetcher(delay_seconds=50, sleep=waits.append)
    for host in ("a.example", "b.example", "a.example", "a.example"):
        fetching.fetch(web.url(host=host))
    first, second = waits
    assert 45 < first <= 50
    assert 95 < second <= 100


def _with_robots(web: Web, text: str) -> Fetcher:
    web.answers["/robots.txt"] = answer(text, Content_Type="text/plain")
    web.answers["/a"] = web.answers["/b"] = answer(PAGE)
    return fetcher(respect_robots=True)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("User-agent: *\nDisallow: /a", False),
        ("User-agent: *\nDisallow: /b", True),
        ("User-agent: *\nDisallow: /\nAllow: /a", True),
        ("User-agent: *\nDisallow: /*a$", False),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: other\nUser-agent: Tamis\nDisallow: /", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: tamis\nDisallow:", True),
        ("\ufeffUser-agent: *\nDisallow: /a", False),
        ("<html>not found</html>", True),
        ("\0\xff" * 100, True),
    ],
)
def test_robots_txt_is_respected(web: Web, text: str, allowed: bool) -> None:
    fetching = _with_robots(web, text)
    if allowed:
        fetching.fetch(web.url("/a"))
        assert web.paths == ["/robots.txt", "/a"]
    else:
        with pytest.raises(AddressError, match="respect_robots=False"):
            fetching.fetch(web.url("/a"))
        assert web.paths == ["/robots.txt"]


def test_robots_txt_is_asked_for_once_per_site_and_for_redirects_too(web: Web) -> None:
    fetching = _with_robots(web, "User-agent: *\nDisallow: /private")
    web.answers["/go"] = answer(b"", "302 Found", Location="/private")
    fetching.fetch(web.url("/a"))
    fetching.fetch(web.url("/b"))
    assert web.paths == ["/robots.txt", "/a", "/b"]
    with pytest.raises(AddressError, match="asks not to fetch"):
        fetching.fetch(web.url("/go"))
    assert web.paths[3:] == ["/go"]
    fetching.fetch(web.url("/a", host="other.example"))
    assert web.paths[4:] == ["/robots.txt", "/a"]


@pytest.mark.parametrize("status", ["401 No", "403 No", "404 Missing", "429 Slow Down", "410 Gone"])
def test_a_site_without_robots_txt_allows_everything(web: Web, status: str) -> None:
    fetching = _with_robots(web, "")
    web.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /", status)
    assert fetching.fetch(web.url("/a")).status == 200


@pytest.mark.parametrize(
    "raw", [answer("", "500 Error"), answer("", "503 Busy"), answer("", "501 No"), b"garbage\r\n\r\n"]
)
def test_a_site_that_cannot_be_asked_forbids_everything(web: Web, raw: bytes) -> None:
    fetching = _with_robots(web, "")
    web.answers["/robots.txt"] = raw
    for _ in range(2):
        with pytest.raises(TransferError, match="nothing of the site may be fetched for now"):
            fetching.fetch(web.url("/a"))
    assert "/a" not in web.paths
    assert web.paths.count("/robots.txt") <= 3


def test_robots_txt_may_be_redirected_five_times_and_not_to_private_machines(web: Web) -> None:
    forbidding = answer("User-agent: *\nDisallow: /", Content_Type="text/plain")
    fetching = _with_robots(web, "")
    for place in range(6):
        web.answers[f"/{place}"] = answer(b"", "302 Found", Location=f"/{place + 1}")
    web.answers["/robots.txt"] = web.answers["/1"]
    web.answers["/6"] = forbidding
    with pytest.raises(AddressError, match="asks not to fetch"):
        fetching.fetch(web.url("/a"))
    web.answers["/robots.txt"] = web.answers["/0"]  # one more: as good as missing
    assert fetcher(respect_robots=True).fetch(web.url("/a")).status == 200
    web.answers["/robots.txt"] = answer(b"", "302 Found", Location="http://169.254.169.254/")
    assert fetcher(respect_robots=True).fetch(web.url("/a")).status == 200


def test_a_site_that_was_not_found_is_asked_for_its_robots_txt_when_it_is(web: Web) -> None:
    found: list[str] = []
    fetching = fetcher(respect_robots=True, resolve=lambda *_: found)
    web.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /a", Content_Type="text/plain")
    with pytest.raises(AddressError, match="stands for no machine"):
        fetching.fetch(web.url("/a"))
    found.append("127.0.0.1")
    with pytest.raises(AddressError, match="asks not to fetch"):
        fetching.fetch(web.url("/a"))


def test_the_robots_txt_of_a_redirect_counts_towards_the_deadline(web: Web) -> None:
    def robots(request: Request, send: Send) -> None:
        if request.headers["host"].startswith("slow"):
            time.sleep(2)
        send(answer("", "404 Missing"))

    web.answers["/robots.txt"] = robots
    web.answers["/a"] = answer(PAGE)
    web.answers["/go"] = answer(b"", "302 Found", Location=web.url("/a", host="slow.example"))
    with pytest.raises(TransferError, match=r"longer than 1 s"):
        fetcher(respect_robots=True, deadline_seconds=1).fetch(web.url("/go"))
    assert "/a" not in web.paths


def test_a_huge_robots_txt_is_read_up_to_its_limit(web: Web) -> None:
    many = "".join(f"User-agent: robot{number}\n" for number in range(10_000))
    rules = "".join(f"Disallow: /x{number}\n" for number in range(10_000))
    fetching = _with_robots(web, f"{many}User-agent: *\n{rules}Disallow: /a\n{'#' * 600_000}\nDisallow: /b\n")
    with pytest.raises(AddressError):
        fetching.fetch(web.url("/a"))
    assert fetching.fetch(web.url("/b")).status == 200


def test_a_site_may_ask_for_a_longer_delay(web: Web) -> None:
    waits: list[float] = []
    web.answers["/robots.txt"] = answer("User-agent: *\nCrawl-delay: 4", Content_Type="text/plain")
    web.answers["/a"] = answer()
    fetching = fetcher(respect_robots=True, delay_seconds=1, sleep=waits.append, deadline_seconds=5)
    fetching.fetch(web.url("/a"))
    fetching.fetch(web.url("/a"))
    (wait,) = waits
    assert 1 < wait <= 4
    with pytest.raises(AddressError, match="4 s between pages"):
        fetcher(respect_robots=True, deadline_seconds=3).fetch(web.url("/a"))


# Keeping


def test_a_kept_page_is_asked_about_and_not_sent_again(web: Web, tmp_path: Path) -> None:
    def server(request: Request, send: Send) -> None:
        same = request.headers.get("if-none-match") == '"1"' or "if-modified-since" in request.headers
        send(answer(b"", "304 Not Modified") if same else answer(PAGE, ETag='"1"', X_One="1"))

    web.answers["/"] = server
    first = fetcher(keep=tmp_path).fetch(web.url())
    second = fetcher(keep=tmp_path).fetch(web.url())
    assert (first.from_cache, second.from_cache) == (False, True)
    assert (second.body, second.header("x-one"), second.url) == (first.body, "1", first.url)
    assert len(web.requests) == 2
    web.answers["/"] = answer("new")
    third = fetcher(keep=tmp_path).fetch(web.url())
    assert (third.body, third.from_cache) == (b"new", False)
    assert web.requests[-1].headers["if-none-match"] == '"1"'


def test_a_fresh_kept_page_is_used_without_asking(web: Web, tmp_path: Path) -> None:
    web.answers["/go"] = answer(b"", "302 Found", Location="/")
    web.answers["/"] = answer(PAGE, Last_Modified="Wed, 21 Oct 2015 07:28:00 GMT")
    first = fetcher(keep=tmp_path).fetch(web.url("/go"))
    second = fetcher(keep=tmp_path, fresh_seconds=3600).fetch(web.url("/go"))
    assert web.paths == ["/go", "/"]
    assert (second.url, second.hops, second.body) == (first.url, first.hops, first.body)
    fetcher(keep=tmp_path).fetch(web.url("/go"))
    assert "if-modified-since" not in web.requests[2].headers
    assert web.requests[3].headers["if-modified-since"] == "Wed, 21 Oct 2015 07:28:00 GMT"


def test_pages_that_are_cut_or_not_to_be_stored_are_not_kept(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = answer(PAGE, Cache_Control="private, No-Store")
    web.answers["/long"] = answer("x" * 100)
    fetching = fetcher(keep=tmp_path, max_bytes=50)
    assert fetching.fetch(web.url("/long")).truncated
    fetching.fetch(web.url())
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_damaged_file_is_as_good_as_none(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = answer(PAGE, ETag='"1"')
    fetcher(keep=tmp_path).fetch(web.url())
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    whole = file.read_bytes()
    head, _, body = whole.partition(b"\n")
    older = json.dumps({**json.loads(head), "format": 0}).encode() + b"\n" + body
    for damaged in (
        b"",
        whole[:-1],
        whole[:50],
        b"null\n",
        b"[]\n",
        b"{}\n",
        older,
        whole.replace(b"site", b"cite"),
        bytes(100),
    ):
        file.write_bytes(damaged)
        answered = fetcher(keep=tmp_path, fresh_seconds=3600).fetch(web.url())
        assert not answered.from_cache
        assert "if-none-match" not in web.requests[-1].headers
    assert file.read_bytes().endswith(body)


# The fetcher


def test_a_fetcher_can_be_used_from_several_threads(web: Web) -> None:
    for number in range(20):
        web.answers[f"/{number}"] = answer(f"<p>{number}</p>")
    web.answers["/robots.txt"] = answer("User-agent: *\nAllow: /", Content_Type="text/plain")
    with fetcher(respect_robots=True) as fetching, ThreadPoolExecutor(4) as pool:
        bodies = list(pool.map(lambda number: fetching.fetch(web.url(f"/{number}")).body, range(20)))
    assert bodies == [f"<p>{number}</p>".encode() for number in range(20)]


def test_a_closed_fetcher_says_so(web: Web) -> None:
    with fetcher() as fetching:
        pass
    with pytest.raises(OptionError, match="closed"):
        fetching.fetch(web.url())


@pytest.mark.parametrize(
    "option",
    [
        {"max_bytes": 0},
        {"deadline_seconds": 0},
        {"deadline_seconds": float("nan")},
        {"retries": -1},
        {"user_agent": "a\nb"},
    ],
)
def test_options_that_make_no_sense_are_refused(option: dict[str, Any]) -> None:
    (name,) = option
    with pytest.raises(OptionError, match=name):
        Options(**option)


def test_one_page_can_be_fetched_at_once(web: Web) -> None:
    web.answers["/"] = answer(PAGE)
    options = Options(allow_private=True, respect_robots=False)
    assert http.fetch(f"http://127.0.0.1:{web.port}/", options).body == PAGE.encode()
    with pytest.raises(AddressError, match="allow_private"):
        http.fetch("http://localhost/")


def _record_connections(monkeypatch: pytest.MonkeyPatch, web: Web) -> list[str]:
    """The machines that are connected to; in their place answers the server of the test."""
    asked: list[str] = []
    connect = httpcore.SyncBackend.connect_tcp

    def connect_here(self: httpcore.SyncBackend, host: str, _: int, **options: Any) -> httpcore.NetworkStream:
        asked.append(host)
        return connect(self, "127.0.0.1", web.port, **options)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect_here)
    return asked
