"""What sieve computes for every page: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both. What a
feature means is said in ``features/``, one file per family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tamis.extractors.sieve.class_names import ClassNames
from tamis.extractors.sieve.containers import Containers, build_containers
from tamis.extractors.sieve.decide import ELLIPSES, ELLIPSIS_TAIL, decided, levelled
from tamis.extractors.sieve.features import Evidence, name_columns, page_evidence, word_columns
from tamis.extractors.sieve.features.wording import WordTable, said
from tamis.extractors.sieve.network import Network, Weights
from tamis.extractors.sieve.page_types import PageTypes, summarise
from tamis.extractors.sieve.regions import beside_content, chances, expected_words, hold_back, placed
from tamis.extractors.sieve.units import Units, build_units
from tamis.models.trees import ObliviousTrees
from tamis.page.kernel import kernel
from tamis.page.model import HIDDEN, Page
from tamis.page.spans import Span, as_spans, union
from tamis.page.text import Bools, Floats, Ints, collapse

__all__ = [
    "beside_content",
    "break_off",
    "build_containers",
    "build_units",
    "chances",
    "decided",
    "expected_words",
    "folded_blocks",
    "headline_again",
    "hidden_blocks",
    "hold_back",
    "holders_around",
    "kept_spans",
    "levelled",
    "likeliest",
    "likely_holders",
    "long_texts",
    "named",
    "placed",
    "quoted",
    "read_evidence",
    "same_texts",
    "says",
    "score_columns",
    "set_apart",
    "type_chances",
    "words_in",
]


def read_evidence(page: Page, containers: Containers, class_names: ClassNames, word_table: WordTable) -> Evidence:
    """All features of all blocks, in the order of ``NAMES``; there must be at least one block."""
    if not len(page.blocks):
        raise ValueError("a page without blocks has no features")
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


def type_chances(types: PageTypes, summary: Weights) -> list[float]:
    """How likely a page is of each of PAGE_TYPES."""
    chances: list[float] = types.chances(summary).tolist()
    return chances


def kept_spans(kept: Bools, leaves: Ints, first_leaf: Ints, text_start: Ints, text_end: Ints) -> tuple[Span, ...]:
    """The texts of the kept blocks; block i has the text nodes ``leaves[first_leaf[i]:first_leaf[i + 1]]``."""
    chosen = leaves[np.repeat(kept, np.diff(first_leaf))]
    return as_spans(*union(text_start[chosen], text_end[chosen]))


def hidden_blocks(flags: npt.NDArray[np.uint8], nodes: Ints, log_odds: Floats, least: float) -> Bools | None:
    """The blocks in hidden nodes that are not too unlikely; None if there are none."""
    is_hidden: Bools = ((flags[nodes] & HIDDEN) != 0) & (log_odds >= least)
    return is_hidden if is_hidden.any() else None


def likely_holders(containers: Containers, log_odds: Floats, least: float, tag: int) -> tuple[Ints, list[int]]:
    """The nodes of containers that hold a block which is not too unlikely, and those of these containers with a tag."""
    before = np.append(0, np.cumsum(log_odds >= least))
    holds = before[containers.last] > before[containers.first]
    return containers.node[holds], np.flatnonzero(holds & (containers.tag == tag)).tolist()


def holders_around(containers: Containers, blocks: Bools) -> Ints:
    """The containers in which some of these blocks stand."""
    holds = np.zeros(len(containers) + 1, dtype=np.int64)
    holds[containers.holder[blocks] + 1] = 1
    before = np.cumsum(holds)
    return np.flatnonzero(before[containers.end] > before[:-1])


def named(numbers: Ints, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names with these numbers."""
    return tuple(map(names.__getitem__, numbers.tolist()))


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


