"""From what a method says of text nodes to spans and reasons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import Bools, Ints


def kept_spans(page: Page, kept: Bools) -> tuple[Span, ...]:
    """Spans of the visible texts among the marked nodes; a block of which only white space is left has none."""
    leaves = page.blocks.leaves
    leaves = leaves[kept[leaves]]
    run = page.flow.run[leaves]
    is_filled = np.bincount(run, weights=page.flow.characters[leaves]) > 0
    return page.text_spans(leaves[is_filled[run]])


def block_reasons(page: Page, numbers: Ints, reasons: Sequence[str]) -> tuple[str, ...]:
    """A reason for each block of the page, given the number of one for each text; the lowest in a block counts."""
    leaves, first = page.blocks.leaves, page.blocks.first_leaf[:-1]
    if not len(first):
        return ()
    numbers = np.where(page.flow.characters[leaves] > 0, numbers[leaves], len(reasons))
    return tuple(reasons[number] for number in np.minimum.reduceat(numbers, first).tolist())
