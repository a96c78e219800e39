"""How well ``tamis extract --pages`` finds the next page, and which pages it joins.

    python -m bench.pagination

Labels are those of autopager (train/pagination_autopager, MIT): CSS selectors of the links to next pages, made by hand.
Most of its pages are lists of posts, products or results, few are articles; it shows links better than it shows joins.
``python -m bench.metadata`` counts links to previous pages as well.
"""

from __future__ import annotations

import tamis
from tamis import urls
from tamis.errors import InputError
from tamis.evaluation.datasets import open_dataset
from tamis.outputs._links import home_address
from tamis.page.model import Page
from tamis.results import Extraction
from tamis.sites.pagination import joined

DATASET = "train/pagination_autopager"


def labelled(page: Page, selector: str) -> set[str]:
    """The URLs that the links of a selector lead to."""
    inside = {place for node in page.select(selector) for place in range(node, int(page.nodes.end[node]))}
    hrefs = [page.attributes(place).get("href") for place in inside if page.name(place) == "a"]
    return {plain(urls.resolve(href, home_address(page)) or "") for href in hrefs if href}


def plain(url: str) -> str:
    """A URL without what makes no other page of it.

    >>> plain("https://a.example/b/#top")
    'https://a.example/b'
    """
    return url.partition("#")[0].rstrip("/")


def main() -> None:
    samples = {plain(sample.url or ""): sample for sample in open_dataset(DATASET)}
    pages = {url: tamis.parse(sample.markup, sample.url) for url, sample in samples.items()}
    gold = {url: labelled(pages[url], sample.extra["row"]["NEXT"] or "none") for url, sample in samples.items()}
    given = {url: plain(page.metadata.next_page) for url, page in pages.items() if page.metadata.next_page}
    right = [url for url, following in given.items() if following in gold[url]]
    wanted = [url for url, found in gold.items() if found]
    print(f"{len(pages)} pages, {len(wanted)} with a next page; {len(given)} found, {len(right)} of them right:")
    print(f"precision {len(right) / max(len(given), 1):.3f}, recall {len(right) / max(len(wanted), 1):.3f}")

    def read(url: str) -> Extraction:
        if plain(url) not in pages:
            raise InputError(f"{url} is no part of the dataset")
        return tamis.extract(pages[plain(url)])

    there = [url for url, following in given.items() if following in pages]
    parts = {url: joined(tamis.extract(pages[url]), read).notes for url in there}
    went_on = [url for url in there if any("joined from" in note for note in parts[url])]
    wrong = [url for url in went_on if given[url] not in gold[url]]
    print(f"{len(there)} of the pages found are there; {len(went_on)} were joined, {len(wrong)} of them wrongly")
    for url in sorted({*there} - {*went_on}):
        titles = f"{pages[url].metadata.title!r}, then {pages[given[url]].metadata.title!r}"
        print(f"not joined: {url}: {titles}")


if __name__ == "__main__":
    main()
