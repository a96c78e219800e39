"""Highest fanout: the node with the most direct children.

Idea:      records of one kind are siblings, so the node with the most children is the list that holds them.
Reference: the wrapper generator XWRAP (Han, Buttler & Pu 2001), as described by Gottron (2008), section 6.2.1.
Departs:   a child counts when it holds text that a reader can see; images, rules, scripts and white space do not.
Strong at: long lists and tables of records.
Weak at:   running text, whose paragraphs are fewer than the entries of a menu or of a selection box.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.page.model import Page
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """No options."""


def extract(page: Page, options: Options) -> Extraction:
    return Extraction(page=page, spans=page.subtree_spans(locate(page, options)))


def locate(page: Page, options: Options) -> int:
    """The node with the most children that hold text, the first of equals; the document if there is no text."""
    nodes = page.nodes
    has_text = nodes.totals(page.flow.characters) > 0
    return int(np.argmax(np.bincount(nodes.parent[1:][has_text[1:]], minlength=len(nodes))))
