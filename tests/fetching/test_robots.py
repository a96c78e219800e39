"""Delays between pages, and what robots.txt asks for."""

from __future__ import annotations

import time

import pytest

from tamis.errors import AddressError, TransferError
from tamis.fetching.http import Fetcher
from tests.fetching.fetchers import PAGE, fetcher
from tests.fetching.web import Request, Send, Web, answer


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
    with pytest.raises(AddressError, match="disallows"):
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
    with pytest.raises(AddressError, match="disallows"):
        fetching.fetch(web.url("/a"))
    web.answers["/robots.txt"] = web.answers["/0"]  # one more: as good as missing
    assert fetcher(respect_robots=True).fetch(web.url("/a")).status == 200
    web.answers["/robots.txt"] = answer(b"", "302 Found", Location="http://169.254.169.254/")
    assert fetcher(respect_robots=True).fetch(web.url("/a")).status == 200


def test_a_site_that_was_not_found_is_asked_for_its_robots_txt_when_it_is(web: Web) -> None:
    found: list[str] = []
    fetching = fetcher(respect_robots=True, resolve=lambda *_: found)
    web.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /a", Content_Type="text/plain")
    with pytest.raises(AddressError, match="has no IP address"):
        fetching.fetch(web.url("/a"))
    found.append("127.0.0.1")
    with pytest.raises(AddressError, match="disallows"):
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
