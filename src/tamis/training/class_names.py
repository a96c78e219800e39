"""The table of class names: logistic regression on the names around a block.

A row is a look (blocks of one page whose paths of names are equal), a column a token as the name of the holder or of an
element further out. Tokens must occur on several hosts, so that the table learns words of the trade and no sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tamis.extractors.sieve.class_names import NameTable
from tamis.extractors.sieve.containers import tokens
from tamis.page.html import TAG_NAMES
from tamis.page.text import Floats, Ints
from tamis.training.block_records import LabelledBlocks
from tamis.training.regression import fit_logistic

MIN_HOSTS = 4  # from the prototype's notes
_PENALTY = 2.0  # of squared weights; ours, not swept
_ROUNDS = 40
_SCALE = 1000  # weights are stored in thousandths
_LEAST = 20  # weights below are left out


def fit_table(records: Sequence[LabelledBlocks]) -> NameTable:
    """A table fitted to pages."""
    from scipy import sparse

    words = _frequent(records)
    number = {word: place for place, word in enumerate(words)}
    held, holding, labels, weights, own, around = _rows(records, number)
    shape = (holding, len(number))
    called = sparse.csr_matrix((np.ones(len(held[0]), np.float32), held), shape=shape)
    parts = [
        sparse.csr_matrix((np.ones(len(pairs[0]), np.float32), pairs), shape=(len(labels), holding)) @ called
        for pairs in (own, around)
    ]
    matrix = sparse.hstack(parts).tocsr()
    fitted = fit_logistic(matrix, labels, weights, penalty=_PENALTY, rounds=_ROUNDS)
    pairs = np.rint(fitted * _SCALE).astype(np.int64).reshape(2, -1)
    return _table(words, pairs)


def _table(words: Sequence[str], pairs: Ints) -> NameTable:
    kept = np.flatnonzero(np.abs(pairs).max(axis=0) >= _LEAST)
    return NameTable(tuple(words[place] for place in kept.tolist()), *pairs[:, kept])


def _tokens(record: LabelledBlocks) -> list[list[str]]:
    """The tokens of each name of a page."""
    return [[token for word in name.split() for token in tokens(word)] for name in record.containers.names]


def _frequent(records: Iterable[LabelledBlocks]) -> list[str]:
    """Tokens that occur on several hosts, and all tags."""
    hosts: dict[str, set[str]] = {}
    for record in records:
        for token in {token for name in _tokens(record) for token in name}:
            hosts.setdefault(token, set()).add(record.host)
    frequent = sorted(token for token, found in hosts.items() if len(found) >= MIN_HOSTS)
    return [*(f"<{name}>" for name in TAG_NAMES), *frequent]


Pairs = tuple[Ints, Ints]


def _rows(records: Sequence[LabelledBlocks], number: dict[str, int]) -> tuple[Pairs, int, Floats, Floats, Pairs, Pairs]:
    """Which container is called what, how many there are; label and weight of each look; its own and outer ones."""
    called: list[tuple[int, int]] = []
    own: list[Ints] = []
    around: list[Ints] = []
    labels: list[Floats] = []
    weights: list[Floats] = []
    row = base = 0
    for record in records:
        containers = record.containers
        names = [[number[token] for token in name if token in number] for name in _tokens(record)]
        for place, (name, tag) in enumerate(zip(containers.name.tolist(), containers.tag.tolist(), strict=True)):
            called += [(base + place, column) for column in (tag, *names[name])]
        look = containers.paths[containers.holder] * np.uint64(31) + containers.looks[containers.leaf]
        _, first, group = np.unique(look, return_index=True, return_inverse=True)
        weight: Floats = np.bincount(group, weights=record.weights).astype(np.float64)
        label: Floats = np.bincount(group, weights=record.weights * record.labels) / np.maximum(weight, 1e-12)
        counts = weight > 1e-3
        first, labels, weights = first[counts], [*labels, label[counts]], [*weights, weight[counts]]
        holder, leaf = containers.holder[first], containers.leaf[first]
        rows = np.arange(row, row + len(first))
        inner = leaf != holder
        own += [np.stack((rows, holder + base)), np.stack((rows[inner], leaf[inner] + base))]
        current = holder
        while True:
            above = containers.parent[current]
            outer = above != current
            if not outer.any():
                break
            rows, current = rows[outer], above[outer]
            around.append(np.stack((rows, current + base)))
        row, base = row + len(first), base + len(containers)
    called_pairs = np.array(called, dtype=np.int64).reshape(-1, 2).T
    return (
        (called_pairs[0], called_pairs[1]),
        base,
        np.concatenate(labels),
        np.concatenate(weights),
        _pairs(own),
        _pairs(around),
    )


def _pairs(parts: Sequence[Ints]) -> Pairs:
    joined = np.concatenate([np.zeros((2, 0), dtype=np.int64), *parts], axis=1)
    return joined[0], joined[1]
