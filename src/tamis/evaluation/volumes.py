"""How much of each site of a dataset is template (Gibson, Punera & Tomkins 2005)."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import NamedTuple

from tamis import registry, templates
from tamis.errors import UnknownNameError
from tamis.evaluation.datasets import Sample
from tamis.page.load import parse
from tamis.urls import host

METHODS = ("dom_hash", "text_windows")
"""Template methods that measure volume."""
NO_SITE = "(no URL)"


class SiteVolume(NamedTuple):
    """A site, how many of its pages there are, and the mean share of their text that is template."""

    site: str
    pages: int
    share: float | None  # None: too few different pages to learn from


def template_volumes(samples: Iterable[Sample], method: str = METHODS[0]) -> list[SiteVolume]:
    """One entry per host, sorted by name; pages whose URL is not known are one site."""
    if method not in METHODS:
        raise UnknownNameError("template method that measures volume", method, METHODS)
    sites: dict[str, list[Sample]] = {}
    for sample in samples:
        sites.setdefault(host(sample.url) or NO_SITE, []).append(sample)
    return [SiteVolume(site, len(own), _share(own, method)) for site, own in sorted(sites.items())]


def _share(samples: Iterable[Sample], method: str) -> float | None:
    pages = [parse(sample.markup, sample.url) for sample in samples]
    template = templates.learn_template(pages, method)
    if template.fallback:
        return None
    options = registry.make_options("templates", method, {})
    volume = registry.load("templates", method).volume
    return statistics.fmean(volume(page, template, options) for page in pages)
