"""What a visitor never reads as part of the page: dialogs laid over it, and hidden text that nothing reveals.

Hidden text is often content, because accordions, tabs and "read more" hide it until it is asked for. What reveals it
can be seen on the page: a link or a button that names its id, a label, or the names of the boxes around it.
"""

from __future__ import annotations

import numpy as np

from tamis.about.kernel import kernel as about_kernel
from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.kernel import kernel
from tamis.page.html import TAG_CODES
from tamis.page.model import Page
from tamis.page.text import Bools, Floats

_DIALOG_ROLES = ("dialog", "alertdialog")
_REVEALED = about_kernel.word_table(
    "accordion answer carousel collaps expand faq more panel slide spoiler tab toggle".split()
)
_POINTING = ("aria-controls", "aria-owns", "aria-details", "for", "data-target", "data-bs-target")
_POINTERS = {f":is({','.join(f'[{name}]' for name in _POINTING)})": _POINTING, 'a[href^="#"]': ("href",)}
_DIALOG, _DETAILS = TAG_CODES["dialog"], TAG_CODES["details"]
_LIKELY = -2.0  # log odds; below, a block is dropped anyway and need not be looked at
_MOST = 0.5  # of the expected words; where so much is set aside, the page is built that way
RELUCTANCE = 6.0  # log odds that such blocks lose; as comments do


def unseen(page: Page, containers: Containers, log_odds: Floats, words: Floats, *, shows_hidden: bool) -> Bools | None:
    """The blocks that dialogs hold, and those that hide themselves for good; None if there are none."""
    blocks, dialogs, is_hidden = page.blocks, _dialogs(page, containers, log_odds), None
    if not shows_hidden and page.hidden_flags is not page.nodes.flags:  # else blocks are made of what is shown anyway
        is_hidden = kernel.hidden_blocks(page.hidden_flags, blocks.node, log_odds, _LIKELY)
    if not dialogs and is_hidden is None:
        return None
    found = np.zeros(len(blocks), dtype=np.bool_)
    for place in dialogs:
        found[containers.first[place] : containers.last[place]] = True
    if is_hidden is not None:
        found |= is_hidden & ~_revealed(page, containers, is_hidden)
    found &= log_odds >= _LIKELY
    if not found.any():
        return None
    expected = kernel.expected_words(log_odds, words)
    return None if expected[found].sum() > _MOST * expected.sum() else found


def _dialogs(page: Page, containers: Containers, log_odds: Floats) -> list[int]:
    """The containers that are dialogs, of those that hold a likely block."""
    nodes, found = kernel.likely_holders(containers, log_odds, _LIKELY, _DIALOG)
    said = page.said("aria-modal", nodes)
    modal = [node for node, value in said.items() if value.lower() == "true"]
    if "dialog" in containers.signs:
        modal += [node for node, value in page.said("role", nodes).items() if value.lower() in _DIALOG_ROLES]
    return [*found, *np.searchsorted(containers.node, modal).tolist()] if modal else found


def _revealed(page: Page, containers: Containers, is_hidden: Bools) -> Bools:
    """The blocks in elements that something on the page shows when it is asked for; only hidden ones are looked at."""
    around = kernel.holders_around(containers, is_hidden)
    nodes = containers.node[around]
    called, roles, labels = (page.attribute(nodes, name) for name in ("class", "role", "aria-labelledby"))
    is_marked = containers.tag[around] == _DETAILS
    is_marked[about_kernel.holding(called, _REVEALED)] = True
    is_marked |= [
        label is not None or (role is not None and role.lower() == "tabpanel")
        for role, label in zip(roles, labels, strict=True)
    ]
    found = containers.inside(around[is_marked])
    around = kernel.holders_around(containers, is_hidden & ~found)
    identities = page.attribute(containers.node[around], "id")
    if not any(identity is not None for identity in identities):
        return found
    named = _pointed_at(page)
    return found | containers.inside(around[[identity in named for identity in identities]])


def _pointed_at(page: Page) -> set[str]:
    """The ids that links and buttons of a page name."""
    named: set[str] = set()
    for selector, names in _POINTERS.items():
        nodes = np.array(page.select(selector), dtype=np.int64)
        for name in names if len(nodes) else ():
            values = page.attribute(nodes, name)
            named |= {value.lstrip("#") for values_of in values if values_of for value in values_of.split()}
    return named
