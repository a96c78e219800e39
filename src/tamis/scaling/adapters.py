"""Adapters: the work on one page inside datatrove, Daft, Spark and Scrapy.

They keep no record from taking all the time or memory there is, or from ending the process: that is what ``tamis run``
is for. Each needs the package it adapts to, which is the caller's.
"""

from __future__ import annotations

from typing import Any

from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import Job
from tamis.scaling.process import WRITTEN, process_record


def extract_row(html: str | bytes, url: str | None = None, job: Job | None = None) -> dict[str, Any]:
    """The row that a run would write for a page, and what became of it; without text unless that is ok or truncated.

    >>> row = extract_row("<p>One page.", "https://example.org/", Job(method="keep_all"))
    >>> row["text"], row["status"]
    ('One page.', 'ok')
    """
    outcome = process_record(InputRecord(url or "", url or "", None, url, html), job or Job())
    return {"text": None, **outcome.value, "status": outcome.status, "reason": outcome.reason}


def extract_content(html: str | bytes | None, url: str | None = None, job: Job | None = None) -> str | None:
    """The content of a page in the format of the job, or None."""
    row = extract_row(html or "", url, job)
    content: str | None = row[(job or Job()).format] if row["status"] in WRITTEN else None
    return content


def datatrove_extractor(job: Job | None = None, timeout_seconds: float = 30) -> Any:
    """A step of a datatrove pipeline: documents with HTML in, documents with content out."""
    from datatrove.pipeline.extractors.base import BaseExtractor

    class TamisExtractor(BaseExtractor):  # type: ignore[misc]
        name = "Tamis"

        def __init__(self) -> None:
            super().__init__(timeout=timeout_seconds)

        def extract(self, text: str) -> str:
            return extract_content(text, job=job) or ""

    return TamisExtractor()


def daft_function(job: Job | None = None) -> Any:
    """A function of Daft columns: ``frame.with_column("text", content(col("html"), col("url")))``."""
    import daft

    def content(html: str, url: str) -> str | None:
        return extract_content(html, url, job)

    return daft.func(return_dtype=daft.DataType.string())(content)


def spark_function(job: Job | None = None) -> Any:
    """A function of Spark columns: ``frame.withColumn("text", content("html", "url"))``."""
    from pyspark.sql.functions import udf
    from pyspark.sql.types import StringType

    return udf(lambda html, url: extract_content(html, url, job), StringType())


class ScrapyPipeline:
    """Adds the row of a page to items that have ``html`` and ``url``; ``TAMIS_JOB`` may name a job file."""

    def __init__(self, job: Job | None = None) -> None:
        self.job = job

    @classmethod
    def from_crawler(cls, crawler: Any) -> ScrapyPipeline:
        from pathlib import Path

        from tamis.scaling.job import load_job

        file = crawler.settings.get("TAMIS_JOB")
        return cls(load_job(Path(file)) if file else None)

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 - as Scrapy calls it
        from itemadapter import ItemAdapter

        values = ItemAdapter(item)
        values["tamis"] = extract_row(values["html"], values.get("url"), self.job)
        return item
