"""From the parser's tree to arrays: the readable twin of ``_kernel.pyx``.

Everything that a page is made of comes through here. ``read_nodes`` walks over the parser's nodes once and is, with
``attribute_column`` and ``called``, the only code that touches them; all that follows works on arrays and one string.
Each function has a compiled twin with the same name, the same arguments and the same results; change both.
"""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.page import table_contents as table_facts
from tamis.page import tree
from tamis.page._reference_attributes import (
    CARRIED,
    NAME_PARTS,
    STYLING,
    UNASKED,
    Bytes,
    Handle,
    attribute_column,
    called,
    carried,
    carried_values,
    class_column,
    maybe_cells,
)
from tamis.page._reference_source import (
    FORMATTING_NAMES,
    MOST_ALIKE,
    MOST_NODES,
    MOST_OPEN,
    Survey,
    affordable_length,
    has_self_closed_raw,
    occurrences,
    survey,
    without_nuls,
)
from tamis.page.html import CODE_NAMES, TAG_CODES, TEXT
from tamis.page.model import FOREIGN, HIDDEN, INVISIBLE, LINK, PREFORMATTED, UNRENDERED, Page
from tamis.page.spans import Span, as_spans, overlaps
from tamis.page.table_contents import TableContents
from tamis.page.text import SPACE, Bools, Ints, char_classes, word_starts

__all__ = [
    "CARRIED",
    "FORMATTING_NAMES",
    "MOST_ALIKE",
    "MOST_NODES",
    "MOST_OPEN",
    "NAME_PARTS",
    "STYLING",
    "UNASKED",
    "Bytes",
    "Handle",
    "Survey",
    "affordable_length",
    "attribute_column",
    "called",
    "carried",
    "carried_values",
    "class_column",
    "has_self_closed_raw",
    "maybe_cells",
    "occurrences",
    "survey",
    "without_nuls",
]
Int32s = npt.NDArray[np.int32]

_CODE, _OTHER = TAG_CODES["#code"], TAG_CODES["#other"]
_ANCHOR, _BREAK, _HTML, _BODY, _DIALOG = (TAG_CODES[name] for name in ("a", "br", "html", "body", "dialog"))
_CODE_TAGS = frozenset(TAG_CODES[name] for name in CODE_NAMES)
# Elements that may hold a page or a shadow tree, which is then seen.
_HOLDERS = frozenset(TAG_CODES[name] for name in ("template", "iframe", "noframes", "textarea"))
MOST_COUNTED = 255  # attributes of an element, as many as a byte tells
STREAMED = re.compile(r"S:[0-9a-f]+\Z")
"""Names of what React streams to the end of the page, hidden, and scripts put in its place."""
MAYBE_HIDING = re.compile("display|visibility", re.IGNORECASE | re.ASCII)
HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE)
_NOT_LETTERS = re.compile(r"[\W_]+")


class Kinds(NamedTuple):
    """The classes of the parser's nodes, and the tag codes of those that are neither elements nor text."""

    element: type
    text: type
    others: dict[type, int]


class NodeList(NamedTuple):
    """What one walk over the parser's nodes brings back, in document order."""

    handles: list[Handle]  # None for text: a handle takes more room than most texts
    tag: Bytes
    child_counts: Int32s
    own_flags: Bytes  # what is known of a node from itself alone
    text_lengths: Int32s  # 0 for what is no text
    attribute_counts: Bytes  # no more than MOST_COUNTED
    styled: Bytes  # 1 for elements with one of STYLING
    text: str  # of all text nodes together
    most_attributes: int
    is_cut: bool


class NodeArrays(NamedTuple):
    """The tree; see ``Nodes``."""

    parent: Ints
    depth: Ints
    end: Ints
    text_start: Ints
    text_end: Ints
    flags: Bytes
    is_capped: bool  # some nodes were deeper than the limit


class FlowArrays(NamedTuple):
    """Runs and lines; see ``Flow``."""

    run: Ints
    line: Ints
    words: Ints
    characters: Ints


class BlockArrays(NamedTuple):
    """Blocks; see ``Blocks``."""

    node: Ints
    start: Ints
    end: Ints
    words: Ints
    link_words: Ints
    characters: Ints
    link_characters: Ints
    leaves: Ints
    first_leaf: Ints


