"""Keep everything a reader can see.

Idea:      no extraction at all. Any useful method must beat its F1, and what is missing here was lost in parsing.
Reference: the baseline ``plain`` of Gottron (2008), section 5.4.2; naive tag stripping in Weninger et al. (2010).
Departs:   text that no browser shows (hidden elements, the page title) is left out, as in every Tamis extraction.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamis.page.model import Page
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """None."""


def extract(page: Page, options: Options) -> Extraction:
    return Extraction(page=page, spans=page.text_spans(page.blocks.leaves))
