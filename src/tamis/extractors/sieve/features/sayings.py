"""What a page says it is, in OpenGraph and JSON-LD."""

from __future__ import annotations

import functools
import re

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints

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
_PAGE_KIND, _DATA = "og:type", "ld+json"
_MAX_DATA = 100_000  # characters of JSON-LD that are searched for types
_NOTHING = (False,) * len(SAYINGS)
_MAX_MEMORY = 1000  # texts of which it is remembered what they name
_MAX_TEXT = 40  # characters of such a text, as many as a type in JSON-LD has


def sayings(page: Page) -> dict[str, float]:
    """1 for each kind of page that the page claims to be, else 0."""
    said: list[str] = []
    metas = _named(page, "meta")
    for node, name in page.said("property", metas).items():
        if name.lower() == _PAGE_KIND:
            said += filter(None, page.attribute(metas[metas == node], "content"))
            break
    scripts = _named(page, "script")
    for script, kind in zip(scripts.tolist(), page.attribute(scripts, "type"), strict=True):
        if kind and _DATA in kind.lower():
            said += _TYPE.findall(page.code(script)[:_MAX_DATA])
    found = [_kinds(text) if len(text) <= _MAX_TEXT else _kinds.__wrapped__(text) for text in set(said)]
    return {name: float(any(kinds)) for name, kinds in zip(SAYINGS, zip(_NOTHING, *found, strict=True), strict=True)}


def _named(page: Page, name: str) -> Ints:
    """Elements of a name: few on most pages, so that to ask each is quicker than to search the tree for what they say."""
    return np.fromiter(page.nodes.each(name), dtype=np.int64)


@functools.lru_cache(_MAX_MEMORY)
def _kinds(text: str) -> tuple[bool, ...]:
    """Which of SAYINGS a text names; pages use the same few words."""
    return tuple(pattern.search(text) is not None for pattern in SAYINGS.values())
