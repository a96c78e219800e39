"""From kept spans to pieces, paragraphs and places in lists: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both.
"""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.characters import without_unseen
from tamis.outputs._events import Event
from tamis.outputs._reference_markdown import blocks, cells, inline, items
from tamis.outputs._walk import Plan, Walk, stretches
from tamis.page import spans, tree
from tamis.page.html import TEXT
from tamis.page.model import INVISIBLE, PREFORMATTED
from tamis.page.spans import Span
from tamis.page.text import Bools, Ints, collapse, word_ranges

__all__ = ["blocks", "cells", "inline", "items"]
Bytes = npt.NDArray[np.uint8]
_NUMBERS = re.compile(r"[\d\s.:|]*")
MOST_INDENTS = 20
"""Of lists in lists; deeper ones add none, so that output stays in proportion to the page."""


class CutPieces(NamedTuple):
    """Kept stretches of text nodes in page order; see ``Pieces``."""

    node: Ints
    start: Ints
    end: Ints
    run: Ints
    is_cut: Bools
    is_blank: Bools


class KeptText(NamedTuple):
    """What some spans keep of a page, and what stands around it."""

    starts: Ints  # of the spans, sorted; those that touch are one
    ends: Ints
    pieces: CutPieces  # of the spans
    node: Ints  # the elements that hold a piece, in page order; the document is none
    tag: Bytes  # of these elements
    names: int  # which tags are among them, as ``bits`` says it


class Runs(NamedTuple):
    """Runs of pieces that hold more than white space."""

    start: Ints  # the first text node of each
    first: Ints  # its first piece
    code: list[int]  # numbers of those in which white space counts


class ListPlaces(NamedTuple):
    """Where blocks stand in lists; 0 for those that stand in none."""

    item: Ints
    is_next: Bools  # the block is an item right after another, and both hold nothing else beside other lists
    depth: Ints  # lists between the outermost one and the item


class RowPlaces(NamedTuple):
    """Where blocks stand in tables that are written row by row: what is written before each of those in cells."""

    is_cell: Bools
    lines: Ints  # line ends: 2 where a table begins, 1 where a row does
    tabs: Ints  # and tabs; a block with neither stands in the same cell as the one before it


def kept_text(
    text: str,
    kept: tuple[Span, ...],
    tag: Bytes,
    flags: Bytes,
    parent: Ints,
    subtree_end: Ints,
    text_start: Ints,
    text_end: Ints,
    run: Ints,
) -> KeptText:
    """What spans in any order keep of a page, and the elements around it."""
    starts, ends = spans.union(*spans.as_arrays(kept))
    pieces = cut_pieces(text, starts, ends, None, tag, flags, text_start, text_end, run)
    counts = np.zeros(len(tag) + 1, dtype=np.int64)
    counts[pieces.node + 1] = 1
    before = np.cumsum(counts)
    is_holder = (before[subtree_end] > before[:-1]) & (tag != TEXT)
    is_holder[:1] = False
    found = np.flatnonzero(is_holder)
    names = sum(1 << code for code in set(tag[found].tolist()))
    return KeptText(starts, ends, pieces, found, tag[found], names)


def table_cells(tag: Bytes, parent: Ints, is_cell: Bools) -> tuple[Ints, Ints]:
    """Places of the cells among the nodes of a table, and how many cells of the same row stand before each.

    ``is_cell`` says of every tag code whether such an element is a cell.
    """
    cells = np.flatnonzero(is_cell[tag])
    first = np.flatnonzero(np.diff(parent[cells], prepend=-1))  # of each row
    return cells, np.arange(len(cells)) - np.repeat(first, np.diff(first, append=len(cells)))


def with_words(values: list[str | None], words: frozenset[str]) -> list[int]:
    """Places of the values that have one of some short ASCII words among those that white space separates."""
    return [place for place, value in enumerate(values) if value and not words.isdisjoint(value.split())]


def numbers_alone(text: str, text_start: Ints, text_end: Ints, nodes: Ints) -> Ints:
    """Those of some nodes that hold nothing but numbers and what stands beside these: ``1.``, ``2:``, ``|``."""
    ranges = zip(text_start[nodes].tolist(), text_end[nodes].tolist(), strict=True)
    found = [place for place, (start, end) in enumerate(ranges) if _NUMBERS.fullmatch(text, start, end)]
    return nodes[found]


