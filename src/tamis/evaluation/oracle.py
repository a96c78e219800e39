"""The best any choice of blocks could score: an upper bound for a segmentation, not a result (Weninger et al. 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.evaluation.measures import Score, from_counts, matched_places
from tamis.evaluation.words import compare_words


class Oracle(NamedTuple):
    """The best choice of blocks and its score."""

    chosen: tuple[int, ...]
    score: Score


def best_choice(blocks: Sequence[str], gold: str) -> Oracle:
    """The choice of blocks with the largest F1, given the text of each block in page order.

    The words of all blocks are aligned with the gold text once, in order; a block is then worth its matched words and
    costs its length. F1 is largest for the blocks with the largest share of matched words, down to some share.

    >>> best_choice(["Home News", "The text itself.", "Share this"], "The text itself")
    Oracle(chosen=(1,), score=Score(precision=1.0, recall=1.0, f1=1.0))
    """
    words = [compare_words(block) for block in blocks]
    wanted = compare_words(gold)
    owner = np.repeat(np.arange(len(words)), [len(own) for own in words])
    places = np.array(sorted(matched_places([word for own in words for word in own], wanted)), dtype=np.int64)
    matched = np.bincount(owner[places], minlength=len(words))
    lengths = np.bincount(owner, minlength=len(words))
    order = np.argsort(-matched / np.maximum(lengths, 1), kind="stable")
    order = order[matched[order] > 0]
    overlap, size = np.cumsum(matched[order]), np.cumsum(lengths[order])
    if not len(order):
        return Oracle((), from_counts(0, 0, len(wanted)))
    best = int(np.argmax(overlap / (size + len(wanted))))
    chosen = tuple(sorted(order[: best + 1].tolist()))
    return Oracle(chosen, from_counts(int(overlap[best]), int(size[best]), len(wanted)))
