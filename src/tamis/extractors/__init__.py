"""Single-page methods: one file each, the file name is the public name."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from tamis import registry
from tamis._version import VERSION
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.page.spans import Span, as_arrays, as_spans, overlaps, union
from tamis.results import Extraction, Made

DEFAULT = "sieve"  # the learned one: better than any other on every kind of page it was trained for


def extract(
    page: Page, method: str = DEFAULT, *, keep: str | None = None, drop: str | None = None, **options: Any
) -> Extraction:
    """Run one method on a page; what the CSS selectors match is kept, or dropped, whatever the method says."""
    chosen = registry.make_options("extractors", method, options)
    kept, dropped = (() if selector is None else page.select(_selector(selector)) for selector in (keep, drop))
    extraction: Extraction = registry.load("extractors", method).extract(page, chosen)
    if (kept or dropped) and extraction.embedded is None:  # else it comes from a script, not from these elements
        spans = _corrected(extraction.shown.page, extraction.spans, kept, dropped)
        extraction = dataclasses.replace(extraction, spans=spans)
    said = {name: value for name, value in (("keep", keep), ("drop", drop)) if value is not None}
    made = Made(method=method, options={**dataclasses.asdict(chosen), **said}, version=VERSION)
    return dataclasses.replace(extraction, made=made)


def _selector(value: Any) -> str:
    if not isinstance(value, str):
        raise OptionError(f"keep and drop are CSS selectors, not {value!r}")
    return value


def _corrected(page: Page, spans: tuple[Span, ...], kept: Sequence[int], dropped: Sequence[int]) -> tuple[Span, ...]:
    """The spans with the visible text of some elements added, and then that of others taken out."""
    nodes = page.nodes
    places, unwanted = (np.array(chosen, dtype=np.int64) for chosen in (kept, dropped))
    starts, ends = as_arrays((*spans, *page.clip(nodes.text_start[places], nodes.text_end[places])))
    gap_ends, gap_starts = union(nodes.text_start[unwanted], nodes.text_end[unwanted])
    gap_starts, gap_ends = np.append(0, gap_starts), np.append(gap_ends, len(page.text))
    start, end, _, _ = overlaps(*union(starts, ends), gap_starts, gap_ends)
    return as_spans(start, end)
