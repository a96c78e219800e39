"""Candidate regions of a page and what can be said of each: the numbers that ``mesh`` decides on.

What a reader sees are *pieces*: runs of text and pictures, in document order. Every element holds a range of pieces;
elements with the same range are one candidate, so that wrappers around wrappers do not count. Candidates form a tree
whose leaves are single pieces.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Boxes
from tamis.page.model import LINK, Page
from tamis.page.text import Bools, Floats, Ints

_LEAST_PICTURE = 64.0  # square pixels: smaller ones are spacers and counters; ours, not swept
_CONTROLS = ("input", "select", "textarea", "button")  # seen like pictures, unless there is text on them
_BOLD = 600  # font weight


@dataclass(frozen=True, eq=False)
class VisiblePieces:
    """Runs of visible text and visible pictures, in document order."""

    node: Ints  # the picture, or the first text of the run
    last_node: Ints  # the picture, or the last text of the run
    rect: Floats
    is_picture: Bools
    characters: Ints
    words: Ints
    link_characters: Ints
    font_size: Floats
    is_bold: Bools
    texts: Ints  # the visible texts of all runs

    def __len__(self) -> int:
        return len(self.node)

    def nodes(self, piece: int) -> tuple[int, ...]:
        """The picture, or the texts of the run."""
        if self.is_picture[piece]:
            return (int(self.node[piece]),)
        first, last = np.searchsorted(self.texts, (self.node[piece], self.last_node[piece] + 1))
        return tuple(self.texts[first:last].tolist())


@dataclass(frozen=True, eq=False)
class Candidates:
    """Ranges of pieces that some element holds, in document order; the first is the whole page."""

    outer: Ints  # outermost element of the range; a piece that shares its element with others stands for itself
    inner: Ints  # innermost one
    parent: Ints  # position in this list; the first is its own
    depth: Ints
    end: Ints  # first candidate after the subtree
    first: Ints  # pieces[first:last]
    last: Ints
    of_node: Ints  # for each node of the page the candidate it belongs to, -1 if it holds nothing

    def __len__(self) -> int:
        return len(self.outer)

    @cached_property
    def levels(self) -> list[Ints]:
        """Candidates of each depth, from the top."""
        order = np.argsort(self.depth, kind="stable")
        bounds = np.searchsorted(self.depth[order], np.arange(int(self.depth.max(initial=-1)) + 2)).tolist()
        return [order[first:last] for first, last in itertools.pairwise(bounds)]

    @cached_property
    def children(self) -> Ints:
        """How many candidates are directly below each."""
        return np.bincount(self.parent[1:], minlength=len(self))


def find_pieces(page: Page, boxes: Boxes) -> VisiblePieces:
    """What a reader sees; text that no box shows is left out."""
    flow = page.flow
    shown = boxes.visible & (boxes.area > 0) & np.isfinite(boxes.rect).all(axis=1)
    lines = np.flatnonzero(shown & (boxes.kind == TEXT) & (flow.characters[boxes.node] > 0))
    lines = lines[np.argsort(boxes.node[lines], kind="stable")]
    pictures = _pictures(page, boxes, boxes.node[lines], shown)
    # A text on several lines has several boxes, and counts once; the texts of a run are one piece.
    first_line = np.flatnonzero(np.diff(boxes.node[lines], prepend=-1))
    texts = boxes.node[lines[first_line]]
    first_text = np.flatnonzero(np.diff(flow.run[texts], prepend=-1))
    piece = np.cumsum(np.diff(flow.run[texts], prepend=-1) != 0) - 1
    runs = len(first_text)
    rect = boxes.rect[pictures]
    if runs:
        starts = first_line[first_text]
        corners = (
            np.minimum.reduceat(boxes.rect[lines, :2], starts),
            np.maximum.reduceat(boxes.rect[lines, 2:], starts),
        )
        rect = np.concatenate((np.concatenate(corners, axis=1), rect))
    node = np.concatenate((texts[first_text], boxes.node[pictures]))
    order = np.argsort(node, kind="stable")

    def total(values: npt.NDArray[Any]) -> Floats:
        of_run = np.bincount(piece, values, runs).astype(np.float64)
        return np.concatenate((of_run, np.zeros(len(pictures))))[order]

    characters, first_box = flow.characters[texts], lines[first_line]
    count = total(characters)
    return VisiblePieces(
        node=node[order],
        last_node=np.concatenate((texts[np.append(first_text, len(texts))[1:] - 1], boxes.node[pictures]))[order],
        rect=rect[order],
        is_picture=order >= runs,
        characters=count.astype(np.int64),
        words=total(flow.words[texts]).astype(np.int64),
        link_characters=total(characters * ((page.nodes.flags[texts] & LINK) != 0)).astype(np.int64),
        font_size=total(characters * boxes.font_size[first_box]) / np.maximum(count, 1),
        is_bold=total(characters * (boxes.font_weight[first_box] >= _BOLD)) > count / 2,
        texts=texts,
    )


def _pictures(page: Page, boxes: Boxes, texts: Ints, shown: Bools) -> Ints:
    """Boxes of visible pictures, one each; one that holds text or another picture is seen by what it holds."""
    is_picture = (boxes.kind == IMAGE) | ((boxes.kind == ELEMENT) & page.nodes.named(*_CONTROLS)[boxes.node])
    pictures = np.flatnonzero(shown & is_picture & (boxes.area >= _LEAST_PICTURE))
    node, first = np.unique(boxes.node[pictures], return_index=True)
    seen = np.zeros(len(page.nodes) + 1, dtype=np.int64)
    seen[node + 1], seen[texts + 1] = 1, 1
    seen = np.cumsum(seen)
    return np.asarray(pictures[first[seen[page.nodes.end[node]] - seen[node] == 1]])


def find_candidates(page: Page, pieces: VisiblePieces) -> Candidates:
    """The ranges of pieces that elements hold, and every piece by itself."""
    nodes, count = page.nodes, len(page.nodes)
    begun = np.zeros(count + 1, dtype=np.int64)
    begun[pieces.node + 1] = 1
    begun = np.cumsum(begun)
    first, last = begun[:-1], begun[nodes.end]
    # An element that begins or ends in the middle of a run is none: a piece is not divided.
    change = np.zeros(count + 2, dtype=np.int64)
    np.add.at(change, pieces.node + 1, 1)
    np.subtract.at(change, pieces.last_node + 1, 1)
    divided = np.cumsum(change)
    holds = (last > first) & nodes.elements & (divided[:count] == 0) & (divided[nodes.end] == 0)
    holds[:1] = True
    holder = nodes.nearest(holds)
    above = holder[np.maximum(nodes.parent, 0)]
    is_outer = holds & ((first != first[above]) | (last != last[above]))
    is_outer[:1] = True
    is_outer[pieces.node[(last - first)[holder[pieces.node]] > 1]] = True
    outer = np.flatnonzero(is_outer)
    position = np.cumsum(is_outer) - 1
    of_node = np.where(holds | is_outer, position[nodes.nearest(is_outer)], -1)
    inner = outer.copy()
    np.maximum.at(inner, of_node[holds], np.flatnonzero(holds))
    end = position[nodes.end[outer] - 1] + 1
    return Candidates(
        outer=outer,
        inner=inner,
        parent=of_node[above[outer]],
        depth=_depths(end),
        end=end,
        first=first[outer],
        last=last[outer],
        of_node=of_node,
    )


def candidate_rects(pieces: VisiblePieces, candidates: Candidates) -> Floats:
    """The smallest rectangle around the pieces of each candidate."""
    rect = np.empty((len(candidates), 4))
    rect[:, :2], rect[:, 2:] = np.inf, -np.inf
    single = np.flatnonzero(candidates.last - candidates.first == 1)
    rect[single] = pieces.rect[candidates.first[single]]
    for level in reversed(candidates.levels[1:]):
        np.minimum.at(rect[:, :2], candidates.parent[level], rect[level, :2])
        np.maximum.at(rect[:, 2:], candidates.parent[level], rect[level, 2:])
    return np.where(np.isfinite(rect), rect, 0.0)


def _depths(end: Ints) -> Ints:
    change = np.ones(len(end) + 1, dtype=np.int64)
    np.subtract.at(change, end, 1)
    return np.asarray(np.cumsum(change[:-1]) - 1)
