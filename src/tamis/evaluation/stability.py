"""How steady a segmenter is: whether it is equally good on pages of one type, and whether it divides alike pages alike.

Stability:    how much quality varies between pages of one type (Zelený 2017, section 9.2); needs segments that people
              marked.
Consistency:  how alike two segmentations are in what their pages share, one page at two widths or two pages of a
              template; ours, and needs no marks. A method can be consistently wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np

from tamis.evaluation import measures
from tamis.evaluation.covers import characters, leaves, node_cover
from tamis.evaluation.segmentations import Quality, b_cubed
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.results import Segmentation

ElementAddress = tuple[int, str, int]  # number of the parent's address, name, place among siblings of the name


class Spread(NamedTuple):
    """The quality of segmentations of pages of one type."""

    pages: int
    mean: float
    deviation: float  # the sample standard deviation: the lower, the steadier


def stability(qualities: Iterable[tuple[str, float]]) -> dict[str, Spread]:
    """For each type of pages how quality varies between them; given are the type and the quality of each page.

    Types are kept apart: that one is harder than another says nothing about how steady a method is.

    >>> stability([("article", 0.7), ("article", 0.9), ("index", 0.5), ("index", 0.5)])["index"]
    Spread(pages=2, mean=0.5, deviation=0.0)
    """
    types: dict[str, list[float]] = {}
    for kind, quality in qualities:
        types.setdefault(kind, []).append(quality)
    return {
        kind: Spread(len(found), sum(found) / len(found), measures.stability(found)) for kind, found in types.items()
    }


def consistency(
    first: Segmentation, second: Segmentation, elements: Literal["characters", "nodes"] = "characters"
) -> Quality:
    """B-cubed between two segmentations, over what is seen on both pages at the same place of the tree.

    Places are equal if the names of all elements down to them are, and how many siblings of the name come before each.
    Characters count as on the first page. 1 if nothing changed, and if nothing is shared.
    """
    count = characters if elements == "characters" else leaves
    known: dict[ElementAddress, int] = {}
    (here, weight), (there, _) = count(first.page), count(second.page)
    _, mine, others = np.intersect1d(
        _addresses(first.page, known)[here], _addresses(second.page, known)[there], return_indices=True
    )
    found = node_cover(first.page, first.root, here[mine])
    other = node_cover(second.page, second.root, there[others])
    return b_cubed(found, other, weight[mine])


def _addresses(page: Page, known: dict[ElementAddress, int]) -> Ints:
    """For each node the number of its address; equal for equal addresses of pages that share ``known``."""
    numbers: list[int] = []
    seen: dict[tuple[int, str], int] = {}
    for node, parent in enumerate(page.nodes.parent.tolist()):
        above, name = numbers[parent] if node else -1, page.name(node)
        place = seen[above, name] = seen.get((above, name), -1) + 1
        numbers.append(known.setdefault((above, name, place), len(known)))
    return np.array(numbers, dtype=np.int64)
