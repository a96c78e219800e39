"""Footnotes: which unit a mark in the text leads to, so that a note is kept with its mark."""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.units import Units
from tamis.page.model import FOREIGN, Page
from tamis.page.text import Ints

_LONGEST_MARK = 6  # characters: "[12]", "†"
_NOTHING = np.zeros(0, dtype=np.int64)


def find_notes(page: Page, units: Units) -> tuple[Ints, Ints]:
    """Pairs of units: one that holds a mark, and the one behind it that the mark leads to.

    A mark is a short link in, or around, a ``sup`` to a place further down. Pages without ``sup`` cost nothing.
    """
    nodes, blocks = page.nodes, page.blocks
    if not nodes.has("sup") or not len(blocks):
        return _NOTHING, _NOTHING
    raised = nodes.named("sup") & ((nodes.flags & FOREIGN) == 0)
    is_link = nodes.named("a") & (nodes.text_end - nodes.text_start <= _LONGEST_MARK)
    links = np.flatnonzero(is_link & (nodes.inside(raised) | (nodes.totals(raised.astype(np.int64)) > 0)))
    hrefs = page.attribute(links, "href")
    wanted = {href[1:]: node for node, href in zip(links.tolist(), hrefs, strict=True) if href and href[:1] == "#"}
    if not wanted:
        return _NOTHING, _NOTHING
    named = page.carrying("id")
    ids = page.attribute(named, "id")
    pairs = [(wanted[name], node) for node, name in zip(named.tolist(), ids, strict=True) if name in wanted]
    marks, places = (
        (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True)) if pairs else (_NOTHING,) * 2
    )
    first_leaf = blocks.leaves[blocks.first_leaf[:-1]]
    of_mark = np.searchsorted(first_leaf, nodes.end[marks]) - 1
    of_note = np.searchsorted(first_leaf, places)
    is_pair = (places > marks) & (of_mark >= 0) & (of_note < len(blocks)) & (of_note > of_mark)
    return units.of_block[of_mark[is_pair]], units.of_block[of_note[is_pair]]
