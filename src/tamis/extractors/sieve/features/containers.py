"""The containers around a block: how much of the page's running text they hold, and how dense it is.

Each container is a range of blocks, so all of these are differences of prefix sums.
"""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.features.material import Columns, Material, per_level


def columns(material: Material) -> Columns:
    sums = material.levels
    words = np.maximum(sums["words"], 1)
    return {
        **per_level("level{}_share", sums["text_words"] / max(material.counts.page["text_words"], 1)),
        **per_level("level{}_length", sums["words"] / np.maximum(sums["blocks"], 1)),
        **per_level("level{}_density", sums["characters"] / np.maximum(sums["tags"], 1)),
        **per_level("level{}_text", sums["text_words"] / words),
        **per_level("level{}_total", sums["words"]),
    }
