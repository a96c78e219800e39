"""Template methods on a page and the pages that are stored with it (Gottron 2008, section 7.2.3; sites/bootstrap.py).

The three settings of the thesis, all with the detector ``document_frequency`` and single linkage, are

cp-cluster     document_frequency:distance=common_paths,threshold=0.7
cps-cluster    document_frequency:distance=common_path_shingles,threshold=0.6
ctss-cluster   document_frequency:distance=common_tag_sequence_shingles,threshold=0.85
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tamis import registry
from tamis.evaluation.datasets import LINKED_PAGES, Sample
from tamis.fetching.crawl import links
from tamis.options import options_of
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.sites.bootstrap import Options
from tamis.urls import host

MOST_NEIGHBOURS = 20  # as many pages of a template as template methods need; see templates.MIN_PAGES for the least


def detection(method: str, given: Mapping[str, Any]) -> Options:
    """A template method with options of its own, of the clusterer, and the names of clusterer and fallback.

    >>> detection("document_frequency", {"distance": "common_paths", "fallback": "accb"}).clusterer_options
    {'distance': 'common_paths'}
    """
    names = {key: value for key, value in given.items() if key in ("clusterer", "fallback")}
    known = {option.name for option in options_of(registry.load("templates", method))}
    own = {key: value for key, value in given.items() if key in known}
    rest = {key: value for key, value in given.items() if key not in known and key not in names}
    return Options(template=method, template_options=own, clusterer_options=rest, **names)


def pages_of(sample: Sample) -> list[Page]:
    """The page of a sample, and those that are stored with it."""
    linked: Mapping[str, str] = sample.extra.get(LINKED_PAGES) or {}
    return [parse(sample.html, sample.url), *(parse(markup, url) for url, markup in linked.items())]


def with_neighbours(samples: Iterable[Sample], most: int = MOST_NEIGHBOURS) -> Iterator[Sample]:
    """The samples, each with other pages of its host: first those it links to, then the others, in their order."""
    known = list(samples)
    hosts: dict[str, dict[str, str]] = {}
    for sample in known:
        if sample.url and host(sample.url):
            hosts.setdefault(host(sample.url), {})[sample.url] = sample.markup
    for sample in known:
        others = {url: markup for url, markup in hosts.get(host(sample.url), {}).items() if url != sample.url}
        linked = [url for url in links(parse(sample.markup, sample.url)) if url in others]
        chosen = list(dict.fromkeys([*linked, *others]))[:most]
        extra = {**sample.extra, LINKED_PAGES: {url: others[url] for url in chosen}}
        yield dataclasses.replace(sample, extra=extra)
