"""How much a block is the title of the page: words it shares with the title, and its heading level."""

from __future__ import annotations

import functools

import numpy as np

from tamis.extractors.sieve.features.material import Columns, Material
from tamis.page.html import HEADINGS, mask
from tamis.page.text import Floats


def columns(material: Material) -> Columns:
    return {
        "title_match": material.matches.title,
        "heading_match": material.matches.heading,
        "heading_level": heading_levels()[material.counts.tag],
    }


def title_place(material: Material) -> int:
    """The block that seems to be the title: a heading that matches the title of the page, else the first heading."""
    levels = heading_levels()[material.counts.tag]
    return int(np.argmax(np.where(levels > 0, 0.3 / np.maximum(levels, 1), 0) + material.matches.title))


@functools.cache
def heading_levels() -> Floats:
    """For each tag code the level of the heading, 0 for everything else."""
    levels = np.zeros(len(mask()), dtype=np.float64)
    for level, name in enumerate(HEADINGS, start=1):
        levels[mask(name)] = level
    return levels
