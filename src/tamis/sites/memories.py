"""Site memories of several hosts: pages are told apart by the host of their URL; those without one are one site."""

from __future__ import annotations

from collections import OrderedDict

from tamis import urls
from tamis.extractors.sieve.memory import Site
from tamis.page.model import Page


class Memories:
    """A memory for each host; if there is a limit, those that were not asked for longest make room.

    >>> from tamis.page.load import parse
    >>> memories = Memories(max_hosts=1)
    >>> memories.add(parse("<p>One", url="https://a.example/")), len(memories.of("https://a.example/other"))
    (None, 1)
    >>> memories.add(parse("<p>Two", url="https://b.example/")), len(memories.of("https://a.example/other"))
    (None, 0)
    """

    def __init__(self, max_hosts: int | None = None) -> None:
        self._sites: OrderedDict[str, Site] = OrderedDict()
        self._max_hosts = max_hosts

    def add(self, page: Page) -> None:
        """Remember a page of its host."""
        self.of(page.url).add(page)

    def of(self, url: str | None) -> Site:
        """The memory of a URL's host; empty if no page of it was added."""
        host = urls.host(url)
        site = self._sites.setdefault(host, Site())
        self._sites.move_to_end(host)
        if self._max_hosts is not None and len(self._sites) > self._max_hosts:
            self._sites.popitem(last=False)
        return site