def links_in_heads(
    text: str,
    node: Ints,
    tag: Bytes,
    subtree_end: Ints,
    text_start: Ints,
    text_end: Ints,
    heads: Bools,
    link: int,
    longest: int,
    openings: str,
) -> list[int]:
    """Those of some elements in page order that are links of so many characters in an element whose tag is a head.

    What holds one of the elements is among them. A link that begins with a letter or digit of ASCII is left out unless
    it begins with one of the openings, two letters each and one behind the other, in any case.
    """
    marked = np.zeros(len(subtree_end), dtype=np.bool_)
    marked[node[heads[tag]]] = True
    links = node[tag == link]
    links = links[tree.inside(marked, subtree_end)[links]]
    links = links[text_end[links] - text_start[links] <= longest]
    pairs = {openings[place : place + 2] for place in range(0, len(openings), 2)}
    first = [text[text_start[own] : text_end[own]].lstrip()[:2] for own in links.tolist()]
    return [
        own
        for own, pair in zip(links.tolist(), first, strict=True)
        if pair.lower() in pairs or not (pair.isascii() and pair[:1].isalnum())
    ]


def cut_pieces(
    text: str,
    starts: Ints,
    ends: Ints,
    clutter: Bools | None,
    tag: Bytes,
    flags: Bytes,
    text_start: Ints,
    text_end: Ints,
    run: Ints,
) -> CutPieces:
    """Sorted spans, cut where text nodes begin and end, without the nodes that are clutter."""
    texts = np.flatnonzero(tag == TEXT)
    if clutter is not None:
        texts = texts[~clutter[texts]]
    start, end, which, _ = spans.overlaps(text_start[texts], text_end[texts], starts, ends)
    node = texts[which]
    is_cut = np.zeros(len(node), dtype=np.bool_)
    # A gap that holds nothing but text that nobody sees is none.
    counts = (flags[texts] & INVISIBLE) == 0
    counts[which] = True  # hidden text that is kept in part is on show
    lengths = (text_end[texts] - text_start[texts]) * counts
    offset = (np.cumsum(lengths) - lengths - text_start[texts])[which]
    is_cut[1:] = ((start + offset)[1:] > (end + offset)[:-1]) & (run[node][1:] == run[node][:-1])
    ranges = zip(start.tolist(), end.tolist(), strict=True)
    is_blank = np.array([text[begin:stop].isspace() for begin, stop in ranges], dtype=np.bool_)
    return CutPieces(node, start, end, run[node], is_cut, is_blank)


def runs(node: Ints, run: Ints, is_blank: Bools, flags: Bytes) -> Runs:
    """The runs of pieces that hold more than white space."""
    first = np.flatnonzero(np.diff(run, prepend=-1))
    first = first[np.isin(run[first], run[~is_blank])]
    return Runs(node[first], first, np.flatnonzero(flags[node[first]] & PREFORMATTED).tolist())


def written(
    text: str,
    node: Ints,
    start: Ints,
    end: Ints,
    run: Ints,
    is_apart: Bools,
    line: Ints,
    first: Ints,
    code: dict[int, str],
    marks: dict[int, str],
    items: ListPlaces | None,
    rows: RowPlaces | None,
    listed: Ints,
) -> str:
    """The runs that begin with some pieces as one text: paragraphs, items of lists as lines, and rows of tables.

    ``line`` is that of every node of the page; between a piece that is apart and the one before it is a blank. ``code``
    are the texts of runs that are written as they are, ``marks`` what stands before items, and ``listed`` the numbers
    of runs that only begin a line.
    """
    blocks = _paragraphs(text, node, start, end, run, is_apart, line, first)
    blocks = [code.get(number, block) for number, block in enumerate(blocks)]
    for number, mark in marks.items():
        blocks[number] = mark + blocks[number].replace("\n", "\n" + " " * len(mark))
    before = ["", *["\n\n"] * len(blocks)][: len(blocks)]
    if items is not None:
        depths = np.clip(items.depth, 0, MOST_INDENTS).tolist()
        for number, (is_next, depth) in enumerate(zip(items.is_next.tolist(), depths, strict=True)):
            before[number] = "\n" if is_next else before[number]
            if number not in code and (rows is None or not rows.is_cell[number]):
                blocks[number] = "  " * depth + blocks[number].replace("\n", "\n" + "  " * depth)
    if rows is not None:
        for number in np.flatnonzero(rows.is_cell).tolist():
            gap = "\n" * (int(rows.lines[number]) if number else 0) + "\t" * int(rows.tabs[number])
            before[number] = gap or " " * (number > 0)
            blocks[number] = blocks[number].replace("\n", " ")
            if number + 1 < len(blocks):  # what follows a table, if it is no cell of it
                before[number + 1] = "\n\n"
    for number in listed.tolist():
        if rows is None or not rows.is_cell[number]:
            before[number] = "\n"
    return "".join(itertools.chain.from_iterable(zip(before, blocks, strict=True)))


