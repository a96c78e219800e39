"""Pictures, videos and the icon that a page names as its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tamis.about.declared import Declared, Value, texts_of
from tamis.about.navigation import resolved
from tamis.about.players import PLAYERS
from tamis.page.model import Page

MAX_MEDIA = 50  # of a kind; a page that declares more lists those of other pages
_ICONS = ("icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon")  # the most usual first


def read_images(declared: Declared, home: str) -> list[Value]:
    """The pictures that are declared, the one that stands for the page first."""
    pictures = declared.item.get("image", declared.item.get("thumbnailUrl"))
    stated = [Value(text, "JSON-LD image") for text in _addresses(pictures, "url", "contentUrl")]
    graph = declared.from_meta("og:image", "og:image:url", "og:image:secure_url")
    others = declared.from_meta("twitter:image", "twitter:image:src", "thumbnail", "parsely-image-url")
    values = [*stated, *graph, *declared.from_properties("image"), *others]
    return _distinct((value for value in values if "/" in value.text or "." in value.text), home)


def read_videos(page: Page, declared: Declared, home: str) -> list[Value]:
    """The videos that are declared, then those that the page shows."""
    objects = [declared.item.get("video"), *declared.of_kind("VideoObject")]
    stated = [
        Value(text, "JSON-LD video") for one in objects for text in _addresses(one, "contentUrl", "embedUrl", "url")
    ]
    graph = declared.from_meta("og:video:secure_url", "og:video:url", "og:video", "twitter:player")
    return _distinct([*stated, *graph, *_shown(page)], home)


def read_icon(declared: Declared, home: str) -> Value | None:
    """The small picture that browsers show beside the title."""
    for name in _ICONS:
        for relations, attributes in declared.links:
            if name in relations and (address := resolved(attributes["href"], home)):
                return Value(address, f"link {name}")
    return None


def _shown(page: Page) -> Iterator[Value]:
    if not page.nodes.has("iframe", "video"):
        return
    nodes = np.flatnonzero(page.nodes.named("iframe", "video"))
    for node, address in zip(nodes.tolist(), page.attribute(nodes, "src"), strict=True):
        is_video = page.name(node) == "video" or PLAYERS.match((address or "").strip())
        if address and is_video:
            yield Value(address, "the page")


def _addresses(value: Any, *keys: str) -> list[str]:
    """The addresses of objects, or of a list of objects and addresses."""
    found: list[str] = []
    for one in (value if isinstance(value, list) else [value])[:MAX_MEDIA]:
        said = next((one[key] for key in keys if one.get(key)), None) if isinstance(one, dict) else one
        found += texts_of(said)
    return found


def _distinct(values: Iterable[Value], home: str) -> list[Value]:
    found: dict[str, Value] = {}
    for value in values:
        address = resolved(value.text, home)
        if address:
            found.setdefault(address, Value(address, value.source))
    return list(found.values())[:MAX_MEDIA]
