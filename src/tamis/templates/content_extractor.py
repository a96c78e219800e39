"""ContentExtractor: blocks that few other pages have are content.

Idea:      two blocks are the same if nearly all of their words are; blocks that many pages have are template.
Reference: Debnath, Mitra & Giles (2005), as described by Gottron (2008), section 3.3.3.
Departs:   a block is kept if it is rare, which is what the paper means (the printed comparison is the wrong way round).
           Rare means on at most a third of the other pages; the paper gives no number. Text outside the listed tags is
           a block too. The template holds only blocks that at least two training pages share, so that a block
           like several different ones, each of a page alone, counts as rare.
Strong at: blocks with small changes, such as a counter or a date.
Weak at:   content that recurs; the block is all or nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints, words
from tamis.ranges import SHARE, SOME_SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._texts import filled_leaves, kept_spans, other_pages, owned_texts

_BLOCK_NAMES = ("table", "tr", "p", "hr", "ul")  # Debnath et al.; hr holds nothing, as Gottron remarks

BlockWords = tuple[str, ...]
"""The different words of a block, sorted."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """When two blocks are the same, and how many pages may share a block that is content."""

    min_cosine: float = 0.9  # Debnath et al.
    max_share: float = 1 / 3  # of the other pages; not given in the paper, the share of document_frequency

    def __post_init__(self) -> None:
        check_ranges(self, min_cosine=SOME_SHARE, max_share=SHARE)


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    blocks: list[tuple[list[str], list[int]]]  # words, and the pages that have them


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    holders: dict[BlockWords, list[int]] = {}
    for number, page in enumerate(pages):
        for block in dict.fromkeys(_blocks(page).values()):
            holders.setdefault(block, []).append(number)
    index = _Index(holders, options.min_cosine)
    recurring = [block for block in holders if len(index.pages_with(block)) > 1]
    return Template(model={"blocks": [[list(block), holders[block]] for block in recurring]})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    others, own = other_pages(template, page)
    index = _Index({tuple(block): pages for block, pages in template.model["blocks"]}, options.min_cosine)
    leaves = filled_leaves(page)
    blocks = _blocks(page)
    counts = {block: len(index.pages_with(block)) - own for block in dict.fromkeys(blocks.values())}
    # The inverse block-document frequency 1 / (count + 1) is compared with that of a third of the other pages.
    kept = {node for node, block in blocks.items() if counts[block] <= options.max_share * others}
    owners = _owners(page, leaves)
    is_kept = np.array([owner in kept for owner in owners.tolist()], dtype=np.bool_)
    return Extraction(page=page, spans=kept_spans(page, leaves, is_kept))


class _Index:
    """Finds the blocks whose cosine with a given one is above a limit, without comparing it with all of them.

    With c the limit, such blocks share at least c² of the words of either. So of the rarest words of a block, as many
    as may be missing and one more, one must be shared: only blocks listed under these words are compared.
    """

    def __init__(self, holders: Mapping[BlockWords, Sequence[int]], min_cosine: float) -> None:
        self._holders = {block: list(pages) for block, pages in holders.items()}
        self._min_cosine = min_cosine
        self._frequency = Counter(word for block in holders for word in block)
        self._listed: dict[str, list[BlockWords]] = {}
        for block in holders:
            for word in self._rarest(block):
                self._listed.setdefault(word, []).append(block)

    def pages_with(self, block: BlockWords) -> set[int]:
        """Numbers of the pages that hold this block or one like it."""
        found = set(self._holders.get(block, ()))
        mine = frozenset(block)
        seen = {block}
        for word in self._rarest(block):
            for other in self._listed.get(word, ()):
                if other not in seen:
                    seen.add(other)
                    if cosine(mine, other) > self._min_cosine:
                        found.update(self._holders[other])
        return found

    def _rarest(self, block: BlockWords) -> list[str]:
        missing = len(block) - math.ceil(self._min_cosine**2 * len(block) - 1e-9)
        return sorted(block, key=lambda word: (self._frequency[word], word))[: missing + 1]


def cosine(block: frozenset[str], other: Sequence[str]) -> float:
    """Of two sets of words read as vectors of ones and zeros.

    >>> cosine(frozenset("abcd"), ("a", "b", "c", "e"))
    0.75
    """
    shared = sum(word in block for word in other)
    return shared / math.sqrt(len(block) * len(other)) if block and other else 0.0


def _blocks(page: Page) -> dict[int, BlockWords]:
    leaves = filled_leaves(page)
    texts = owned_texts(page, leaves, _owners(page, leaves))
    return {node: tuple(sorted(set(words(text)))) for node, text in texts.items()}


def _owners(page: Page, leaves: Ints) -> Ints:
    """The block each text node belongs to.

    The paper splits blocks tag by tag. Whatever the order, text ends up with the nearest element of the list, and the
    rest of a split block, if it is kept, is the text that no element inside it took.
    """
    return page.nodes.nearest(page.nodes.named(*_BLOCK_NAMES))[leaves]
