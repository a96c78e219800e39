"""How good a clustering is: pure functions of labels, one label per page.

``found`` are the labels that a clusterer gave, ``right`` those of the templates; only which pages share a label counts.
After Gottron (2008), section 7.1.3.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Literal

import numpy as np

from tamis.errors import InputError
from tamis.evaluation.agreement import Labels
from tamis.page.text import Floats, Ints

__all__ = ["adjusted_rand_index", "contingency", "dunn_index", "mean_purity", "mutual_information", "rand_index"]


def contingency(found: Labels, right: Labels) -> Ints:
    """How many pages of each template, by column, are in each cluster, by row; both in order of first appearance.

    >>> contingency("aab", "xyy").tolist()
    [[1, 1], [0, 1]]
    """
    if len(found) != len(right):
        raise InputError(
            f"{len(found)} labels were found, but {len(right)} are right: one of each per page is expected"
        )
    rows, columns = _numbered(found), _numbered(right)
    table = np.zeros((max(rows, default=-1) + 1, max(columns, default=-1) + 1), dtype=np.int64)
    np.add.at(table, (rows, columns), 1)
    return table


def rand_index(found: Labels, right: Labels, pairs: Literal["distinct", "all"] = "distinct") -> float:
    """The share of pairs of pages that both labellings put together, or both put apart; 1 if there are no pairs.

    Pairs of distinct pages are counted, as usual. The tables of the thesis count ``all`` ordered pairs, a page and
    itself among them, which gives slightly higher values.

    >>> rand_index("aabb", "xxxy"), rand_index("aabb", "xxxy", pairs="all")
    (0.5, 0.625)
    """
    table = contingency(found, right)
    count = int(table.sum())
    both, in_found, in_right = _squares(table)
    disagreements = in_found + in_right - 2 * both
    possible = count * count if pairs == "all" else count * (count - 1)
    return 1 - disagreements / possible if possible else 1.0


def adjusted_rand_index(found: Labels, right: Labels) -> float:
    """The Rand index set to 0 for what chance gives and to 1 for agreement (Hubert & Arabie 1985).

    >>> adjusted_rand_index("aabb", "xxyy"), round(adjusted_rand_index("abab", "xxyy"), 3)
    (1.0, -0.5)
    """
    table = contingency(found, right)
    count = int(table.sum())
    both, in_found, in_right = (square - count for square in _squares(table))  # pairs of distinct pages, twice
    by_chance = in_found * in_right / (count * (count - 1)) if count > 1 else 0.0
    most = (in_found + in_right) / 2
    return (both - by_chance) / (most - by_chance) if most != by_chance else 1.0


def mean_purity(found: Labels, right: Labels) -> float:
    """The share of the commonest template in a cluster, as a mean over clusters of any size; 1 without clusters.

    >>> mean_purity("aaab", "xxyy")
    0.8333333333333333
    """
    table = contingency(found, right)
    return float((table.max(axis=1) / table.sum(axis=1)).mean()) if table.size else 1.0


def mutual_information(found: Labels, right: Labels, *, thesis_scale: bool = False) -> float:
    """What a cluster tells about the template, with the logarithm to the base of clusters times templates.

    The values printed in the thesis are smaller by the natural logarithm of that base: ``thesis_scale`` gives them.

    >>> mutual_information("aabb", "xxyy")
    0.5
    """
    table = contingency(found, right)
    base = table.shape[0] * table.shape[1]
    if base < 2:
        return 0.0
    count = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True)
    filled = table > 0
    terms = table[filled] * np.log(table[filled] * count / expected[filled])
    information = float(terms.sum()) / int(count) / math.log(base)
    return information / math.log(base) if thesis_scale else information


def dunn_index(distances: Floats, right: Labels) -> float:
    """The smallest distance between pages of two templates over the largest within one.

    Above 1 some threshold separates the templates without an error. Infinite if no two pages of one template differ,
    or if there is only one.

    >>> dunn_index(np.array([[0.0, 0.2, 0.9], [0.2, 0.0, 0.8], [0.9, 0.8, 0.0]]), "xxy")
    4.0
    """
    labels = np.array(_numbered(right), dtype=np.int64)
    if distances.shape != (len(labels), len(labels)):
        raise InputError(f"distances are {distances.shape}, but there are {len(labels)} labels")
    nearest, furthest = math.inf, 0.0
    for row, label in zip(distances, labels, strict=True):
        is_same = labels == label
        nearest = min(nearest, float(row[~is_same].min(initial=math.inf)))
        furthest = max(furthest, float(row[is_same].max(initial=0.0)))
    return nearest / furthest if furthest else math.inf


def _numbered(labels: Labels) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def _squares(table: Ints) -> tuple[int, int, int]:
    """Ordered pairs, a page and itself too, that are together in both labellings, in the first, in the second."""
    return int((table**2).sum()), int((table.sum(axis=1) ** 2).sum()), int((table.sum(axis=0) ** 2).sum())
