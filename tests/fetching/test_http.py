"""Fetching pages, and what a fetcher is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tamis.errors import AddressError, OptionError
from tamis.fetching import http
from tamis.fetching.http import Options
from tests.fetching.fetchers import PAGE, fetcher
from tests.fetching.web import Web, answer


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
