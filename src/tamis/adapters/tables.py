"""Columns of content beside columns of pages: Hugging Face datasets, pandas, Polars.

dataset = dataset.map(Content(), batched=True, num_proc=8)          # Hugging Face datasets
frame = add_to_pandas(frame, Content(html="body", url="address"))
frame = add_to_polars(frame)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.adapters.rows import extract_row
from tamis.errors import MissingExtraError
from tamis.scaling.job import Job

__all__ = ["Content", "add_to_pandas", "add_to_polars"]

_TEXTS = ("title", "date", "language", "site_name", "description", "page_type", "status", "reason")


@dataclass(frozen=True, kw_only=True)
class Content:
    """Makes columns of content from a batch of columns; a row that has no page, or one without content, has no text.

    >>> found = Content(job=Job(method="keep_all"))({"html": ["<p>One page.", None]})
    >>> found["text"], found["status"]
    (['One page.', None], ['ok', 'empty'])
    """

    html: str = "html"  # names of columns; there need be none of URLs
    url: str = "url"
    job: Job = field(default_factory=Job)  # method, options, format, filters, metadata

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """The columns ``text``, ``title``, ``authors``, ``date`` and so on, and the one of the job's format."""
        pages = batch[self.html]
        urls = batch[self.url] if self.url in batch else [None] * len(pages)
        rows = [extract_row(_page(page), _url(url), self.job) for page, url in zip(pages, urls, strict=True)]
        texts = {name: [row.get(name) for row in rows] for name in dict.fromkeys(("text", self.job.format, *_TEXTS))}
        return {**texts, "authors": [list(row.get("authors", ())) for row in rows]}


def add_to_pandas(frame: Any, content: Content | None = None) -> Any:
    """A pandas DataFrame with columns of content, which replace those of the same names."""
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError("pandas", "columns for pandas") from error
    chosen = content or Content()
    names = [name for name in (chosen.html, chosen.url) if name in frame]
    return frame.assign(
        **{
            name: pandas.Series(values, index=frame.index, dtype=object)
            for name, values in chosen({name: frame[name].tolist() for name in names}).items()
        }
    )


def add_to_polars(frame: Any, content: Content | None = None) -> Any:
    """A Polars DataFrame with columns of content, which replace those of the same names."""
    try:
        import polars
    except ImportError as error:
        raise MissingExtraError("polars", "columns for Polars") from error
    chosen = content or Content()
    names = [name for name in (chosen.html, chosen.url) if name in frame.columns]
    found = chosen({name: frame[name].to_list() for name in names})
    kinds = {"authors": polars.List(polars.String)}
    return frame.with_columns(
        polars.Series(name, values, dtype=kinds.get(name, polars.String)) for name, values in found.items()
    )


def _page(value: Any) -> Any:
    """A page, or an empty one for what tables put in the place of a value that is missing."""
    return value if isinstance(value, str | bytes | bytearray | memoryview) else ""


def _url(value: Any) -> str | None:
    """A URL, which stands in bytes where the pages do; None for what tables put in the place of one."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None
