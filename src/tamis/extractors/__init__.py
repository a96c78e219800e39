"""Single-page methods: one file each, the file name is the public name."""

from __future__ import annotations

import dataclasses
from typing import Any

from tamis import registry
from tamis._version import VERSION
from tamis.page.model import Page
from tamis.page.results import Extraction, Made

DEFAULT = "elisa"  # the best of the classic methods on training pages, and quick


def extract(page: Page, method: str = DEFAULT, **options: Any) -> Extraction:
    """Run one method on a page."""
    chosen = registry.make_options("extractors", method, options)
    extraction: Extraction = registry.load("extractors", method).extract(page, chosen)
    made = Made(method=method, options=dataclasses.asdict(chosen), version=VERSION)
    return dataclasses.replace(extraction, made=made)
