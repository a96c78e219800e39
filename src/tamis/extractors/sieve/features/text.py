"""The text of a block: how much, in what characters, and whether the page says it more than once."""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.features.material import Columns, Material


def columns(material: Material) -> Columns:
    counts = material.counts
    characters = np.maximum(material.page.blocks.characters, 1)
    return {
        "words": counts.words,
        "word_length": characters / np.maximum(counts.words, 1),
        "ends": counts.ends,
        "commas": counts.commas / np.maximum(counts.words, 1),
        "digits": counts.digits / characters,
        "capitals": counts.capitals / characters,
        "tags": counts.tags,
        "duplicates": material.matches.duplicates,
    }
