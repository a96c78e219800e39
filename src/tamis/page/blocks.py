"""Blocks: maximal inline runs of visible text, with the counts that methods decide on.

A run is interrupted by the start and the end of every element that is not inline, and by two ``br`` with nothing
between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tamis.page._reference import FlowArrays, grouped
from tamis.page.html import HEADINGS, INLINE_NAMES, PSEUDO_NAMES, TAG_CODES, mask
from tamis.page.kernel import kernel
from tamis.page.model import PREFORMATTED, Page
from tamis.page.spans import Span, as_arrays
from tamis.page.text import Bools, Floats, Ints, collapse

INTERRUPTING = ~mask(*INLINE_NAMES, *(name for name in PSEUDO_NAMES if name != "#other"))
# Elements of their own kind, and buttons, stand in the line where only words can stand around them.
_PERHAPS_INLINE_NAMES = ("#other", "button")
_PERHAPS_INLINE = mask(*_PERHAPS_INLINE_NAMES)
_LINE_HOLDERS = mask(*HEADINGS, "mjx-container", "p")
_ENDS_LINE = INTERRUPTING & ~_PERHAPS_INLINE | _LINE_HOLDERS
_INLINE = TAG_CODES["span"]
LINE_TABLES = (_PERHAPS_INLINE, _ENDS_LINE, _LINE_HOLDERS, _INLINE)
"""What ``line_tags`` asks of tag codes."""


@dataclass(frozen=True, eq=False)
class Flow:
    """Paragraph and line of each node: texts of one run form one paragraph, ``br`` begins a new line in it."""

    run: Ints
    line: Ints
    words: Ints  # words that begin in a node's own text, if it is visible
    characters: Ints  # the same for characters that are no white space
    tag: npt.NDArray[np.uint8]  # tag codes in which what a browser shows in a line, contrary to its name, is inline

    @cached_property
    def seen(self) -> Ints:
        """How many characters stand before each node, and before the end of the page."""
        before: Ints = np.zeros(len(self.characters) + 1, dtype=np.int64)
        np.cumsum(self.characters, out=before[1:])
        before.setflags(write=False)
        return before


@dataclass(frozen=True, eq=False)
class Blocks:
    """Maximal inline runs of visible text; entry by entry a ``Block``."""

    page: Page
    node: Ints  # the block-level element that holds the run
    start: Ints
    end: Ints
    words: Ints
    link_words: Ints
    characters: Ints  # without white space
    link_characters: Ints
    leaves: Ints  # the text nodes of all blocks, one after the other
    first_leaf: Ints  # block i owns leaves[first_leaf[i]:first_leaf[i + 1]]

    def __len__(self) -> int:
        return len(self.node)

    def __getitem__(self, index: int) -> Block:
        position = range(len(self))[index]
        return Block(self, position)

    def __iter__(self) -> Iterator[Block]:
        return (Block(self, position) for position in range(len(self)))


@dataclass(frozen=True)
class Block:
    """One block, read from the arrays."""

    blocks: Blocks
    index: int

    @property
    def node(self) -> int:
        """The block-level element that contains it."""
        return int(self.blocks.node[self.index])

    @property
    def span(self) -> Span:
        """From its first to its last character; hidden text in between belongs to no block."""
        return Span(int(self.blocks.start[self.index]), int(self.blocks.end[self.index]))

    @property
    def leaves(self) -> list[int]:
        """Its text nodes."""
        first, last = self.blocks.first_leaf[self.index : self.index + 2].tolist()
        leaves: list[int] = self.blocks.leaves[first:last].tolist()
        return leaves

    @property
    def words(self) -> int:
        """How many words it has."""
        return int(self.blocks.words[self.index])

    @property
    def link_words(self) -> int:
        """How many of them are in links."""
        return int(self.blocks.link_words[self.index])

    @property
    def text(self) -> str:
        """As a reader sees it: white space collapsed unless preformatted, ``br`` as a line break."""
        page, leaves = self.blocks.page, self.leaves
        pieces = [page.node_text(leaf) for leaf in leaves]
        return running_text(page, leaves, pieces)


def build_flow(page: Page) -> Flow:
    """Runs, lines, and the words and characters of every visible text node."""
    nodes, tag = page.nodes, _line_tags(page)
    arrays = kernel.flow_arrays(page.text, tag, nodes.flags, nodes.end, nodes.text_start, nodes.text_end, INTERRUPTING)
    return Flow(*arrays, tag)


def build_blocks(page: Page) -> Blocks:
    """The runs that hold more than white space."""
    nodes, flow = page.nodes, page.flow
    arrays = kernel.block_arrays(
        FlowArrays(flow.run, flow.line, flow.words, flow.characters),
        flow.tag,
        nodes.flags,
        nodes.parent,
        nodes.text_start,
        nodes.text_end,
        INTERRUPTING,
    )
    # A copy, because a page that its own blocks hold would be kept until all memory is searched for such rings.
    return Blocks(page.described(), *arrays)


def kept_lengths(page: Page, spans: tuple[Span, ...]) -> Ints:
    """Characters that lie in some spans, for each text node of ``page.blocks.leaves``."""
    nodes = page.nodes
    return kernel.kept_lengths(nodes.text_start, nodes.text_end, page.blocks.leaves, *as_arrays(spans))


def kept_shares(page: Page, spans: tuple[Span, ...]) -> Floats:
    """How much of each block's text lies in some spans, from 0 to 1."""
    nodes, leaves, first = page.nodes, page.blocks.leaves, page.blocks.first_leaf[:-1]
    lengths = nodes.text_end[leaves] - nodes.text_start[leaves]
    return np.divide(grouped(kept_lengths(page, spans), first), grouped(lengths, first))


