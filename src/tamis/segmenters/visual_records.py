"""Visual data records: the large block in the middle of the page, split into records that look similar.

Idea:      results, products and posts fill a large block that is centred on the page. Its blocks at the left edge are
           grouped by their look; each block of the most common look begins a record, which ends at the next such block.
           What comes before the first record, and what comes after the last and looks like nothing inside the others,
           is not part of a record.
Reference: Liu et al. (2006), as described by Yunis (2016), section 2.3.
Departs:   blocks are elements that show more than one thing; they replace the blocks of VIPS. Our source gives no
           numbers; those here are options. The look of a block is compared with the last 32 that were met, which keeps
           the work linear in the page.
Strong at: pages of results with one list.
Weak at:   records side by side, in several columns; articles, whose paragraphs are taken for records.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.page.model import LINK, Page
from tamis.page.text import Floats, Ints
from tamis.ranges import NOT_NEGATIVE, SHARE, Range, check_ranges
from tamis.results import Segmentation
from tamis.segmenters._shown import Shown, boxes_of, rects_below, region_of, shown_pieces, whole_page

RECORD = "record"
_TRIES = 8  # regions in which records are looked for, from the lowest up
_LOOKS = 32  # that a block is compared with; a list has far fewer kinds of blocks


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is large, centred, flush left and alike; the numbers are ours, as our source has none."""

    # Of the page. Swept 0.2-0.4 on 81 pages with marked blocks (Kreuzer, training data, rendered), few of them lists:
    # B-cubed F of characters on the deepest blocks is 0.46, 0.47, 0.43. The others are not swept.
    min_area: float = 0.3
    max_offset: float = 0.2  # from the middle of the page to that of the region, of the width of the page
    max_indent: float = 10.0  # pixels from the left edge of most blocks
    min_likeness: float = 0.6  # of two blocks with one look: one of three things may be missing, one of two may not
    min_records: int = 3  # that a list has

    def __post_init__(self) -> None:
        check_ranges(self, min_area=SHARE, max_offset=SHARE, min_likeness=SHARE)
        check_ranges(self, max_indent=NOT_NEGATIVE, min_records=Range(2))


class RecordLook(NamedTuple):
    """What a block looks like: for pictures, texts and links the room they take, and their fonts."""

    room: tuple[float, float, float]
    main_font: tuple[int, int, int]  # the one that takes most of the room; -1 if there is none
    fonts: tuple[int, int, int]  # how many


def segment(page: Page, options: Options) -> Segmentation:
    shown = shown_pieces(page)
    rects = rects_below(page.nodes, shown)
    candidates = data_regions(page, shown, rects, options)
    for node in candidates:
        records = find_records(page, shown, rects, node, options)
        if records:
            parts = [region_of(record, rects[record], RECORD) for record in records]
            region = region_of((node,), rects[node : node + 1], "list", parts)
            return Segmentation(page=page, root=whole_page(page, [region]))
    parts = [region_of((node,), rects[node : node + 1]) for node in candidates[:1]]
    return Segmentation(page=page, root=whole_page(page, parts))


def data_regions(page: Page, shown: Shown, rects: Floats, options: Options) -> list[int]:
    """Blocks that are large and centred, the lowest in the tree first, of equals the largest."""
    nodes, boxes = page.nodes, boxes_of(page)
    if not len(shown):
        return []
    first, last = shown.ranges(nodes)
    filled = np.flatnonzero((last > first) & (np.arange(len(nodes)) > 0))
    children = np.bincount(nodes.parent[filled], minlength=len(nodes))
    blocks = np.flatnonzero(nodes.elements & (children > 1))
    # Text at the left leaves room at the right, so that the element itself says more about where a block lies.
    box = boxes.of_nodes(len(nodes))[blocks]
    own = boxes.rect[np.maximum(box, 0)]
    has_own = (box >= 0) & (own[:, 2:] > own[:, :2]).all(axis=1) & np.isfinite(own).all(axis=1)
    rect = np.where(has_own[:, None], own, rects[blocks])
    area = (rect[:, 2] - rect[:, 0]) * (rect[:, 3] - rect[:, 1])
    offset = np.abs((rect[:, 0] + rect[:, 2]) - boxes.width) / 2
    fits = (area >= options.min_area * boxes.width * boxes.height) & (offset <= options.max_offset * boxes.width)
    order = np.lexsort((blocks, -area, -nodes.depth[blocks]))
    chosen: list[int] = blocks[order[fits[order]]][:_TRIES].tolist()
    return chosen


