"""How alike two segmentations are in what their pages share: one page at two widths, or two pages of a template."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tamis.evaluation.covers import characters, leaves, node_cover
from tamis.evaluation.segmentations import Quality, b_cubed
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.results import Segmentation

Address = tuple[int, str, int]  # number of the parent's address, name, place among siblings of the name


def stability(
    first: Segmentation, second: Segmentation, elements: Literal["characters", "nodes"] = "characters"
) -> Quality:
    """B-cubed between two segmentations, over what is seen on both pages at the same place of the tree.

    Places are equal if the names of all elements down to them are, and how many siblings of the name come before each.
    Characters count as on the first page. 1 if nothing changed, and if nothing is shared.
    """
    count = characters if elements == "characters" else leaves
    known: dict[Address, int] = {}
    (here, weight), (there, _) = count(first.page), count(second.page)
    _, mine, others = np.intersect1d(
        _addresses(first.page, known)[here], _addresses(second.page, known)[there], return_indices=True
    )
    found = node_cover(first.page, first.root, here[mine])
    other = node_cover(second.page, second.root, there[others])
    return b_cubed(found, other, weight[mine])


def _addresses(page: Page, known: dict[Address, int]) -> Ints:
    """For each node the number of its address; equal for equal addresses of pages that share ``known``."""
    numbers: list[int] = []
    seen: dict[tuple[int, str], int] = {}
    for node, parent in enumerate(page.nodes.parent.tolist()):
        above, name = numbers[parent] if node else -1, page.name(node)
        place = seen[above, name] = seen.get((above, name), -1) + 1
        numbers.append(known.setdefault((above, name, place), len(known)))
    return np.array(numbers, dtype=np.int64)
