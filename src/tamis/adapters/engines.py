"""The work on one page inside datatrove, Daft and Spark."""

from __future__ import annotations

from typing import Any

from tamis.adapters.rows import extract_content
from tamis.scaling.job import Job

__all__ = ["daft_function", "datatrove_extractor", "spark_function"]


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