def find_records(page: Page, shown: Shown, rects: Floats, region: int, options: Options) -> list[list[int]]:
    """The blocks of each record; none if there are too few records."""
    first, last = shown.ranges(page.nodes)
    blocks = np.flatnonzero((page.nodes.parent == region) & (last > first))
    kinds = _kinds(_looks(page, shown, blocks), options.min_likeness)
    left = rects[blocks, 0]
    is_flush = np.abs(left - _left_edge(left, options.max_indent)) <= options.max_indent
    counts = Counter(kind for kind, flush in zip(kinds, is_flush.tolist(), strict=True) if flush)
    start, count = max(counts.items(), key=lambda item: item[1], default=(-1, 0))  # of equals the first
    if count < options.min_records:
        return []
    records: list[list[int]] = []
    inside: set[int] = set()  # looks that follow the first block of a record before the last record
    begins = [place for place, kind in enumerate(kinds) if kind == start and is_flush[place]]
    for place, following in itertools.pairwise(begins):
        records.append(blocks[place:following].tolist())
        inside.update(kinds[place + 1 : following])
    rest = itertools.takewhile(lambda place: kinds[place] in inside, range(begins[-1] + 1, len(blocks)))
    records.append(blocks[[begins[-1], *rest]].tolist())
    return records


def _left_edge(left: Floats, width: float) -> float:
    """The left edge that most blocks have, give or take; of equals the first from the left."""
    edges, counts = np.unique(np.round(left / max(width, 1.0)), return_counts=True)
    return float(edges[np.argmax(counts)] * max(width, 1.0)) if len(edges) else 0.0


def _looks(page: Page, shown: Shown, blocks: Ints) -> list[RecordLook]:
    """The look of each block."""
    boxes = boxes_of(page)
    first, last = (edge[blocks] for edge in shown.ranges(page.nodes))
    owner = np.repeat(np.arange(len(blocks)), last - first)
    piece = np.concatenate([np.arange(0), *map(np.arange, first, last)])
    node, rect = shown.node[piece], shown.rect[piece]
    room = (rect[:, 2] - rect[:, 0]) * (rect[:, 3] - rect[:, 1])
    is_link = (page.nodes.flags[node] & LINK) != 0
    sort = np.where(shown.is_image[piece], 0, np.where(is_link, 2, 1))
    cell = 3 * owner + sort
    rooms = np.bincount(cell, room, minlength=3 * len(blocks)).reshape(-1, 3)

    box = boxes.of_nodes(len(page.nodes))[node]
    looks = np.stack((boxes.font_size[box], boxes.font_weight[box], boxes.italic[box]), axis=1)
    font = np.unique(looks, axis=0, return_inverse=True)[1].reshape(-1)
    pairs, pair = np.unique(np.stack((cell, font), axis=1)[sort > 0], axis=0, return_inverse=True)
    taken = np.bincount(pair.reshape(-1), room[sort > 0], minlength=len(pairs))
    main = np.full(3 * len(blocks), -1, dtype=np.int64)
    order = np.argsort(taken, kind="stable")
    main[pairs[order, 0]] = pairs[order, 1]  # the largest is written last
    fonts = np.bincount(pairs[:, 0], minlength=3 * len(blocks))
    columns = (rooms, main.reshape(-1, 3), fonts.reshape(-1, 3))
    return [RecordLook(*map(tuple, row)) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _kinds(looks: Sequence[RecordLook], min_likeness: float) -> list[int]:
    """A number for each look: that of the first one that is alike enough."""
    met: list[tuple[int, RecordLook]] = []
    kinds: list[int] = []
    for look in looks:
        number = next((number for number, other in met[-_LOOKS:] if likeness(look, other) >= min_likeness), len(met))
        if number == len(met):
            met.append((number, look))
        kinds.append(number)
    return kinds


def likeness(look: RecordLook, other: RecordLook) -> float:
    """How alike two blocks are, from 0 to 1: pictures by their room, texts and links by their fonts.

    >>> row = RecordLook((0.0, 60.0, 40.0), (-1, 0, 1), (0, 1, 1))
    >>> likeness(row, row), likeness(row, RecordLook((0.0, 30.0, 70.0), (-1, 2, 1), (0, 1, 1)))
    (1.0, 0.5)
    """
    shares: list[float] = []
    for sort, (room, others) in enumerate(zip(look.room, other.room, strict=True)):
        if room == others == 0:
            continue
        if sort == 0:
            shares.append(min(room, others) / max(room, others))
        elif look.main_font[sort] != other.main_font[sort]:
            shares.append(0.0)
        else:
            shares.append(min(look.fonts[sort], other.fonts[sort]) / max(look.fonts[sort], other.fonts[sort]))
    return sum(shares) / len(shares)
