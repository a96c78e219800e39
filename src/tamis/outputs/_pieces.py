"""What an extraction keeps: pieces of text nodes, and elements that say something without text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.outputs._code import find_code
from tamis.outputs._holders import Holders, kept_holders, without
from tamis.outputs._marks import find_marks
from tamis.outputs._twin import kernel
from tamis.page.html import mask
from tamis.page.model import FOREIGN, INVISIBLE, Page
from tamis.page.text import Bools, Ints
from tamis.results import Extraction


class Pieces(NamedTuple):
    """Kept stretches of text nodes in page order; each lies in one node."""

    node: Ints
    start: Ints
    end: Ints
    run: Ints
    is_cut: Bools  # the piece before it is in the same run, but apart: what a reader sees between them is dropped
    is_blank: Bools
    code_roots: Ints  # elements that hold code without saying so by their name
    line_starts: Ints  # elements in code that begin a line without a line end before them

    def only(self, chosen: Bools) -> Pieces:
        node, start, end, run = self.node[chosen], self.start[chosen], self.end[chosen], self.run[chosen]
        marks = self.is_cut[chosen], self.is_blank[chosen]
        return Pieces(node, start, end, run, *marks, self.code_roots, self.line_starts)

    @property
    def seen(self) -> Ints:
        """The text nodes of which more than white space is kept."""
        found: Ints = self.node[~self.is_blank]
        return found


def kept_pieces(extraction: Extraction) -> Pieces:
    """The spans of an extraction, cut where text nodes begin and end, without clutter around code and headings."""
    return extraction.shared.once(_kept_pieces, extraction)


def _kept_pieces(extraction: Extraction) -> Pieces:
    holders = kept_holders(extraction)
    code, marks = find_code(holders), find_marks(holders)
    clutter = marks.clutter if code.clutter is None else code.clutter
    if code.clutter is not None and marks.clutter is not None:
        clutter = code.clutter | marks.clutter
    pieces = holders.pieces if clutter is None else without(holders, clutter)
    if len(marks.borders):
        run, is_cut = pieces.run, pieces.is_cut.copy()
        passed = np.searchsorted(marks.borders, pieces.node, side="right")
        is_cut[1:] |= (passed[1:] != passed[:-1]) & (run[1:] == run[:-1])
        pieces = pieces._replace(is_cut=is_cut)
    return Pieces(*pieces, code.roots, code.line_starts)


def textless_elements(holders: Holders, texts: Ints, roles: dict[int, str]) -> Ints:
    """Elements without text that belong to the text nodes that are kept: rules, and empty cells, some by their role."""
    page, has_rows = holders.page, holders.has("tr")
    if not roles and not has_rows and not page.nodes.has("hr"):
        return texts[:0]
    cells = texts[:0]
    if has_rows:
        cells = np.flatnonzero(page.nodes.named("td", "th") & page.nodes.named("tr")[page.nodes.parent])
    if roles:
        said = [node for node, name in roles.items() if name in ("td", "th")]
        cells = np.concatenate((cells, np.array(said, dtype=np.int64)))
    found = np.sort(np.concatenate((_empty_cells(page, texts, cells), _rules(page, texts))))
    visible: Ints = found[(page.nodes.flags[found] & (INVISIBLE | FOREIGN)) == 0]
    return visible


def adjoining(page: Page, texts: Ints, starts: Ints, ends: Ints) -> tuple[Bools, Bools]:
    """Whether a kept text stands right before, and right after, some stretches of nodes: nothing seen is between."""
    after = np.searchsorted(texts, starts)
    characters = page.flow.seen
    has_before, has_after = after > 0, after < len(texts)
    previous, following = texts[np.maximum(after - 1, 0)], texts[np.minimum(after, len(texts) - 1)]
    is_after_kept: Bools = has_before & (characters[starts] == characters[previous + 1])
    is_before_kept: Bools = has_after & (characters[following] == characters[ends])
    return is_after_kept, is_before_kept


def beside(page: Page, texts: Ints, *names: str) -> tuple[Ints, Bools, Bools]:
    """Elements with these names, and whether a kept text stands right before, and right after, each of them."""
    return kernel.beside(texts, page.nodes.tag, page.nodes.end, page.flow.seen, mask(*names))


def _empty_cells(page: Page, texts: Ints, cells: Ints) -> Ints:
    """Cells without text in rows with text: without them the cells after them would change columns."""
    nodes = page.nodes
    if not len(cells):
        return cells
    rows = nodes.parent[cells]
    is_filled_row = np.searchsorted(texts, nodes.end[rows]) > np.searchsorted(texts, rows)
    is_empty = np.searchsorted(texts, nodes.end[cells]) == np.searchsorted(texts, cells)
    chosen: Ints = cells[is_filled_row & is_empty]
    return chosen


def _rules(page: Page, texts: Ints) -> Ints:
    """Every ``hr`` that stands between two kept texts, if nothing visible between these was dropped."""
    if not page.nodes.has("hr") or not len(texts):
        return texts[:0]
    rules, is_after_kept, is_before_kept = beside(page, texts, "hr")
    chosen: Ints = rules[is_after_kept & is_before_kept]
    return chosen
