"""How far two people, or two methods, agree: pure functions of two labels for each item."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from tamis.errors import InputError
from tamis.evaluation.measures import Score, harmonic_mean
from tamis.page.text import Floats

Labels = Sequence[Hashable]


def kappa(first: Labels, second: Labels, weights: Sequence[float] | None = None) -> float:
    """Agreement beyond what chance gives: 1 for full, 0 for none (Cohen 1960); 1 if both give one and the same label.

    >>> kappa("mmnn", "mmnm")
    0.5
    """
    table = _shares(first, second, weights)
    agreed = float(np.trace(table))
    by_chance = float(table.sum(axis=1) @ table.sum(axis=0))
    return (agreed - by_chance) / (1 - by_chance) if by_chance < 1 else 1.0


def b_cubed(first: Labels, second: Labels, weights: Sequence[float] | None = None) -> Score:
    """How much of the group that ``first`` puts an item in shares its group in ``second``, as a mean over items.

    Only which items share a label counts (Bagga & Baldwin 1998). Recall is the same seen from ``second``.

    >>> b_cubed("aab", "xyy")
    Score(precision=0.6666666666666666, recall=0.6666666666666666, f1=0.6666666666666666)
    """
    table = _shares(first, second, weights)
    precision = _own_share(table)
    recall = _own_share(table.T)
    return Score(precision, recall, harmonic_mean(precision, recall))


def _shares(first: Labels, second: Labels, weights: Sequence[float] | None) -> Floats:
    """The share of the items with each pair of labels; rows and columns are the same labels."""
    if len(first) != len(second):
        raise InputError(f"{len(first)} labels are compared with {len(second)}: one of each per item is expected")
    amounts = np.ones(len(first)) if weights is None else np.asarray(weights, dtype=np.float64)
    number = {label: position for position, label in enumerate(dict.fromkeys((*first, *second)))}
    table = np.zeros((max(len(number), 1), max(len(number), 1)))
    np.add.at(table, ([number[label] for label in first], [number[label] for label in second]), amounts)
    total = table.sum()
    if not total:  # nothing to disagree on
        table[0, 0] = total = 1.0
    return np.asarray(table / total)


def _own_share(table: Floats) -> float:
    groups = table.sum(axis=1, keepdims=True)
    return float((table**2 / np.where(groups > 0, groups, 1)).sum())