def read_nodes(document: Handle, stylish: list[Handle], kinds: Kinds, flags_of_tags: Bytes, max_nodes: int) -> NodeList:
    """Walk over the tree; ``stylish`` are its elements with one of STYLING, which may hide themselves.

    Flags of a node come from its tag, with these exceptions: an anchor without an address is no link; what holds a
    page or a shadow tree shows it; ``html`` and ``body`` hide themselves only until scripts have run.
    """
    handles: list[Handle] = []
    is_cut = False
    tags, flags, attribute_counts, styled, texts = bytearray(), bytearray(), bytearray(), bytearray(), []
    child_counts: list[int] = []
    lengths: list[int] = []
    most_attributes = code = 0
    may_hide = set(map(id, stylish))
    by_tag = flags_of_tags.tolist()
    for handle in itertools.chain((document,), document.descendants):
        if len(handles) == max_nodes:
            is_cut = True
            break
        kind, before, count, length, attributes = type(handle), code, 0, 0, 0
        if kind is kinds.text:
            code = _CODE if before in _CODE_TAGS and child_counts[-1] else TEXT  # after an empty script comes text
        elif kind is kinds.element:
            code, count = TAG_CODES[handle.tag], len(handle)
        else:
            code, count = kinds.others[kind], len(handle)
        own = by_tag[code]
        if code == TEXT:
            data = handle.data
            texts.append(data)
            length = len(data)
        elif kind is kinds.element:
            attributes = len(handle.attrs)
            most_attributes = max(most_attributes, attributes)
            if code == _ANCHOR and "href" not in handle.attrs:
                own = 0
            if code in _HOLDERS and handle.attr("shadowrootmode") is not None:
                own &= ~(UNRENDERED | PREFORMATTED)
            if (code == _DIALOG and handle.attr("open") is None) or (id(handle) in may_hide and _hides(handle)):
                own |= HIDDEN
            if code in (_HTML, _BODY):
                own = 0
                if code == _HTML and before in _HOLDERS:
                    flags[-1] &= ~(UNRENDERED | PREFORMATTED)
        handles.append(None if kind is kinds.text else handle)
        tags.append(code)
        flags.append(own)
        attribute_counts.append(min(attributes, MOST_COUNTED))
        styled.append(id(handle) in may_hide)
        child_counts.append(count)
        lengths.append(length)
    return NodeList(
        handles=handles,
        tag=np.frombuffer(tags, dtype=np.uint8),
        child_counts=np.array(child_counts, dtype=np.int32),
        own_flags=np.frombuffer(flags, dtype=np.uint8),
        text_lengths=np.array(lengths, dtype=np.int32),
        attribute_counts=np.frombuffer(attribute_counts, dtype=np.uint8),
        styled=np.frombuffer(styled, dtype=np.uint8),
        text="".join(texts),
        most_attributes=most_attributes,
        is_cut=is_cut,
    )


def _hides(handle: Handle) -> bool:
    """Whether an element that says how it is shown hides itself."""
    attribute = handle.attr
    if (attribute("aria-hidden") or "").lower() == "true":
        return True
    if (style := attribute("style")) is not None and MAYBE_HIDING.search(style) and HIDING_STYLE.search(style):
        return True
    return attribute("hidden") is not None and not STREAMED.match(attribute("id") or "")


def node_arrays(child_counts: Int32s, own_flags: Bytes, text_lengths: Int32s, max_depth: int) -> NodeArrays:
    """Parents, subtrees and inherited flags, from the order of the nodes and the number of children of each."""
    end = tree.subtree_ends(child_counts.astype(np.int64))
    depth = tree.depths(end)
    flags = tree.inherited(own_flags, end)
    is_capped = bool(depth.max() > max_depth)
    if is_capped:
        depth, end = tree.cap_depth(depth, end, max_depth)
    offsets = np.concatenate(([0], np.cumsum(text_lengths, dtype=np.int64)))
    return NodeArrays(tree.parents(depth), depth, end, offsets[:-1], offsets[end], flags, is_capped)


def text_sizes(tag: Bytes, flags: Bytes, text_start: Ints, text_end: Ints, is_raw: Bools) -> tuple[int, int]:
    """How many characters can be seen, and how many the largest of some elements holds.

    ``is_raw`` says of every tag code whether such an element is one of them.
    """
    lengths = text_end - text_start
    raw = lengths[is_raw[tag]]
    return int(lengths[_visible_texts(tag, flags)].sum()), int(raw.max(initial=0))


