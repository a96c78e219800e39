"""Pages that are kept between fetchers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fetching.fetchers import PAGE, fetcher
from tests.fetching.web import Request, Send, Web, answer


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
