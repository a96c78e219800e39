"""Link quota filter: everything but the blocks whose text is mostly anchor text.

Idea:      a block made of links is navigation or a link list. Each block is judged by its own text, without that of
           blocks inside it; if the share of anchor text is above a threshold, this text is dropped.
Reference: Gottron (2008), section 3.2.4; the variants are those of Gupta et al. (2003), the filter inside Crunch, and
           of Mantratzis, Orgun & Cassidy (2005), both as Gottron describes them.
Departs:   characters are counted without white space. Text under a link counts as anchor text even if there is a block
           between them. A partial word of Crunch counts as a whole one; otherwise the number of characters per word
           would cancel out. How nested blocks count for Mantratzis et al. is not known: here their counts are added,
           weighted by the distance in the tree, and the whole element is dropped.
Strong at: recall; the threshold matters little on ordinary articles.
Weak at:   boilerplate without links (headers, footers, forms); articles full of links. It is meant to be combined with
           other filters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from tamis.errors import OptionError
from tamis.extractors._kept_text import kept_spans
from tamis.extractors._link_quota import OwnText, damped_totals, own_text, quotas, word_estimate
from tamis.page.model import INVISIBLE, LINK, Page
from tamis.page.names import is_element_name
from tamis.page.text import Bools, Floats
from tamis.ranges import COUNT, SHARE, check_ranges
from tamis.results import Extraction

BLOCK_NAMES = tuple(
    "address blockquote body center dd dir div dl dt fieldset form h1 h2 h3 h4 h5 h6 hr li menu noframes noscript ol p "
    "pre table tbody td tfoot th thead tr ul "
    "article aside details figcaption figure footer header main nav section summary".split()
)
"""The block-level elements of HTML 4 and 5; the literature leaves the set open."""


class LinkListRule(NamedTuple):
    """What makes a block a link list."""

    blocks: tuple[str, ...]
    threshold: float
    denominator: str
    characters_per_word: int
    anchor_share: float | None  # None: elements are not counted
    damping: float
    discard_nested: bool


VARIANTS = {
    "gottron": LinkListRule(BLOCK_NAMES, 0.25, "all", 1, None, 0.0, False),
    "crunch": LinkListRule(("td", "th"), 0.35, "nonlink", 5, None, 0.0, False),
    "mantratzis": LinkListRule(("table", "tr", "td", "div"), 0.4, "all", 1, 0.5, 0.5, True),
}
"""The filters of the literature. The damping of Mantratzis et al. is unpublished; one half per level is a guess."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which filter, and what to change in it; ``None`` leaves what the variant says."""

    variant: Literal["gottron", "crunch", "mantratzis"] = "gottron"  # the general form, and two published ones
    # Anchor text above this share makes a link list. Gottron studied 0.25, 0.5 and 0.75 and found 0.25 best on all his
    # pages but those of Wikipedia; 0.35 for crunch and 0.4 for mantratzis are their authors' values.
    threshold: float | None = None
    blocks: tuple[str, ...] | None = None  # elements that are judged; all block-level ones, cells, or table tr td div
    denominator: Literal["all", "nonlink"] | None = None  # anchor text over all text, or over the rest (crunch)
    characters_per_word: int | None = None  # sizes in words of so many characters; crunch 5, the others 1
    anchor_share: float | None = None  # also asks for more anchors than this share of elements; mantratzis 0.5
    damping: float | None = None  # weight of a nested block per level of distance; mantratzis 0.5, the others 0
    discard_nested: bool | None = None  # drop what is nested in a link list too; only mantratzis does

    def __post_init__(self) -> None:
        check_ranges(self, threshold=SHARE, anchor_share=SHARE, damping=SHARE, characters_per_word=COUNT)
        for name in self.blocks or ():
            if not is_element_name(name):
                raise OptionError(f"option blocks has {name!r}, but names of HTML elements are expected")

    @property
    def rule(self) -> LinkListRule:
        """The variant's rule with the given changes."""
        given = {name: getattr(self, name) for name in LinkListRule._fields}
        return VARIANTS[self.variant]._replace(**{name: value for name, value in given.items() if value is not None})


def extract(page: Page, options: Options) -> Extraction:
    rule, nodes = options.rule, page.nodes
    blocks = nodes.named(*rule.blocks)
    own = own_text(page, blocks, nodes.visible_texts)
    link_lists = blocks & _is_link_list(page, own, rule)
    dropped = nodes.inside(link_lists) if rule.discard_nested else link_lists[own.owner]
    return Extraction(page=page, spans=kept_spans(page, ~dropped))


def _is_link_list(page: Page, own: OwnText, rule: LinkListRule) -> Bools:
    rest = own.characters - own.link_characters
    link, whole = (
        _damped(page, word_estimate(characters, rule.characters_per_word), rule)
        for characters in (own.link_characters, own.characters if rule.denominator == "all" else rest)
    )
    found: Bools = quotas(link, whole) > rule.threshold
    if rule.anchor_share is not None:
        found &= _anchor_shares(page, own, rule) > rule.anchor_share
    return found


def _anchor_shares(page: Page, own: OwnText, rule: LinkListRule) -> Floats:
    """Anchors with text over all elements in each block."""
    nodes = page.nodes
    elements = nodes.elements & ((nodes.flags & INVISIBLE) == 0)
    anchors = elements & nodes.named("a") & ((nodes.flags & LINK) != 0) & (nodes.totals(page.flow.characters) > 0)
    holder = own.owner[nodes.parent]  # a nested block is an element of the block around it
    anchor_counts, element_counts = (
        _damped(page, np.bincount(holder[marked], minlength=len(nodes)).astype(np.float64), rule)
        for marked in (anchors, elements)
    )
    return quotas(anchor_counts, element_counts)


def _damped(page: Page, values: Floats, rule: LinkListRule) -> Floats:
    """A number per block with those of the blocks nested in it added, as far as the rule looks at them."""
    return damped_totals(page.nodes, values, rule.damping) if rule.damping else values
