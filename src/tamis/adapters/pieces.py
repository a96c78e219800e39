"""Pages as texts with metadata: what programs for retrieval call documents."""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis import extractors, registry
from tamis.errors import TamisError
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.results import Extraction

if TYPE_CHECKING:
    from tamis.fetching.http import Fetcher, Options

__all__ = ["PageReader"]

LOGGER = logging.getLogger("tamis")
_METADATA = ("title", "authors", "date", "language", "site_name", "description", "url")


@dataclass(frozen=True, kw_only=True)
class PageReader:
    """How pages become texts."""

    method: str = extractors.DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)  # of the method
    format: str = "markdown"  # of whole pages; chunks are plain text
    max_tokens: int | None = None  # of a chunk; None: every page is one text
    overlap: int = 0  # tokens that a chunk repeats of the one before
    fetching: Options | None = None  # of pages named by URLs: headers, proxy, delay, limits
    continue_on_failure: bool = False  # log a page that cannot be read, and go on, rather than raise

    def __post_init__(self) -> None:
        registry.make_options("extractors", self.method, self.options)
        registry.load("outputs", self.format)
        if self.max_tokens is not None:
            registry.make_options("outputs", "chunks", {"max_tokens": self.max_tokens, "overlap": self.overlap})

    def pieces(self, sources: str | Path | Iterable[str | Path]) -> Iterator[tuple[str, dict[str, Any]]]:
        """A text and its metadata for every page, or for every chunk of it; a source is a URL or a path.

        Pages without content give nothing. URLs are fetched politely, as robots.txt allows.
        """

        @functools.cache
        def fetcher() -> Fetcher:  # one for all: it knows when a host was last asked
            from tamis.fetching.http import Fetcher

            return Fetcher(self.fetching)

        for source in [sources] if isinstance(sources, str | Path) else sources:
            is_file = isinstance(source, Path) or not source.lower().startswith(("http://", "https://"))
            try:
                page = parse(Path(source)) if is_file else fetcher().fetch(str(source)).parse()
            except (TamisError, OSError) as error:
                if not self.continue_on_failure:
                    raise
                LOGGER.warning("%s was left out: %s", source, error)
            else:
                yield from self.of_page(page, str(source))

    def of_page(self, page: Page, source: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The same for a page that was read."""
        result = extractors.extract(page, self.method, **self.options)
        about = {"source": source, **_metadata(result)}
        if self.max_tokens is not None:
            for chunk in result.chunks(self.max_tokens, self.overlap):
                yield chunk.text, {**about, "headings": list(chunk.headings), "fragment": chunk.fragment}
        elif text := result.render(self.format):
            yield text, about


def _metadata(result: Extraction) -> dict[str, Any]:
    """What is known of a page, without what is not: stores of vectors take no null."""
    found = {name: getattr(result.metadata, name) for name in _METADATA}
    found["authors"] = ", ".join(result.metadata.authors)
    return {name: value for name, value in found.items() if value}
