"""Addresses of links: absolute where the page's own address is known, and only of kinds that are safe to follow."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import numpy as np

from tamis.page.model import Page

MAX_ADDRESS_LENGTH = 2_000  # one link may be repeated in every paragraph, and the output must stay in proportion

_SAFE_SCHEMES = frozenset({"http", "https", "mailto", ""})  # without one it is relative
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# Browsers remove these before they read an address, so "java\nscript:" is a program.
_TABS_AND_LINE_ENDS = str.maketrans("", "", "\t\n\r")
_USUAL_STARTS = ("https://", "http://")
_USUAL = re.compile(r"https?://[a-z0-9.-]+/(?:[\w/%~+,=-]|\.(?![./]))*(?:\?[\w/%~+,=&.-]+)?", re.ASCII)
_CONTROLS_AND_BLANK = "".join(map(chr, range(0x21)))


def home_address(page: Page) -> str:
    """What relative addresses of the page are relative to; empty if that is unknown."""
    home = page.url or ""
    for node in np.flatnonzero(page.nodes.named("base")).tolist():
        if (href := page.attributes(node).get("href")) is not None:
            home = resolve(href, home) or home
            break
    return home if _scheme(home) in ("http", "https") else ""


def resolve(href: str | None, home: str) -> str:
    """The address a link leads to; empty if it has none or must not be followed.

    >>> resolve("../b", "https://example.org/a/")
    'https://example.org/b'
    >>> resolve("javascript:alert(1)", "https://example.org/")
    ''
    """
    if href is None or len(href) > MAX_ADDRESS_LENGTH:
        return ""
    if href.startswith(_USUAL_STARTS) and _USUAL.fullmatch(href):
        return href  # what follows would not change it
    href = href.translate(_TABS_AND_LINE_ENDS).strip(_CONTROLS_AND_BLANK)
    try:
        address = urljoin(home, href)
    except ValueError:  # brackets that hold no IPv6 address
        return ""
    is_safe = _scheme(href) in _SAFE_SCHEMES and _scheme(address) in _SAFE_SCHEMES
    return address if is_safe and len(address) <= MAX_ADDRESS_LENGTH else ""


def _scheme(address: str) -> str:
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""
