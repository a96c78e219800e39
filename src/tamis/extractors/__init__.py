"""Single-page methods: one file each, the file name is the public name."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tamis import registry
from tamis._version import VERSION
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.page.spans import Span, as_arrays, as_spans, overlaps, union
from tamis.results import Extraction, Made, without_wall
from tamis.results.extractions import changed

if TYPE_CHECKING:
    from tamis.extractors.sieve.memory import Site

_PLAIN = (bool, float, int, str, type(None))
DEFAULT = "sieve"  # the learned one: better than any other on every kind of page it was trained for


def extract(
    page: Page,
    method: str = DEFAULT,
    *,
    site: Site | None = None,
    keep: str | None = None,
    drop: str | None = None,
    **options: Any,
) -> Extraction:
    """Run one method on a page; what the CSS selectors match is kept, or dropped, whatever the method says.

    Nothing else is kept of a page in whose place something else stands, such as a login form. ``site`` is what other
    pages of the site repeat, for methods that ask for it.
    """
    memory = () if site is None else (_asked_for(site, method),)
    extractor = registry.load("extractors", method)
    chosen = registry.fill(extractor.Options, f"option of {method}", options)
    kept, dropped = _selected(page, keep), _selected(page, drop)
    extraction = without_wall(extractor.extract(page, chosen, *memory))
    if (kept or dropped) and extraction.embedded is None:  # else it comes from a script, not from these elements
        spans = _corrected(extraction.shown.page, extraction.spans, kept, dropped)
        extraction = dataclasses.replace(extraction, spans=spans)
    said = {name: value for name, value in (("keep", keep), ("drop", drop)) if value is not None}
    values = _values(chosen) if options else _default_values(extractor.Options)
    return changed(extraction, made=Made(method=method, options={**values, **said}, version=VERSION))


def _values(options: Any) -> dict[str, Any]:
    values = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    is_plain = all(type(value) in _PLAIN for value in values.values())
    return values if is_plain else dataclasses.asdict(options)


@functools.cache
def _default_values(options: Any) -> dict[str, Any]:
    return _values(options())


def uses_site(method: str) -> bool:
    """Whether a method asks what other pages of a site repeat.

    >>> uses_site("sieve"), uses_site("bte")
    (True, False)
    """
    return "site" in inspect.signature(registry.load("extractors", method).extract).parameters


def check_site(method: str) -> None:
    """An error unless the method uses a site memory."""
    if not uses_site(method):
        users = ", ".join(name for name in registry.names("extractors") if uses_site(name))
        raise OptionError(f"the method {method} does not use a site memory: remove site, or choose {users}")


def _asked_for(site: Any, method: str) -> Site:
    from tamis.extractors.sieve.memory import Site

    check_site(method)
    if not isinstance(site, Site):
        raise OptionError(f"site is {site!r}, but a tamis.Site is expected")
    return site


def _selected(page: Page, selector: Any) -> Sequence[int]:
    if selector is None:
        return ()
    if not isinstance(selector, str):
        raise OptionError(f"keep and drop are CSS selectors, not {selector!r}")
    return page.select(selector)


def _corrected(page: Page, spans: tuple[Span, ...], kept: Sequence[int], dropped: Sequence[int]) -> tuple[Span, ...]:
    """The spans with the visible text of some elements added, and then that of others taken out."""
    nodes = page.nodes
    places, unwanted = (np.array(chosen, dtype=np.int64) for chosen in (kept, dropped))
    starts, ends = as_arrays((*spans, *page.clip(nodes.text_start[places], nodes.text_end[places])))
    gap_ends, gap_starts = union(nodes.text_start[unwanted], nodes.text_end[unwanted])
    gap_starts, gap_ends = np.append(0, gap_starts), np.append(gap_ends, len(page.text))
    start, end, _, _ = overlaps(*union(starts, ends), gap_starts, gap_ends)
    return as_spans(start, end)
