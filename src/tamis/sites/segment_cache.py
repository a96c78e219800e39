"""Segmentation by example: one page of each template is segmented, the others take its regions over.

Idea:      pages of one template have their regions at the same places. A page that resembles a representative of its
           site is neither rendered nor segmented: each region of the representative is looked up where it stood, and
           taken over if what is found there is built alike. If too little is found, the page is segmented after all,
           and stands for a template of its own from then on.
Reference: Zelený (2017), chapter 7.
Departs:   the source does not say what to do when places are not found; here the page is segmented. Siblings of other
           names and ids may come and go. Several representatives are tried, and those that were not used for longest
           make room for new ones.

Boxes of regions that were taken over are those of the representative: the page itself was not rendered.

    for answer in segment_pages(pages, "bcs", render=lambda page: tamis.render(page)):
        answer.segmentation, answer.hit
"""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from tamis import segmenters
from tamis.clusterers.representatives import prune, site_of
from tamis.distances import _bags as bags
from tamis.distances._structure import Hashes
from tamis.page.html import TEXT
from tamis.page.model import Page
from tamis.ranges import COUNT, SHARE, check_ranges
from tamis.results import Made, Region, Segmentation
from tamis.segmenters._shown import Shown, shown_pieces
from tamis.sites.places import NOT_FOUND, PathStep, TreeToWalk, locate, places_of

__all__ = ["CacheReport", "Options", "SegmentAnswer", "SegmentCache", "segment_pages"]

RenderPage = Callable[[Page], Page]

WHOLE = -1
"""Stands for all of an element, in the place of one of its texts."""

_TRIES = 3  # representatives whose places are looked up, the most similar first; ours, not swept


@dataclass(frozen=True, kw_only=True)
class Options:
    """When the regions of one page are taken over for another."""

    min_similarity: float = 0.7  # more than this share of the paths, of pages and of regions; Zelený's number
    ids: bool = True  # an element with an id is another than one without, as in the source
    # The source wants the same number of siblings all the way. On 72 made-up pages of three sites that is true of few:
    # with ``partition`` 12 are hits, which agree with a segmentation of their own by 0.86 (B-cubed F of characters);
    # where siblings of other names and ids may come and go it is 21, by 0.91.
    tolerant: bool = True
    # Of the text in the smallest regions, of the representative and of the page. Swept 0.3-0.9 on the same pages, step
    # 0.2: with ``partition`` 29, 21, 21 and 10 hits that agree by 0.78, 0.91, 0.91 and 0.92; with ``mesh`` 42, 23, 16
    # and 3 by 0.66, 0.69, 0.79 and 0.66.
    min_found: float = 0.7
    max_representatives: int = 100  # of one site; ours: Zelený met 56 at most, on 500 pages

    def __post_init__(self) -> None:
        check_ranges(self, min_similarity=SHARE, min_found=SHARE, max_representatives=COUNT)


class Target(NamedTuple):
    """An element that belongs to a region, or one of the texts right below it."""

    place: int  # number in the list of places
    text: int  # which of the texts, from 0, or WHOLE
    texts: int  # how many there are
    paths: Hashes  # below the element
    weight: int  # characters and pictures


class CachedRegion(NamedTuple):
    """A region of a representative, by places instead of nodes."""

    region: Region  # without parts
    parts: int  # how many areas of the next level it consists of
    targets: tuple[Target, ...]
    weight: int


@dataclass(frozen=True, eq=False)
class SegmentedPage:
    """A page that was segmented, and stands for its template."""

    url: str | None
    paths: Hashes
    places: tuple[PathStep, ...]
    root: Region  # without parts
    levels: tuple[tuple[CachedRegion, ...], ...]  # below the root
    covered: float  # share of its text that stands in the smallest regions
    made: Made


class SegmentAnswer(NamedTuple):
    """The regions of a page, and how it came to them."""

    segmentation: Segmentation
    hit: bool  # taken over from a representative
    representative: str | None  # its address, if it has one
    seconds_matching: float
    seconds_rendering: float = 0.0
    seconds_segmenting: float = 0.0


@dataclass(frozen=True, kw_only=True)
class CacheReport:
    """How it went so far; ``plus`` gives the report that counts one more answer."""

    pages: int = 0
    hits: int = 0
    seconds_matching: float = 0.0  # of all pages
    seconds_rendering: float = 0.0  # of those that are no hits
    seconds_segmenting: float = 0.0

    @property
    def hit_ratio(self) -> float:
        return self.hits / self.pages if self.pages else 0.0

    @property
    def seconds_saved(self) -> float:
        """What rendering and segmenting the hits would have cost at the mean price of the others, less matching."""
        misses = self.pages - self.hits
        price = (self.seconds_rendering + self.seconds_segmenting) / misses if misses else 0.0
        return self.hits * price - self.seconds_matching

    def plus(self, answer: SegmentAnswer) -> CacheReport:
        return CacheReport(
            pages=self.pages + 1,
            hits=self.hits + answer.hit,
            seconds_matching=self.seconds_matching + answer.seconds_matching,
            seconds_rendering=self.seconds_rendering + answer.seconds_rendering,
            seconds_segmenting=self.seconds_segmenting + answer.seconds_segmenting,
        )


