"""One record: parsed, extracted, filtered, and what became of it."""

from __future__ import annotations

import functools
import hashlib
import resource
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tamis import extractors
from tamis.batch import Outcome, Status
from tamis.extractors.sieve.memory import Site
from tamis.page.blocks import kept_shares
from tamis.page.load import parse
from tamis.results import Extraction, Template
from tamis.scaling import duplicates, filters
from tamis.scaling.inputs import InputRecord
from tamis.scaling.job import MEGABYTE, Job
from tamis.scaling.writing import SIGNATURE

PROVENANCE = ("id", "url", "source", "offset", "digest")
WRITTEN: tuple[Status, ...] = ("ok", "truncated")
"""Records whose row is part of the output; of all others there is a line that says why not."""


ResultRow = dict[str, Any]
Find = Callable[[str | None], Template | None]
"""An address → the template of its host, if there is one."""
FindSite = Callable[[str | None], Site | None]
"""An address → what the pages of its host repeat, if that is known."""


def processor(
    job: Job, open_templates: Callable[[], Find] | None = None, open_sites: Callable[[], FindSite] | None = None
) -> Callable[[InputRecord], Outcome[ResultRow]]:
    """What a process does that may be lost: the work on every record, with limited memory from now on."""
    limit_memory(job)
    return functools.partial(
        process_record,
        job=job,
        checks=load_checks(job),
        find_template=open_templates() if open_templates else None,
        find_site=open_sites() if open_sites else None,
    )


def limit_memory(job: Job) -> None:
    """Beyond the limit an allocation fails, which costs the record; so does the death of what does not bear that."""
    resource.setrlimit(resource.RLIMIT_AS, (job.limits.memory_mb * MEGABYTE,) * 2)


def process_record(
    record: InputRecord,
    job: Job,
    checks: Checks | None = None,
    find_template: Find | None = None,
    find_site: FindSite | None = None,
) -> Outcome[ResultRow]:
    """A record's row, or why there is none; pure, and with no limit but those of the page."""
    row, checks = describe(record), checks or load_checks(job)
    if record.problem:
        return Outcome("failed", row, record.problem)
    if record.skip:
        return Outcome("skipped", row, record.skip)
    if record.cut and not record.html:
        return Outcome("failed", row, f"it was cut off before its content: {record.cut}")
    if reason := _first_reason(row, checks.before):
        return Outcome("skipped", row, reason)
    page = parse(record.html, record.url, encoding=record.encoding)
    if record.cut:
        page = page.described(truncated=True, warnings=(f"truncated: {record.cut}", *page.warnings))
    template = find_template(record.url) if find_template else None
    site = find_site(record.url) if find_site else None
    result = template.extract(page) if template else extractors.extract(page, job.method, site=site, **job.options)
    if result.status == "empty":
        return Outcome("empty", row, "; ".join(result.warnings))
    filled = row | _content(result, job)
    if reason := _first_reason(filled, checks.after):
        return Outcome("skipped", row, reason)
    status: Status = "truncated" if result.status == "truncated" else "ok"
    return Outcome(status, {**filled, "status": status})


def describe(record: InputRecord) -> ResultRow:
    """Where a record comes from."""
    data = record.html.encode("utf-8", "surrogatepass") if isinstance(record.html, str) else record.html
    return {
        "id": record.id,
        "url": record.url,
        "source": record.source,
        "offset": record.offset,
        "digest": "sha256:" + hashlib.sha256(data).hexdigest(),
    }


def _content(result: Extraction, job: Job) -> ResultRow:
    text = result.text
    row: ResultRow = {"text": text, "words": result.word_count}
    if job.format != "text":
        row[job.format] = result.markdown if job.format == "markdown" else result.html
    row |= {"score": _score(result), "page_type": result.page_type or None, "warnings": list(result.warnings)}
    if job.metadata:
        found = result.metadata
        row |= {
            "title": found.title,
            "authors": list(found.authors),
            "date": found.date,
            "language": found.language or found.detected_language,
            "site_name": found.site_name,
            "description": found.description,
        }
    row |= {"method": result.made.method, "version": job.version}
    return row | ({SIGNATURE: duplicates.signature(text, job.duplicates)} if job.duplicates else {})


def _score(result: Extraction) -> float | None:
    """How sure the method is of what it kept: the mean over kept words."""
    result = result.shown
    if result.scores is None:
        return None
    weights = kept_shares(result.page, result.spans) * result.page.blocks.words
    words = float(weights.sum())
    return round(float(weights @ np.asarray(result.scores)) / words, 4) if words else None


class Named(NamedTuple):
    """A filter and the name that a skipped record is given."""

    name: str
    check: filters.RowCheck


class Checks(NamedTuple):
    """The filters of a job: those that need no more than the address, and those that see the row."""

    before: tuple[Named, ...]
    after: tuple[Named, ...]


def load_checks(job: Job) -> Checks:
    named = [Named(chosen.name, filters.load(chosen.name, chosen.parameters)) for chosen in job.filters]
    before = tuple(check for check in named if check.name in filters.BEFORE)
    return Checks(before, tuple(check for check in named if check.name not in filters.BEFORE))


def _first_reason(row: dict[str, Any], checks: tuple[Named, ...]) -> str:
    for name, check in checks:
        if reason := check(row):
            return f"{name}: {reason}"
    return ""
