"""Texts of a page as units that can be counted over pages, and the way back from units to spans."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import Bools, Ints, collapse
from tamis.results import Template

PRIME = (1 << 31) - 1  # small enough for products with ``_BASE`` in 64 bits
_BASE = 1_000_003


def digest(*parts: str) -> str:
    """A short name of some strings, the same in every process.

    >>> digest("menu", "home"), digest("menuhome") == digest("menu", "home")
    ('424e30b239537dea', False)
    """
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def fingerprint(page: Page) -> str:
    """The same for pages that show the same text."""
    return digest(" ".join(leaf_texts(page, filled_leaves(page))))


def filled_leaves(page: Page) -> Ints:
    """Text nodes a reader can see that hold more than white space."""
    leaves = page.blocks.leaves
    return leaves[page.flow.characters[leaves] > 0]


def leaf_texts(page: Page, leaves: Ints) -> list[str]:
    """Texts of some text nodes, white space collapsed."""
    starts, ends = page.nodes.text_start[leaves].tolist(), page.nodes.text_end[leaves].tolist()
    return [collapse(page.text[start:end]) for start, end in zip(starts, ends, strict=True)]


def owned_texts(page: Page, leaves: Ints, owners: Ints) -> dict[int, str]:
    """The text that belongs to each owner: of all text nodes it owns, in document order."""
    found: dict[int, list[str]] = {}
    for owner, text in zip(owners.tolist(), leaf_texts(page, leaves), strict=True):
        found.setdefault(owner, []).append(text)
    return {owner: " ".join(texts) for owner, texts in found.items()}


def kept_spans(page: Page, leaves: Ints, kept: Bools) -> tuple[Span, ...]:
    """Spans of the kept ones among ``filled_leaves``; white space in between goes with the text before it."""
    everything = page.blocks.leaves
    last = np.searchsorted(leaves, everything, side="right") - 1
    chosen = np.append(kept, False)[last]  # -1, before the first filled text, is the appended one
    same_block = page.flow.run[everything] == page.flow.run[leaves[last]] if len(leaves) else chosen
    return page.text_spans(everything[chosen & same_block])


def kept_blocks(page: Page, kept: Bools) -> tuple[Span, ...]:
    """Spans of some of the page's blocks."""
    blocks = page.blocks
    return page.text_spans(blocks.leaves[np.repeat(kept, np.diff(blocks.first_leaf))])


def other_pages(template: Template, page: Page) -> tuple[int, int]:
    """How many training pages there are besides this one, and how often (0 or 1) it was counted among them."""
    own = int(fingerprint(page) in template.pages)
    return len(template.pages) - own, own


def shingles(words: Sequence[str], length: int) -> frozenset[str]:
    """Names of all runs of so many words; a shorter text is one run."""
    if not words:
        return frozenset()
    count = max(1, len(words) - length + 1)
    return frozenset(digest(*words[start : start + length]) for start in range(count))


def runs(codes: Ints, length: int) -> Ints:
    """A number below ``PRIME`` for every ``length`` codes in a row; fewer codes are one run."""
    length = min(length, len(codes))
    numbers = np.zeros(len(codes) - length + 1 if length else 0, dtype=np.int64)
    for place in range(length):
        numbers = (numbers * _BASE + codes[place : place + len(numbers)]) % PRIME
    return numbers


def counted(keys_of_pages: Iterable[Iterable[str]]) -> dict[str, int]:
    """On how many pages each key is found, in the order in which keys appear."""
    found: dict[str, int] = {}
    for keys in keys_of_pages:
        for key in dict.fromkeys(keys):
            found[key] = found.get(key, 0) + 1
    return found
