"""Who was joined with whom and at what distance, and where to stop: shared by the methods that join step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from tamis import registry
from tamis.errors import InputError, OptionError
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.ranges import COUNT, NOT_NEGATIVE, check_ranges
from tamis.results import Clustering, Merge

MAX_PAGES = 20_000
"""Beyond it the matrix of distances would take more than 3 GB."""

_BINS = 1000  # of the histogram in which the widest gap is looked for
_GAP_FROM, _GAP_TO = 0.3, 0.95  # of the largest distance: pages of one template lie below, of two sites above


class Cut(Protocol):
    """The options that say where to stop."""

    @property
    def distance(self) -> str: ...
    @property
    def k(self) -> int | None: ...
    @property
    def threshold(self) -> float | None: ...
    @property
    def largest_gap(self) -> bool: ...


def check(cut: Cut) -> None:
    """Refuse options that contradict each other."""
    given = [name for name in ("k", "threshold", "largest_gap") if getattr(cut, name) not in (None, False)]
    if len(given) > 1:
        raise OptionError(f"{' and '.join(given)} are given, but each sets where to stop: choose one")
    check_ranges(cut, k=COUNT, threshold=NOT_NEGATIVE)
    measure = registry.load("distances", cut.distance)
    if not given and measure.THRESHOLD is None:
        raise OptionError(f"there is no default threshold for {cut.distance}: pass k, threshold or largest_gap")


def cut_joins(merges: Sequence[Merge], distances: Floats, cut: Cut) -> Clustering:
    """The groups that are left when joining stops where the options say."""
    stop = stop_at(distances, cut)
    groups = cut_tree(merges, len(distances), cut, stop)
    return Clustering(groups=groups, threshold=stop, merges=tuple(merges))


def distances_of(pages: Iterable[Page], distance: str) -> Floats:
    """The distances between all pages, by a measure of this name with its usual options."""
    measure = registry.load("distances", distance)
    options = measure.Options()
    features: list[Any] = []
    for page in pages:
        if len(features) == MAX_PAGES:
            raise InputError(f"more than {MAX_PAGES} pages are too many for pairwise comparison: use method minhash")
        features.append(measure.features(page, options))
    distances: Floats = measure.matrix(features, options)
    return distances


def stop_at(distances: Floats, cut: Cut) -> float | None:
    """The largest distance at which groups are joined; None if their number decides."""
    if cut.k is not None:
        return None
    if cut.threshold is not None:
        return cut.threshold
    usual: float | None = registry.load("distances", cut.distance).THRESHOLD
    if not cut.largest_gap:
        return usual
    gap = widest_gap(distances)
    return usual if gap is None else gap


def widest_gap(distances: Floats) -> float | None:
    """The middle of the widest stretch without a distance, between what is near and what is far; None without one.

    Pages nearer than 0.3 or further than 0.95 of the largest distance are near or far in any case.

    >>> round(widest_gap(np.array([[0.0, 0.1, 0.9], [0.1, 0.0, 0.8], [0.9, 0.8, 0.0]])), 2)
    0.54
    """
    furthest = float(distances.max(initial=0))
    if furthest <= 0:
        return None
    filled = np.zeros(_BINS + 1, dtype=np.bool_)
    for row, values in enumerate(distances):
        filled[(values[row + 1 :] * (_BINS / furthest)).astype(np.int64)] = True
    first, last = round(_GAP_FROM * _BINS), round(_GAP_TO * _BINS)
    # The ends count as filled: a gap lies between two distances or between one and the end of the range.
    ends = np.concatenate(([first], first + 1 + np.flatnonzero(filled[first + 1 : last]), [last]))
    widths = np.diff(ends)
    widest = int(np.argmax(widths))
    if widths[widest] <= 1:
        return None
    return float((ends[widest] + ends[widest + 1] + 1) / 2 / _BINS * furthest)


def cut_tree(merges: Sequence[Merge], count: int, cut: Cut, stop: float | None) -> tuple[tuple[int, ...], ...]:
    """The groups that are left when the last merges are undone."""
    if stop is None:
        kept = merges[: max(count - (cut.k or 1), 0)]
    else:
        kept = [merge for merge in merges if merge.distance <= stop]
    roots = np.arange(count)
    for merge in kept:
        left, right = _root(roots, merge.left), _root(roots, merge.right)
        roots[max(left, right)] = min(left, right)
    return groups_of(np.array([_root(roots, page) for page in range(count)], dtype=np.int64))


def groups_of(labels: Ints) -> tuple[tuple[int, ...], ...]:
    """The pages with the same label together, in the order of their first pages.

    >>> groups_of(np.array([7, 3, 7]))
    ((0, 2), (1,))
    """
    groups: dict[int, list[int]] = {}
    for page, label in enumerate(labels.tolist()):
        groups.setdefault(label, []).append(page)
    return tuple(tuple(group) for group in groups.values())


def _root(roots: Ints, page: int) -> int:
    while roots[page] != page:
        roots[page] = roots[roots[page]]
        page = int(roots[page])
    return page
