"""Which blocks are kept, and the rule that decided for each: units by expected F1, the headline, what is asked for.

odds       of blocks: comments outside forums, what stands outside the main container or before the headline, and
           copies lose some or all; so do dialogs, and hidden text that nothing reveals
units      odds of blocks pooled, those of structures raised to their neighbours, those of headings to their bodies
prefix     the units with the best expected F1
headline   kept wherever it stands, unless it is to be dropped

Nothing is repaired after the cut: units are whole when it is made, and what belongs to something else has drawn its
odds from there. Only what is no question of probability comes after it: the headline, whose words the cut does not
count, and what the options ask for.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple, Protocol

import numpy as np

from tamis.about.headlines import headline_candidates
from tamis.about.likeness import ALIKE
from tamis.extractors.sieve.copies import copies, repeats_headline
from tamis.extractors.sieve.decide import NOTHING
from tamis.extractors.sieve.kernel import kernel
from tamis.extractors.sieve.notes import find_notes
from tamis.extractors.sieve.reading import Reading
from tamis.extractors.sieve.units import HEADING, KIND_NAMES, STRUCTURES
from tamis.extractors.sieve.unseen import RELUCTANCE, unseen
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import Bools, Floats, Ints

BEFORE_SHARE = 0.15  # of the expected words; with more before it the headline stands inside the content
BEFORE_PENALTY = 2.0  # log odds taken from what stands before the headline
LOOSE_TYPES = ("listing", "collection", "product")  # what stands between their paragraphs seldom belongs to them
TILED_TYPES = ("listing", "collection", "service")  # a heading may be all that one of their tiles says

_DECIDED = {
    "cut": ("dropped: below the cut", "kept: part of the best expected F1"),
    "comments": ("dropped: comments=drop", "kept: comments=keep"),
    "title": ("dropped: title=drop", "kept: title=keep"),
    "named": ("dropped: named after comments, and the page is no forum",),
    "headline": ("kept: the headline",),
    "copy": ("dropped: says again what another block says",),
    "heads": ("dropped: heads nothing that is kept", "kept: with what it heads"),
    "with": tuple(f"{verb}: with its {name}" for name in KIND_NAMES for verb in ("dropped", "kept")),
    "unseen": ("dropped: in a dialog, or hidden and revealed by nothing",),
}
"""What decides last; of two, the first drops and the second keeps, and of ``with`` each kind of unit has two."""
RULES = tuple(itertools.chain.from_iterable(_DECIDED.values()))
_RULE = dict(zip(_DECIDED, itertools.accumulate(map(len, _DECIDED.values()), initial=0), strict=False))
"""The first number of each."""
_RULES_OF_KINDS = np.full((2, len(KIND_NAMES)), _RULE["cut"], dtype=np.int64)  # of units of one block, and of several
_RULES_OF_KINDS[1, STRUCTURES] = _RULE["with"] + 2 * np.flatnonzero(STRUCTURES)
_RULES_OF_KINDS[:, HEADING] = _RULE["heads"]


class Policies(Protocol):
    """The options that decide."""

    @property
    def bias(self) -> float: ...
    @property
    def comments(self) -> str: ...
    @property
    def hidden(self) -> str: ...
    @property
    def title(self) -> str: ...


class Choice(NamedTuple):
    """What is kept of each block, the number of the rule that decided, and the node of the headline, or None."""

    kept: Bools
    rules: Ints
    headline: int | None


def choose(page: Page, reading: Reading, options: Policies) -> Choice:
    """Which blocks are kept of a page that has blocks."""
    containers, is_forum = reading.containers, reading.page_type == "forum"
    words = page.blocks.words.astype(np.float64)
    penalised = None
    if options.comments == "auto" and not is_forum:
        penalised = kernel.beside_content(reading.in_comments, reading.log_odds, words)
    odds = kernel.placed(reading.log_odds, words, containers, penalised, reading.article_chance)
    is_unseen = unseen(page, containers, odds, words, shows_hidden=options.hidden == "keep")
    if is_unseen is not None:
        odds -= RELUCTANCE * is_unseen
    units = kernel.build_units(page, containers)
    headline, node, is_sure = _headline(page, odds)
    if is_sure:
        kernel.hold_back(odds, words, headline.start, BEFORE_SHARE, BEFORE_PENALTY)
    again = [] if is_forum else copies(page, containers, odds, units)  # there answers quote
    if headline:
        again += repeats_headline(page, headline, units)
    if again:
        odds[again] = NOTHING
    kept, rules = kernel.decided(
        page,
        units,
        odds,
        words,
        headline,
        find_notes(page, units),
        reading.page_type in LOOSE_TYPES,
        reading.page_type in TILED_TYPES,
        is_forum,
        options.bias,
        _RULES_OF_KINDS,
        _RULE["headline"],
    )
    if again:
        rules[[number for number in again if not kept[number]]] = _RULE["copy"]
    if penalised is not None:
        rules[penalised & ~kept] = _RULE["named"]
    if is_unseen is not None:
        rules[is_unseen & ~kept] = _RULE["unseen"]
    if options.comments != "auto":
        _obey(options.comments, _RULE["comments"], reading.in_comments, kept, rules)
    if options.title != "auto":
        _obey(options.title, _RULE["title"], list(headline) or reading.is_title, kept, rules)
    return Choice(kept, rules, node if headline and options.title != "drop" else None)


def kept_spans(page: Page, choice: Choice) -> tuple[Span, ...]:
    """Where the blocks stand that are kept."""
    nodes, blocks = page.nodes, page.blocks
    return kernel.kept_spans(choice.kept, blocks.leaves, blocks.first_leaf, nodes.text_start, nodes.text_end)


def scores(reading: Reading) -> tuple[float, ...]:
    """For each block the probability of being content."""
    return kernel.chances(reading.log_odds)


def told(choice: Choice) -> tuple[str, ...]:
    """For each block the rule that decided."""
    return kernel.named(choice.rules, RULES)


def _obey(policy: str, number: int, blocks: list[int] | Bools, kept: Bools, rules: Ints) -> None:
    """Keep some blocks, or drop them, whatever has been decided; ``number`` is that of the rule to drop them."""
    kept[blocks] = policy == "keep"
    rules[blocks] = number + (policy == "keep")


def _headline(page: Page, odds: Floats) -> tuple[range, int, bool]:
    """The blocks of the headline, its node, and whether it is like what the page says it is called."""
    found = headline_candidates(page)
    place, shown = kernel.likeliest(page, [one.node for one in found], odds)
    return (shown, found[place].node, found[place].likeness >= ALIKE) if shown else (shown, 0, False)
