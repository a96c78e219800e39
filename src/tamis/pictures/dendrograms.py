"""Who was joined with whom and at what distance, as a tree that lies on its side, with the names on the left.

Gottron (2008), section 7.1.2, shows clusterings this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from tamis.pictures.plots import figure
from tamis.results import Merge

_ROW, _TOP, _LABEL, _BREADTH = 14, 40, 220, 400
_MAX_NAME = 30  # characters that fit beside a leaf; the end of an address says more than its beginning


class Branch(NamedTuple):
    """A join as it is drawn: two places on the left, one on the right."""

    low: float  # of the rows it joins
    high: float
    from_low: float  # at which distance they were joined themselves
    from_high: float
    distance: float
    leaves: tuple[int, ...]


def branches(merges: Sequence[Merge], count: int) -> tuple[list[int], list[Branch]]:
    """The leaves from top to bottom so that no lines cross, and all joins, the nearest first."""
    root = list(range(count))
    below: dict[int, tuple[int, ...]] = {page: (page,) for page in range(count)}
    joins = []
    for merge in merges:
        left, right = _root(root, merge.left), _root(root, merge.right)
        if left == right:
            continue
        joins.append((left, right, merge.distance))
        root[right] = left
        below[left] += below.pop(right)
    order = [page for pages in below.values() for page in pages]
    row = {page: float(place) for place, page in enumerate(order)}
    at = dict.fromkeys(range(count), 0.0)
    members: dict[int, tuple[int, ...]] = {page: (page,) for page in range(count)}
    drawn = []
    for left, right, distance in joins:
        leaves = members[left] + members[right]
        drawn.append(Branch(row[left], row[right], at[left], at[right], distance, leaves))
        row[left], at[left], members[left] = (row[left] + row[right]) / 2, distance, leaves
    return order, drawn


def dendrogram(
    merges: Sequence[Merge],
    names: Sequence[str],
    colours: Mapping[int, str],
    title: str,
    threshold: float | None = None,
) -> str:
    """The tree of all joins. Pages have ``colours``, joins of pages of one colour have it too; a line marks the cut."""
    order, drawn = branches(merges, len(names))
    furthest = max((branch.distance for branch in drawn), default=0.0) or 1.0

    def x(distance: float) -> float:
        return _LABEL + distance / furthest * _BREADTH

    def y(row: float) -> float:
        return _TOP + row * _ROW

    leaves = "".join(
        f'<text x="{_LABEL - 6}" y="{y(row) + 4:.1f}" text-anchor="end" fill="{colours.get(page, "currentColor")}">'
        f"<title>{escape(names[page])}</title>{escape(names[page][-_MAX_NAME:])}</text>"
        for row, page in enumerate(order)
    )
    lines = "".join(
        f'<path d="M{x(one.from_low):.1f} {y(one.low):.1f}H{x(one.distance):.1f}V{y(one.high):.1f}'
        f'H{x(one.from_high):.1f}" fill="none" stroke="{_colour(one, colours)}"/>'
        for one in drawn
    )
    bottom = y(len(names)) - _ROW / 2
    ticks = "".join(
        f'<text x="{x(furthest * tick / 4):.1f}" y="{bottom + 16:.1f}" text-anchor="middle">{furthest * tick / 4:.3g}'
        "</text>"
        for tick in range(5)
    )
    cut = ""
    if threshold is not None and threshold <= furthest:
        cut = (
            f'<path d="M{x(threshold):.1f} {_TOP - 12}V{bottom:.1f}" stroke="currentColor" stroke-dasharray="4 3"/>'
            f'<text x="{x(threshold):.1f}" y="{_TOP - 14}" text-anchor="middle">threshold {threshold:.3g}</text>'
        )
    return figure(title, leaves + lines + cut + ticks, bottom + 24)


def _colour(branch: Branch, colours: Mapping[int, str]) -> str:
    found = {colours.get(page, "currentColor") for page in branch.leaves}
    return found.pop() if len(found) == 1 else "currentColor"


def _root(root: list[int], page: int) -> int:
    while root[page] != page:
        root[page] = root[root[page]]
        page = root[page]
    return page