def long_texts(
    page: Page, units: Units, kinds: npt.NDArray[np.uint8], least_words: int, least_characters: int, opening: int
) -> tuple[list[int], list[tuple[int, int]], list[int]]:
    """Blocks of some kinds of units that are long enough, those that say the same, and those that break off.

    What is said more than once comes in pairs, for each block that says it: the first that does, and itself. Of what
    breaks off only those are given that begin with so many characters as another long block does.
    """
    blocks = page.blocks
    is_long = (blocks.words >= least_words) & (blocks.characters >= least_characters)
    numbers = np.flatnonzero(is_long & (kinds[units.kind[units.of_block]] != 0))
    same = same_texts(page.text, blocks.start[numbers], blocks.end[numbers])
    is_twice = np.isin(same, same[same < np.arange(len(same))])
    breaks = break_off(page.text, blocks.start[numbers], blocks.end[numbers])
    begins = [collapse(page.text[blocks.start[number] : blocks.end[number]])[:opening] for number in numbers.tolist()]
    counts = Counter(begins)
    breaks &= np.array([counts[begin] > 1 for begin in begins], dtype=np.bool_)
    twice = zip(numbers[same[is_twice]].tolist(), numbers[is_twice].tolist(), strict=True)
    return numbers.tolist(), list(twice), numbers[breaks].tolist()


def set_apart(
    page: Page,
    containers: Containers,
    numbers: list[int],
    is_aside: Bools,
    pulling: tuple[str, ...],
    most_words: int,
    most: int,
) -> list[int]:
    """The first of some blocks, none too long, that stand in elements with certain tags or words in their names."""
    inside = containers.inside(is_aside[containers.tag].nonzero()[0])
    names = [containers.names[name].lower() for name in containers.name[containers.holder].tolist()]
    found = [
        number
        for number in numbers
        if page.blocks.words[number] <= most_words
        and (inside[number] or any(word in names[number] for word in pulling))
    ]
    return found[:most]


def headline_again(page: Page, units: Units, kinds: npt.NDArray[np.uint8], headline: range, near: int) -> list[int]:
    """Blocks of some kinds of units that say what the blocks of the headline do, and are nearly as long as they."""
    blocks = page.blocks
    length = int(blocks.characters[headline.start : headline.stop].sum())
    is_near = (np.abs(blocks.characters - length) <= near) & (kinds[units.kind[units.of_block]] != 0)
    is_near[headline.start : headline.stop] = False
    numbers = np.flatnonzero(is_near)
    wanted = " ".join(filter(None, folded_blocks(page, headline)))
    found: list[int] = numbers[says(page.text, blocks.start[numbers], blocks.end[numbers], wanted)].tolist()
    return found


def folded_blocks(page: Page, numbers: Sequence[int]) -> list[str]:
    """What some blocks say, for comparing: letters and digits only, without case."""
    blocks = page.blocks
    return [kernel.folded(page.text[blocks.start[number] : blocks.end[number]]) for number in numbers]


def quoted(page: Page, running: list[int], apart: list[int]) -> list[int]:
    """Those of some blocks that are set apart whose words stand in a row in a block of running text."""
    text = "\n".join(folded_blocks(page, running))
    return [number for number, quote in zip(apart, folded_blocks(page, apart), strict=True) if quote in text]


def words_in(names: tuple[str, ...], words: tuple[str, ...]) -> list[str]:
    """Those of some words, which are written in small letters, that stand in some names, whatever their case."""
    said = "\n".join(names).lower()
    return [word for word in words if word in said]


def likeliest(page: Page, nodes: list[int], odds: Floats) -> tuple[int, range]:
    """Which of some nodes has the likeliest block, the first of equals, and its blocks; none if none has a block."""
    best, shown, most = 0, range(0), -np.inf
    for place, node in enumerate(nodes):
        first, last = np.searchsorted(page.blocks.leaves, (node, page.nodes.end[node])).tolist()
        if first == last:
            continue
        start, end = np.searchsorted(page.blocks.first_leaf, (first, last - 1), side="right").tolist()
        highest = odds[start - 1 : end].max()
        if highest > most:
            best, shown, most = place, range(start - 1, end), highest
    return best, shown
