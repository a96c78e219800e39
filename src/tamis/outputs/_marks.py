"""What stands in the text and is no part of it: permalinks, edit links, words for screen readers, names of icons.

They are told by the classes that generators and style sheets give them; a permalink also by the sign it shows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis import urls
from tamis.characters import without_unseen
from tamis.outputs._holders import Holders
from tamis.outputs._twin import kernel
from tamis.page.html import HEADINGS, INLINE_NAMES, TAG_CODES, bits, mask
from tamis.page.model import Page
from tamis.page.text import Bools, Ints

_SIGNS = frozenset(("", *"¶ # § 🔗 ⚓ ∞".split()))
_PERMALINK_WORDS = ("permalink", "link to this", "direct link", "anchor", "copy link", "section titled")
_OPENINGS = "".join(word[:2] for word in _PERMALINK_WORDS)  # most links begin otherwise
_HOLDERS = (*HEADINGS, "dt")  # Sphinx marks the terms of its lists of functions too
_HEADS, _HEAD_BITS = mask(*_HOLDERS), bits(*_HOLDERS)
_MAX_CHARACTERS = 40  # of such a link, white space included; the longest of the words above have some 30
_EDIT_LINKS = frozenset({"mw-editsection", "mw-editsection-like", "editsection"})
_ICONS = frozenset(
    {"material-icons", "material-icons-outlined", "material-symbols-outlined", "material-symbols-rounded"}
)
# Bootstrap, WordPress, HTML5 Boilerplate, Drupal, GitHub and others.
_UNSEEN = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only element-invisible show-for-sr "
    "u-visually-hidden a11y-hidden assistive-text".split()
)
_SIDENOTES = frozenset({"marginnote", "sidenote"})  # Tufte CSS
_MARKED = _EDIT_LINKS | _ICONS | _UNSEEN | _SIDENOTES
_CELL_ROLES = frozenset({"cell", "columnheader", "gridcell", "rowheader"})
_LINK, _SPAN = TAG_CODES["a"], TAG_CODES["span"]
_CLIPPED = re.compile(r"clip\s*:\s*rect\(\s*(?:0|1px)\b|clip-path\s*:\s*inset\(\s*(?:50|100)%")
_INLINE = mask(*INLINE_NAMES)
_NO_NODES = np.zeros(0, dtype=np.int64)


class Marks(NamedTuple):
    """Elements by what their classes say."""

    clutter: Bools | None  # with everything below; None if there is none
    borders: Ints  # nodes at which something begins or ends that is set apart from the line, sorted


def find_marks(holders: Holders) -> Marks:
    """What is marked among the elements that hold kept text."""
    nodes = holders.page.nodes
    clutter, apart = _permalinks(holders) + _clipped(holders), _glued(holders)
    for place in kernel.with_words(holders.classes, _MARKED):
        node, names = holders.node.item(place), frozenset((holders.classes[place] or "").split())
        if names & _SIDENOTES:
            apart.append(node)
        elif names & (_EDIT_LINKS | _ICONS) or _INLINE[nodes.tag[node]]:
            clutter.append(node)
    borders = np.sort(np.append(np.array(apart, dtype=np.int64), nodes.end[apart])) if apart else _NO_NODES
    return Marks(nodes.inside(nodes.marked(clutter)) if clutter else None, borders)


def _glued(holders: Holders) -> list[int]:
    """Labels of controls, and cells by their role, whose words would join those beside them.

    Style sheets put a distance between them.
    """
    if not holders.roles and not holders.has("label"):
        return []
    text, nodes = holders.page.text, holders.page.nodes

    def joins(place: int) -> bool:
        return text[place - 1 : place].isalnum() and text[place : place + 1].isalnum()

    cells = [node for node, role in holders.roles.items() if role.lower() in _CELL_ROLES and nodes.tag[node] == _SPAN]
    found = [*holders.named("label").tolist(), *cells]
    return [node for node in found if joins(int(nodes.text_start[node])) or joins(int(nodes.text_end[node]))]


def _clipped(holders: Holders) -> list[int]:
    """Words that an inline style cuts away, so that only screen readers say them."""
    tag, styles = holders.page.nodes.tag, holders.styles
    clipping = [node for node, style in styles.items() if "clip" in style and _CLIPPED.search(style)] if styles else []
    return [node for node in clipping if tag[node] == _SPAN] if clipping else clipping


def _permalinks(holders: Holders) -> list[int]:
    """Links that lead from a heading to itself, and say nothing else."""
    page, nodes = holders.page, holders.page.nodes
    if not holders.names & _HEAD_BITS or not holders.has("a"):
        return []
    columns = holders.node, holders.tag, nodes.end, nodes.text_start, nodes.text_end
    links = kernel.links_in_heads(page.text, *columns, _HEADS, _LINK, _MAX_CHARACTERS, _OPENINGS)
    return [
        node
        for node in links
        if _is_permalink(page.node_text(node)) and _leads_here(page, page.attributes(node).get("href", ""))
    ]


def _leads_here(page: Page, href: str) -> bool:
    """Whether an address is a place of the page itself."""
    if href.startswith("#"):
        return True
    address, mark, _ = href.partition("#")
    return bool(mark and page.url) and urls.resolve(address, page.url or "") == (page.url or "").partition("#")[0]


def _is_permalink(text: str) -> bool:
    """Whether a text is a sign, or words that stand for one.

    >>> _is_permalink(" ¶"), _is_permalink("Permalink to this heading"), _is_permalink("C#")
    (True, True, False)
    """
    text = without_unseen(text).strip()
    return text in _SIGNS or text.lower().startswith(_PERMALINK_WORDS)
