"""What sieve computes for every page: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both. What a
feature means is said in ``features/``, one file per family.
"""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.class_names import ClassNames
from tamis.extractors.sieve.containers import Containers, build_containers
from tamis.extractors.sieve.decide import (
    COLON_MARGIN,
    COLONS,
    ELLIPSES,
    ELLIPSIS_TAIL,
    best_prefix,
    cut,
    headed,
    levelled,
    lifted,
    pooled,
)
from tamis.extractors.sieve.features import Evidence, name_columns, page_evidence, word_columns
from tamis.extractors.sieve.features.wording import WordTable, said
from tamis.extractors.sieve.network import Network, Weights
from tamis.extractors.sieve.page_types import summarise
from tamis.extractors.sieve.regions import expected_words, placed
from tamis.extractors.sieve.units import build_units
from tamis.models.trees import ObliviousTrees
from tamis.page.kernel import kernel
from tamis.page.model import Page
from tamis.page.spans import Span, as_spans, union
from tamis.page.text import Bools, Floats, Ints, collapse

__all__ = [
    "best_prefix",
    "break_off",
    "build_containers",
    "build_units",
    "cut",
    "ends_in_colon",
    "expected_words",
    "headed",
    "kept_spans",
    "levelled",
    "lifted",
    "placed",
    "pooled",
    "read_evidence",
    "same_texts",
    "says",
    "score_columns",
]


def read_evidence(page: Page, containers: Containers, class_names: ClassNames, word_table: WordTable) -> Evidence:
    """All features of all blocks, in the order of ``NAMES``; there must be at least one block."""
    evidence = page_evidence(page, containers)
    called = name_columns(containers, class_names.scores(containers))
    columns = np.concatenate((evidence.columns, called, word_columns(*said(page), word_table)))
    return Evidence(columns, evidence.groups, evidence.in_comments)


def score_columns(
    trees: ObliviousTrees, network: Network, columns: Weights, words: Weights, tree_share: float
) -> tuple[Floats, Weights]:
    """Log odds of each block, given a row for each feature, and the page as one row.

    Trees and network err differently: half and half is better than either where pages are unlike those of training.
    """
    inputs = network.standardised(np.ascontiguousarray(columns.T))
    log_odds = tree_share * trees.log_odds(columns) + (1 - tree_share) * network.log_odds(inputs, words)
    chances = (1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))).astype(np.float32)
    return log_odds, summarise(inputs, words, chances)


def kept_spans(kept: Bools, leaves: Ints, first_leaf: Ints, text_start: Ints, text_end: Ints) -> tuple[Span, ...]:
    """The texts of the kept blocks; block i has the text nodes ``leaves[first_leaf[i]:first_leaf[i + 1]]``."""
    chosen = leaves[np.repeat(kept, np.diff(first_leaf))]
    return as_spans(*union(text_start[chosen], text_end[chosen]))


def same_texts(text: str, start: Ints, end: Ints) -> Ints:
    """For each range of a text the first range that reads the same but for white space."""
    first: dict[str, int] = {}
    ranges = enumerate(zip(start.tolist(), end.tolist(), strict=True))
    return np.array([first.setdefault(collapse(text[a:b]), place) for place, (a, b) in ranges], dtype=np.int64)


def says(text: str, start: Ints, end: Ints, wanted: str) -> Bools:
    """Whether each range of a text says what is wanted, which is letters and digits only, without case."""
    ranges = zip(start.tolist(), end.tolist(), strict=True)
    return np.array([kernel.folded(text[a:b]) == wanted for a, b in ranges], dtype=np.bool_)


def break_off(text: str, start: Ints, end: Ints) -> Bools:
    """Whether an ellipsis stands in the last characters of each range of a text, white space reduced."""
    tails = [collapse(text[a:b])[-ELLIPSIS_TAIL:] for a, b in zip(start.tolist(), end.tolist(), strict=True)]
    return np.array([any(mark in tail for mark in ELLIPSES) for tail in tails], dtype=np.bool_)


def ends_in_colon(text: str, end: Ints, numbers: Ints) -> Bools:
    """For each block whether it ends in a colon; only those with these numbers are looked at."""
    result = np.zeros(len(end), dtype=np.bool_)
    for number in set(numbers[numbers >= 0].tolist()):
        last = int(end[number])
        result[number] = text[max(0, last - COLON_MARGIN) : last].rstrip().endswith(COLONS)
    return result
