"""An item pipeline for Scrapy.

ITEM_PIPELINES = {"tamis.adapters.scrapy.TamisPipeline": 300}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tamis.adapters.rows import extract_row
from tamis.scaling.job import Job, load_job

__all__ = ["TamisPipeline"]


class TamisPipeline:
    """Adds ``tamis``, the row of a page, to items with ``html`` and ``url``; ``TAMIS_JOB`` may name a job file."""

    def __init__(self, job: Job | None = None) -> None:
        self.job = job

    @classmethod
    def from_crawler(cls, crawler: Any) -> TamisPipeline:
        """The pipeline that the settings of a crawler ask for."""
        file = crawler.settings.get("TAMIS_JOB")
        return cls(load_job(Path(file)) if file else None)

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 - as Scrapy calls it
        from itemadapter import ItemAdapter

        values = ItemAdapter(item)
        values["tamis"] = extract_row(values["html"], values.get("url"), self.job)
        return item
