"""From probabilities to regions: the cut through the tree of candidates that is expected to agree best with people.

Blocks that people mark are subtrees. So two pieces of a page are in one block if the smallest candidate that holds both
is in one; ``together`` is the probability of that, for each candidate. All that B-cubed counts follows from it. If a
candidate ``v`` of size ``n`` becomes a region, then of what a piece in it shares the region with

    precision   is the mean of ``together`` over all pairs of pieces in ``v``, and of what it shares a block with
    recall      is all if the block is smaller than ``v``, and ``n(v) / n(a)`` if it is a candidate ``a`` around ``v``.

Both are sums over the regions, so that the best cut is found from the leaves to the root: keep a candidate whole, or
take the best cuts of its children.
"""

from __future__ import annotations

import numpy as np

from tamis.page.text import Bools, Floats
from tamis.segmenters.mesh.candidates import Candidates, VisiblePieces

_PICTURE_UNIT = 300.0  # square pixels of a picture that count as much as a character
_LARGEST_PICTURE = 100.0  # characters that a picture counts at most


def sizes(pieces: VisiblePieces, candidates: Candidates) -> Floats:
    """How much each candidate counts: its characters, its pictures, and one for each piece."""
    area = (pieces.rect[:, 2] - pieces.rect[:, 0]) * (pieces.rect[:, 3] - pieces.rect[:, 1])
    pictures = np.where(pieces.is_picture, np.minimum(area / _PICTURE_UNIT, _LARGEST_PICTURE), 0.0)
    sums = np.concatenate(([0.0], np.cumsum(pieces.characters + pictures + 1.0)))
    return np.asarray(sums[candidates.last] - sums[candidates.first])


def best_cut(candidates: Candidates, size: Floats, together: Floats, fineness: float) -> Bools:
    """True for candidates that are taken apart; ``fineness`` is the weight of precision against recall."""
    together = _downward_maximum(candidates, together)
    value = size * (
        fineness * _precision(candidates, size, together) + (1 - fineness) * _recall(candidates, size, together)
    )
    apart = np.zeros(len(candidates), dtype=np.bool_)
    best = value.copy()
    below = np.zeros(len(candidates))
    for level in reversed(candidates.levels):
        inner = level[candidates.children[level] > 0]
        apart[inner] = below[inner] > value[inner]
        best[inner] = np.maximum(below[inner], value[inner])
        np.add.at(below, candidates.parent[level], best[level])
    return apart


def regions_of(candidates: Candidates, apart: Bools, inside: Bools | None = None) -> Bools:
    """True for the candidates that a cut leaves whole; with ``inside`` only cuts within these candidates count."""
    reached = np.zeros(len(candidates), dtype=np.bool_)
    if inside is None:
        reached[:1] = True
    else:
        reached |= inside
    for level in candidates.levels[1:]:
        reached[level] |= reached[candidates.parent[level]] & apart[candidates.parent[level]]
    return reached & ~apart


def _downward_maximum(candidates: Candidates, together: Floats) -> Floats:
    """What is in a block is in it with all its parts, and a piece is with itself."""
    together = np.where(candidates.children > 0, together, 1.0)
    for level in candidates.levels[1:]:
        together[level] = np.maximum(together[level], together[candidates.parent[level]])
    return together


def _precision(candidates: Candidates, size: Floats, together: Floats) -> Floats:
    squares = np.bincount(candidates.parent[1:], size[1:] ** 2, len(candidates))
    pairs = together * (size**2 - squares)
    for level in reversed(candidates.levels[1:]):
        np.add.at(pairs, candidates.parent[level], pairs[level])
    return pairs / size**2


def _recall(candidates: Candidates, size: Floats, together: Floats) -> Floats:
    is_block = together.copy()  # the probability that a candidate is the block, and not a part of one
    is_block[1:] -= together[candidates.parent[1:]]
    lost = is_block / size
    for level in candidates.levels[1:]:
        lost[level] += lost[candidates.parent[level]]
    return lost * size + (1 - together)
