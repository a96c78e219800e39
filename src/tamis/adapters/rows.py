"""The row that ``tamis run`` writes for a page, for programs that have pages of their own.

Nothing here keeps a page from taking all the time or memory there is: that is what ``tamis run`` is for.
"""

from __future__ import annotations

from typing import Any

from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import Job
from tamis.scaling.process import WRITTEN, process_record

__all__ = ["extract_content", "extract_row"]


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
