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
_TYPE_KEY = '"@type"'
_TYPE = re.compile(rf'{_TYPE_KEY}\s*:\s*\[?\s*"([^"]{{1,40}})"')
_PAGE_KIND, _DATA = "og:type", "ld+json"
_MAX_DATA = 100_000  # characters of JSON-LD that are searched for types
_NOTHING = (False,) * len(SAYINGS)
_MAX_MEMORY = 1000  # texts of which it is remembered what they name
_MAX_TEXT = 40  # characters of such a text, as many as a type in JSON-LD has


def sayings(page: Page) -> dict[str, float]:
    """1 for each kind of page that the page claims to be, else 0."""
    metas, scripts = (np.fromiter(page.nodes.each(name), dtype=np.int64) for name in ("meta", "script"))
    return {name: float(is_said) for name, is_said in zip(SAYINGS, claims(page, metas, scripts), strict=True)}


def claims(page: Page, metas: Ints, scripts: Ints) -> tuple[bool, ...]:
    """Which of ``SAYINGS`` the elements of these names say.

    There are few of them, so that asking each is quicker than searching the tree for what they say.
    """
    said: list[str] = []
    for node, name in page.said("property", metas).items():
        if name.lower() == _PAGE_KIND:
            said += filter(None, page.attribute(np.array([node], dtype=np.int64), "content"))
            break
    for place, kind in enumerate(page.attribute(scripts, "type")):
        if kind and _DATA in kind.lower():
            said += _types(page.code(int(scripts[place]))[:_MAX_DATA])
    if not said:
        return _NOTHING
    found = [_kinds(text) if len(text) <= _MAX_TEXT else _kinds.__wrapped__(text) for text in set(said)]
    return tuple(map(any, zip(*found, strict=True)))


def _types(data: str) -> list[str]:
    """What ``_TYPE`` finds in JSON-LD; most of it is no key, which is quicker to skip without a pattern.

    >>> _types('{"@type": ["Recipe"], "author": {"@type": "Person"}, "@type": 1}')
    ['Recipe', 'Person']
    """
    found = []
    place = data.find(_TYPE_KEY)
    while place >= 0:
        named = _TYPE.match(data, place)
        if named:
            found.append(named[1])
        place = data.find(_TYPE_KEY, named.end() if named else place + 1)
    return found


@functools.lru_cache(_MAX_MEMORY)
def _kinds(text: str) -> tuple[bool, ...]:
    """Which of SAYINGS a text names; pages use the same few words."""
    return tuple(pattern.search(text) is not None for pattern in SAYINGS.values())
