"""A document loader for LangChain.

from tamis.adapters.langchain import TamisLoader
documents = TamisLoader(["https://example.org/", "page.html"], max_tokens=400).load()
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tamis.adapters.pieces import PageReader
from tamis.errors import MissingExtraError

__all__ = ["TamisLoader"]

TamisLoader: type[Any]  # made when it is asked for


@functools.cache
def _loader() -> type[Any]:
    try:
        from langchain_core.document_loaders import BaseLoader
        from langchain_core.documents import Document
    except ImportError as error:
        raise MissingExtraError("langchain", "the loader for LangChain") from error

    class TamisLoader(BaseLoader):  # type: ignore[misc]
        """Loads the main content of pages, each a URL or a path; the options are those of ``pieces.PageReader``."""

        def __init__(self, sources: str | Path | Iterable[str | Path], **options: Any) -> None:
            self.sources = sources
            self.reading = PageReader(**options)

        def lazy_load(self) -> Iterator[Any]:
            for text, metadata in self.reading.pieces(self.sources):
                yield Document(page_content=text, metadata=metadata)

    return TamisLoader


def __getattr__(name: str) -> Any:
    """``TamisLoader``, made when it is asked for: its base class is LangChain's."""
    if name == "TamisLoader":
        return _loader()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