def line_tags(
    tag: Bytes, flags: Bytes, parent: Ints, perhaps_inline: Bools, ends_line: Bools, holds_line: Bools, inline: int
) -> tuple[Bytes, bool]:
    """Tag codes, another one for elements that may stand in a line and whose nearest block holds nothing but lines.

    The tables over tag codes say which elements may, which begin or end a line, and which of these hold only lines.
    Nothing inside pictures and formulas ends a line. Also says whether there are elements of their own kind elsewhere;
    without any that may stand in a line, the codes are those of the page.
    """
    places = np.flatnonzero(perhaps_inline[tag] & ((flags & FOREIGN) == 0))
    if not len(places):
        return tag, False
    holder = tree.nearest(ends_line[tag], parent)[parent[places]]
    tags = tag.copy()
    tags[places[holds_line[tag[holder]]]] = inline
    return tags, bool((tag[places] == _OTHER).any())


def flow_arrays(
    text: str, tag: Bytes, flags: Bytes, end: Ints, text_start: Ints, text_end: Ints, interrupts: Bools
) -> FlowArrays:
    """Runs, lines, and the words and characters of every visible text node.

    ``interrupts`` says of every tag code whether such an element ends a run.
    """
    count = len(tag)
    leaves = _visible_texts(tag, flags)
    starts, ends = text_start[leaves], text_end[leaves]
    lengths = ends - starts
    stream_ends = np.cumsum(lengths)
    pieces = [text[start:stop] for start, stop in zip(starts.tolist(), ends.tolist(), strict=True)]
    classes = char_classes("".join(pieces))

    characters = np.zeros(count, dtype=np.int64)
    characters[leaves] = lengths - _counts(classes == SPACE, stream_ends)

    interrupting = interrupts[tag] & ((flags & FOREIGN) == 0)
    borders = np.zeros(count + 1, dtype=np.bool_)
    borders[:-1] = interrupting
    borders[end[interrupting]] = True
    breaks = np.flatnonzero(tag == _BREAK)
    before = np.cumsum(characters)[breaks]
    borders[breaks[1:][before[1:] == before[:-1]]] = True  # the second of two with no character between them

    run = np.cumsum(borders[:-1], dtype=np.int64)
    borders[breaks] = True
    line = np.cumsum(borders[:-1], dtype=np.int64)

    words = np.zeros(count, dtype=np.int64)
    new_line = np.append(True, line[leaves[1:]] > line[leaves[:-1]])[: len(leaves)]
    words[leaves] = _counts(word_starts(classes, (stream_ends - lengths)[new_line]), stream_ends)
    return FlowArrays(run, line, words, characters)


def block_arrays(
    flow: FlowArrays, tag: Bytes, flags: Bytes, parent: Ints, text_start: Ints, text_end: Ints, interrupts: Bools
) -> BlockArrays:
    """The runs that hold more than white space, each with the nearest element above it that ends a run."""
    leaves = _visible_texts(tag, flags)
    run = flow.run[leaves]
    filled_runs = np.bincount(run, weights=flow.characters[leaves], minlength=1) > 0
    leaves = leaves[filled_runs[run]] if len(leaves) else leaves
    first = np.flatnonzero(np.diff(flow.run[leaves], prepend=-1))
    first_leaf = np.append(first, len(leaves))
    last = first_leaf[1:] - 1
    in_link = (flags[leaves] & LINK) != 0
    words, characters = flow.words[leaves], flow.characters[leaves]
    interrupting = interrupts[tag] & ((flags & FOREIGN) == 0)
    return BlockArrays(
        node=tree.nearest(interrupting, parent)[leaves[first]],
        start=text_start[leaves[first]],
        end=text_end[leaves[last]],
        words=grouped(words, first),
        link_words=grouped(words * in_link, first),
        characters=grouped(characters, first),
        link_characters=grouped(characters * in_link, first),
        leaves=leaves,
        first_leaf=first_leaf,
    )