def _paragraphs(
    text: str, node: Ints, start: Ints, end: Ints, run: Ints, is_apart: Bools, line: Ints, first: Ints
) -> list[str]:
    """The text of each run, white space reduced to single blanks, with a line end where a new line begins."""
    pieces = [text[begin:stop] for begin, stop in zip(start.tolist(), end.tolist(), strict=True)]
    lines, apart = line[node].tolist(), is_apart.tolist()
    stops = np.searchsorted(run, run[first], side="right")
    found = []
    for begin, stop in zip(first.tolist(), stops.tolist(), strict=True):
        shown: dict[int, list[str]] = {}
        for number in range(begin, stop):
            shown.setdefault(lines[number], []).append(" " * apart[number] + pieces[number])
        found.append("\n".join(filter(None, (collapse("".join(parts)) for parts in shown.values()))))
    return found


def count_words(text: str, node: Ints, start: Ints, end: Ints, run: Ints, is_apart: Bools, line: Ints) -> int:
    """The words of the paragraphs that pieces make, without what is not seen."""
    texts = _paragraphs(text, node, start, end, run, is_apart, line, np.flatnonzero(np.diff(run, prepend=-1)))
    return sum(len(word_ranges(without_unseen(text))[0]) for text in texts)


def list_places(
    starts: Ints, tag: Bytes, parent: Ints, end: Ints, is_list: Bools, is_item: Bools, bare: Ints
) -> ListPlaces:
    """Where the blocks stand that begin with some text nodes.

    The tables over tag codes say which elements are lists and their items; ``bare`` are lists that are none.
    """
    lists = is_list[tag]
    lists[bare] = False
    items = is_item[tag] & lists[parent]
    root = tree.nearest(lists & ~tree.inside(items, end), parent)[starts]
    item = np.where(root > 0, tree.nearest(items, parent)[starts], 0)
    steps = np.bincount(np.flatnonzero(lists), minlength=len(end) + 1)
    steps -= np.bincount(end[lists], minlength=len(end) + 1)
    levels = np.cumsum(steps)[:-1]
    depth = np.maximum(levels[item] - levels[root], 0)
    is_tight = (np.bincount(item, minlength=1)[item] == 1) & (item > 0)
    is_next = np.zeros(len(starts), dtype=np.bool_)
    is_next[1:] = is_tight[1:] & is_tight[:-1] & (root[1:] == root[:-1]) & (item[1:] != item[:-1])
    return ListPlaces(item, is_next, depth)


def described(tag: Bytes, parent: Ints, is_kept: Bools, term: int, description: int) -> Bools:
    """True for descriptions whose term, the last one before them in the same element, is kept."""
    found = np.zeros(len(tag), dtype=np.bool_)
    terms: dict[int, int] = {}  # for an element, the last term in it
    for node in np.flatnonzero((tag == term) | (tag == description)).tolist():
        if tag[node] == term:
            terms[int(parent[node])] = node
        else:
            last = terms.get(int(parent[node]))
            found[node] = last is not None and is_kept[last]
    return found


def row_places(starts: Ints, column: Ints, is_table: Bools, parent: Ints) -> RowPlaces:
    """Where the blocks stand that begin with some text nodes; ``column`` is that of each node that is a cell, or -1."""
    cells, tables = tree.nearest(column >= 0, parent)[starts], tree.nearest(is_table, parent)[starts]
    is_cell = column[cells] >= 0
    columns, rows = np.where(is_cell, column[cells], 0), parent[cells]
    goes_on = np.zeros((3, len(starts)), dtype=np.bool_)  # with the table, the row, the cell of the block before
    goes_on[0, 1:] = is_cell[1:] & is_cell[:-1] & (tables[1:] == tables[:-1])
    goes_on[1, 1:] = goes_on[0, 1:] & (rows[1:] == rows[:-1])
    goes_on[2, 1:] = goes_on[0, 1:] & (cells[1:] == cells[:-1])
    in_table, in_row, in_cell = goes_on
    steps = np.maximum(np.diff(columns, prepend=0), 1)
    lines = np.where(in_row | in_cell, 0, np.where(in_table, 1, 2)) * is_cell
    tabs = np.where(in_cell, 0, np.where(in_row, steps, columns)) * is_cell
    return RowPlaces(is_cell, lines, tabs)


