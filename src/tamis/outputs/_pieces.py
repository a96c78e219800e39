"""What an extraction keeps: pieces of text nodes, and elements that say something without text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import FOREIGN, INVISIBLE, Page
from tamis.page.results import Extraction
from tamis.page.spans import as_arrays, overlaps, union
from tamis.page.text import Bools, Ints


@dataclass(frozen=True, eq=False)
class Pieces:
    """Kept stretches of text nodes in page order; each lies in one node."""

    node: Ints
    start: Ints
    end: Ints
    run: Ints
    is_cut: Bools  # the piece before it is in the same run, and text that a reader sees between them is dropped


def kept_pieces(extraction: Extraction) -> Pieces:
    """The spans of an extraction, cut where text nodes begin and end."""
    page = extraction.page
    nodes, texts = page.nodes, page.nodes.texts
    spans = union(*as_arrays(extraction.spans))
    start, end, text, _ = overlaps(nodes.text_start[texts], nodes.text_end[texts], *spans)
    node = texts[text]
    run = page.flow.run[node]
    is_cut = np.zeros(len(node), dtype=np.bool_)
    is_cut[1:] = (start[1:] > end[:-1]) & (run[1:] == run[:-1])
    if is_cut.any():
        is_cut[1:] &= _drops_visible_text(page, text, start, end)
    return Pieces(node=node, start=start, end=end, run=run, is_cut=is_cut)


def textless_elements(page: Page, texts: Ints) -> Ints:
    """Elements without text that belong to the text nodes that are kept: rules and empty cells."""
    found = np.sort(np.concatenate((_empty_cells(page, texts), _rules(page, texts))))
    visible: Ints = found[(page.nodes.flags[found] & (INVISIBLE | FOREIGN)) == 0]
    return visible


def _empty_cells(page: Page, texts: Ints) -> Ints:
    """Cells without text in rows with text: without them the cells after them would change columns."""
    nodes = page.nodes
    cells = np.flatnonzero(nodes.named("td", "th"))
    rows = nodes.parent[cells]
    is_filled_row = np.searchsorted(texts, nodes.end[rows]) > np.searchsorted(texts, rows)
    is_empty = np.searchsorted(texts, nodes.end[cells]) == np.searchsorted(texts, cells)
    chosen: Ints = cells[is_filled_row & is_empty & nodes.named("tr")[rows]]
    return chosen


def _rules(page: Page, texts: Ints) -> Ints:
    """Every ``hr`` that stands between two kept texts, if nothing visible between these was dropped."""
    rules = np.flatnonzero(page.nodes.named("hr"))
    after = np.searchsorted(texts, rules)
    is_between = (after > 0) & (after < len(texts))
    rules, after = rules[is_between], after[is_between]
    characters = np.cumsum(page.flow.characters)
    chosen: Ints = rules[characters[texts[after] - 1] == characters[texts[after - 1]]]
    return chosen


def _drops_visible_text(page: Page, text: Ints, start: Ints, end: Ints) -> Bools:
    """For each piece but the first, whether the gap before it holds more than text that nobody sees."""
    nodes, texts = page.nodes, page.nodes.texts
    counts = (nodes.flags[texts] & INVISIBLE) == 0
    counts[text] = True  # hidden text that is kept in part is on show
    lengths = (nodes.text_end[texts] - nodes.text_start[texts]) * counts
    offset = (np.cumsum(lengths) - lengths - nodes.text_start[texts])[text]
    gapped: Bools = (start + offset)[1:] > (end + offset)[:-1]
    return gapped
