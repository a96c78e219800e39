"""What came for an address."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from email.message import Message
from typing import NamedTuple

from tamis.errors import OptionError
from tamis.page.limits import Limits
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.parse import check_encoding

__all__ = ["Fetched", "Hop"]

Headers = tuple[tuple[str, str], ...]

# What nearly all servers write: a type and perhaps its character set, which need no parser of all parameters.
_PLAIN_TYPE = re.compile(r"[\w/+.-]*(?:; ?charset=([\w.:+-]+))?", re.ASCII | re.IGNORECASE)

CONTENT_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")


class Hop(NamedTuple):
    """A redirect that was followed."""

    url: str
    status: int
    location: str  # where it leads to, in full


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """A page as it came, unpacked but not decoded."""

    requested: str  # the address asked for
    url: str  # the address that answered, after redirects
    status: int
    headers: Headers  # in the order of the answer
    body: bytes
    time: str  # when it came, such as 2024-05-01T12:00:00Z
    truncated: bool = False  # the body was longer than the limit, or ended too early
    hops: tuple[Hop, ...] = ()
    from_cache: bool = False  # kept on disk or in an archive; the server may have been asked whether it still holds

    def header(self, name: str) -> str | None:
        """The first header of a name."""
        return header(self.headers, name)

    @property
    def content_type(self) -> str | None:
        return content_type(self.headers)

    @property
    def encoding(self) -> str | None:
        """The character set that the headers announce, if browsers know it: for ``tamis.parse``."""
        return announced_encoding(header(self.headers, "content-type") or "")

    def parse(self, *, encoding: str | None = None, limits: Limits | None = None) -> Page:
        """The page, with the address and, unless another one is given, the character set of its transport."""
        page = parse(self.body, self.url, encoding=encoding or self.encoding, limits=limits)
        if not self.truncated:
            return page
        warning = f"truncated: only {len(self.body)} bytes of the page arrived"
        return page.described(truncated=True, warnings=(warning, *page.warnings))


def header(headers: Headers, name: str) -> str | None:
    """The first header of a name.

    >>> header((("Content-Type", "text/html"), ("ETag", '"1"')), "etag")
    '"1"'
    """
    wanted = name.lower()
    for key, value in headers:
        if key.lower() == wanted:
            return value
    return None


def content_type(headers: Headers) -> str | None:
    """The media type in lower case; None if there is none.

    >>> content_type((("Content-Type", "Text/HTML; charset=utf-8"),))
    'text/html'
    """
    value = (header(headers, "content-type") or "").partition(";")[0].strip().lower()
    return value or None


def now() -> str:
    """The time in the form archives use."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def announced_encoding(value: str) -> str | None:
    """The character set in a Content-Type header, if browsers know it.

    >>> announced_encoding("text/html; charset=UTF-8"), announced_encoding("text/html; charset=klingon")
    ('UTF-8', None)
    """
    plain = _PLAIN_TYPE.fullmatch(value)
    label = plain[1] if plain else _charset(value)
    if not isinstance(label, str) or not label.strip():
        return None
    try:
        return check_encoding(label.strip())
    except OptionError:
        return None


def _charset(value: str) -> object:
    """The parameter in all forms that it may be written in."""
    message = Message()
    message["content-type"] = value.replace("\r", " ").replace("\n", " ")
    return message.get_param("charset", header="content-type")
