"""WISDOM: informative blocks together with the blocks around them (an approximation).

Idea:      find informative blocks as InfoDiscoverer does, and keep them with the blocks that contain them.
Reference: Kao, Ho & Chen (2005), as described by Gottron (2008), section 3.3.7.
Departs:   this is an approximation. The source describes an information coverage tree that is filtered, merged and
           expanded, but gives no formula; here the tree consists of the informative blocks and all blocks above them.
Strong at: text that stands directly in a box whose parts are informative: headings, introductions.
Weak at:   what InfoDiscoverer is weak at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.page.model import Page
from tamis.results import Extraction, Template
from tamis.templates import infodiscoverer
from tamis.templates._entropy import block_owners
from tamis.templates._paths import with_ancestors
from tamis.templates._texts import filled_leaves, kept_spans


@dataclass(frozen=True, kw_only=True)
class Options:
    """No options: blocks and threshold are those of InfoDiscoverer."""


Model = infodiscoverer.Model
_BLOCKS = infodiscoverer.Options()


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    return infodiscoverer.learn_template(pages, _BLOCKS)


def extract(page: Page, template: Template, options: Options) -> Extraction:
    leaves = filled_leaves(page)
    informative = sorted(infodiscoverer.informative_blocks(page, template, _BLOCKS))
    carriers = with_ancestors(page, np.array(informative, dtype=np.int64)) if informative else np.zeros(0, np.int64)
    # The page itself carries everything; its own text is kept only if it is informative.
    carriers = carriers[(carriers > 0) | (0 in informative)]
    kept = np.isin(block_owners(page, leaves, _BLOCKS.names), carriers)
    return Extraction(page=page, spans=kept_spans(page, leaves, kept))
