"""Pages named by lists, sitemaps and feeds."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.fetching.http import Fetcher, Options
from tamis.fetching.page_lists import Listing, follow, read_listing
from tests.fetching.web import Web, answer

HOME = "https://example.org/blog/feed"
SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://example.org/a </loc><image><loc>https://example.org/a.png</loc></image></url>
<url><loc>https://example.org/b?x=1&amp;y=2</loc></url><url><loc>/etc/passwd</loc></url></urlset>"""
INDEX = b"<sitemapindex><sitemap><loc>https://example.org/1.xml</loc></sitemap></sitemapindex>"
RSS = b"""<rss><channel><link>https://example.org/</link>
<item><title>One</title><link>/one</link><description><![CDATA[<!DOCTYPE html><p>text]]></description></item>
<item><link>https://example.org/two</link></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.org/"/>
<entry><link rel="alternate" href="one"/><link rel="edit" href="https://example.org/edit"/></entry></feed>"""
JSON_FEED = (
    b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "https://example.org/one"}, {"id": "2"}]}'
)


@pytest.mark.parametrize(
    ("data", "pages"),
    [
        (b"https://example.org/a\n# no\n\nhttps://example.org/b\nhttps://example.org/a\n", ("a", "b")),
        (SITEMAP, ("a", "b?x=1&y=2")),
        (gzip.compress(SITEMAP), ("a", "b?x=1&y=2")),
        (RSS, ("one", "two")),
        (ATOM, ("blog/one",)),
        (JSON_FEED, ("one",)),
        (b"\xef\xbb\xbf" + RSS[: RSS.index(b"<item><link>")], ("one",)),  # damaged: what stands before the damage
    ],
)
def test_pages_are_found_in_every_kind_of_file(data: bytes, pages: tuple[str, ...]) -> None:
    home = None if data == SITEMAP else HOME
    found = [page for page in read_listing(data, home).pages if "passwd" not in page]
    assert found == [f"https://example.org/{page}" for page in pages]


def test_path_in_a_sitemap_without_url_is_no_page() -> None:
    assert all(page.startswith("https://") for page in read_listing(SITEMAP).pages)


def test_index_leads_to_sitemaps_and_not_in_circles() -> None:
    files = {"https://example.org/1.xml": INDEX.replace(b"</sitemapindex>", SITEMAP[21:] + b"</sitemapindex>")}
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return files[url]

    assert follow(read_listing(INDEX), fetch)[:2] == ("https://example.org/a", "https://example.org/b?x=1&y=2")
    assert asked == ["https://example.org/1.xml"]


def test_declarations_and_wrong_json_are_refused() -> None:
    with pytest.raises(InputError, match="DOCTYPE"):
        read_listing(b'<?xml version="1.0"?><!-- x --><!DOCTYPE a [<!ENTITY b "c">]><urlset/>')
    with pytest.raises(InputError, match="not a JSON feed"):
        read_listing(b'{"items": 3}')
    with pytest.raises(InputError, match="not a JSON feed"):
        read_listing(b'{"items": ' + b"[" * 100_000)
    with pytest.raises(InputError, match="damaged"):
        read_listing(b"\x1f\x8bnothing")


@given(st.binary(max_size=200) | st.binary(max_size=100).map(lambda data: b"<urlset><url><loc>" + data))
def test_any_bytes_give_a_listing_or_an_error_of_ours(data: bytes) -> None:
    try:
        found = read_listing(data)
    except InputError:
        return
    assert isinstance(found, Listing)


def test_headers_do_not_follow_to_another_host(web: Web) -> None:
    web.answers["/"] = answer(b"", "302 Found", Location=web.url("/there", "other.example"))
    web.answers["/there"] = answer("<p>page</p>")
    options = Options(allow_private=True, respect_robots=False, headers=(("Cookie", "a=1"),))
    with Fetcher(options, resolve=lambda *_: ["127.0.0.1"]) as fetcher:
        fetcher.fetch(web.url("/"))
    assert [request.headers.get("cookie") for request in web.requests] == ["a=1", None]
