"""Joins the tree a browser shows to the nodes and the text of a page.

Both come from the same markup by the same rules, so that they are the same nearly everywhere; where children differ,
those that have the same names or texts in the same order are taken for the same.
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable
from typing import NamedTuple

from tamis.page.html import PSEUDO_NAMES, TAG_CODES, TEXT
from tamis.page.model import Page
from tamis.rendering.snapshot import ELEMENT_NODE, TEXT_NODE, Snapshot

_FRAGMENT = TAG_CODES["#fragment"]
_NO_ELEMENTS = frozenset(TAG_CODES[name] for name in PSEUDO_NAMES if name != "#other")
_LEAVES = frozenset({"head", "script", "style", "template", "textarea", "iframe", "noframes"})
"""What is shown of these is never shown as their children."""
# Children compared one with another when they differ, and texts that are left over, once. Ours: comparing takes up to
# the third power of the number, 2.6 s for the worst 1000.
_MAX_COMPARED = 200
_MAX_LEFT_OVER = 1000


class Join(NamedTuple):
    """For each node of the snapshot its node in the page, and where its text begins; -1 where there is none."""

    node: list[int]
    text_start: list[int]


class _Child(NamedTuple):
    """An element, or texts that follow each other."""

    key: Hashable
    nodes: tuple[int, ...]


def join(snapshot: Snapshot, page: Page) -> Join:
    """Where the nodes of a snapshot are in the page."""
    joined = Join([-1] * len(snapshot), [-1] * len(snapshot))
    shadows = {int(page.nodes.parent[node]): node for node in reversed(page.select("template[shadowrootmode]"))}
    slotted: dict[int, dict[str, list[_Child]]] = {}  # by element with a shadow, and by the slot they stand in
    tags, ends = page.nodes.tag.tolist(), page.nodes.end.tolist()
    joined.node[0] = 0
    # Node of the snapshot, node of the page, and the nearest element above whose content is in a shadow.
    pending = [(0, 0, -1)]
    while pending:
        shown, node, host = pending.pop()
        theirs = _shown_children(snapshot, shown)
        ours = _children(page, tags, ends, shadows.get(node, node))
        if node in shadows:
            host = node
            slotted[host] = _by_slot(page, _children(page, tags, ends, host))
        elif host >= 0 and snapshot.name[shown] == "slot":  # its own children are for when it is given none
            ours = slotted[host].get(page.attributes(node).get("name", ""), ours)
        for their, our in _pairs(theirs, ours, _MAX_COMPARED):
            if isinstance(their.key, str):
                joined.node[their.nodes[0]] = our.nodes[0]
                if their.key not in _LEAVES:
                    pending.append((their.nodes[0], our.nodes[0], host))
            else:
                _join_texts(joined, snapshot, page, their, our)
    _join_left_over(joined, snapshot, page)
    return joined


def _by_slot(page: Page, children: list[_Child]) -> dict[str, list[_Child]]:
    """Children of an element with a shadow, by the slot that shows them; texts stand in the nameless one."""
    found: dict[str, list[_Child]] = {}
    for child in children:
        if isinstance(child.key, str):
            attributes = page.attributes(child.nodes[0])
            if "shadowrootmode" not in attributes:
                found.setdefault(attributes.get("slot", ""), []).append(child)
        else:
            found.setdefault("", []).append(child)
    return found


def _join_left_over(joined: Join, snapshot: Snapshot, page: Page) -> None:
    """Texts whose elements are not the same, but that come in the same order: trees too deep are cut differently."""
    theirs = [
        _text_child([shown], [snapshot.value[shown]])
        for shown in snapshot.layout
        if snapshot.kind[shown] == TEXT_NODE and joined.node[shown] < 0 and not snapshot.value[shown].isspace()
    ]
    if not theirs:
        return
    taken = set(joined.node)
    left = [node for node in page.nodes.texts.tolist() if node not in taken]
    ours = [_text_child([node], [page.node_text(node)]) for node in left]
    for their, our in _pairs(theirs, ours, _MAX_LEFT_OVER):
        _join_texts(joined, snapshot, page, their, our)


def _join_texts(joined: Join, snapshot: Snapshot, page: Page, their: _Child, our: _Child) -> None:
    """Texts may be cut into nodes at different places; their characters are the same."""
    starts, ends = page.nodes.text_start, page.nodes.text_end
    place, position = 0, int(starts[our.nodes[0]])
    for shown in their.nodes:
        while place + 1 < len(our.nodes) and ends[our.nodes[place]] <= position:
            place += 1
        joined.node[shown] = our.nodes[place]
        joined.text_start[shown] = position
        position += len(snapshot.value[shown])


def _shown_children(snapshot: Snapshot, shown: int) -> list[_Child]:
    children: list[_Child] = []
    texts: list[int] = []
    for child in snapshot.children[shown]:
        if child in snapshot.pseudo:
            continue
        kind = snapshot.kind[child]
        if kind == TEXT_NODE:
            texts.append(child)
            continue
        if texts:
            children.append(_text_child(texts, [snapshot.value[text] for text in texts]))
            texts = []
        if kind == ELEMENT_NODE:
            children.append(_Child(snapshot.name[child], (child,)))
    if texts:
        children.append(_text_child(texts, [snapshot.value[text] for text in texts]))
    return children


def _children(page: Page, tags: list[int], ends: list[int], node: int) -> list[_Child]:
    children: list[_Child] = []
    texts: list[int] = []
    child, end = node + 1, ends[node]
    while child < end:
        tag = tags[child]
        if tag == TEXT:
            texts.append(child)
        else:
            if texts:
                children.append(_text_child(texts, [page.node_text(text) for text in texts]))
                texts = []
            if tag == _FRAGMENT:  # what a template holds
                children += _children(page, tags, ends, child)
            elif tag not in _NO_ELEMENTS:
                children.append(_Child(page.name(child).lower(), (child,)))
        child = ends[child]
    if texts:
        children.append(_text_child(texts, [page.node_text(text) for text in texts]))
    return children


def _text_child(texts: list[int], values: list[str]) -> _Child:
    return _Child(("".join(values),), tuple(texts))


def _pairs(theirs: list[_Child], ours: list[_Child], most: int) -> list[tuple[_Child, _Child]]:
    """Children with the same keys, in order; of more than ``most`` that differ, those before and after them."""
    their_keys, our_keys = [child.key for child in theirs], [child.key for child in ours]
    if their_keys == our_keys:
        return list(zip(theirs, ours, strict=True))
    first, limit = 0, min(len(theirs), len(ours))
    while first < limit and their_keys[first] == our_keys[first]:
        first += 1
    last = 0
    while last < limit - first and their_keys[-1 - last] == our_keys[-1 - last]:
        last += 1
    pairs = list(zip(theirs[:first], ours[:first], strict=True))
    between_theirs, between_ours = theirs[first : len(theirs) - last], ours[first : len(ours) - last]
    if len(between_theirs) + len(between_ours) <= most:
        matcher = difflib.SequenceMatcher(
            None,
            their_keys[first : len(theirs) - last],
            our_keys[first : len(ours) - last],
            autojunk=False,
        )
        for their, our, size in matcher.get_matching_blocks():
            pairs += zip(between_theirs[their : their + size], between_ours[our : our + size], strict=True)
    pairs += zip(theirs[len(theirs) - last :], ours[len(ours) - last :], strict=True)
    return pairs
