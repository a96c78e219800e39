"""Footnotes: links from the text to a note, and the notes themselves, told by where the links lead."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.text import Ints, collapse

_MARK = re.compile(r"[\[(]?\s*([0-9]{1,4}|[a-z]{1,2}|[ivxlc]{1,6}|\*{1,3}|†|‡|§|¶)\s*[\])]?")
_HINTS = ("note", "fn", "cite", "ref", "endnote")
_NOTE_NAMES = mask("aside", "dd", "div", "li", "p", "section")
_LONGEST_BACK_LINK = 2  # characters: an arrow and what says how it is to look
_LONGEST_NOTE = 3_000  # characters; a link to a chapter is none to a note


class Notes(NamedTuple):
    """Marks ("#note-1") of the links that lead to notes, and of the notes, each by its node."""

    links: dict[int, str]
    notes: dict[int, str]
    back_links: frozenset[int]  # links from a note to the text


def find_notes(page: Page, texts: Ints, hrefs: dict[int, str]) -> Notes:
    """Notes that are kept, and the kept links to them."""
    nodes = page.nodes
    inside = [(node, href[1:]) for node, href in hrefs.items() if href[:1] == "#"]
    links = [(node, name) for node, name in inside if _looks_like_mark(page, node, name)]
    if not links:
        return Notes({}, {}, frozenset())
    places = _places(page, {name for _, name in links})
    found: dict[int, str] = {}
    marks: dict[int, str] = {}
    counts = np.searchsorted(texts, np.arange(len(nodes) + 1))
    for node, name in links:
        note = _note(page, places.get(name, -1))
        is_kept = note >= 0 and counts[nodes.end[note]] > counts[note] and counts[nodes.end[node]] > counts[node]
        if is_kept and not note <= node < nodes.end[note]:
            marks.setdefault(note, f"#note-{len(marks) + 1}")
            found[node] = marks[note]
    in_notes = np.zeros(len(nodes), dtype=np.bool_)
    in_notes[list(marks)] = True
    in_notes = nodes.inside(in_notes)
    backs = [node for node, _ in inside if in_notes[node] and node not in found and _is_short(page, node)]
    return Notes(found, marks, frozenset(backs))


def _is_short(page: Page, node: int) -> bool:
    return len(page.node_text(node).strip()) <= _LONGEST_BACK_LINK


def _looks_like_mark(page: Page, node: int, name: str) -> bool:
    if page.nodes.text_end[node] - page.nodes.text_start[node] > 20:
        return False
    if not _MARK.fullmatch(collapse(page.node_text(node))):
        return False
    above = page.name(int(page.nodes.parent[node]))
    return above == "sup" or any(hint in name.lower() for hint in _HINTS) or page.name(node + 1) == "sup"


def _places(page: Page, names: set[str]) -> dict[str, int]:
    """The elements with some of these ids."""
    with_id = np.array(page.select("[id], a[name]"), dtype=np.int64)
    found: dict[str, int] = {}
    for key in ("name", "id"):
        for node, value in zip(with_id.tolist(), page.attribute(with_id, key), strict=True):
            if value in names:
                found.setdefault(value, node) if key == "name" else found.update({value: node})
    return found


def _note(page: Page, place: int) -> int:
    """The block that a link leads to, if it is short enough to be a note; else -1."""
    nodes = page.nodes
    while place > 0 and not _NOTE_NAMES[nodes.tag[place]]:
        place = int(nodes.parent[place])
    return place if place > 0 and nodes.text_end[place] - nodes.text_start[place] <= _LONGEST_NOTE else -1
