"""WISH: the largest group of siblings with the same structure.

Idea:      search results, products and posts are records: siblings with one name and one structure. Groups of small,
           dissimilar or few records are dropped; the remaining group that covers most of the page is the main content.
Reference: Hong et al. (2010), as described by Zelený (2017), section 3.1.1.
Departs:   our source gives no tolerance and no weights; both are options here. Records are compared with their
           neighbour only, and down to ten levels below them, which keeps the work linear in the page.
Strong at: lists of records: results, products, posts.
Weak at:   articles, whose paragraphs are too small for records: the result is empty or something beside the article;
           records made of several siblings each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import FOREIGN, INVISIBLE, Nodes, Page
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import SHARE, Range, check_ranges
from tamis.results import Extraction

_MAX_LEVELS = 10  # of a record that are compared; what lies deeper is inline markup
_MANY = 1_000_000  # more than any page has nodes, and few enough for sums not to overflow


@dataclass(frozen=True, kw_only=True)
class Options:
    """What makes siblings records, and how the area they cover is measured, in characters."""

    min_records: int = 3  # from the paper
    min_tags: int = 3  # of the largest record, from the paper: smaller ones are advertisements and menu entries
    # The rest was swept on WCXB's lists, products and forums and on forum_harvest (training pages).
    min_similarity: float = 0.3  # swept 0-1: best at 0.25 (lists) to 0.4 (forums), falls steeply from 0.5
    image_characters: int = 100  # swept 0-1000: within 0.03 F1, lists want images, forums do not
    break_characters: int = 10  # swept 0-100: flat
    depth_characters: int = 1  # swept 0-300: within 0.02 F1 up to 100; so small, the deeper of two equals wins

    def __post_init__(self) -> None:
        many = Range(0, _MANY)
        check_ranges(self, min_records=Range(2, _MANY), min_tags=Range(1, _MANY), min_similarity=SHARE)
        check_ranges(self, image_characters=many, break_characters=many, depth_characters=many)


@dataclass(frozen=True, eq=False)
class Regions:
    """Siblings of one name, group by group."""

    records: Ints
    first: Ints  # region i begins at records[first[i]]
    counts: Ints

    def kept(self, chosen: Bools) -> Regions:
        """Some of the regions."""
        counts = self.counts[chosen]
        records = self.records[np.repeat(chosen, self.counts)]
        return Regions(records, np.cumsum(counts) - counts, counts)


def extract(page: Page, options: Options) -> Extraction:
    nodes = page.nodes
    chosen = nodes.marked(locate_records(page, options))
    leaves = page.blocks.leaves
    return Extraction(page=page, spans=page.text_spans(leaves[nodes.inside(chosen)[leaves]]))


def locate_records(page: Page, options: Options) -> Ints:
    """The records of the best region; none if no region passes the filters."""
    nodes = page.nodes
    is_element = nodes.elements & ((nodes.flags & (INVISIBLE | FOREIGN)) == 0)
    regions = _list_regions(nodes, np.flatnonzero(is_element))
    regions = regions.kept(regions.counts >= options.min_records)
    tags = nodes.totals(is_element.astype(np.int64))[regions.records]
    regions = regions.kept(np.maximum.reduceat(tags, regions.first) >= options.min_tags)
    regions = regions.kept(_similarities(nodes, np.flatnonzero(is_element), regions) >= options.min_similarity)
    if not len(regions.first):
        return regions.records
    best = np.argmax(_areas(page, regions, options))
    return regions.kept(np.arange(len(regions.first)) == best).records


def _list_regions(nodes: Nodes, elements: Ints) -> Regions:
    """All groups of siblings with the same name, in document order of their parents; rare names count as one name."""
    kinds = (nodes.parent[elements] << 8) | nodes.tag[elements]
    order = np.argsort(kinds, kind="stable")
    first = np.flatnonzero(np.diff(kinds[order], prepend=-1))
    return Regions(elements[order], first, np.diff(first, append=len(order)))


def _similarities(nodes: Nodes, elements: Ints, regions: Regions) -> Floats:
    """How alike the records of each region are: the mean over neighbours.

    Two records are compared by the number of distinct tags on each level: 1 if it is the same everywhere, 0 if only one
    of them has anything inside.
    """
    records, first = regions.records, regions.first
    is_record = nodes.marked(records)
    fewer, more = np.zeros(len(records)), np.zeros(len(records))
    ancestors = elements
    for _ in range(_MAX_LEVELS):
        ancestors = nodes.parent[ancestors]
        elements, ancestors = elements[ancestors > 0], ancestors[ancestors > 0]
        inner = is_record[ancestors]
        kinds = np.unique((ancestors[inner] << 8) | nodes.tag[elements[inner]])
        distinct = np.bincount(kinds >> 8, minlength=len(nodes))[records]
        neighbours = np.roll(distinct, 1)
        fewer += np.minimum(distinct, neighbours)
        more += np.maximum(distinct, neighbours)
    similarities = np.divide(fewer, more, out=np.ones(len(records)), where=more > 0)
    similarities[first] = 0  # the first record of a region has no neighbour in it
    means: Floats = np.add.reduceat(similarities, first) / (regions.counts - 1)
    return means


def _areas(page: Page, regions: Regions, options: Options) -> Ints:
    """The room each region takes on the page, in characters."""
    nodes = page.nodes
    is_shown = (nodes.flags & INVISIBLE) == 0
    room = page.flow.characters + (nodes.named("img") & is_shown) * options.image_characters
    room += (nodes.named("br", "hr") & is_shown) * options.break_characters
    depths = nodes.depth[regions.records[regions.first]]
    return np.add.reduceat(nodes.totals(room)[regions.records], regions.first) + depths * options.depth_characters
