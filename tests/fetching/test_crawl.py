from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.errors import AddressError, OptionError, TransferError
from tamis.fetching.answers import Fetched, Hop
from tamis.fetching.crawl import Crawled, Options, closeness, crawl, links
from tamis.fetching.http import Fetcher
from tamis.fetching.http import Options as FetchOptions
from tamis.fetching.warc import Archive
from tests.fetching.web import Web, answer

HOME = "https://site.example"


class FakeWeb:
    """Pages by path, with the paths they link to; a text that is an address is a redirect."""

    def __init__(self, pages: Mapping[str, list[str] | str]) -> None:
        self.pages = pages
        self.asked: list[str] = []

    def fetch(self, url: str) -> Fetched:
        path = url.removeprefix(HOME)
        self.asked.append(path)
        if path not in self.pages:
            raise AddressError(f"{url!r} was answered with status 404")
        found = self.pages[path]
        if isinstance(found, str):
            end = self.fetch(found)
            return Fetched(**{**vars(end), "requested": url, "hops": (Hop(url, 302, found),)})
        body = "".join(f"<a href='{link}'>link</a>" for link in found).encode()
        kind = (("Content-Type", "text/html"),)
        return Fetched(requested=url, url=url, status=200, headers=kind, body=body, time="2024-05-01T12:00:00Z")


def run(pages: Mapping[str, list[str] | str], start: str = "/", **options: Any) -> tuple[list[str], Crawled, FakeWeb]:
    web, seen = FakeWeb(pages), list[str]()
    crawled = crawl(
        HOME + start, Options(**options), lambda page: seen.append(page.url.removeprefix(HOME)), fetch=web.fetch
    )
    return seen, crawled, web


def test_exactly_the_pages_that_the_start_links_to_are_fetched() -> None:
    seen, crawled, web = run({"/": ["/a", "b", "#top", "/a#x", "/"], "/a": ["/deep"], "/b": [], "/deep": []})
    assert seen == web.asked == ["/", "/a", "/b"]
    assert crawled == Crawled(pages=3, failures=(), repeated=0, left=0, ended="complete")


def test_the_addresses_most_like_the_start_come_first() -> None:
    start = "/news/2024/a.html"
    order = ["/news/2024/b.html", "/news/2024/c.html", "/news/2024/x/y.html", "/news/2023/a.html", "/news", "/about"]
    pages: dict[str, list[str] | str] = {start: [*reversed(order[3:]), *order[:3]]}
    pages.update((path, []) for path in order)
    seen, _, _ = run(pages, start)
    assert seen == [start, *order]
    assert [closeness(HOME + path, HOME + start) for path in order] == [(1, 0), (1, 0), (1, 1), (2, 0), (2, 2), (3, 2)]


def test_a_level_is_finished_before_the_next_begins() -> None:
    pages: dict[str, list[str] | str] = {
        "/x/": ["/a", "/b"],
        "/a": ["/x/near"],
        "/b": ["/c"],
        "/x/near": ["/deep"],
        "/c": [],
    }
    seen, _, _ = run(pages, "/x/", max_depth=2)
    assert seen == ["/x/", "/a", "/b", "/x/near", "/c"]
    assert run(pages, "/x/", max_depth=0)[0] == ["/x/"]


def test_several_pages_are_fetched_at_once_and_come_in_the_same_order() -> None:
    """The pages of a level wait for each other: if they were fetched one by one, none would ever come."""
    pages: dict[str, list[str] | str] = {
        "/": ["/a", "/b", "/c"],
        "/a": ["/d"],
        "/b": [],
        "/c": ["/e"],
        "/d": [],
        "/e": [],
    }
    web, seen = FakeWeb(pages), list[str]()
    level = threading.Barrier(3)

    def fetch(url: str) -> Fetched:
        if url.endswith(("/a", "/b", "/c")):
            level.wait(timeout=30)
        return web.fetch(url)

    options = Options(max_depth=2, at_once=3)
    crawled = crawl(HOME + "/", options, lambda page: seen.append(page.url.removeprefix(HOME)), fetch=fetch)
    assert (seen, crawled.ended) == (["/", "/a", "/b", "/c", "/d", "/e"], "complete")


def test_no_page_is_fetched_ahead_that_a_crawl_may_not_have() -> None:
    _, crawled, web = run({"/": ["/a", "/b", "/c"], "/a": [], "/b": [], "/c": []}, max_pages=2, at_once=4)
    assert (sorted(web.asked), crawled.pages) == (["/", "/a"], 2)


@pytest.mark.parametrize(
    ("most", "pages", "left", "ended"), [(2, 2, 1, "max_pages"), (3, 3, 0, "complete"), (4, 3, 0, "complete")]
)
def test_a_crawl_ends_at_its_limit_of_pages(most: int, pages: int, left: int, ended: str) -> None:
    seen, crawled, _ = run({"/": ["/a", "/b"], "/a": [], "/b": []}, max_pages=most)
    assert (len(seen), crawled.left, crawled.ended) == (pages, left, ended)


def test_a_crawl_ends_when_its_time_is_over_or_its_reader_has_enough() -> None:
    web = FakeWeb({"/": ["/a", "/b"], "/a": [], "/b": []})
    crawled = crawl(HOME, Options(max_seconds=1e-9), fetch=web.fetch)
    assert (crawled.pages, crawled.ended) == (0, "max_seconds")
    crawled = crawl(HOME, None, lambda page: not page.url.endswith("/a"), fetch=web.fetch)
    assert (crawled.pages, crawled.left, crawled.ended) == (2, 1, "stopped")


