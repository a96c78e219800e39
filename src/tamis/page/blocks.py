"""Blocks: maximal inline runs of visible text, with the counts that methods decide on.

A run is interrupted by the start and the end of every element that is not inline, and by two ``br`` with nothing
between them. Everything is a cumulative sum over the nodes; no node is visited one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.page.html import INLINE_NAMES, PSEUDO_NAMES, mask
from tamis.page.model import FOREIGN, LINK, PREFORMATTED, Page
from tamis.page.spans import Span, as_arrays, as_spans, overlaps
from tamis.page.text import SPACE, Bools, Floats, Ints, char_classes, collapse, word_starts

_INTERRUPTING = ~mask(*INLINE_NAMES, *(name for name in PSEUDO_NAMES if name != "#other"))
# Elements of their own kind, and buttons, stand in the line where only words can stand around them.
_PERHAPS_INLINE = mask("#other", "button")
_LINE_HOLDERS = mask("h1", "h2", "h3", "h4", "h5", "h6", "p")


@dataclass(frozen=True, eq=False)
class Flow:
    """Paragraph and line of each node: texts of one run form one paragraph, ``br`` begins a new line in it."""

    run: Ints
    line: Ints
    words: Ints  # words that begin in a node's own text, if it is visible
    characters: Ints  # the same for characters that are no white space


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
        """The block-level element that holds it."""
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
    nodes = page.nodes
    count = len(nodes)
    leaves = nodes.visible_texts
    lengths = nodes.text_end[leaves] - nodes.text_start[leaves]
    stream_ends = np.cumsum(lengths)
    classes = char_classes("".join([page.text[start:end] for start, end in as_spans(*page.visible)]))

    characters = np.zeros(count, dtype=np.int64)
    characters[leaves] = lengths - _counts(classes == SPACE, stream_ends)

    interrupting = _interrupting(page)
    borders = np.zeros(count + 1, dtype=np.bool_)
    borders[:-1] = interrupting
    borders[nodes.end[interrupting]] = True
    breaks = np.flatnonzero(nodes.named("br"))
    _add_double_breaks(borders, breaks, characters)

    run = np.cumsum(borders[:-1], dtype=np.int64)
    borders[breaks] = True
    line = np.cumsum(borders[:-1], dtype=np.int64)

    words = np.zeros(count, dtype=np.int64)
    new_line = np.append(True, line[leaves[1:]] > line[leaves[:-1]])[: len(leaves)]
    words[leaves] = _counts(word_starts(classes, (stream_ends - lengths)[new_line]), stream_ends)
    return Flow(run=run, line=line, words=words, characters=characters)


def build_blocks(page: Page) -> Blocks:
    """The runs that hold more than white space."""
    nodes, flow = page.nodes, page.flow
    leaves = nodes.visible_texts
    run = flow.run[leaves]
    filled_runs = np.bincount(run, weights=flow.characters[leaves], minlength=1) > 0
    leaves = leaves[filled_runs[run]] if len(leaves) else leaves
    first = np.flatnonzero(np.diff(flow.run[leaves], prepend=-1))
    first_leaf = np.append(first, len(leaves))
    last = first_leaf[1:] - 1
    in_link = (nodes.flags[leaves] & LINK) != 0
    words, characters = flow.words[leaves], flow.characters[leaves]
    return Blocks(
        page=page,
        node=_holders(page, leaves[first]),
        start=nodes.text_start[leaves[first]],
        end=nodes.text_end[leaves[last]],
        words=_grouped(words, first),
        link_words=_grouped(words * in_link, first),
        characters=_grouped(characters, first),
        link_characters=_grouped(characters * in_link, first),
        leaves=leaves,
        first_leaf=first_leaf,
    )


def kept_lengths(page: Page, spans: tuple[Span, ...]) -> Ints:
    """Characters that lie in some spans, for each text node of ``page.blocks.leaves``."""
    nodes, leaves = page.nodes, page.blocks.leaves
    start, end, leaf, _ = overlaps(nodes.text_start[leaves], nodes.text_end[leaves], *as_arrays(spans))
    return np.bincount(leaf, weights=end - start, minlength=len(leaves)).astype(np.int64)


def kept_shares(page: Page, spans: tuple[Span, ...]) -> Floats:
    """How much of each block's text lies in some spans, from 0 to 1."""
    nodes, leaves, first = page.nodes, page.blocks.leaves, page.blocks.first_leaf[:-1]
    lengths = nodes.text_end[leaves] - nodes.text_start[leaves]
    return np.divide(_grouped(kept_lengths(page, spans), first), _grouped(lengths, first))


def block_texts(blocks: Blocks) -> list[str]:
    """The text of every block, as ``Block.text`` says it; most are one stretch of one line, and quick to read."""
    page, first, last = blocks.page, blocks.leaves[blocks.first_leaf[:-1]], blocks.leaves[blocks.first_leaf[1:] - 1]
    lengths = page.nodes.text_end[blocks.leaves] - page.nodes.text_start[blocks.leaves]
    is_stretch = _grouped(lengths, blocks.first_leaf[:-1]) == blocks.end - blocks.start
    is_line = page.flow.line[first] == page.flow.line[last]
    is_plain = is_stretch & is_line & ((page.nodes.flags[first] & PREFORMATTED) == 0)
    text = page.text
    ranges = zip(blocks.start.tolist(), blocks.end.tolist(), is_plain.tolist(), strict=True)
    return [
        " ".join(text[start:end].split()) if plain else blocks[number].text
        for number, (start, end, plain) in enumerate(ranges)
    ]


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


def _add_double_breaks(borders: Bools, breaks: Ints, characters: Ints) -> None:
    """Mark the second of two ``br`` with no visible character between them."""
    before = np.cumsum(characters)[breaks]
    borders[breaks[1:][before[1:] == before[:-1]]] = True


def _holders(page: Page, leaves: Ints) -> Ints:
    """The nearest ancestor of each text node that is not inline."""
    stops = _interrupting(page)
    return page.nodes.nearest(stops)[leaves]


def _interrupting(page: Page) -> Bools:
    """Elements that begin and end a run: those that are not inline, except where a browser shows them in a line."""
    nodes = page.nodes
    interrupting: Bools = _INTERRUPTING[nodes.tag] & ((nodes.flags & FOREIGN) == 0)
    perhaps_inline = np.flatnonzero(_PERHAPS_INLINE[nodes.tag])
    if len(perhaps_inline):
        in_line = nodes.inside(nodes.named("mjx-container") | _LINE_HOLDERS[nodes.tag])[perhaps_inline]
        is_emoji = [page.name(node) == "g-emoji" for node in perhaps_inline.tolist()]
        interrupting[perhaps_inline[in_line | np.array(is_emoji, dtype=np.bool_)]] = False
    return interrupting


def _counts(marked: Bools, ends: Ints) -> Ints:
    """How many entries are marked in each of consecutive stretches of an array, given where each ends."""
    return np.diff(np.cumsum(marked, dtype=np.int32)[ends - 1], prepend=0)


def _grouped(values: Ints, first: Ints) -> Ints:
    return np.add.reduceat(values, first) if len(first) else np.zeros(0, dtype=np.int64)
