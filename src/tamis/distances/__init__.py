"""How differently two pages are built: one file per measure, the file name is the public name.

A measure turns a page into small features once (``features``), and compares features: two at a time (``between``) or
all with all (``matrix``). ``distance`` does both for two pages. ``THRESHOLD`` is the largest distance at which single
linkage should still take two pages for children of one template, or None where no such number is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tamis import registry
from tamis.page.model import Page
from tamis.page.text import Floats

__all__ = ["DEFAULT", "distance", "matrix"]

DEFAULT = "common_tag_sequence_shingles"
"""Of all measures it parts the hosts of the training pages best (``bench/clustering.py``); Gottron's choice as well."""


def distance(page: Page, other: Page, method: str = DEFAULT, **options: Any) -> float:
    """How differently two pages are built."""
    chosen = registry.make_options("distances", method, options)
    result: float = registry.load("distances", method).distance(page, other, chosen)
    return result


def matrix(pages: Iterable[Page], method: str = DEFAULT, **options: Any) -> Floats:
    """The distances between all pages, row by row; pages may come one by one and are not kept."""
    chosen = registry.make_options("distances", method, options)
    measure = registry.load("distances", method)
    result: Floats = measure.matrix([measure.features(page, chosen) for page in pages], chosen)
    return result
