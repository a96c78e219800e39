"""Pages of one template with a page that passes the proxy: fetched from its links, and kept for the next page."""

from __future__ import annotations

import base64
import threading
from collections import OrderedDict
from typing import TypedDict

from tamis.fetching.answers import Fetched
from tamis.fetching.crawl import Options as CrawlOptions
from tamis.fetching.crawl import crawl
from tamis.fetching.http import Fetcher
from tamis.fetching.http import Options as FetchOptions
from tamis.page.model import Page
from tamis.sites import bootstrap

_ENOUGH = 8  # ours: pages of the template, so that a reader waits for seven at most; four are needed
_MOST = 20  # ours: pages that are looked at, with the page itself
_MAX_SECONDS = 10.0  # ours: no page is begun after this; somebody waits
_MAX_KEPT = 200  # ours: pages of all hosts; some 20 MB


class Neighbour(TypedDict):
    """A page as a worker gets it."""

    url: str
    encoding: str | None
    body: str  # in base64


class PageNeighbours:
    """Finds pages that are made like a given one; may be asked from several threads."""

    def __init__(self, options: FetchOptions) -> None:
        self._fetcher = Fetcher(options)
        self._kept: OrderedDict[str, Fetched] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, start: Fetched) -> list[Neighbour]:
        """Pages of the same template, the page itself left out; those that do not come in time are missing."""
        options = bootstrap.Options(enough=_ENOUGH)
        enough = bootstrap.Enough(options)
        answers: list[Fetched] = []
        pages: list[Page] = []

        def keep(answer: Fetched) -> bool:
            answers.append(answer)
            pages.append(answer.parse())
            return not enough.reached(pages)

        def fetch(url: str) -> Fetched:
            return start if not answers and url == start.url else self._fetch(url)

        limits = CrawlOptions(max_pages=_MOST, max_seconds=_MAX_SECONDS, at_once=bootstrap.AT_ONCE)
        crawl(start.url, limits, keep, fetch=fetch)
        alike = [answers[place] for place in bootstrap.alike(pages, options) if place]
        return [Neighbour(url=one.url, encoding=one.encoding, body=_packed(one.body)) for one in alike]

    def _fetch(self, url: str) -> Fetched:
        with self._lock:
            if url in self._kept:
                self._kept.move_to_end(url)
                return self._kept[url]
        answer = self._fetcher.fetch(url)
        with self._lock:
            self._kept[url] = answer
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)
        return answer


def _packed(body: bytes) -> str:
    return base64.b64encode(body).decode("ascii")
