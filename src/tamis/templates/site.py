"""Site: what a single page shows, and what the other pages of its site know about it.

Idea:      the default extractor gives every block of every page a probability of being content. Blocks that stand at
           one place of the template on different pages are of one kind, so their probabilities are averaged over the
           pages. Text that recurs without filling a slot is template, the more so the longer it is: labels inside
           content recur as well. The three are added up as log odds.
Reference: our own; slots are those of the method of this name.
Strong at: boilerplate that reads like content, and short content that looks like boilerplate.
Weak at:   pages that differ from all others of their site: there it can do no better than the default extractor.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis import registry
from tamis.errors import OptionError
from tamis.page.blocks import kept_shares
from tamis.page.model import Page
from tamis.page.results import Extraction, Template
from tamis.page.text import Floats
from tamis.templates import slots
from tamis.templates._places import place_keys
from tamis.templates._texts import kept_blocks

_SUREST = 0.95  # a choice without probabilities counts as much, and no probability counts for more


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which extractor is asked, and how much the other pages count."""

    extractor: str | None = None  # None: the default of tamis.extract
    place_weight: float = 0.5
    repeat_weight: float = 8.0

    def __post_init__(self) -> None:
        if not 0 <= self.place_weight <= 1 or self.repeat_weight < 0:
            raise OptionError("place_weight must be from 0 to 1, and repeat_weight not negative")


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    seen = slots.learn_template(pages, slots.Options())
    extractor = options.extractor or importlib.import_module("tamis.extractors").DEFAULT
    sums: dict[str, list[float]] = {}
    for page in pages:
        own: dict[str, list[float]] = {}
        for key, odds in zip(place_keys(page, page.blocks.node), _log_odds(page, extractor)[1].tolist(), strict=True):
            own.setdefault(key, []).append(odds)
        for key, found in own.items():
            entry = sums.setdefault(key, [0.0, 0])
            entry[0] += sum(found) / len(found)
            entry[1] += 1
    places = {key: [round(total / count, 4), count] for key, (total, count) in sums.items() if count > 1}
    return Template(model={**seen.model, "places": places, "extractor": extractor})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    extraction, single = _log_odds(page, template.model["extractor"])
    shares, in_slot = slots.evidence(page, template)
    placed = _place_odds(page, single, template.model["places"])
    repeated = np.where(in_slot & (shares <= 0.9), 0.0, np.maximum(0.0, shares - 1 / 3) * 1.5)
    odds = (1 - options.place_weight) * single + options.place_weight * placed - options.repeat_weight * repeated
    scores = 1 / (1 + np.exp(-odds))
    return Extraction(
        page=page,
        spans=kept_blocks(page, odds > 0),
        scores=tuple(scores.tolist()),
        reasons=tuple(map(_reason, shares.tolist(), in_slot.tolist(), placed.tolist())),
        notes=extraction.notes,
    )


def _log_odds(page: Page, extractor: str) -> tuple[Extraction, Floats]:
    """What the extractor makes of the page, and for each block the log odds of being content."""
    module = registry.load("extractors", extractor)
    extraction: Extraction = module.extract(page, module.Options())
    chances = kept_shares(page, extraction.spans)
    if extraction.scores is not None:
        scores = np.array(extraction.scores, dtype=np.float64)
        if len(scores) and scores.min() >= 0 and scores.max() <= 1:
            chances = (chances + scores) / 2  # the choice knows more than the score: what was decided for whole regions
    chances = np.clip(chances, 1 - _SUREST, _SUREST)
    return extraction, np.log(chances / (1 - chances))


def _place_odds(page: Page, single: Floats, places: Mapping[str, Any]) -> Floats:
    """The mean log odds of each block's place over the training pages; 0 where no two of them have it."""
    found = [places.get(key, (0.0, 0)) for key in place_keys(page, page.blocks.node)]
    means = np.array([mean for mean, _ in found], dtype=np.float64)
    return np.where(np.array([count for _, count in found]) > 0, means, single)


def _reason(share: float, in_slot: bool, placed: float) -> str:
    where = "content" if placed > 0 else "other"
    return f"on {share:.0%} of the other pages{', in a slot' if in_slot else ''}; its place: {where} ({placed:+.1f})"
