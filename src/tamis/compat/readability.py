"""The class of readability-lxml 0.8 and 0.9, with the extraction of Tamis.

    from tamis.compat import readability
    readability.Document(html).summary()

``min_text_length``, ``retry_length``, ``xpath`` and ``handle_failures`` are accepted and do nothing. Keywords stand for
elements that have them in a class or an id; here such elements are kept, or dropped, for certain; a compiled pattern
is refused. The HTML is written anew from a few harmless elements, and an empty page is no error: its summary is an
empty ``div``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

import tamis
from tamis.compat import missing
from tamis.errors import OptionError
from tamis.page.load import Source
from tamis.page.text import collapse
from tamis.results import Extraction

__all__ = ["Document", "Unparseable"]

Keywords = str | bytes | Iterable[str]
_NO_TITLE = "[no-title]"
_NO_AUTHOR = "[no-author]"


def __getattr__(name: str) -> Any:
    raise AttributeError(missing(__name__, name, __all__))


class Unparseable(ValueError):  # noqa: N818 - their name for it
    """Never raised: any page gives a result. It is here so that code that catches it need not change."""


class Document:
    """A page and what is found on it."""

    def __init__(
        self,
        input: Source,  # noqa: A002 - their name for it
        positive_keywords: Keywords | None = None,
        negative_keywords: Keywords | None = None,
        url: str | None = None,
        min_text_length: int = 25,
        retry_length: int = 250,
        xpath: bool = False,
        handle_failures: str = "discard",
    ) -> None:
        del min_text_length, retry_length, xpath, handle_failures
        self.url = url
        self._page = tamis.parse(input, url)
        self._chosen: dict[str, Any] = {"keep": _selector(positive_keywords), "drop": _selector(negative_keywords)}

    @functools.cached_property
    def _extraction(self) -> Extraction:
        return tamis.extract(self._page, **self._chosen)

    def title(self) -> str:
        """The title of the page as it stands in the ``title`` element."""
        return next((collapse(self._page.node_text(node)) for node in self._page.select("title")), "") or _NO_TITLE

    def short_title(self) -> str:
        """The title of the article, without the name of the site."""
        return self._page.metadata.title or _NO_TITLE

    def author(self) -> str:
        """Who wrote it; several are joined by commas."""
        return ", ".join(self._page.metadata.authors) or _NO_AUTHOR

    def content(self) -> str:
        """All of the page that can be seen, as HTML."""
        return f"<body>{tamis.extract(self._page, method='keep_all').html}</body>"

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """The main content as HTML, with ``html`` and ``body`` around it unless only a part is asked for.

        Images in the content are always kept: ``keep_all_images`` changes nothing.
        """
        del keep_all_images
        content = f"<div>{self._extraction.html}</div>"
        return content if html_partial else f"<html><body>{content}</body></html>"

    def get_clean_html(self) -> str:
        """The same as ``summary``."""
        return self.summary()


def _selector(keywords: Keywords | None) -> str | None:
    """Elements that have one of the words in a class or an id.

    >>> _selector("story, main")
    '[class*="story" i], [id*="story" i], [class*="main" i], [id*="main" i]'
    """
    if isinstance(keywords, re.Pattern):
        raise OptionError("keywords are words, a compiled pattern is not supported: pass a list of the words")
    if isinstance(keywords, bytes):
        keywords = keywords.decode("utf-8", "replace")
    words = keywords.split(",") if isinstance(keywords, str) else [*(keywords or ())]
    if wrong := [word for word in words if not isinstance(word, str)]:
        raise OptionError(f"keywords are words, not {wrong[0]!r}")
    plain = [re.sub(r'[\\"\n]', "", word).strip() for word in words]
    return ", ".join(f'[{name}*="{word}" i]' for word in plain if word for name in ("class", "id")) or None
