"""Pages in groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tamis.results.made import UNSAID, Made


class Merge(NamedTuple):
    """Two groups of pages that were merged: a page of each, and the distance of the groups."""

    left: int
    right: int
    distance: float


@dataclass(frozen=True, kw_only=True)
class Clustering:
    """Pages in groups, by their position in the list that was clustered."""

    groups: tuple[tuple[int, ...], ...]  # in the order of their first pages
    threshold: float | None = None  # distance up to which pages were grouped, if there is one
    representatives: tuple[int, ...] | None = None  # the page that represents each group, if the method has them
    merges: tuple[Merge, ...] | None = field(default=None, repr=False)  # nearest first, if groups were merged
    made: Made = UNSAID

    @property
    def labels(self) -> tuple[int, ...]:
        """For each page the number of its group."""
        group_of = {page: number for number, group in enumerate(self.groups) for page in group}
        return tuple(group_of[page] for page in range(len(group_of)))
