"""Representatives: each incoming page joins the group of the first representative that it resembles.

Idea:      one page stands for each template. Of a new page only the pruned tree is looked at: if its paths match those
           of a representative of its site, it belongs there; if they match none, it becomes a representative.
Reference: Zelený (2017), chapter 7, with the common paths of Gottron (2008).
Departs:   similarity is the shared part of the larger path set; the division in the paper is misprinted.
Strong at: endless streams: every page is answered at once, and only representatives are kept.
Weak at:   the order of the pages decides; a representative never changes; many templates on one site are all compared.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis import urls
from tamis.clusterers._dendrogram import groups_of
from tamis.distances import _bags as bags
from tamis.distances._structure import ElementTree, Hashes, is_known, name_codes, path_hashes
from tamis.page import tree
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.ranges import SHARE, check_ranges
from tamis.results import Clustering

DROPPED_NAMES = ("head", "noscript", "script", "style", "template")
"""Elements that are no part of the pruned tree, nor is anything below them."""

_SHARED_SUFFIXES = frozenset("ac co com edu go gob gouv gov gv mil ne net or org".split())
"""Names that stand for a country's registry when they are the last but one: example.co.uk is a site, co.uk is not."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How much alike two pages must be."""

    min_similarity: float = 0.7  # more than this share of the paths; Zelený's number, which he also tried on pages
    ids: bool = True  # an element with an id is another than one without, as in the source

    def __post_init__(self) -> None:
        check_ranges(self, min_similarity=SHARE)


@dataclass(frozen=True, eq=False)
class PrunedPage:
    """What is kept of a page: the elements a reader may see, with their ids."""

    elements: ElementTree
    node: Ints  # the number of each element on its page
    ids: list[str | None]
    own_names: dict[int, str]  # of elements whose name HTML does not know

    def paths(self, *, ids: bool) -> Hashes:
        """The paths from the root to a leaf, hashed; with ids an element is called by its name and its id."""
        return bags.distinct(path_hashes(self.elements, self.names(ids=ids))[self.elements.leaves])

    def names(self, *, ids: bool) -> Hashes:
        """A number for the name of each element, or for its name and its id."""
        names = self.elements.tag.astype(np.uint64)
        if ids:
            marks = [0 if value is None else _hash(value) for value in self.ids]
            names += np.array(marks, dtype=np.uint64) << np.uint64(20)
        return names


class Representative(NamedTuple):
    """The page that stands for a group."""

    page: int  # its place in the stream
    group: int
    paths: Hashes


def cluster(pages: Iterable[Page], options: Options) -> Clustering:
    labels = np.array(list(assign(pages, options)), dtype=np.int64)
    groups = groups_of(labels)
    return Clustering(groups=groups, representatives=tuple(group[0] for group in groups))


def assign(pages: Iterable[Page], options: Options) -> Iterator[int]:
    """The number of the group of every page as it comes; a number that was not there before is a new group."""
    known: dict[str, list[Representative]] = {}
    groups = 0
    for number, page in enumerate(pages):
        paths = prune(page).paths(ids=options.ids)
        candidates = known.setdefault(site_of(page.url), [])
        found = match(candidates, paths, options)
        if found is None:
            found = Representative(number, groups, paths)
            candidates.append(found)
            groups += 1
        yield found.group


def match(candidates: Iterable[Representative], paths: Hashes, options: Options) -> Representative | None:
    """The representative that is most like these paths, the first of equals; None if none is enough alike."""
    best, similarity = None, options.min_similarity
    for candidate in candidates:
        found = 1 - bags.for_pair(paths, candidate.paths, bags.missing)
        if found > similarity:
            best, similarity = candidate, found
    return best


def prune(page: Page) -> PrunedPage:
    """The elements of a page that a reader may see."""
    nodes = page.nodes
    kept = nodes.elements & ~nodes.inside(nodes.named(*DROPPED_NAMES))
    node = np.flatnonzero(kept)
    number = np.full(len(nodes), -1, dtype=np.int64)
    number[node] = np.arange(len(node))
    end = np.concatenate(([0], np.cumsum(kept)))[nodes.end[node]]
    parent = number[nodes.nearest(kept)[nodes.parent[node]]]
    elements = ElementTree(name_codes(page, node), parent, tree.depths(end), end)
    own_names = {int(element): page.name(int(node[element])) for element in np.flatnonzero(~is_known(elements.tag))}
    return PrunedPage(elements, node, page.attribute(node, "id"), own_names)


def site_of(url: str | None) -> str:
    """The registered domain of an address, as far as it can be told without a list of all registries.

    >>> site_of("https://news.example.co.uk/a"), site_of("http://www.example.org:80/"), site_of(None)
    ('example.co.uk', 'example.org', '')
    """
    host = urls.host(url).rstrip(".")
    labels = host.split(".")
    if labels[-1].isdigit() or ":" in host:
        return host
    has_long_suffix = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SHARED_SUFFIXES
    return ".".join(labels[-3:] if has_long_suffix else labels[-2:])


def _hash(value: str) -> int:
    """The same in every process, unlike the built-in one."""
    return 1 + zlib.crc32(value.encode("utf-8", "surrogatepass"))
