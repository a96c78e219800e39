"""Site: the single-page extractor combined with evidence from the other pages of the site.

Idea:      the default extractor gives every block of every page a probability of being content. Blocks at the same
           place of the template on different pages are of one kind, so their probabilities are averaged over the pages.
           Text that recurs without filling a slot is likely template, long text more than short, since labels inside
           content recur as well. The three are added as log odds.
Reference: our own; slots are those of the method of this name.
Strong at: boilerplate that reads like content, and short content that looks like boilerplate.
Weak at:   pages that differ from all others of their site: there it can do no better than the default extractor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tamis import registry
from tamis.page.blocks import kept_shares
from tamis.page.model import Page
from tamis.page.text import Bools, Floats
from tamis.ranges import NOT_NEGATIVE, SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates import slots
from tamis.templates._alone import extracted
from tamis.templates._paths import place_keys
from tamis.templates._texts import kept_blocks, other_pages

_SUREST = 0.95  # a choice without probabilities counts as much, and no probability counts for more


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which extractor is used, and how much the other pages count."""

    extractor: str | None = None  # None: the default of tamis.extract
    # How much the mean over pages counts beside the page itself. Swept 0-0.75 on 18 same-host groups (three pages and
    # more) of train/wcxb and train/newspaper4k_articles, pages that sieve was trained on: with sieve F1 rises to 0.5
    # and is flat from there, while more sites get worse; with elisa flat.
    place_weight: float = 0.5
    # Log odds that a text on all other pages loses. Swept 0-16 on the same pages: with sieve best at 0-4, with elisa
    # from 4 on. At 4 no probability saves a text that all other pages have.
    repeat_weight: float = 4.0

    def __post_init__(self) -> None:
        check_ranges(self, place_weight=SHARE, repeat_weight=NOT_NEGATIVE)


class Model(slots.Model):
    """What is learned, in types that JSON has."""

    places: dict[str, tuple[float, int]]  # mean log odds, and how many pages have the place
    extractor: str


def check_model(model: Model) -> None:
    """A ``ValueError`` if there is no such extractor."""
    registry.load("extractors", model["extractor"])


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    extractor = options.extractor or registry.default("extractors")
    found = (extracted(page, extractor) for page in pages)
    own = [alone.shown for alone in found if alone.embedded is None]  # an article in a script says nothing of places
    repeated = slots.learn_template([alone.page for alone in own], slots.Options())
    return Template(model={**repeated.model, "places": _places(own), "extractor": extractor})


def _places(found: Sequence[Extraction]) -> dict[str, list[float]]:
    """For each place that several pages have: the mean of its log odds over the pages, and how many pages there are."""
    sums: dict[str, list[float]] = {}
    for alone in found:
        own: dict[str, list[float]] = {}
        keys = place_keys(alone.page, alone.page.blocks.node)
        for key, odds in zip(keys, _log_odds(alone).tolist(), strict=True):
            own.setdefault(key, []).append(odds)
        for key, values in own.items():
            entry = sums.setdefault(key, [0.0, 0])
            entry[0] += sum(values) / len(values)
            entry[1] += 1
    return {key: [round(total / count, 4), count] for key, (total, count) in sums.items() if count > 1}


def extract(page: Page, template: Template, options: Options) -> Extraction:
    alone = extracted(page, template.model["extractor"])
    if alone.embedded is not None:
        return alone
    seen, single = alone.shown.page, _log_odds(alone.shown)
    shares, in_slot = slots.evidence(seen, template, *other_pages(template, page))
    placed = _place_odds(seen, single, template.model["places"])
    repeated = _repetition(shares, in_slot)
    odds = (1 - options.place_weight) * single + options.place_weight * placed - options.repeat_weight * repeated
    scores = 1 / (1 + np.exp(-odds))
    return replace(
        alone,
        spans=kept_blocks(seen, odds > 0),
        scores=tuple(scores.tolist()),
        reasons=tuple(map(_reason, shares.tolist(), in_slot.tolist(), placed.tolist())),
    )


def _log_odds(alone: Extraction) -> Floats:
    """For each block the log odds of being content, as far as its page tells."""
    chances = kept_shares(alone.page, alone.spans)
    if alone.scores is not None:
        scores = np.array(alone.scores, dtype=np.float64)
        if len(scores) and scores.min() >= 0 and scores.max() <= 1:
            chances = (chances + scores) / 2  # the choice knows more than the score: what was decided for whole regions
    chances = np.clip(chances, 1 - _SUREST, _SUREST)
    odds: Floats = np.log(chances / (1 - chances))
    return odds


def _place_odds(page: Page, single: Floats, places: Mapping[str, Any]) -> Floats:
    """The mean log odds of each block's place over the training pages; 0 where no two of them have it."""
    found = [places.get(key, (0.0, 0)) for key in place_keys(page, page.blocks.node)]
    means = np.array([mean for mean, _ in found], dtype=np.float64)
    return np.where(np.array([count for _, count in found]) > 0, means, single)


def _repetition(shares: Floats, in_slot: Bools) -> Floats:
    """From 0, for what the method ``slots`` keeps, to 1, for text that all other pages have."""
    limits = slots.Options()
    is_slot = in_slot & (shares <= limits.everywhere_share)
    above = np.maximum(0.0, shares - limits.max_share) / (1 - limits.max_share)
    return np.where(is_slot, 0.0, above)


def _reason(share: float, in_slot: bool, placed: float) -> str:
    where = "content" if placed > 0 else "other"
    return f"on {share:.0%} of the other pages{', in a slot' if in_slot else ''}; its place: {where} ({placed:+.1f})"
