"""What a page says it is, in OpenGraph and JSON-LD."""

from __future__ import annotations

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


def sayings(page: Page) -> dict[str, float]:
    """1 for each kind of page that the page claims to be, else 0."""
    metas = np.array(page.select(_PAGE_KIND)[:1], dtype=np.int64)
    said = [content or "" for content in page.attribute(metas, "content")]
    for script in page.select(_DATA):
        said += _TYPE.findall(page.code(script)[:_MAX_DATA])
    text = " ".join(said)
    if not text:
        return dict.fromkeys(SAYINGS, 0.0)
    return {name: float(pattern.search(text) is not None) for name, pattern in SAYINGS.items()}
