"""What a visitor never reads as part of the page: dialogs laid over it, and hidden text that nothing reveals.

Hidden text is often content, because accordions, tabs and "read more" hide it until it is asked for. What reveals it
can be seen on the page: a link or a button that names its id, a label, or the names of the boxes around it.
"""

from __future__ import annotations

import numpy as np

from tamis.page.model import HIDDEN, Page
from tamis.page.text import Bools, Floats

_DIALOGS = 'dialog, [role="dialog" i], [role="alertdialog" i], [aria-modal="true" i]'
_REVEALED = ", ".join(
    (
        "details",
        '[role="tabpanel" i]',
        "[aria-labelledby]",
        *(
            f'[class*="{name}" i]'
            for name in "accordion answer carousel collaps expand faq more panel slide spoiler tab toggle".split()
        ),
    )
)
_POINTERS = {
    **dict.fromkeys(("aria-controls", "aria-owns", "aria-details", "for", "data-target", "data-bs-target"), "[{}]"),
    "href": 'a[href^="#"]',
}
_LIKELY = -2.0  # log odds; below, a block is dropped anyway and need not be looked at
_MOST = 0.5  # of the expected words; where so much is set aside, the page is built that way
RELUCTANCE = 6.0  # log odds that such blocks lose; as comments do


def unseen(page: Page, log_odds: Floats, words: Floats, *, shows_hidden: bool) -> Bools:
    """The blocks that dialogs hold, and those that hide themselves for good."""
    blocks, nodes = page.blocks, page.nodes
    found = np.zeros(len(blocks), dtype=np.bool_)
    is_likely = log_odds >= _LIKELY
    if dialogs := page.select(_DIALOGS):
        marked = np.zeros(len(nodes), dtype=np.bool_)
        marked[dialogs] = True
        found |= nodes.inside(marked)[blocks.node]
    is_hidden = (page.hidden_flags[blocks.node] & HIDDEN) != 0
    if not shows_hidden and (is_hidden & is_likely).any():
        found |= is_hidden & ~nodes.inside(_revealed(page))[blocks.node]
    found &= is_likely
    expected = words / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    if expected[found].sum() > _MOST * expected.sum():
        found[:] = False
    return found


def _revealed(page: Page) -> Bools:
    """The elements that something on the page shows when it is asked for."""
    marked = np.zeros(len(page.nodes), dtype=np.bool_)
    marked[page.select(_REVEALED)] = True
    named = set()
    for name, selector in _POINTERS.items():
        values = page.attribute(np.array(page.select(selector.format(name)), dtype=np.int64), name)
        named |= {value.lstrip("#") for values_of in values if values_of for value in values_of.split()}
    holders = np.array(page.select("[id]"), dtype=np.int64)
    is_named = [value in named for value in page.attribute(holders, "id")]
    marked[holders[is_named]] = True
    return marked
