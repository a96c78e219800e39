"""Pages → groups of pages made from one template: one file per method, the file name is the public name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from tamis import registry
from tamis._version import VERSION
from tamis.page.model import Page
from tamis.results import Clustering, Made

DEFAULT = "single_linkage"  # the only one without an error in Gottron's experiment (2008, section 7.1.3)


def cluster(pages: Iterable[Page], method: str = DEFAULT, **options: Any) -> Clustering:
    """Put pages into groups; they may come one by one and are not kept."""
    chosen = registry.make_options("clusterers", method, options)
    clustering: Clustering = registry.load("clusterers", method).cluster(pages, chosen)
    made = Made(method=method, options=dataclasses.asdict(chosen), version=VERSION)
    return dataclasses.replace(clustering, made=made)
