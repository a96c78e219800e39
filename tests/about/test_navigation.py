"""Next and previous page, feeds and breadcrumbs."""

from __future__ import annotations

import pytest

import tamis
from tamis.about.metadata import Metadata
from tamis.about.navigation import resolved

URL = "http://a.example/list/page/2"


def read(markup: str) -> Metadata:
    return tamis.parse(markup, url=URL).metadata


@pytest.mark.parametrize(
    "markup",
    [
        "<link rel=next href=/list/page/3>",
        "<a rel=next href=/list/page/3>three</a>",
        "<a href=/list/page/3>Next page »</a>",
        "<a href=/list/page/3>Nächste Seite</a>",
        "<a href=/list/page/3>下一页</a>",
        "<a href=/list/page/3 aria-label=Next><i></i></a>",
        "<div class=pagination><a href=/list/page/1>«</a><a href=/list/page/3>»</a></div>",
        "<a class=next href=/list/page/3>3</a>",
        "<a href=http://b.example/x>Next</a><a href=#top>Next</a><a href=3>Next</a>",
    ],
)
def test_the_next_page_is_found(markup: str) -> None:
    assert read(markup).next_page == "http://a.example/list/page/3"


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=/x>What comes next is a long story</a>",
        "<a href='javascript:next()'>Next</a>",
        "<a href='/list/page/2'>Next</a>",
        "<a href=http://b.example/x>Next</a>",
        "<a href=/x>more</a>",
    ],
)
def test_other_links_are_not(markup: str) -> None:
    assert read(markup).next_page is None


def test_the_previous_page_is_found() -> None:
    assert (
        read("<a href=/list/>« Previous</a><a href=/list/page/3>Next »</a>").previous_page == "http://a.example/list/"
    )


def test_feeds_are_listed_once() -> None:
    feed = "<link rel=alternate type=application/rss+xml href={}>"
    page = feed.format("/rss") + feed.format("/atom") + feed.format("/rss") + "<link rel=alternate href=/de>"
    assert read(page).feeds == ("http://a.example/rss", "http://a.example/atom")


@pytest.mark.parametrize(
    "markup",
    [
        """<script type="application/ld+json">{"@type": "BreadcrumbList", "itemListElement": [
           {"position": 2, "item": {"name": "News"}}, {"position": 1, "name": "Home"}]}</script>""",
        "<nav aria-label=Breadcrumb><a href=/>Home</a> > <a href=/news>News</a></nav>",
        "<ul class='Bread-Crumbs'><li><a href=/>Home</a><li><a href=/news>News</a></ul>",
    ],
)
def test_breadcrumbs_are_names_in_order(markup: str) -> None:
    assert read(markup).breadcrumbs == ("Home", "News")


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("/x", "http://a.example/x"),
        ("javascript:alert(1)", None),
        ("http://[", None),
        ("", None),
        ("x" * 3000, None),
    ],
)
def test_addresses_lead_to_pages_or_are_none(href: str, address: str | None) -> None:
    assert resolved(href, "http://a.example/") == address
