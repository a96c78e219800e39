"""What a visitor never reads as part of the page: dialogs laid over it, and hidden text that nothing reveals.

Hidden text is often content, because accordions, tabs and "read more" hide it until it is asked for. What reveals it
can be seen on the page: a link or a button that names its id, a label, or the names of the boxes around it.
"""

from __future__ import annotations

import re

import numpy as np

from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.kernel import kernel
from tamis.page.model import HIDDEN, Page
from tamis.page.text import Bools, Floats, Ints

_DIALOGS = {"role": ("dialog", "alertdialog"), "aria-modal": ("true",)}
_REVEALED = re.compile(
    "accordion|answer|carousel|collaps|expand|faq|more|panel|slide|spoiler|tab|toggle", re.IGNORECASE
)
_POINTERS = {
    **dict.fromkeys(("aria-controls", "aria-owns", "aria-details", "for", "data-target", "data-bs-target"), "[{}]"),
    "href": 'a[href^="#"]',
}
_LIKELY = -2.0  # log odds; below, a block is dropped anyway and need not be looked at
_MOST = 0.5  # of the expected words; where so much is set aside, the page is built that way
RELUCTANCE = 6.0  # log odds that such blocks lose; as comments do


def unseen(page: Page, containers: Containers, log_odds: Floats, words: Floats, *, shows_hidden: bool) -> Bools:
    """The blocks that dialogs hold, and those that hide themselves for good."""
    blocks, nodes = page.blocks, page.nodes
    found = np.zeros(len(blocks), dtype=np.bool_)
    is_likely = log_odds >= _LIKELY
    for place in _dialogs(page, containers):
        found[containers.first[place] : containers.last[place]] = True
    is_hidden = ((page.hidden_flags[blocks.node] & HIDDEN) != 0) & is_likely
    if not shows_hidden and is_hidden.any():
        holders = blocks.node[is_hidden]
        found[is_hidden] |= ~nodes.inside(_revealed(page, holders))[holders]
    found &= is_likely
    if not found.any():
        return found
    expected = kernel.expected_words(log_odds, words)
    if expected[found].sum() > _MOST * expected.sum():
        found[:] = False
    return found


def _dialogs(page: Page, containers: Containers) -> list[int]:
    """The containers that are dialogs."""
    found = set(np.flatnonzero(page.nodes.named("dialog")).tolist())
    for name, values in _DIALOGS.items():
        nodes = page.carrying(name)
        said = zip(nodes.tolist(), page.attribute(nodes, name), strict=True)
        found |= {node for node, value in said if value and value.lower() in values}
    return np.flatnonzero(np.isin(containers.node, list(found))).tolist() if found else []


def _revealed(page: Page, holders: Ints) -> Bools:
    """The elements around some nodes that something on the page shows when it is asked for."""
    marked = np.zeros(len(page.nodes), dtype=np.bool_)
    marked[holders] = True
    around = np.flatnonzero(page.nodes.totals(marked.astype(np.int64)))
    marked[:] = False
    marked[around] = page.nodes.named("details")[around]
    columns = [page.attribute(around, name) for name in ("class", "role", "aria-labelledby", "id")]
    identities: dict[str, list[int]] = {}
    revealing = {called for called in set(columns[0]) if called and _REVEALED.search(called)}
    for node, called, role, label, identity in zip(around.tolist(), *columns, strict=True):
        if called in revealing or label is not None or (role is not None and role.lower() == "tabpanel"):
            marked[node] = True
        elif identity is not None:
            identities.setdefault(identity, []).append(node)
    if identities:
        for name in identities.keys() & _pointed_at(page):
            marked[identities[name]] = True
    return marked


def _pointed_at(page: Page) -> set[str]:
    """The ids that links and buttons of a page name."""
    named: set[str] = set()
    for name, selector in _POINTERS.items():
        values = page.attribute(np.array(page.select(selector.format(name)), dtype=np.int64), name)
        named |= {value.lstrip("#") for values_of in values if values_of for value in values_of.split()}
    return named
