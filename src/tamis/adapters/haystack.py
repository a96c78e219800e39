"""A converter for Haystack, in the place of HTMLToDocument.

from tamis.adapters.haystack import TamisConverter
pipeline.add_component("converter", TamisConverter(max_tokens=400))
pipeline.connect("fetcher.streams", "converter.sources")
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from tamis.adapters.pieces import LOGGER, PageReader
from tamis.errors import MissingExtraError, TamisError
from tamis.page.load import parse

__all__ = ["TamisConverter"]

TamisConverter: type[Any]  # made when it is asked for


@functools.cache
def _converter() -> type[Any]:
    try:
        from haystack import Document, component
        from haystack.components.converters.utils import get_bytestream_from_source, normalize_metadata
        from haystack.dataclasses import ByteStream
    except ImportError as error:
        raise MissingExtraError("haystack", "the converter for Haystack") from error

    class TamisConverter:
        """Converts pages (paths, or streams as LinkContentFetcher gives them) to documents of their main content."""

        def __init__(
            self,
            method: str = PageReader.method,
            options: dict[str, Any] | None = None,
            format: str = PageReader.format,  # noqa: A002 - as everywhere else
            max_tokens: int | None = None,
            overlap: int = 0,
        ) -> None:
            # Haystack writes a pipeline down from attributes that are named as the parameters are.
            self.method, self.options, self.format = method, options, format
            self.max_tokens, self.overlap = max_tokens, overlap
            self._reading = PageReader(
                method=method, options=options or {}, format=format, max_tokens=max_tokens, overlap=overlap
            )

        def run(self, sources: list[Any], meta: Any = None) -> dict[str, Any]:
            """Documents of all sources, with ``meta`` (one for each or for all); what cannot be read is left out."""
            documents = []
            for source, more in zip(sources, normalize_metadata(meta, sources_count=len(sources)), strict=True):
                try:
                    stream = get_bytestream_from_source(source)
                    page = parse(stream.data, stream.meta.get("url"))
                except (TamisError, OSError) as error:
                    LOGGER.warning("%s was left out: %s", source, error)
                    continue
                name = str(stream.meta.get("url") or stream.meta.get("file_path") or "")
                for text, about in self._reading.of_page(page, name):
                    documents.append(Document(content=text, meta={**stream.meta, **about, **more}))
            return {"documents": documents}

    sources = list[str | Path | ByteStream]
    TamisConverter.run.__annotations__.update(
        sources=sources, meta=dict[str, Any] | list[dict[str, Any]] | None
    )  # names above are texts, which Haystack cannot look up
    TamisConverter.run = component.output_types(documents=list[Document])(TamisConverter.run)  # type: ignore[method-assign]
    made: type[Any] = component(TamisConverter)
    return made


def __getattr__(name: str) -> Any:
    """``TamisConverter``, made when it is asked for: it is a component of Haystack."""
    if name == "TamisConverter":
        return _converter()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
