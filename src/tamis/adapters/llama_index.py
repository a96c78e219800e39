"""A reader for LlamaIndex.

from tamis.adapters.llama_index import TamisReader
documents = TamisReader(max_tokens=400).load_data(["https://example.org/", "page.html"])
documents = SimpleDirectoryReader("pages", file_extractor={".html": TamisReader()}).load_data()
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tamis.adapters.pieces import PageReader
from tamis.errors import MissingExtraError

__all__ = ["TamisReader"]

TamisReader: type[Any]  # made when it is asked for


@functools.cache
def _reader() -> type[Any]:
    try:
        from llama_index.core.readers.base import BaseReader
        from llama_index.core.schema import Document
    except ImportError as error:
        raise MissingExtraError("llama-index", "the reader for LlamaIndex") from error

    class TamisReader(BaseReader):  # type: ignore[misc]
        """Reads the main content of pages; the options are those of ``pieces.PageReader``."""

        def __init__(self, **options: Any) -> None:
            self.reading = PageReader(**options)

        def lazy_load_data(
            self, sources: str | Path | Iterable[str | Path], extra_info: dict[str, Any] | None = None
        ) -> Iterator[Any]:
            """Documents of URLs or paths; ``extra_info`` is added to the metadata of each."""
            for text, metadata in self.reading.pieces(sources):
                yield Document(text=text, metadata={**metadata, **(extra_info or {})})

        def load_data(
            self, file: str | Path | Iterable[str | Path], extra_info: dict[str, Any] | None = None, **_: Any
        ) -> list[Any]:
            """All of them; the first argument is called ``file`` by SimpleDirectoryReader."""
            return list(self.lazy_load_data(file, extra_info))

    return TamisReader


def __getattr__(name: str) -> Any:
    """``TamisReader``, made when it is asked for: its base class is LlamaIndex's."""
    if name == "TamisReader":
        return _reader()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
