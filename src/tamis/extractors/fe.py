"""FeatureExtractor: the one block with the largest share of words among its words and elements.

Idea:      split the page at tables, rows, paragraphs, rules and lists; keep the block with the highest purity of the
           wanted feature.
Reference: Debnath, Mitra & Giles (2005), as described by Gottron (2008), section 3.2.5.
Departs:   words that no browser shows do not count; every element counts, hidden ones included.
Strong at: pages whose main content is one plain block; features other than text.
Weak at:   nearly everything else: a headline or a line without any inner element beats the article. It is included
           because good scores were published for it, which other measures do not confirm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.extractors._kept_text import kept_spans
from tamis.extractors._purity import check_purity_options, purities, segment
from tamis.page.model import Page
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a block is, and which one wins; the paper leaves all of it open but the feature and the smallest purity."""

    feature: str = "text"  # what is wanted: words, or elements of this name such as img
    min_purity: float = 0.5  # blocks below are out; from the paper
    keep_residual: bool = False  # what is left of a block that is cut becomes a block; the printed algorithm loses it
    overlap: bool = False  # elements nested in their like all count, as printed; else the innermost
    tie: Literal["first", "longest"] = "first"  # which of equally pure blocks wins; the paper does not say

    def __post_init__(self) -> None:
        check_purity_options(self.feature, self.min_purity, self.keep_residual, self.overlap)


def extract(page: Page, options: Options) -> Extraction:
    segments = segment(page, keep_residual=options.keep_residual, overlap=options.overlap)
    purity = purities(segments, options.feature)
    candidates = np.flatnonzero(purity >= options.min_purity)
    purest = candidates[purity[candidates] == purity.max()]
    if options.tie == "longest":
        words = segments.counts(page.flow.words)[purest]
        purest = purest[words == words.max(initial=0)]
    return Extraction(page=page, spans=kept_spans(page, segments.inside(purest[:1])))
