"""The proxy: pages become their content, everything else passes, and nothing private is reached."""

from __future__ import annotations

import base64
import functools
import gzip
import http.client
import socket
import threading
from collections.abc import Iterator

import httpx
import pytest

import tamis
from tamis.errors import OptionError, UnknownNameError
from tamis.evaluation.datasets import Sample
from tamis.evaluation.systems import open_system
from tamis.fetching.http import Options as FetchOptions
from tamis.service import heads
from tamis.service.heads import ProxyHeads
from tamis.service.proxy import _has_token, create_proxy
from tamis.service.settings import Settings
from tamis.service.treating import MODES, READER, Treatment, treat
from tests.fetching.web import Request, Send, Web, answer
from tests.service.running import BROWSER, TOKEN, running
from tests.service.test_api import PAGE


@pytest.fixture(scope="module")
def proxy() -> Iterator[httpx.Client]:
    """A proxy that deletes clutter, and also reaches this machine."""
    settings = Settings(port=0, token=TOKEN, workers=1, allow_private=True)
    treatment = Treatment(mode="delete")
    with running(settings, functools.partial(create_proxy, treatment=treatment), http=ProxyHeads) as client:
        yield client


def _ask(
    proxy: httpx.Client, target: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(proxy.base_url.host, proxy.base_url.port or 80, timeout=30)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, target, body=body, headers=named)
        found = connection.getresponse()
        return found, found.read()
    finally:
        connection.close()


def test_a_page_becomes_its_content(proxy: httpx.Client, web: Web) -> None:
    web.answers["/page"] = answer(PAGE)
    found, body = _ask(proxy, web.url("/page", "127.0.0.1"))
    assert found.status == 200
    assert body.decode() == tamis.extract(PAGE, url=web.url("/page", "127.0.0.1")).render("delete")
    assert found.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in found.headers["Content-Security-Policy"]
    assert found.headers["Via"] == "1.1 tamis"


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_shows_the_content_and_runs_nothing(mode: str) -> None:
    page = tamis.parse(PAGE + "<script>bad()</script><p onclick=bad()>", "http://news.example/")
    found = treat(Treatment(mode=mode), page)
    assert found.status == 200
    assert b"written down each day" in found.body
    assert b"bad()" not in found.body
    policy = found.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


@pytest.mark.parametrize("mode", MODES)
def test_a_wall_is_shown_and_said_to_be_one(mode: str) -> None:
    """Nothing of it is content, but an empty page would not tell where one is."""
    form = "<title>Log in</title><h1>Log in</h1><p>Members of the club only.</p><form><input type=password></form>"
    found = treat(Treatment(mode=mode), tamis.parse(form, "http://club.example/"))
    assert (found.headers["Tamis-Status"], found.headers["Tamis-Wall"]) == ("empty", "login wall")
    shown = b"wall: the page is a login form" if mode == READER else b"Members of the club only."
    assert shown in found.body
    assert b"<!--Members" not in found.body


def test_the_reader_view_on_its_way_has_no_field_that_would_ask_the_site() -> None:
    assert b"<form" not in treat(Treatment(), tamis.parse(PAGE, "http://news.example/")).body


def test_a_mode_can_hide_in_its_other_way(web: Web) -> None:
    web.answers["/page"] = answer(PAGE)
    settings = Settings(port=0, token=TOKEN, workers=1, allow_private=True)
    treatment = Treatment(mode="hide", output={"hide_by": "style"})
    with running(settings, functools.partial(create_proxy, treatment=treatment), http=ProxyHeads) as client:
        _, body = _ask(client, web.url("/page", "127.0.0.1"))
    assert body.decode() == tamis.extract(PAGE, url=web.url("/page", "127.0.0.1")).render("hide", hide_by="style")
    assert b"display:none" in body


