"""What a page says it is, in OpenGraph and JSON-LD."""

from __future__ import annotations

import functools
import re

import numpy as np

from tamis.page.model import Page

SAYINGS = {
    f"says_{kind}": re.compile(pattern, re.IGNORECASE)
    for kind, pattern in {
        "article": r"article|blogpost|\bnews|report|recipe|review|howto",
        "product": r"product|offer|\bbook\b|vehicle|softwareapp",
        "forum": r"forum|qapage|question|discussion|comment|answer",
        "listing": r"itemlist|collection|searchresults|category|offercatalog|aggregateoffer",
        "site": r"website|webpage|organi[sz]ation|localbusiness|service|profile",
    }.items()
}
_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([^"]{1,40})"')
_PAGE_KIND, _DATA = 'meta[property="og:type" i]', 'script[type*="ld+json" i]'
_MAX_DATA = 100_000  # characters of JSON-LD that are searched for types
_NOTHING = (False,) * len(SAYINGS)
_MAX_MEMORY = 1000  # texts of which it is remembered what they name
_MAX_TEXT = 40  # characters of such a text, as many as a type in JSON-LD has


def sayings(page: Page) -> dict[str, float]:
    """1 for each kind of page that the page claims to be, else 0."""
    metas = np.array(page.select(_PAGE_KIND)[:1], dtype=np.int64)
    said = [content or "" for content in page.attribute(metas, "content")]
    for script in page.select(_DATA):
        said += _TYPE.findall(page.code(script)[:_MAX_DATA])
    found = [_kinds(text) if len(text) <= _MAX_TEXT else _kinds.__wrapped__(text) for text in set(said)]
    return {name: float(any(kinds)) for name, kinds in zip(SAYINGS, zip(_NOTHING, *found, strict=True), strict=True)}


@functools.lru_cache(_MAX_MEMORY)
def _kinds(text: str) -> tuple[bool, ...]:
    """Which of SAYINGS a text names; pages use the same few words."""
    return tuple(pattern.search(text) is not None for pattern in SAYINGS.values())
