"""Redesigns of a site: the moments from which on its pages are built otherwise than before.

Idea:      pages stand in the order of time. At a redesign hardly any of the next pages is near one of the pages before,
           and hardly any of those is near one of the next. Where templates live side by side, as articles and lists do,
           pages of each go on coming, and nothing is found.
Reference: named as future work by Gottron (2008 and the German summary): distances of templates over time.
Departs:   the sources name no algorithm; this one is ours.
Weak at:   a site that stops having one kind of page while it begins to have another: that looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis import distances as measures
from tamis import registry
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.ranges import SOME_SHARE, Range, check_ranges

__all__ = ["find_redesigns"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is compared, and how much must change."""

    distance: str = measures.DEFAULT
    threshold: float | None = None  # the usual one of the distance when missing
    window: int = 10  # pages before and after that are compared; ours: a site has some templates, each must be in it
    min_pages: int = 3  # ours: on either side, so that one odd page is no redesign
    min_share: float = 0.9  # ours: of the pages on either side that have no near one on the other

    def __post_init__(self) -> None:
        if self.threshold is None and registry.load("distances", self.distance).THRESHOLD is None:
            raise OptionError(f"there is no default threshold for {self.distance}: pass threshold")
        check_ranges(self, min_pages=Range(1, self.window), min_share=SOME_SHARE)


class Redesign(NamedTuple):
    """Where pages begin to be built otherwise."""

    place: int  # of the first page after it
    distance: float  # the middle one of those from each page after it to the nearest page before


def find_redesigns(pages: Iterable[Page], options: Options | None = None) -> tuple[Redesign, ...]:
    """The redesigns in a series of pages of one site, in the order of time; pages are not kept.

    >>> from tamis.page.load import parse
    >>> old, new = "<table><tr><td><font>Text</font></table>" * 4, "<main><h1>Title</h1><p>Text<p>Text</main>" * 4
    >>> find_redesigns([parse(page) for page in [old] * 4 + [new] * 4])
    (Redesign(place=4, distance=1.0),)
    """
    options = options or Options()
    return find_in(measures.matrix(pages, options.distance), options)


def find_in(distances: Floats, options: Options) -> tuple[Redesign, ...]:
    """The same from distances that are known already."""
    usual = registry.load("distances", options.distance).THRESHOLD
    threshold = usual if options.threshold is None else options.threshold
    found: list[tuple[Redesign, float]] = []
    for place in range(options.min_pages, len(distances) - options.min_pages + 1):
        first, last = max(place - options.window, 0), min(place + options.window, len(distances))
        between = distances[place:last, first:place]
        to_before, to_after = between.min(axis=1), between.min(axis=0)
        share = min(float((to_before > threshold).mean()), float((to_after > threshold).mean()))
        if share >= options.min_share:
            found.append((Redesign(place, round(float(np.median(to_before)), 4)), share))
    return _one_each(found, options.min_pages)


def _one_each(found: list[tuple[Redesign, float]], apart: int) -> tuple[Redesign, ...]:
    """Of places close to each other the clearest, the first of equals."""
    kept: list[tuple[Redesign, float]] = []
    for redesign, share in found:
        if kept and redesign.place - kept[-1][0].place <= apart:
            if (share, redesign.distance) > (kept[-1][1], kept[-1][0].distance):
                kept[-1] = (redesign, share)
        else:
            kept.append((redesign, share))
    return tuple(redesign for redesign, _ in kept)
