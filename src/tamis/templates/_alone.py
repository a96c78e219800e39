"""A page by itself: what a single-page extractor makes of it, without the other pages of its site."""

from __future__ import annotations

from tamis import registry
from tamis.page.model import Page
from tamis.results import Extraction


def extracted(page: Page, extractor: str) -> Extraction:
    """The extraction of one page, by an extractor of this name with its usual options."""
    module = registry.load("extractors", extractor)
    found: Extraction = module.extract(page, module.Options())
    return found