def beside(texts: Ints, tag: Bytes, subtree_end: Ints, seen: Ints, is_asked: Bools) -> tuple[Ints, Bools, Bools]:
    """The nodes with some tags, and whether one of some sorted text nodes stands right before, or right after, each.

    ``seen`` says for each node how many characters are seen before it: nothing seen is between.
    """
    places = np.flatnonzero(is_asked[tag])
    if not len(texts):
        return places, np.zeros(len(places), dtype=np.bool_), np.zeros(len(places), dtype=np.bool_)
    after = np.searchsorted(texts, places)
    previous, following = texts[np.maximum(after - 1, 0)], texts[np.minimum(after, len(texts) - 1)]
    is_after = (after > 0) & (seen[places] == seen[previous + 1])
    is_before = (after < len(texts)) & (seen[following] == seen[subtree_end[places]])
    return places, is_after, is_before


def media(
    texts: Ints,
    tag: Bytes,
    flags: Bytes,
    parent: Ints,
    subtree_end: Ints,
    characters: Ints,
    is_media: Bools,
    image: int,
    unshown: int,
    judged: frozenset[int] | None,
) -> tuple[list[int], list[int]]:
    """The media that belong to some kept text nodes, and those that would if they stood for a character.

    ``is_media`` says of every tag code whether such an element is one of them, ``image`` is the code of images, and
    ``characters`` are those that are seen in each node. An image belongs to the texts where a method ``judged`` so;
    other media, and all where no method did, if they stand between two kept texts, or beside one and in the element
    that holds all of them. What has one of the flags that are ``unshown`` belongs to none; other media than images
    hide what is in them, and those of the element around them count.
    """
    seen = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(characters)))
    places, is_after, is_before = beside(texts, tag, subtree_end, seen, is_media)
    is_image = tag[places] == image
    is_shown = (flags[np.where(is_image, places, parent[places])] & unshown) == 0
    in_text = (is_after | is_before) & is_shown
    root = _content_root(texts, parent, subtree_end, seen)
    is_chosen = in_text & ((is_after & is_before) | ((places > root) & (places < subtree_end[root])))
    if judged is not None:
        is_judged = np.array([node in judged for node in places.tolist()], dtype=np.bool_)
        is_chosen = np.where(is_image, is_judged & is_shown, is_chosen)
    return places[is_chosen].tolist(), places[in_text & ~is_chosen].tolist()


def _content_root(texts: Ints, parent: Ints, subtree_end: Ints, seen: Ints) -> int:
    """The lowest element that holds all kept texts, or one around it in which nothing else can be seen."""
    node, last = int(parent[texts[0]]), int(texts[-1])
    while node > 0 and subtree_end[node] <= last:
        node = int(parent[node])
    while node > 0:
        above = int(parent[node])
        if seen[subtree_end[above]] - seen[above] > seen[subtree_end[node]] - seen[node]:
            break
        node = above
    return max(node, 0)


def tagged(node: Ints, tag: Bytes, is_asked: Bools) -> Ints:
    """Those of some elements whose tag is asked for."""
    return node[is_asked[tag]]


def meaning(tag: Bytes, flags: Bytes, is_meant: Bools, foreign: int) -> Bools:
    """True for the nodes whose tag means something, but for those in pictures."""
    found: Bools = is_meant[tag] & ((flags & foreign) == 0)
    return found


def line_numbers(tag: Bytes, line_break: int, line_starts: Ints) -> Ints:
    """For each node how many lines begin before it, or with it: with a break, and with some other nodes."""
    begins = tag == line_break
    begins[line_starts] = True
    return np.cumsum(begins, dtype=np.int64)


def walked(
    plan: Plan, node: Ints, start: Ints, end: Ints, run: Ints, is_cut: Bools, lines: Ints, things: dict[int, Event]
) -> list[Event]:
    """The events of a walk over kept pieces of text and the elements that are there for their own sake."""
    walk = Walk(plan)
    places = np.array(sorted(things), dtype=np.int64)
    back = places[::-1]
    to_come = list(zip(back.tolist(), plan.page.flow.run[back].tolist(), lines[back].tolist(), strict=True))
    for text in stretches(plan, node, start, end, run, is_cut, lines, places):
        while to_come and to_come[-1][0] < text[0]:
            walk.add_thing(*to_come[-1], things[to_come.pop()[0]])
        walk.add_text(*text)
    while to_come:
        walk.add_thing(*to_come[-1], things[to_come.pop()[0]])
    return walk.finish()
