"""Where a block stands: on the page, in the tree, and between headings."""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.features.material import Columns, Material
from tamis.extractors.sieve.features.title import heading_levels, title_place


def columns(material: Material) -> Columns:
    counts, size = material.counts, material.counts.size
    places = np.arange(size)
    is_heading = heading_levels()[counts.tag] > 0
    last_heading = np.maximum.accumulate(np.where(is_heading, places, -1))
    next_heading = np.minimum.accumulate(np.where(is_heading, places, size)[::-1])[::-1]
    return {
        "position": places / size,
        "words_before": counts.sums["words"][:-1] / max(counts.page["words"], 1),
        "depth": material.page.nodes.depth[material.page.blocks.node],
        "after_heading": np.where(last_heading < 0, size, places - last_heading),
        "to_heading": next_heading - places,
        "after_title": places - title_place(material),
    }
