"""A segmenter at many settings on one page: how good it is at each, at the best of them, and at a fixed one.

Zelený (2017), section 9.2: each method divides a page at ten settings of how fine its segments are (the clustering
threshold of ``bcs``, the permitted degree of coherence of ``vips``), every result is compared with what people marked,
and the best value counts. Nobody knows the best setting of a page beforehand, so the best tells what a method could do,
and a fixed setting what it does.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tamis import segmenters
from tamis.errors import OptionError
from tamis.evaluation.covers import leaves, node_cover
from tamis.evaluation.segmentations import adjusted_rand, box_f
from tamis.page.model import Page
from tamis.results import Region

SETTINGS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "bcs": tuple({"threshold": step / 10} for step in range(1, 11)),
    "vips": tuple({"pdoc": degree} for degree in range(1, 11)),
}
"""The ten settings of each of the two methods that the thesis compares."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A method at one setting on one page; elements are the texts and pictures a reader sees."""

    options: Mapping[str, Any]
    f1: float  # over pairs of found and right segments that share an element
    adjusted_rand: float  # over elements that are in a segment of both
    segments: int
    seconds: float  # of the processor


def trials(
    page: Page, right: Region, method: str, settings: Sequence[Mapping[str, Any]] | None = None
) -> tuple[Trial, ...]:
    """A method on a page at each of some settings, by default those of the thesis; ``right`` is what people marked.

    Of nested regions only the smallest count, as in the thesis.
    """
    settings = SETTINGS.get(method, ()) if settings is None else settings
    if not settings:
        raise OptionError(f"no settings are known for {method!r}: pass some, such as [{{}}] for its defaults")
    nodes = leaves(page).node
    wanted = node_cover(page, right, nodes)
    found = []
    for options in settings:
        start = time.process_time()
        segmentation = segmenters.segment(page, method, **options)
        seconds = time.process_time() - start
        cover = node_cover(page, segmentation.root, nodes)
        found.append(
            Trial(
                options=options,
                f1=box_f(cover, wanted).f1,
                adjusted_rand=adjusted_rand(cover, wanted),
                segments=len(segmentation.leaves),
                seconds=seconds,
            )
        )
    return tuple(found)


def best_of(made: Sequence[Trial]) -> tuple[float, float]:
    """The highest F and the highest adjusted Rand index, which may be those of two settings."""
    return max(trial.f1 for trial in made), max(trial.adjusted_rand for trial in made)
