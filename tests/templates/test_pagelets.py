"""Pieces of pages that recur are template; linked pages are needed for large sets."""

from __future__ import annotations

import pytest

import tamis
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.templates._links import connected, links

P = {name: f"<ul>{''.join(f'<li><a href=/x/{name}{n}>{name} link {n}</a></li>' for n in range(3))}</ul>" for name in
     ("p1", "p2", "p3", "p4")}  # fmt: skip


def five_pages() -> list[Page]:
    """Figure 3.3 of Gottron (2008): p1 and p3 lie on pages that are linked, p2 and p4 on pages that are not."""
    held = {1: "p1 p2", 2: "p1", 3: "p1 p4", 4: "p3 p2", 5: "p3 p4"}
    linked = {1: 2, 2: 3, 4: 5}
    pages = []
    for number, names in held.items():
        link = f"<p>see <a href=/d{linked[number]}>page</a> of page {number}</p>" if number in linked else ""
        own = f"<p>text of its own on page {number}</p>"
        markup = f"<body>{link}{own}{''.join(P[name] for name in names.split())}</body>"
        pages.append(tamis.parse(markup, f"http://site.example/d{number}"))
    return pages


def removed(page: Page, scope: str) -> set[str]:
    text = tamis.learn_template(five_pages(), method="pagelets", scope=scope).extract(page).text
    return {name for name in P if f"{name} link" in page.text and f"{name} link" not in text}


def test_local_detection_asks_for_no_links() -> None:
    assert [removed(page, "local") for page in five_pages()] == [
        {"p1", "p2"}, {"p1"}, {"p1", "p4"}, {"p3", "p2"}, {"p3", "p4"}
    ]  # fmt: skip


def test_global_detection_asks_for_pages_that_are_linked() -> None:
    assert [removed(page, "global") for page in five_pages()] == [{"p1"}, {"p1"}, {"p1"}, {"p3"}, {"p3"}]


def test_text_of_one_page_stays() -> None:
    page = five_pages()[0]
    template = tamis.learn_template(five_pages(), method="pagelets")
    assert "text of its own on page 1" in template.extract(page).text


def test_a_small_change_makes_another_set_of_shingles_but_seldom_another_sketch() -> None:
    def page(number: int) -> str:
        words = " ".join(f"word{place}" for place in range(200))
        return f"<ul>{P['p1']}</ul><div>{words} {number}</div><div><a href=a>a</a><a href=b>b</a><a href=c>c</a></div>"

    pages = [page(number) for number in range(6)]
    kept = {
        same: "word7 " in tamis.learn_template(pages, method="pagelets", same=same).extract(tamis.parse(pages[0])).text
        for same in ("set", "sketch")
    }
    assert kept["set"]
    assert not kept["sketch"]


def test_links_are_resolved_and_lose_their_fragments() -> None:
    page = tamis.parse("<a href='b#x'>b</a><a name=y>y</a><a href='http://[::'>bad</a>", "http://site.example/a/")
    assert [link.target for link in links(page)] == ["http://site.example/a/b", "http://[::"]


def test_connected_pages_are_reached_through_members_only() -> None:
    chain = [{1}, {0, 2}, {1, 3}, {2}]
    assert connected([0, 1, 2, 3], chain) == [[0, 1, 2, 3]]
    assert connected([0, 2, 3], chain) == [[0], [2, 3]]
    assert connected([], chain) == []


def test_options_are_checked() -> None:
    with pytest.raises(OptionError):
        tamis.learn_template([], method="pagelets", min_pages=1)
    with pytest.raises(OptionError):
        tamis.learn_template([], method="pagelets", min_links=0)
