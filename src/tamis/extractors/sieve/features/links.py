"""How much of the words is in links: of a block, of its neighbours, of its containers, of what looks like it."""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.features.material import Columns, Material, per_level
from tamis.page.model import LINK

NEAR = (1, 4, 12)  # blocks before and after


def columns(material: Material) -> Columns:
    page, levels = material.page, material.levels
    alike, siblings, card = material.alike, material.siblings, material.card
    return {
        "link_density": material.counts.links,
        "in_link": (page.nodes.flags[page.blocks.node] & LINK) != 0,
        **per_level("level{}_links", levels["link_words"] / np.maximum(levels["words"], 1)),
        **_near(material),
        "alike_links": (alike.link_words / np.maximum(alike.words, 1))[alike.of],
        "siblings_links": (siblings.link_words / np.maximum(siblings.words, 1))[siblings.of],
        "card_links": card.link_words / np.maximum(card.words, 1),
    }


def _near(material: Material) -> Columns:
    counts, size = material.counts, material.counts.size
    places = np.arange(size)
    found = {}
    for count in NEAR:
        sides = {
            f"before{count}_links": (np.maximum(places - count, 0), places),
            f"after{count}_links": (places + 1, np.minimum(places + 1 + count, size)),
        }
        for name, (first, last) in sides.items():
            words, links = (counts.sums[row][last] - counts.sums[row][first] for row in ("words", "link_words"))
            found[name] = links / np.maximum(words, 1)
    return found