def segment_pages(
    pages: Iterable[Page],
    method: str = segmenters.DEFAULT,
    *,
    reuse: Options | None = None,
    render: RenderPage | None = None,
    **options: Any,
) -> Iterator[SegmentAnswer]:
    """The regions of every page as it comes, taken over from an earlier page wherever that is possible.

    Only pages without an example are rendered, by ``render`` if it is given. ``options`` are those of the method.
    """
    cache = SegmentCache(method, reuse or Options(), render, options)
    return map(cache.segment, pages)


@dataclass
class SegmentCache:
    """The representatives met so far, site by site."""

    method: str = segmenters.DEFAULT
    reuse: Options = Options()
    render: RenderPage | None = None
    options: Mapping[str, Any] = field(default_factory=dict)  # of the method
    known: dict[str, list[SegmentedPage]] = field(default_factory=dict)  # the last used comes last

    def segment(self, page: Page) -> SegmentAnswer:
        """The regions of a page: those of its representative, or its own."""
        start = time.perf_counter()
        layout = TreeToWalk(prune(page), self.reuse.ids)
        representatives = self.known.setdefault(site_of(page.url), [])
        paths = layout.pruned.paths(ids=self.reuse.ids)
        for candidate in _alike(representatives, paths, self.reuse):
            root = _taken_over(candidate, page, layout, self.reuse)
            if root is not None:
                representatives.remove(candidate)
                representatives.append(candidate)
                segmentation = Segmentation(page=page, root=root, made=candidate.made)
                return SegmentAnswer(segmentation, True, candidate.url, time.perf_counter() - start)
        matched = time.perf_counter()
        shown = page if self.render is None or page.boxes is not None else self.render(page)
        rendered = time.perf_counter()
        segmentation = segmenters.segment(shown, self.method, **self.options)
        segmented = time.perf_counter()
        if len(layout.pruned.ids) and shown.text == page.text:  # else scripts have changed it
            representatives.append(_representative(segmentation, layout, paths, page.url))
            del representatives[: -self.reuse.max_representatives]
        taken = matched - start + time.perf_counter() - segmented
        return SegmentAnswer(segmentation, False, None, taken, rendered - matched, segmented - rendered)


def _alike(representatives: list[SegmentedPage], paths: Hashes, reuse: Options) -> list[SegmentedPage]:
    """The few that are most similar to these paths, and similar enough."""
    similar = [1 - bags.for_pair(paths, one.paths, bags.missing) for one in representatives]
    best = sorted(range(len(similar)), key=lambda place: -similar[place])[:_TRIES]
    return [representatives[place] for place in best if similar[place] > reuse.min_similarity]


def _representative(segmentation: Segmentation, layout: TreeToWalk, paths: Hashes, url: str | None) -> SegmentedPage:
    page, root = segmentation.page, segmentation.root
    shown = shown_pieces(page)
    levels = _levels(root)
    chosen = [_largest_nodes(page, shown, level) for level in levels]
    elements, texts = _element_of(page, layout), _texts_below(page)
    first, last = shown.ranges(page.nodes)
    sums = np.concatenate(([0], np.cumsum(np.maximum(page.flow.characters[shown.node], 1))))
    weight: list[int] = (sums[last] - sums[first]).tolist()
    wanted = {elements[node] for level in chosen for nodes in level for node in nodes}
    places, number = places_of(layout, sorted(wanted - {NOT_FOUND}))
    below = {element: layout.paths_below(element) for element in number}

    def target(node: int) -> Target | None:
        element = elements[node]
        if element == NOT_FOUND:  # inside something that the pruned tree is without
            return None
        siblings = texts.get(int(page.nodes.parent[node]), []) if page.nodes.tag[node] == TEXT else []
        turn = bisect_left(siblings, node) if siblings else WHOLE
        return Target(number[element], turn, len(siblings), below[element], weight[node])

    def area(region: Region, nodes: Sequence[int]) -> CachedRegion:
        targets = tuple(found for found in map(target, nodes) if found is not None)
        return CachedRegion(
            replace(region, parts=()), len(region.parts), targets, sum(weight[node] for node in region.nodes)
        )

    areas = tuple(tuple(map(area, *level)) for level in zip(levels, chosen, strict=True))
    smallest = [node for level in levels for region in level if not region.parts for node in region.nodes]
    covered = _share_of_text(page, smallest)
    return SegmentedPage(url, paths, tuple(places), replace(root, parts=()), areas, covered, segmentation.made)


def _share_of_text(page: Page, nodes: Sequence[int]) -> float:
    """How much of the text of a page stands below some nodes."""
    sizes = page.nodes.totals(page.flow.characters)
    return min(float(sizes[list(nodes)].sum() / sizes[0]), 1.0) if sizes[:1].sum() else 1.0


