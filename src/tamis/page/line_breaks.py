"""Running text broken into lines, when all that is known is how wide each run may be.

Letters are taken for equally wide. A line ends where it is full, in the middle of a word if need be, or at a ``br``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints

CHARACTER = 0.5  # width of a character in font sizes; ours, not swept
LINE = 1.25  # height of a line in font sizes; ours, not swept
_LEAST_WIDTH = 80.0  # pixels, ten letters: narrower columns overflow, so that there are fewer lines than letters


@dataclass(frozen=True, eq=False)
class TextLines:
    """One entry for each text of a run and each line that it touches."""

    block: Ints
    text: Ints  # node
    start: Ints  # range of page.text
    end: Ints
    row: Ints  # which line of the run
    left: Floats  # from the left edge of the run
    width: Floats
    heights: Floats  # of a line of each run
    rows: Ints  # how many lines each run has


def break_lines(page: Page, width: Floats, sizes: Floats) -> TextLines:
    """The lines of all blocks of a page, given the width of each and the font size of each node."""
    nodes, blocks, leaves = page.nodes, page.blocks, page.blocks.leaves
    block = np.repeat(np.arange(len(blocks)), np.diff(blocks.first_leaf))
    room = np.maximum(width, _LEAST_WIDTH)[block]
    # White space is taken for one blank after each word.
    length = (page.flow.characters[leaves] + page.flow.words[leaves]) * sizes[leaves] * CHARACTER
    source_line = page.flow.line[leaves]
    begins = _changes(source_line) | _changes(block)
    offset = within(length, begins)
    first = np.floor(offset / room).astype(np.int64)
    last = np.maximum(np.ceil((offset + length) / room).astype(np.int64) - 1, first)
    before, rows = _rows_before(block, begins, last + 1, len(blocks))

    # A text that touches several lines is repeated for each.
    counts = last - first + 1
    of = np.repeat(np.arange(len(leaves)), counts)
    turn = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    line_start = (first[of] + turn) * room[of]
    left = np.maximum(line_start, offset[of])
    right = np.minimum(line_start + room[of], offset[of] + length[of])
    start, end = nodes.text_start[leaves[of]], nodes.text_end[leaves[of]]
    share = (left - offset[of]) / np.maximum(length[of], 1.0)
    cut = start + (share * (end - start)).astype(np.int64)
    is_last = turn == counts[of] - 1
    heights = np.zeros(len(blocks))
    np.maximum.at(heights, block, sizes[leaves] * LINE)
    return TextLines(
        block=block[of],
        text=leaves[of],
        start=cut,
        end=np.where(is_last, end, np.append(cut[1:], 0)),
        row=before[of] + first[of] + turn,
        left=left - line_start,
        width=np.maximum(right - left, 0.0),
        heights=heights,
        rows=rows,
    )


def within(values: Floats, begins: Bools) -> Floats:
    """The sum of the values before each one since the last beginning.

    >>> within(np.array([1.0, 2.0, 4.0, 8.0]), np.array([True, False, True, False])).tolist()
    [0.0, 1.0, 0.0, 4.0]
    """
    sums = np.cumsum(values) - values
    return np.asarray(sums - sums[np.maximum.accumulate(np.where(begins, np.arange(len(values)), 0))])


def _changes(values: Ints) -> Bools:
    """True where a value differs from the one before."""
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _rows_before(block: Ints, begins: Bools, needed: Ints, blocks: int) -> tuple[Ints, Ints]:
    """For each text the lines of its block before the ``br`` it follows; for each block all lines."""
    number = np.cumsum(begins) - 1
    rows = np.zeros(int(begins.sum()), dtype=np.int64)
    np.maximum.at(rows, number, needed)
    owner = block[begins]
    before = within(rows.astype(np.float64), _changes(owner)).astype(np.int64)
    return before[number], np.bincount(owner, rows, blocks).astype(np.int64)
