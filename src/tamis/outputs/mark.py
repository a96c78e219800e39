"""The page with its main content marked and the rest dimmed; elements say what kind of content they hold."""

from __future__ import annotations

import numpy as np

from tamis.outputs._document import Mode, write_page
from tamis.outputs._kinds import block_kinds
from tamis.page.blocks import kept_shares
from tamis.results import Extraction

MARK = ('<mark class="tamis-main">', "</mark>")
STYLE = (
    "mark.tamis-main{background:rgba(255,214,0,.4);color:inherit}"
    "[data-tamis-kind]{opacity:.55}[data-tamis-kind^=closely]{opacity:.8}"
    "[data-tamis-kind] [data-tamis-kind]{opacity:1}"
)


def render(extraction: Extraction) -> str:
    mode = Mode(fill=lambda text: text, mark=MARK, kinds=_kinds_of_elements(extraction), style=STYLE)
    return write_page(extraction, mode)


def _kinds_of_elements(extraction: Extraction) -> dict[int, str]:
    """Kinds of the elements that hold blocks; of one with main content or with two kinds inside, nothing is said."""
    page, holders = extraction.page, extraction.page.blocks.node
    kept = np.bincount(holders, weights=kept_shares(page, extraction.spans) > 0, minlength=len(page.nodes))
    holds_main = page.nodes.totals(kept.astype(np.int64)) > 0
    found: dict[int, set[str]] = {}
    for node, kind in zip(holders.tolist(), block_kinds(page, extraction.spans), strict=True):
        found.setdefault(node, set()).add(kind)
    return {node: min(kinds) for node, kinds in found.items() if len(kinds) == 1 and not holds_main[node]}
