"""What a page says about itself, in its head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import FOREIGN, Page
from tamis.page.text import collapse


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Values the page declares; None or empty where it declares none."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    language: str | None = None
    site_name: str | None = None
    description: str | None = None
    url: str | None = None
    image: str | None = None
    page_type: str | None = None


# Names of meta elements for each field, the most specific first.
_META_NAMES = {
    "title": ("og:title", "twitter:title", "dc.title"),
    "date": ("article:published_time", "date", "dc.date", "datepublished"),
    "language": ("og:locale", "dc.language", "content-language"),
    "site_name": ("og:site_name", "application-name"),
    "description": ("og:description", "description", "dc.description", "twitter:description"),
    "url": ("og:url",),
    "image": ("og:image", "twitter:image"),
    "page_type": ("og:type",),
}
_AUTHOR_NAMES = ("author", "article:author", "dc.creator")


def read_metadata(page: Page) -> Metadata:
    """Metadata from ``meta`` elements, ``title``, ``html lang`` and the canonical link."""
    declared = _meta_elements(page)
    found: dict[str, str | None] = {
        field: next((declared[name][0] for name in names if name in declared), None)
        for field, names in _META_NAMES.items()
    }
    found["title"] = found["title"] or _first_text(page, "title")
    found["language"] = _first_attribute(page, "html", "lang") or found["language"]
    found["url"] = _canonical(page) or found["url"] or page.url
    authors = next((declared[name] for name in _AUTHOR_NAMES if name in declared), [])
    return Metadata(authors=tuple(dict.fromkeys(authors)), **found)


def _meta_elements(page: Page) -> dict[str, list[str]]:
    declared: dict[str, list[str]] = {}
    for node in _nodes(page, "meta"):
        attributes = page.attributes(node)
        content = collapse(attributes.get("content", ""))
        for key in ("property", "name", "itemprop", "http-equiv"):
            if content and key in attributes:
                declared.setdefault(attributes[key].strip().lower(), []).append(content)
    return declared


def _canonical(page: Page) -> str | None:
    for node in _nodes(page, "link"):
        attributes = page.attributes(node)
        if "canonical" in attributes.get("rel", "").lower().split() and attributes.get("href"):
            return attributes["href"].strip()
    return None


def _first_text(page: Page, name: str) -> str | None:
    return next((text for node in _nodes(page, name) if (text := collapse(page.node_text(node)))), None)


def _first_attribute(page: Page, name: str, attribute: str) -> str | None:
    return next((value for node in _nodes(page, name) if (value := page.attributes(node).get(attribute))), None)


def _nodes(page: Page, name: str) -> list[int]:
    nodes = page.nodes
    return np.flatnonzero(nodes.named(name) & (nodes.flags & FOREIGN == 0)).tolist()  # a picture may have a title too