def test_other_sites_and_files_are_left_out_unless_asked_for() -> None:
    away = [
        "https://other.example/",
        "https://sub.site.example/",
        "mailto:a@site.example",
        "/a.PDF",
        "/a.jpg?x",
        "javascript:x",
    ]
    near = ["http://site.example/a", "https://www.site.example/a", "//site.example/c"]
    _, crawled, web = run({"/": [*away, *near]})
    assert len(crawled.failures) == 3
    assert web.asked == ["/", "http://site.example/a", "https://www.site.example/a", "/c"]
    _, _, web = run({"/": away}, same_site=False)
    assert web.asked == ["/", *away[:2]]


def test_pages_that_do_not_come_are_told_and_cost_nothing_else() -> None:
    seen, crawled, _ = run(
        {"/": ["/missing", "/a", "/away"], "/a": [], "/away": "https://other.example/", "https://other.example/": []}
    )
    assert seen == ["/", "/a"]
    assert [failure.url for failure in crawled.failures] == [f"{HOME}/missing", f"{HOME}/away"]
    assert "404" in crawled.failures[0].reason
    assert "another site" in crawled.failures[1].reason


def test_a_login_page_for_every_address_is_one_page() -> None:
    walls: dict[str, list[str] | str] = {f"/{name}": f"{HOME}/login" for name in "abc"}
    seen, crawled, _ = run({"/": ["/a", "/b", "/c"], "/login": [], **walls})
    assert seen == ["/", "/login"]
    assert (crawled.repeated, crawled.failures) == (2, ())


def test_a_start_that_moved_is_where_the_crawl_begins() -> None:
    pages: dict[str, list[str] | str] = {"/": "https://www.new.example/x/", "https://www.new.example/x/": ["y", "/"]}
    pages |= {"https://www.new.example/x/y": [], "https://www.new.example/": []}
    seen, _, _ = run(pages)
    assert seen == ["https://www.new.example/x/", "https://www.new.example/x/y", "https://www.new.example/"]


def test_a_start_that_does_not_come_is_an_error() -> None:
    with pytest.raises(AddressError, match="404"):
        run({})
    with pytest.raises(AddressError):
        crawl("no address", fetch=FakeWeb({}).fetch)
    with pytest.raises(AddressError, match="allow_private"):
        crawl("http://127.0.0.1/")


def test_links_are_relative_to_the_base_of_the_page() -> None:
    page = tamis.parse("<base href='/b/'><a href=x>1</a><a>2</a><area href='//c.example'><a href=x#y>3</a>", HOME)
    assert links(page) == [f"{HOME}/b/x", "https://c.example/"]
    assert links(tamis.parse("<a href=x>1</a><a href=http://c.example/>2</a>")) == ["http://c.example/"]


def test_a_crawl_that_was_cut_off_goes_on_from_its_archive(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    pages: dict[str, list[str] | str] = {
        "/": ["/a", "/b", "/go", "/c"],
        "/a": [],
        "/b": [],
        "/go": f"{HOME}/d",
        "/d": [],
        "/c": [],
    }
    whole, _, _ = run(pages)
    web, seen = FakeWeb(pages), list[str]()

    def cut(page: Fetched) -> None:
        seen.append(page.url)
        if len(seen) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawl(HOME, None, cut, fetch=web.fetch, archive=path)
    path.write_bytes(path.read_bytes()[:-5])  # and the last page was not written in full
    again, resumed = FakeWeb(pages), list[str]()
    crawled = crawl(
        HOME, None, lambda page: resumed.append(page.url.removeprefix(HOME)), fetch=again.fetch, archive=path
    )
    assert resumed == whole
    assert (crawled.pages, crawled.ended) == (5, "complete")
    assert not {"/", "/a", "/b"} & {*again.asked}, "what is in the archive is not asked for again"


def test_a_crawl_can_be_repeated_without_the_web(tmp_path: Path, web: Web) -> None:
    path = tmp_path / "crawl.warc.gz"
    web.answers["/"] = answer("<a href=/a>a</a><a href=/go>b</a><a href=/missing>c</a>")
    web.answers["/a"] = answer("<p>a</p>")
    web.answers["/go"] = answer(b"", "302 Found", Location="/b")
    web.answers["/b"] = answer("<p>b</p>")
    options = FetchOptions(allow_private=True, delay_seconds=0)
    live, offline = list[Any](), list[Any]()
    with Fetcher(options, resolve=lambda *_: ["127.0.0.1"]) as fetcher:
        first = crawl(
            web.url(), None, lambda page: live.append((page.url, page.body)), fetch=fetcher.fetch, archive=path
        )
    asked = len(web.requests)
    second = crawl(web.url(), None, lambda page: offline.append((page.url, page.body)), fetch=Archive(path).fetch)
    assert live == offline
    assert [url for url, _ in live] == [web.url("/"), web.url("/a"), web.url("/b")]
    assert (first.pages, len(first.failures)) == (second.pages, len(second.failures)) == (3, 1)
    assert len(web.requests) == asked


def test_a_failure_of_the_network_is_a_failure_of_one_page() -> None:
    web = FakeWeb({"/": ["/a", "/b"], "/b": []})

    def flaky(url: str) -> Fetched:
        if url.endswith("/a"):
            raise TransferError("it broke")
        return web.fetch(url)

    crawled = crawl(HOME, fetch=flaky)
    assert (crawled.pages, [failure.reason for failure in crawled.failures]) == (2, ["it broke"])


@pytest.mark.parametrize("option", [{"max_pages": 0}, {"max_depth": -1}, {"max_seconds": 0}])
def test_options_that_make_no_sense_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Options(**option)
