"""Document frequency: texts that many pages of a site share are its template.

Idea:      count on how many other training pages a text is found; above a third of them it is template.
Reference: Gottron (2008), section 7.2.2, a simplification of Ma, Goharian, Chowdhury & Chung (2003), who count the
           texts of table cells instead of text nodes (``units="cells"``).
Departs:   the page itself is not counted: otherwise sets of one or two pages would be emptied.
Strong at: simplicity and recall.
Weak at:   texts generated for one page, such as related links, stay; content that recurs is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.ranges import SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates._texts import counted, digest, filled_leaves, kept_spans, other_pages, owned_texts


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is counted, and from which share of pages on it is template."""

    max_share: float = 1 / 3  # Gottron; Ma et al. give no number
    units: Literal["texts", "cells"] = "texts"  # text nodes (Gottron), or the texts of table cells and rows (Ma et al.)

    def __post_init__(self) -> None:
        check_ranges(self, max_share=SHARE)


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    counts: dict[str, int]  # pages that have a text


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    counts = counted(_keys(page, options).values() for page in pages)
    fewest = options.max_share * (len(pages) - 1)
    return Template(model={"counts": {key: count for key, count in counts.items() if count > fewest}})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    others, own = other_pages(template, page)
    counts = template.model["counts"]
    leaves = filled_leaves(page)
    removed = {
        unit for unit, key in _keys(page, options).items() if counts.get(key, 0) - own > options.max_share * others
    }
    kept = np.array([unit not in removed for unit in _units(page, leaves, options).tolist()], dtype=np.bool_)
    return Extraction(page=page, spans=kept_spans(page, leaves, kept))


def _keys(page: Page, options: Options) -> dict[int, str]:
    """A name for the text of every unit."""
    leaves = filled_leaves(page)
    texts = owned_texts(page, leaves, _units(page, leaves, options))
    return {unit: digest(text) for unit, text in texts.items()}


def _units(page: Page, leaves: Ints, options: Options) -> Ints:
    """The unit that each text node belongs to: itself, or the nearest cell or row."""
    if options.units == "texts":
        return leaves
    cells = page.nodes.nearest(page.nodes.named("td", "th", "tr"))[leaves]
    return np.where(cells > 0, cells, leaves)
