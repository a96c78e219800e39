"""Articles that run over several pages."""

from __future__ import annotations

import tamis
from tamis.errors import AddressError
from tamis.results import Extraction
from tamis.sites.pagination import joined

TEXTS = ("The march began in spring.", "In summer it crossed the river.", "In winter it was over.")


def part(number: int, title: str = "The long march", count: int = 3) -> str:
    following = f'<a rel=next href="/march?page={number + 1}">Next page</a>' if number < count else ""
    return (
        f"<title>{title} - Page {number}</title><body><main><h1>{title}</h1><p>{TEXTS[number - 1]} "
        f"{'It went on, slowly and in good order, as was said. ' * 4}</p></main>{following}"
    )


def read(url: str, pages: dict[str, str]) -> Extraction:
    if url not in pages:
        raise AddressError(f"no page at {url}")
    return tamis.extract(pages[url], url=url, method="keep_all", drop="a")


def site(**changed: str) -> dict[str, str]:
    pages = {f"https://example.org/march?page={number}": part(number) for number in (1, 2, 3)}
    return {**pages, **{f"https://example.org/march?page={name[1:]}": text for name, text in changed.items()}}


def test_parts_are_joined_in_their_order_under_one_headline() -> None:
    pages = site()
    first = read("https://example.org/march?page=1", pages)
    whole = joined(first, lambda url: read(url, pages))
    places = [whole.text.index(text) for text in TEXTS]
    assert places == sorted(places)
    assert whole.markdown.count("# The long march") == 1
    assert "pages: joined from 3 pages" in whole.warnings
    assert whole.metadata.title == first.metadata.title
    assert whole.made == first.made


def test_page_with_another_title_is_another_article() -> None:
    pages = site(_2=part(2, title="A short walk"))
    first = read("https://example.org/march?page=1", pages)
    whole = joined(first, lambda url: read(url, pages))
    assert whole.text == first.text
    assert whole.warnings == (
        "pages: https://example.org/march?page=2 is linked as the next page, but is another article",
    )


def test_lines_that_lead_to_other_parts_are_left_out() -> None:
    pager = (
        '<p>1 | <a href="/march?page=2">2</a> | <a href="/march?page=3">3</a></p>'
        '<p><a rel=next href="/march?page=2">Next page</a></p>'
        '<p>Page 1 of 3 <a href="/march?page=2">Next page</a></p>'
        '<p>See <a href="/march?page=3">the end</a> first.</p><p><a href="/other">Another march</a></p>'
    )
    first = "https://example.org/march?page=1"
    pages = {url: text.replace("</main>", f"{pager if url == first else ''}</main>") for url, text in site().items()}

    def read_all(url: str) -> Extraction:
        return tamis.extract(pages[url], url=url, method="keep_all")

    lines = joined(read_all(first), read_all).text.split("\n\n")
    assert [line for line in lines if line.startswith(("1", "Next", "Page", "See", "Another"))] == [
        "See the end first.",
        "Another march",
    ]


def test_part_that_cannot_be_read_is_told() -> None:
    pages = site()
    del pages["https://example.org/march?page=3"]
    whole = joined(read("https://example.org/march?page=1", pages), lambda url: read(url, pages))
    assert TEXTS[1] in whole.text
    assert any("goes on at https://example.org/march?page=3" in warning for warning in whole.warnings)


def test_circle_of_next_pages_ends() -> None:
    pages = site(_3=part(3, count=9).replace("page=4", "page=1"))
    whole = joined(read("https://example.org/march?page=1", pages), lambda url: read(url, pages))
    assert [whole.text.count(text) for text in TEXTS] == [1, 1, 1]
