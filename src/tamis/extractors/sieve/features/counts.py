"""What is counted of blocks, as prefix sums: the sum over any range of blocks is a difference of two entries."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import numpy as np

from tamis.page.html import HEADINGS, mask
from tamis.page.model import Page
from tamis.page.text import Floats, Ints

ITEMS = ("li", "dt", "dd", "option")
TEXT_WORDS = 10  # a block of so many words, few of them in links, is running text; ours, not swept
TEXT_LINK_DENSITY = 0.5


class Counts:
    """What is counted of each block, and sums over ranges of blocks."""

    def __init__(self, page: Page) -> None:
        blocks, nodes = page.blocks, page.nodes
        self.size = len(blocks)
        self.tag = nodes.tag[blocks.node]
        self.words = blocks.words.astype(np.float64)
        self.links = blocks.link_words / np.maximum(blocks.words, 1)
        self.ends, self.commas, self.digits, self.capitals = _characters(page)
        first_leaf = blocks.leaves[blocks.first_leaf[:-1]]
        self.tags = np.diff(first_leaf, append=len(nodes)).astype(np.float64)
        self.is_text = (blocks.words >= TEXT_WORDS) & (self.links < TEXT_LINK_DENSITY)
        rows = {
            "blocks": np.ones(self.size),
            "words": self.words,
            "link_words": blocks.link_words,
            "characters": blocks.characters,
            "text_words": self.words * self.is_text,
            "ends": self.ends,
            "commas": self.commas,
            "headings": mask(*HEADINGS)[self.tag],
            "items": mask(*ITEMS)[self.tag],
            "tags": self.tags,
        }
        self.sums = {name: np.concatenate(([0.0], np.cumsum(row, dtype=np.float64))) for name, row in rows.items()}
        self.page = {name: float(sums[-1]) for name, sums in self.sums.items()}

    def over(self, first: Ints, last: Ints) -> Mapping[str, Floats]:
        """Sums over ranges of blocks, by the name of what is counted."""
        return {name: sums[last] - sums[first] for name, sums in self.sums.items()}


@functools.cache
def character_table() -> Ints:
    """For each character below U+10000 which of four counters it moves, packed into one number."""
    table = np.zeros(0x10000, dtype=np.int64)
    for position, characters in enumerate((".!?;:…。！？；：।؟", ",،、，")):
        table[[ord(character) for character in characters]] = 1 << 16 * position
    for code in [*range(0x2000), *range(0xFF00, 0xFF60)]:
        if chr(code).isdigit():
            table[code] = 1 << 32
        elif chr(code).isupper():
            table[code] = 1 << 48
    return table


def _characters(page: Page) -> tuple[Floats, Floats, Floats, Floats]:
    """Sentence ends, commas, digits and capitals of each block."""
    text, blocks, nodes = page.text, page.blocks, page.nodes
    table = character_table()
    if text.isascii():
        moves = np.take(table, np.frombuffer(text.encode("ascii"), dtype=np.uint8))
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
        moves = np.take(table, np.minimum(codes, 0xFFFF))
    sums = np.zeros(len(text) + 1, dtype=np.int64)
    np.cumsum(moves, out=sums[1:])
    packed = sums[nodes.text_end[blocks.leaves]] - sums[nodes.text_start[blocks.leaves]]
    packed = np.add.reduceat(packed, blocks.first_leaf[:-1])
    return (
        (packed & 0xFFFF).astype(np.float64),
        (packed >> 16 & 0xFFFF).astype(np.float64),
        (packed >> 32 & 0xFFFF).astype(np.float64),
        (packed >> 48 & 0xFFFF).astype(np.float64),
    )