def block_texts(blocks: Blocks) -> list[str]:
    """The text of every block, as ``Block.text`` says it; most are one stretch of one line, and quick to read."""
    page, first, last = blocks.page, blocks.leaves[blocks.first_leaf[:-1]], blocks.leaves[blocks.first_leaf[1:] - 1]
    lengths = page.nodes.text_end[blocks.leaves] - page.nodes.text_start[blocks.leaves]
    is_stretch = grouped(lengths, blocks.first_leaf[:-1]) == blocks.end - blocks.start
    is_line = page.flow.line[first] == page.flow.line[last]
    is_plain = is_stretch & is_line & ((page.nodes.flags[first] & PREFORMATTED) == 0)
    text = page.text
    ranges = zip(blocks.start.tolist(), blocks.end.tolist(), is_plain.tolist(), strict=True)
    return [
        " ".join(text[start:end].split()) if plain else blocks[number].text
        for number, (start, end, plain) in enumerate(ranges)
    ]


def longest_text(blocks: Blocks, chosen: Bools) -> str:
    """The longest text of the chosen blocks, the first of several; most need not be written for it."""
    page, numbers = blocks.page, chosen.nonzero()[0]
    first, last = blocks.leaves[blocks.first_leaf[numbers]], blocks.leaves[blocks.first_leaf[numbers + 1] - 1]
    # White space is left out of a text, and line ends are put between its lines.
    most = page.nodes.text_end[last] - page.nodes.text_start[first] + page.flow.line[last] - page.flow.line[first]
    longest, found = "", 0
    for shorter, number in sorted(zip((-most).tolist(), numbers.tolist(), strict=True)):
        if -shorter < len(longest):
            break
        text = blocks[number].text
        if (len(text), -number) > (len(longest), -found):
            longest, found = text, number
    return longest


def running_text(page: Page, leaves: Sequence[int], pieces: Sequence[str]) -> str:
    """The text of one run, given its text nodes and what to show of each."""
    lines = page.flow.line[leaves].tolist() if len(leaves) > 1 else [0] * len(leaves)
    if leaves and page.nodes.flags[leaves[0]] & PREFORMATTED:
        parts = []
        for position, piece in enumerate(pieces):
            parts.append("\n" * (lines[position] - lines[position - 1]) + piece if position else piece)
        return "".join(parts).strip("\n").rstrip()
    if not lines or lines[0] == lines[-1]:
        return collapse("".join(pieces))
    shown: dict[int, list[str]] = {}
    for line, piece in zip(lines, pieces, strict=True):
        shown.setdefault(line, []).append(piece)
    return "\n".join(filter(None, (collapse("".join(parts)) for parts in shown.values())))


def _line_tags(page: Page) -> npt.NDArray[np.uint8]:
    """Tag codes in which what a browser shows in a line, contrary to its name, is inline."""
    nodes = page.nodes
    if not nodes.has(*_PERHAPS_INLINE_NAMES):
        return nodes.tag
    tags, has_others = kernel.line_tags(nodes.tag, nodes.flags, nodes.parent, *LINE_TABLES)
    if has_others:
        # GitHub's, wherever they stand; a selector would look at every element for them.
        tags[[node for node in nodes.each("#other") if page.name(node) == "g-emoji"]] = _INLINE
    return tags
