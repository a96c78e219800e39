"""The table of words and phrases: logistic regression on what blocks say.

A row is a block, a column a phrase. Phrases must occur on several hosts, so that the table learns the words of the
trade and no sites; whole gold text alone is learned from.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tamis.extractors.sieve.features.wording import SCALE, WordTable
from tamis.page.text import Floats, Ints
from tamis.training.block_records import LabelledBlocks
from tamis.training.regression import fit_logistic

MIN_HOSTS = 4  # as for class names
_PENALTY = 2.0  # of squared weights; ours, not swept
_ROUNDS = 60
_LEAST = 60  # thousandths; weights below are left out


def fit_wording(records: Sequence[LabelledBlocks]) -> WordTable:
    """A table fitted to the pages whose gold text is known as a whole."""
    from scipy import sparse

    known = [record for record in records if record.gold is not None]
    codes = _frequent(known)
    parts = [_rows(record, codes) for record in known]
    counts = np.concatenate([part[0] for part in parts])
    column, value = (np.concatenate([part[place] for part in parts]) for place in (1, 2))
    labels, weights = (np.concatenate([part[place] for part in parts]) for place in (3, 4))
    ends = np.concatenate(([0], np.cumsum(counts)))
    matrix = sparse.csr_matrix((value, column, ends), shape=(len(labels), len(codes)))
    fitted = fit_logistic(matrix, labels, weights, penalty=_PENALTY, rounds=_ROUNDS)
    found = np.clip(np.rint(fitted * SCALE), -32768, 32767).astype(np.int64)
    kept = np.abs(found) >= _LEAST
    return WordTable(codes[kept], found[kept])


def _frequent(records: Sequence[LabelledBlocks]) -> Ints:
    """Hashes of the phrases that occur on several hosts, in ascending order."""
    hosts: dict[str, list[LabelledBlocks]] = {}
    for record in records:
        hosts.setdefault(record.host, []).append(record)
    own = [np.unique(np.concatenate([record.said for record in pages])) for pages in hosts.values()]
    codes, found = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *own]), return_counts=True)
    return codes[found >= MIN_HOSTS]


def _rows(record: LabelledBlocks, codes: Ints) -> tuple[Ints, Ints, Floats, Floats, Floats]:
    """For the blocks that count: how many entries each has, their columns and values; its label and weight."""
    counts = np.bincount(record.said_by, minlength=len(record.words))
    place = np.searchsorted(codes, record.said)
    counted = record.weights > 1e-3
    is_known = (np.append(codes, -1)[place] == record.said) & counted[record.said_by]
    owner = record.said_by[is_known]
    value = 1 / np.sqrt(counts[owner])
    sizes = np.bincount(owner, minlength=len(counts))[counted]
    return sizes, place[is_known], value, record.labels[counted], record.weights[counted]