def _levels(root: Region) -> list[Sequence[Region]]:
    """The regions below the root, level by level."""
    levels: list[Sequence[Region]] = []
    level: Sequence[Region] = root.parts
    while level:
        levels.append(level)
        level = [part for region in level for part in region.parts]
    return levels


def _largest_nodes(page: Page, shown: Shown, regions: Sequence[Region]) -> list[list[int]]:
    """For each of some regions without common nodes the largest nodes that show nothing but parts of it."""
    first, last = shown.ranges(page.nodes)
    found: list[list[int]] = [[] for _ in regions]
    owner = np.full(len(shown), -1, dtype=np.int64)
    for number, region in enumerate(regions):
        for node in region.nodes:
            owner[first[node] : last[node]] = number
    filled = np.flatnonzero(last > first)
    changes = np.cumsum(np.diff(owner, prepend=owner[:1]) != 0)  # nothing changes within a node of one owner
    is_whole = np.zeros(len(page.nodes), dtype=np.bool_)
    is_whole[filled] = (changes[last[filled] - 1] == changes[first[filled]]) & (owner[first[filled]] >= 0)
    is_whole[:1] = False  # the document is no element; what stands below it is
    for node in np.flatnonzero(is_whole & ~is_whole[np.maximum(page.nodes.parent, 0)]).tolist():
        found[owner[first[node]]].append(node)
    return found


def _element_of(page: Page, layout: TreeToWalk) -> list[int]:
    """For each node its number in the pruned tree, for a text that of its parent."""
    number = np.full(len(page.nodes), NOT_FOUND, dtype=np.int64)
    number[layout.pruned.node] = np.arange(len(layout.pruned.node))
    texts = page.nodes.texts
    number[texts] = number[page.nodes.parent[texts]]
    elements: list[int] = number.tolist()
    return elements


def _texts_below(page: Page) -> dict[int, list[int]]:
    """The texts right below each node, those that are blank left out."""
    texts = page.nodes.texts[page.flow.characters[page.nodes.texts] > 0]
    found: dict[int, list[int]] = {}
    for text, parent in zip(texts.tolist(), page.nodes.parent[texts].tolist(), strict=True):
        found.setdefault(parent, []).append(text)
    return found


def _taken_over(representative: SegmentedPage, page: Page, layout: TreeToWalk, reuse: Options) -> Region | None:
    """The regions of a representative on another page; None if too little of them is found."""
    if not len(layout.pruned.ids):
        return None
    find = _finder(representative, page, layout, reuse)
    wanted = found = 0
    smallest: list[int] = []
    below: list[Region | None] = []  # regions of the level below, None for those that were not found
    for level in reversed(representative.levels):
        regions: list[Region | None] = []
        rest = iter(below)
        for area in level:
            parts = [part for part in islice(rest, area.parts) if part is not None]
            met = [(node, target.weight) for target in area.targets if (node := find(target)) is not None]
            nodes = _joined(page, [node for node, _ in met], parts)
            if not area.parts:
                wanted += area.weight
                found += sum(weight for _, weight in met)
                smallest += nodes
            regions.append(replace(area.region, nodes=nodes, parts=tuple(parts)) if nodes else None)
        below = regions
    is_enough = found >= reuse.min_found * wanted
    is_enough &= _share_of_text(page, smallest) >= reuse.min_found * representative.covered
    return replace(representative.root, parts=tuple(filter(None, below))) if is_enough else None


def _finder(
    representative: SegmentedPage, page: Page, layout: TreeToWalk, reuse: Options
) -> Callable[[Target], int | None]:
    """A function that gives the node of a page that a target stands for."""
    elements = locate(layout, representative.places, tolerant=reuse.tolerant)
    texts = _texts_below(page)
    is_alike: dict[int, bool] = {}

    def find(target: Target) -> int | None:
        element = elements[target.place]
        if element == NOT_FOUND:
            return None
        if target.place not in is_alike:
            missing = bags.for_pair(target.paths, layout.paths_below(element), bags.missing)
            is_alike[target.place] = 1 - missing > reuse.min_similarity
        node = int(layout.pruned.node[element])
        if target.text == WHOLE or not is_alike[target.place]:
            return node if is_alike[target.place] else None
        below = texts.get(node, [])
        return below[target.text] if len(below) == target.texts else None

    return find


def _joined(page: Page, nodes: list[int], parts: Iterable[Region]) -> tuple[int, ...]:
    """The nodes of a region, and those of its parts that are not below them."""
    nodes = sorted(nodes)
    ends = page.nodes.end[nodes].tolist() if nodes else []

    def is_below(node: int) -> bool:
        place = bisect_right(nodes, node) - 1
        return place >= 0 and node < ends[place]

    return tuple(sorted([*nodes, *(node for part in parts for node in part.nodes if not is_below(node))]))