def filled_spans(
    run: Ints, characters: Ints, tag: Bytes, flags: Bytes, text_start: Ints, text_end: Ints
) -> tuple[Span, ...]:
    """The visible text of the runs that hold more than white space; that of blocks, without what they count."""
    texts = _visible_texts(tag, flags)
    run = run[texts]
    filled_runs = np.bincount(run, weights=characters[texts], minlength=1) > 0
    starts, ends = text_start[texts], text_end[texts]
    chosen = filled_runs[run] & (ends > starts)
    starts, ends = starts[chosen], ends[chosen]
    gaps = starts[1:] > ends[:-1]
    first, last = np.append(True, gaps)[: len(starts)], np.append(gaps, True)[: len(starts)]
    return as_spans(starts[first], ends[last])


def revealed_flags(tag: Bytes, flags: Bytes, parent: Ints, end: Ints, is_block: Bools) -> Bytes | None:
    """The flags with the hidden subtrees shown that hold a block; None if there is none.

    ``is_block`` says of every tag code whether such an element is a block.
    """
    is_hidden = (flags & HIDDEN) != 0
    if not is_hidden.any():
        return None
    blocks_before = np.concatenate(([0], np.cumsum(is_block[tag])))
    is_root = is_hidden & ~is_hidden[parent] & (blocks_before[end] > blocks_before[:-1])
    if not is_root.any():
        return None
    shown: Bytes = flags & ~(tree.inside(is_root, end) * np.uint8(HIDDEN))
    return shown


def node_numbers(handles: list[Handle], chosen: list[Handle]) -> list[int]:
    """The numbers of some elements, which come in document order; those beyond the last node are left out."""
    places = {id(handle): place for place, handle in enumerate(handles)}
    return [places[id(handle)] for handle in chosen if id(handle) in places]


def nearest(marked: Bools, parent: Ints) -> Ints:
    """For each node the nearest marked one among itself and its ancestors; 0 where there is none."""
    return tree.nearest(marked, parent)


def inside(marked: Bools, end: Ints) -> Bools:
    """True for marked nodes and everything below them."""
    return tree.inside(marked, end)


def totals(values: Ints, end: Ints) -> Ints:
    """Sum of a whole number per node over each subtree."""
    sums = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    return sums[end] - sums[:-1]


def table_contents(
    tag: Bytes, flags: Bytes, parent: Ints, end: Ints, text_start: Ints, text_end: Ints, texts: Ints
) -> tuple[list[TableContents], Ints]:
    """What each table holds that has some of these texts, in document order, and the cells of all of them."""
    return table_facts.table_contents(tag, parent, end, text_end - text_start, (flags & FOREIGN) != 0, texts)


def layout_tables(page: Page, texts: Ints) -> dict[int, bool]:
    """Whether each table that holds some of these texts is mere layout; quicker than to tell all kinds apart."""
    nodes = page.nodes
    tables, cells = table_contents(
        nodes.tag, nodes.flags, nodes.parent, nodes.end, nodes.text_start, nodes.text_end, texts
    )
    roles = table_facts.roles_of(page, tables)
    return {table.node: table_facts.is_layout(page, table, cells, roles.get(table.node, "")) for table in tables}


def folded(text: str) -> str:
    """The text for comparing: letters and digits only, without case, one blank between them."""
    return _NOT_LETTERS.sub(" ", text.casefold()).strip()


def kept_lengths(text_start: Ints, text_end: Ints, leaves: Ints, starts: Ints, ends: Ints) -> Ints:
    """Characters of each text node that lie in some sorted, disjoint ranges."""
    start, end, leaf, _ = overlaps(text_start[leaves], text_end[leaves], starts, ends)
    return np.bincount(leaf, weights=end - start, minlength=len(leaves)).astype(np.int64)


def grouped(values: Ints, first: Ints) -> Ints:
    """Sums of consecutive stretches of an array, given where each begins."""
    return np.add.reduceat(values, first) if len(first) else np.zeros(0, dtype=np.int64)


def _visible_texts(tag: Bytes, flags: Bytes) -> Ints:
    return np.flatnonzero((tag == TEXT) & ((flags & INVISIBLE) == 0))


def _counts(marked: Bools, ends: Ints) -> Ints:
    """How many entries are marked in each of consecutive stretches of an array, given where each ends."""
    return np.diff(np.concatenate(([0], np.cumsum(marked)))[ends], prepend=0)
