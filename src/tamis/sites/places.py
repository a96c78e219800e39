"""Places of elements that are found again on other pages made from the same template.

A place is told by what stands on the way to it: at each level the position among the siblings, their number, the id and
the name (the path of distinguished positions of Zelený 2017, section 7.5). That two elements at one place are alike is
told by the paths below them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tamis.clusterers.representatives import PrunedPage
from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes, mixed
from tamis.page.html import TAG_NAMES
from tamis.page.text import Ints

NOT_FOUND = -1
_FACTOR = 0xBF0F_6E1C_4D9B_37A5  # any large odd number
_INVERSE = pow(_FACTOR, -1, 1 << 64)


class PathStep(NamedTuple):
    """One step on the way to an element; the way up leads over ``parent``."""

    parent: int  # its number in the list of places; -1 for the root
    position: int  # among its siblings, from 1
    siblings: int  # itself included
    id: str | None
    name: str
    turn: int  # position among the siblings of its name and id, from 1


@dataclass(frozen=True, eq=False)
class TreeToWalk:
    """The pruned tree of a page, ready to be walked down."""

    pruned: PrunedPage
    ids: bool  # an element with an id is another than one without

    @cached_property
    def order(self) -> Ints:
        """Elements sorted by parent, those without one first."""
        return np.argsort(self.pruned.elements.parent, kind="stable")

    @cached_property
    def first(self) -> list[int]:
        """Where in that order the children of each element begin, and the end of the last."""
        parents = self.pruned.elements.parent[self.order]
        first: list[int] = np.searchsorted(parents, np.arange(len(parents) + 1)).tolist()
        return first

    @cached_property
    def _names(self) -> list[int]:
        names: list[int] = self.pruned.elements.tag.tolist()
        return names

    @cached_property
    def alike(self) -> dict[tuple[int, str, str | None], list[int]]:
        """Elements with the same parent, name and id."""
        found: dict[tuple[int, str, str | None], list[int]] = {}
        parents = self.pruned.elements.parent.tolist()
        for element, (parent, mark) in enumerate(zip(parents, self.pruned.ids, strict=True)):
            found.setdefault((parent, self.name(element), mark), []).append(element)
        return found

    def children(self, element: int) -> list[int]:
        children: list[int] = self.order[self.first[element] : self.first[element + 1]].tolist()
        return children

    def name(self, element: int) -> str:
        return self.pruned.own_names.get(element) or TAG_NAMES[self._names[element]]

    @cached_property
    def _path_sums(self) -> Hashes:
        """For each element a sum over itself and what stands above it, each name weighted by its depth."""
        elements = self.pruned.elements
        own = mixed(self.pruned.names(ids=self.ids)) * _powers(_FACTOR, elements.depth)
        closed = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(own[np.argsort(elements.end, kind="stable")])))
        sums: Hashes = np.cumsum(own) - closed[np.arange(len(elements)) - elements.depth]
        return sums

    @cached_property
    def _leaves(self) -> Ints:
        return np.flatnonzero(self.pruned.elements.leaves)

    def paths_below(self, element: int) -> Hashes:
        """The paths from an element down to its leaves, hashed; they do not depend on where the element stands."""
        elements = self.pruned.elements
        first, last = np.searchsorted(self._leaves, (element, elements.end[element]))
        parent = int(elements.parent[element])
        above = np.uint64(0) if parent < 0 else self._path_sums[parent]
        sums = self._path_sums[self._leaves[first:last]] - above
        return bags.distinct(sums * _powers(_INVERSE, elements.depth[element : element + 1]))


def places_of(layout: TreeToWalk, chosen: Iterable[int]) -> tuple[list[PathStep], dict[int, int]]:
    """The places of some elements and of all above them, from the root down; and the number of each in the list."""
    parent = layout.pruned.elements.parent.tolist()
    wanted = {0}
    for start in chosen:
        element = start
        while element not in wanted:
            wanted.add(element)
            element = parent[element]
    places: list[PathStep] = []
    number: dict[int, int] = {}
    step_of = _steps(layout, wanted)
    for element in sorted(wanted):  # parents come first
        number[element] = len(places)
        above = number[parent[element]] if element else -1
        places.append(PathStep(above, *step_of[element]))
    return places, number


def _steps(layout: TreeToWalk, wanted: set[int]) -> dict[int, tuple[int, int, str | None, str, int]]:
    """For each wanted element its step, less the parent."""
    steps = {0: (1, 1, layout.pruned.ids[0], layout.name(0), 1)}
    for element in sorted(wanted):
        children = layout.children(element)
        turns: dict[tuple[str, str | None], int] = {}
        for position, child in enumerate(children, start=1):
            name, mark = layout.name(child), layout.pruned.ids[child]
            turns[name, mark] = turns.get((name, mark), 0) + 1
            if child in wanted:
                steps[child] = (position, len(children), mark, name, turns[name, mark])
    return steps


def locate(layout: TreeToWalk, places: Sequence[PathStep], *, tolerant: bool) -> list[int]:
    """The element at each place, ``NOT_FOUND`` if nothing fits.

    All that a place says must be true of the element. When ``tolerant``, siblings of other names and ids may be more or
    fewer: an element is known by its turn among those of its own name and id.
    """
    find = _find_tolerantly if tolerant else _find
    found: list[int] = []
    for place in places:
        if place.parent < 0:
            found.append(0 if _fits(layout, 0, place) else NOT_FOUND)
        else:
            above = found[place.parent]
            found.append(NOT_FOUND if above == NOT_FOUND else find(layout, above, place))
    return found


def _find(layout: TreeToWalk, above: int, place: PathStep) -> int:
    first, last = layout.first[above], layout.first[above + 1]
    if last - first != place.siblings:
        return NOT_FOUND
    child = int(layout.order[first + place.position - 1])
    return child if _fits(layout, child, place) else NOT_FOUND


def _find_tolerantly(layout: TreeToWalk, above: int, place: PathStep) -> int:
    alike = layout.alike.get((above, place.name, place.id), [])
    return alike[place.turn - 1] if len(alike) >= place.turn else NOT_FOUND


def _fits(layout: TreeToWalk, element: int, place: PathStep) -> bool:
    return layout.pruned.ids[element] == place.id and layout.name(element) == place.name


def _powers(base: int, exponents: Ints) -> Hashes:
    table = np.cumprod(np.full(int(exponents.max(initial=0)) + 1, base, dtype=np.uint64))
    return np.asarray(np.concatenate((np.ones(1, dtype=np.uint64), table))[exponents])
