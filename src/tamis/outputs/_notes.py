"""Footnotes: links from the text to a note, and the notes themselves, told by where the links lead.

A note stands after the links to it, and an id at its very beginning names it; a link from it to an earlier place leads
back. So a paragraph that holds a reference is none, although the note links to it.
"""

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
_PROSE_NAMES = mask("div", "p", "section")  # which hold notes, but mostly other text
_BACK = re.compile(r"\W*(?:back|jump|return|top|up|zurück|retour|volver)?(?:\W+\w+){0,3}\W*", re.IGNORECASE)
_BACK_HOLDERS = ".mw-cite-backlink"  # what stands around several of them
_LONGEST_BACK_LINK = 20  # characters: "Jump back to text"
_LONGEST_NOTE = 3_000  # characters; a link to a chapter is none to a note


class Notes(NamedTuple):
    """Marks ("#note-1") of the links that lead to notes, and of the notes, each by its node."""

    links: dict[int, str]
    notes: dict[int, str]
    back_links: frozenset[int]  # links from a note to the text, and what stands around them


def find_notes(page: Page, texts: Ints, hrefs: dict[int, str]) -> Notes:
    """Notes that are kept, and the kept links to them."""
    nodes = page.nodes
    inside = [(node, href[1:]) for node, href in hrefs.items() if href[:1] == "#"]
    links = [(node, name) for node, name in inside if _looks_like_mark(page, node, name)]
    if not links:
        return Notes({}, {}, frozenset())
    places = _places(page, {name for _, name in inside})
    found: dict[int, str] = {}
    marks: dict[int, str] = {}
    counts = np.searchsorted(texts, np.arange(len(nodes) + 1))
    for node, name in links:
        note = _note(page, places.get(name, -1), name)
        if note <= node:  # a link back, or to what is around it
            continue
        if counts[nodes.end[note]] > counts[note] and counts[nodes.end[node]] > counts[node]:
            marks.setdefault(note, f"#note-{len(marks) + 1}")
            found[node] = marks[note]
    in_notes = nodes.marked(list(marks))
    note_of, in_notes = nodes.nearest(in_notes), nodes.inside(in_notes)
    backs = [
        node
        for node, name in inside
        if in_notes[node] and node not in found and places.get(name, -1) < note_of[node] and _is_back(page, node)
    ]
    if backs:
        backs += [node for node in page.select(_BACK_HOLDERS) if in_notes[node]]
    return Notes(found, marks, frozenset(backs))


def _is_back(page: Page, node: int) -> bool:
    text = page.node_text(node).strip()
    return len(text) <= _LONGEST_BACK_LINK and bool(_MARK.fullmatch(text) or _BACK.fullmatch(text))


def _looks_like_mark(page: Page, node: int, name: str) -> bool:
    if page.nodes.text_end[node] - page.nodes.text_start[node] > 20:
        return False
    if not _MARK.fullmatch(collapse(page.node_text(node))):
        return False
    above = page.name(int(page.nodes.parent[node]))
    return above == "sup" or _has_hint(name) or page.name(node + 1) == "sup"


def _has_hint(name: str) -> bool:
    return any(hint in name.lower() for hint in _HINTS)


def _places(page: Page, names: set[str]) -> dict[str, int]:
    """The elements with some of these ids."""
    with_id = np.array(page.select("[id], a[name]"), dtype=np.int64)
    found: dict[str, int] = {}
    for key in ("name", "id"):
        for node, value in zip(with_id.tolist(), page.attribute(with_id, key), strict=True):
            if value in names:
                found.setdefault(value, node) if key == "name" else found.update({value: node})
    return found


def _note(page: Page, place: int, name: str) -> int:
    """The block that a link leads to, if the id is at its beginning and it is short enough to be a note; else -1."""
    nodes = page.nodes
    start = place
    while place > 0 and not _NOTE_NAMES[nodes.tag[place]]:
        place = int(nodes.parent[place])
    if place <= 0 or nodes.text_end[place] - nodes.text_start[place] > _LONGEST_NOTE:
        return -1
    if page.text[nodes.text_start[place] : nodes.text_start[start]].strip():
        return -1
    return place if _has_hint(name) or not _PROSE_NAMES[nodes.tag[place]] or _leads_back(page, place) else -1


def _leads_back(page: Page, note: int) -> bool:
    """Whether a paragraph holds a link to another place of the page that may lead back to the text."""
    links = [node for node in range(note, int(page.nodes.end[note])) if page.name(node) == "a"]
    return any(page.attributes(node).get("href", "").startswith("#") and _is_back(page, node) for node in links)