@pytest.mark.parametrize(
    ("mode", "message"), [("mark", "the format 'mark' has no options"), ("extract", "the reader view has no options")]
)
def test_a_mode_without_ways_is_asked_for_none(mode: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Treatment(mode=mode, output={"hide_by": "style"})


def test_a_mode_that_does_not_exist_is_answered_with_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean mark"):
        Treatment(mode="marks")


def test_orders_to_the_browser_are_not_passed_on_with_a_page(proxy: httpx.Client, web: Web) -> None:
    orders = {"refresh": "0; url=/x", "link": "</x>; rel=preload", "alt_svc": 'h3=":443"', "report_to": "{}"}
    web.answers["/page"] = answer(PAGE, **orders, etag="x", set_cookie="a=b", content_language="en")
    found, _ = _ask(proxy, web.url("/page", "127.0.0.1"))
    assert not {name.replace("_", "-") for name in (*orders, "etag")} & {name.lower() for name in found.headers}
    assert found.headers["Set-Cookie"] == "a=b"
    assert found.headers["Content-Language"] == "en"


def test_packed_pages_in_other_character_sets_are_read(proxy: httpx.Client, web: Web) -> None:
    page = "<title>x</title><article><p>Fünf große Bären gehen über die Brücke, und niemand hält sie auf.</p></article>"
    packed = gzip.compress(page.encode("latin-1"))
    web.answers["/page"] = answer(packed, content_type="text/html; charset=iso-8859-1", content_encoding="gzip")
    found, body = _ask(proxy, web.url("/page", "127.0.0.1"), Accept_Encoding="gzip")
    assert "Fünf große Bären gehen über die Brücke" in body.decode("utf-8")
    assert found.headers["Content-Encoding"] is None
    assert int(found.headers["Content-Length"]) == len(body)


def test_what_is_no_page_passes_byte_by_byte(proxy: httpx.Client, web: Web) -> None:
    data = gzip.compress(bytes(range(256)) * 4000)
    web.answers["/data"] = answer(data, content_type="application/octet-stream", content_encoding="gzip", etag='"1"')
    found, body = _ask(proxy, web.url("/data", "127.0.0.1"), Accept_Encoding="gzip")
    assert body == data
    assert found.headers["Content-Encoding"] == "gzip"
    assert found.headers["ETag"] == '"1"'
    assert found.headers["Content-Type"] == "application/octet-stream"


def test_pages_to_be_saved_pass_as_they_are(proxy: httpx.Client, web: Web) -> None:
    web.answers["/page"] = answer(PAGE, content_disposition="attachment; filename=a.html")
    assert _ask(proxy, web.url("/page", "127.0.0.1"))[1] == PAGE.encode()


def test_data_is_passed_on_while_it_still_comes(proxy: httpx.Client, web: Web) -> None:
    read = threading.Event()

    def drip(_: Request, send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
        read.wait(20)
        send(b"6\r\nsecond\r\n0\r\n\r\n")

    web.answers["/stream"] = drip
    connection = http.client.HTTPConnection(proxy.base_url.host, proxy.base_url.port or 80, timeout=20)
    connection.request("GET", web.url("/stream", "127.0.0.1"))
    found = connection.getresponse()
    assert found.read(5) == b"first"
    read.set()
    assert found.read() == b"second"
    connection.close()


def test_redirects_and_missing_pages_are_passed_on(proxy: httpx.Client, web: Web) -> None:
    web.answers["/old"] = answer("", "302 Found", location="/new", content_type="text/plain")
    found, _ = _ask(proxy, web.url("/old", "127.0.0.1"))
    assert (found.status, found.headers["Location"]) == (302, "/new")
    assert _ask(proxy, web.url("/none", "127.0.0.1"))[0].status == 404


def test_forms_are_sent_on_with_their_body(proxy: httpx.Client) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        got = []

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                data = b""
                while not data.endswith(b"a=1&b=2"):
                    data += connection.recv(4096)
                got.append(data)
                connection.sendall(answer("ok", content_type="text/plain"))

        thread = threading.Thread(target=serve)
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/form"
        found, body = _ask(proxy, address, "POST", b"a=1&b=2", Content_Type="application/x-www-form-urlencoded")
        thread.join(10)
    assert (found.status, body) == (200, b"ok")
    head = got[0].partition(b"\r\n\r\n")[0].lower()
    assert head.startswith(b"post /form http/1.1")
    assert b"content-length: 7" in head
    assert b"content-type: application/x-www-form-urlencoded" in head


def test_headers_for_the_proxy_alone_are_not_sent_on(proxy: httpx.Client, web: Web) -> None:
    web.answers["/page"] = answer("x", content_type="text/plain", connection="X-Hop", x_hop="1", x_end="2")
    found, _ = _ask(
        proxy,
        web.url("/page", "127.0.0.1"),
        Proxy_Authorization="Basic eDp5",
        Connection="X-Mine",
        X_Mine="1",
        Cookie="a=b",
        TE="trailers",
    )
    sent = web.requests[-1].headers
    assert sent["cookie"] == "a=b"
    assert sent["via"] == "1.1 tamis"
    assert sent["host"] == f"127.0.0.1:{web.port}"
    assert not {"proxy-authorization", "x-mine", "te"} & set(sent)
    assert found.headers["X-End"] == "2"
    assert found.headers["X-Hop"] is None


def test_head_tells_what_get_would_without_a_body(proxy: httpx.Client, web: Web) -> None:
    web.answers["/page"] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\nETag: x\r\n\r\n"
    found, body = _ask(proxy, web.url("/page", "127.0.0.1"), "HEAD")
    assert (found.status, body) == (200, b"")
    assert found.headers["Content-Type"] == "text/html; charset=utf-8"
    assert found.headers["ETag"] is None


def test_tunnels_are_refused_with_the_way_out(proxy: httpx.Client) -> None:
    found, body = _ask(proxy, "a.example:443", "CONNECT")
    assert found.status == 501
    assert b"/read?url=https://" in body


def test_private_machines_are_not_reached(web: Web) -> None:
    make = functools.partial(create_proxy, treatment=Treatment())
    hosts = ("127.0.0.1", "localhost", "[::1]", "169.254.169.254", "0x7f.1", "10.0.0.1", f"127.0.0.1:{web.port}")
    with running(Settings(port=0, token="", workers=1), make, http=ProxyHeads) as client:
        for host in hosts:
            found, body = _ask(client, f"http://{host}/")
            assert found.status == 403, host
            assert any(reason in body for reason in (b"allow_private", b"link-local", b"port"))
    assert web.requests == []


def _raw(proxy: httpx.Client, request: bytes) -> bytes:
    """All that is answered to some bytes until the connection is closed."""
    with socket.create_connection((proxy.base_url.host, proxy.base_url.port or 80), timeout=20) as connection:
        connection.sendall(request)
        told = b""
        while piece := connection.recv(4096):
            told += piece
    return told


@pytest.mark.parametrize("value", ["name=Müller".encode(), "name=Müller".encode("latin-1"), "日本".encode()])
def test_headers_pass_byte_by_byte_in_both_directions(proxy: httpx.Client, web: Web, value: bytes) -> None:
    web.answers["/x"] = b"HTTP/1.1 200 OK\r\nX-Back: " + value + b"\r\nContent-Length: 0\r\n\r\n"
    address = web.url("/x", "127.0.0.1").encode()
    told = _raw(
        proxy, b"GET " + address + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: " + value + b"\r\n\r\n"
    )
    assert told.startswith(b"HTTP/1.1 200 ")
    assert b"x-back: " + value + b"\r\n" in told
    assert web.requests[0].headers["cookie"].encode("latin-1") == value


def test_a_body_with_two_lengths_is_refused(proxy: httpx.Client, web: Web) -> None:
    """Machines on the way may not agree on where it ends, and what one takes for a body is a request for another."""
    target = web.url("/x", "127.0.0.1")
    for lengths in ("Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 3\r\nContent-Length: 4"):
        told = _raw(proxy, f"POST {target} HTTP/1.1\r\nHost: x\r\n{lengths}\r\n\r\n0\r\n\r\n".encode())
        assert told.startswith(b"HTTP/1.1 400 "), lengths
    assert web.requests == []


def test_a_head_that_does_not_come_is_given_up(proxy: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", 0.2)
    for told in (b"", b"GET http://a.example/ HT", b"GET http://a.example/ HTTP/1.1\r\nHost: x\r\n"):
        assert _raw(proxy, told) == b""


@pytest.mark.parametrize("target", ["/", "http://a.example/"])
@pytest.mark.parametrize("host", ["127.0.0.1:80@evil.example", "localhost\r\nHost: evil.example", "localhost#.evil"])
def test_a_host_that_can_be_read_in_two_ways_is_refused(proxy: httpx.Client, target: str, host: str) -> None:
    told = _raw(proxy, f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert told.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("target", ["http://", "http://a b/", "http://:80/", "http://a.example:99999/"])
def test_addresses_that_are_none_are_answered(proxy: httpx.Client, target: str) -> None:
    with socket.create_connection((proxy.base_url.host, proxy.base_url.port or 80), timeout=10) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        status = int(connection.recv(4096).split(b" ")[1])
    assert 400 <= status < 500


@pytest.mark.parametrize(
    ("told", "status"),
    [
        (b"this is not HTTP\r\n\r\n", 502),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nshort", 502),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nnot packed", 502),
        (b"", 502),
    ],
)
def test_servers_that_lie_cost_one_answer(proxy: httpx.Client, web: Web, told: bytes, status: int) -> None:
    web.answers["/page"] = told
    assert _ask(proxy, web.url("/page", "127.0.0.1"))[0].status == status
    assert proxy.get("/healthz").status_code == 200


def test_the_reverse_form_needs_the_token_and_reads_pages(proxy: httpx.Client, web: Web) -> None:
    web.answers["/page"] = answer(PAGE)
    asked = {"url": web.url("/page", "127.0.0.1")}
    assert "written down each day" in proxy.get("/read", params=asked, headers=BROWSER).text
    assert httpx.get(f"{proxy.base_url}/read", params=asked, trust_env=False).status_code == 401
    nothing = proxy.get("/api/methods")
    assert nothing.status_code == 404
    assert "see /read for" in nothing.json()["detail"]
    assert 'action="/read"' in proxy.get("/", headers=BROWSER).text


def test_a_proxy_for_others_asks_for_the_token_as_a_password() -> None:
    def basic(user: str) -> str:
        return "Basic " + base64.b64encode(user.encode()).decode()

    assert _has_token(basic(f"anyone:{TOKEN}"), TOKEN)
    for wrong in ("", "Basic", "Basic !", basic(TOKEN), basic(f"{TOKEN}:"), basic("a:b"), f"Bearer {TOKEN}"):
        assert not _has_token(wrong, TOKEN), wrong


def test_evaluate_uses_the_proxy_as_a_system(proxy: httpx.Client) -> None:
    system = open_system(f"proxy:http://{proxy.base_url.host}:{proxy.base_url.port}")
    text = system.extract(Sample(id="one", html=PAGE, url="http://news.example/tides"))
    expected = tamis.extract(PAGE).text
    assert text.split() == expected.split()


def test_a_template_is_learned_from_the_pages_that_a_page_links_to(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were fetched for one page are not fetched again for the next."""
    monkeypatch.setattr("tamis.service.proxy.FetchOptions", functools.partial(FetchOptions, delay_seconds=0.0))
    menu = "".join(f"<a href='/{number}.html'>page {number}</a> " for number in range(5))
    for number in range(5):
        story = f"<p>Story {number} tells what happened in town {number}, at some length and in its own words.</p>"
        pitch = "<p>Buy our paper at every corner of the town, it is good and cheap, as everybody knows.</p>"
        web.answers[f"/{number}.html"] = answer(f"<nav>{menu}</nav><h1>Story {number}</h1>{story}{pitch}")
    settings = Settings(port=0, token=TOKEN, workers=1, allow_private=True)
    treatment = Treatment(mode="delete", template="document_frequency", method="accb")
    with running(settings, functools.partial(create_proxy, treatment=treatment), http=ProxyHeads) as client:
        for number in (0, 1):
            found, body = _ask(client, web.url(f"/{number}.html", "127.0.0.1"))
            assert found.status == 200
            assert f"Story {number} tells" in body.decode()
            assert "Buy our paper" not in body.decode()
            assert "page 3" not in body.decode()
        asked = [path for path in web.paths if path.endswith(".html")]
        assert sorted(asked) == sorted([*(f"/{number}.html" for number in range(5)), "/0.html", "/1.html"])
        read = client.get("/read", params={"url": web.url("/2.html", "127.0.0.1")})
        assert read.status_code == 200
        assert "Story 2 tells" in read.text
        assert "Buy our paper" not in read.text
        gone = client.get("/read", params={"url": web.url("/gone.html", "127.0.0.1")})
        assert "status 404" in gone.text
        assert "url" in client.get("/read").text, "the field for an address"


def test_a_page_that_is_like_no_other_is_extracted_by_the_method() -> None:
    page = tamis.parse(PAGE, "http://news.example/")
    alone = treat(Treatment(mode="delete", template="document_frequency", method="accb"), page)
    assert alone.body.decode() == tamis.extract(page, method="accb").render("delete")


def test_a_template_method_that_does_not_exist_is_answered_with_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean slots"):
        Treatment(template="slotz")
