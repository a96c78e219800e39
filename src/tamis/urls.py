"""URLs as they stand in pages: read without an error whatever they hold, and checked before they are written.

Pages are full of addresses that are broken or meant to break something. ``split``, ``host`` and ``join`` never raise;
``resolve`` is the one way from an address in a page to an address in an output. It first makes the address what the
output will hold, and then, last of all, looks at the scheme, which must be in a list.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import SplitResult, urljoin, urlsplit

from tamis.characters import without_unseen, writable

MAX_LENGTH = 2_000  # one link may be repeated in every paragraph, and the output must stay in proportion
SAFE_SCHEMES = frozenset({"http", "https", "mailto", ""})  # without one it is relative
WEB_SCHEMES = SAFE_SCHEMES - {"mailto"}

_NOTHING = SplitResult("", "", "", "", "")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# Browsers remove these before they read an address, so "java\nscript:" is a program.
_TABS_AND_LINE_ENDS = str.maketrans("", "", "\t\n\r")
_CONTROLS_AND_BLANK = "".join(map(chr, range(0x21)))
_PASSED_OVER = frozenset({"Cc", "Cf", "Zl", "Zp"})  # controls, marks of no width, ends of lines and paragraphs
_USUAL_STARTS = ("https://", "http://")
_USUAL = re.compile(
    r"https?://[a-z0-9.-]+/(?:[\w/%~+,=@:!$-]++|\.(?![./]))*+(?:\?[\w/%~+,=&.-]+)?(?:#[\w/%~+,=&.:-]+)?", re.ASCII
)
# What is relative to an unknown home stays as it is.
_USUAL_RELATIVE = re.compile(r"[\w/%~+,=&.?!@-]*+(?:#[\w/%~+,=&.?!@:-]*+)?", re.ASCII)
# A path from the root, and the part of a home before its path: joined as they are, they are what ``urljoin`` makes.
_USUAL_PATH = re.compile(r"/(?!/)(?:[\w/%~+,=-]++|\.(?=[\w%~+,=-]))*+(?:\?[\w/%~+,=&.-]+)?", re.ASCII)
_ORIGIN = re.compile(r"(https?)://[a-z0-9.-]+(?::[0-9]+)?(?=/|\Z)")


def split(url: str | None) -> SplitResult:
    """The parts of a URL; all empty if it cannot be read.

    >>> split("https://example.org/a?b").path, split("https://[::1").path
    ('/a', '')
    """
    try:
        return urlsplit(url or "")
    except ValueError:  # brackets that hold no IPv6 address, or a host that is another one in other spelling
        return _NOTHING


def host(url: str | None) -> str:
    """The host of a URL, lower case; empty if it has none.

    >>> host("https://WWW.example.org:8080/a"), host("no address"), host("http://[")
    ('www.example.org', '', '')
    """
    return split(url).hostname or ""


def join(home: str, reference: str) -> str:
    """The URL that a reference stands for on a page at ``home``; empty if either cannot be read.

    >>> join("https://example.org/a/", "../b"), join("", "//[x]")
    ('https://example.org/b', '')
    """
    try:
        urlsplit(reference)  # with an empty home it would not be looked at
        return urljoin(home, reference)
    except ValueError:
        return ""


def normalised(url: str) -> str:
    """A URL as outputs write it and browsers read it: no characters that either of them removes.

    >>> normalised(" java\\u200b\\nscript:x "), normalised("\\x01mailto:a")
    ('javascript:x', 'mailto:a')
    """
    return without_unseen(writable(url)).translate(_TABS_AND_LINE_ENDS).strip(_CONTROLS_AND_BLANK)


def scheme(url: str) -> str:
    """The scheme of a normalised URL, lower case; empty if it is relative.

    Controls, marks of no width, ends of lines and any white space at the start are passed over, also those that our
    outputs keep: whoever reads the output next may remove more than we do.

    >>> scheme("JavaScript:x"), scheme("java\\u200dscript:x"), scheme("java\\u2028script:x"), scheme("a title: b.html")
    ('javascript', 'javascript', 'javascript', '')
    """
    found = _SCHEME.match(url if url.isascii() and url.isprintable() else _plain(url))
    return found[1].lower() if found else ""


def resolve(href: str | None, home: str, schemes: frozenset[str] = SAFE_SCHEMES) -> str:
    """The URL a link leads to, absolute if ``home`` is; empty if it has none or must not be followed.

    >>> resolve("../b", "https://example.org/a/")
    'https://example.org/b'
    >>> resolve("javascript:alert(1)", "https://example.org/")
    ''
    """
    if href is None or len(href) > MAX_LENGTH:
        return ""
    if href.startswith(_USUAL_STARTS) and _USUAL.fullmatch(href):
        return href  # what follows would not change it
    if not home and "" in schemes and _USUAL_RELATIVE.fullmatch(href):
        return href
    origin = _ORIGIN.match(home) if href[:1] == "/" else None
    if origin and _USUAL_PATH.fullmatch(href) and {origin[1], ""} <= schemes:
        url = origin[0] + href
        return url if len(url) <= MAX_LENGTH else ""
    href = normalised(href)
    url = normalised(join(home, href))
    is_safe = scheme(href) in schemes and scheme(url) in schemes
    return url if is_safe and len(url) <= MAX_LENGTH else ""


def _plain(url: str) -> str:
    return "".join(char for char in url[:MAX_LENGTH] if unicodedata.category(char) not in _PASSED_OVER).lstrip()
