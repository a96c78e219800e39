"""The part of the page that simpler methods would choose, and where a block lies to it.

candidate  the container that a reader mode chooses (after Arc90's Readability)
window     the run of blocks with the most words and the fewest tags (after Finn et al., BTE)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.extractors.sieve.features.counts import TEXT_LINK_DENSITY
from tamis.extractors.sieve.features.material import Columns, Material
from tamis.page.html import HEADINGS, mask
from tamis.page.text import Bools, Floats

INNER = ("p", "pre", "td", "li", "blockquote", *HEADINGS)
MIN_CHARACTERS = 25  # of a block that counts for its container; as in Readability, like the points below
LEVELS_ABOVE = 4  # containers above a block that are looked at


class Candidate(NamedTuple):
    """The blocks of the best container, and how strong each container is."""

    first: int
    last: int
    strength: Floats


def columns(material: Material) -> Columns:
    containers, counts = material.containers, material.counts
    best = find_candidate(material)
    relative = best.strength / max(float(best.strength.max()), 1e-9)
    start, end = find_window(material)
    share = counts.sums["text_words"][best.last] - counts.sums["text_words"][best.first]
    words = counts.sums["words"][end] - counts.sums["words"][start]
    return {
        "in_candidate": _inside(counts.size, best.first, best.last),
        "candidate_share": share / max(counts.page["text_words"], 1),
        "candidate_score": -containers.path_least(-relative)[containers.holder],
        "candidate_distance": _outside_distance(counts.size, best.first, best.last),
        "above_score": relative[containers.ancestors[:LEVELS_ABOVE]].max(axis=0),
        "over_candidate": relative[containers.holder],
        "in_window": _inside(counts.size, start, end),
        "window_distance": _outside_distance(counts.size, start, end),
        "page_candidate": share / max(counts.page["text_words"], 1),
        "page_window": words / max(counts.page["words"], 1),
    }


def find_candidate(material: Material) -> Candidate:
    """The container a reader mode would choose."""
    containers, counts, blocks = material.containers, material.counts, material.page.blocks
    points = np.where(
        (blocks.characters >= MIN_CHARACTERS) & (counts.links < TEXT_LINK_DENSITY),
        1 + counts.commas + np.minimum(blocks.characters / 100, 3),
        0,
    )
    near = np.where(mask(*INNER)[counts.tag], containers.parent[containers.holder], containers.holder)
    size = len(containers)
    strength: Floats = np.bincount(near, weights=points, minlength=size).astype(np.float64)
    strength += np.bincount(containers.parent[near], weights=points / 2, minlength=size)
    sums = counts.over(containers.first, containers.last)
    strength *= 1 - sums["link_words"] / np.maximum(sums["words"], 1)
    best = int(np.argmax(strength))
    return Candidate(int(containers.first[best]), int(containers.last[best]), strength)


def find_window(material: Material) -> tuple[int, int]:
    """The run of blocks with the most words outside links and the fewest tags."""
    counts = material.counts
    gains = counts.words * (1 - 2 * counts.links) - counts.tags * 1.0
    sums = np.concatenate(([0.0], np.cumsum(gains)))
    lowest = np.minimum.accumulate(sums)
    end = int(np.argmax(sums - lowest))
    start = int(np.flatnonzero(sums[: end + 1] == lowest[end])[-1])
    return start, end


def _inside(size: int, start: int, end: int) -> Bools:
    inside = np.zeros(size, dtype=np.bool_)
    inside[start:end] = True
    return inside


def _outside_distance(size: int, start: int, end: int) -> Floats:
    """Blocks between a block and a range: negative before it, zero inside, positive after it."""
    places = np.arange(size, dtype=np.float64)
    return np.minimum(places - start, 0) + np.maximum(places - end + 1, 0)
