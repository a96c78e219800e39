from __future__ import annotations

from http.client import HTTPConnection
from urllib.request import ProxyHandler, build_opener

import pytest

from tamis.evaluation.stored_web import running_server

PAGE = "http://news.example/straße?x=1&y=a b#top"


def get(path: str) -> tuple[int, str | None, bytes]:
    connection = HTTPConnection("127.0.0.1", running_server().server_port)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"], answer.read()
    finally:
        connection.close()


def test_a_page_is_served_under_its_address_while_it_is_held() -> None:
    server = running_server()
    path = server.address(PAGE).removeprefix(f"http://127.0.0.1:{server.server_port}")
    with server.holding({PAGE: "<p>ä"}):
        assert get(path) == (200, "text/html; charset=utf-8", "<p>ä".encode())
    assert get(path)[0] == 404


def test_bytes_are_served_as_they_are() -> None:
    with running_server().holding({"http://a.example/": b"\xff"}):
        assert get("/http://a.example/") == (200, "text/html", b"\xff")


def test_it_answers_as_a_proxy_too() -> None:
    server = running_server()
    with server.holding({"http://a.example/x": "<p>x"}):
        opener = build_opener(ProxyHandler({"http": f"http://127.0.0.1:{server.server_port}"}))
        with opener.open("http://a.example/x") as answer:
            assert answer.read() == b"<p>x"


@pytest.mark.parametrize("path", ["/", "/http://a.example/other", "http://b.example/"])
def test_anything_else_is_not_found(path: str) -> None:
    with running_server().holding({"http://a.example/": "<p>a"}):
        assert get(path)[0] == 404
