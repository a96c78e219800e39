"""Blocks that repeat words: of the page's title, of its first main heading, of other blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Floats, words

MOST_WORDS = 30  # of a block that may be a title; ours, not swept


class TextMatches(NamedTuple):
    """For each block: its words in the title, its words in the first main heading, and how often its text occurs."""

    title: Floats
    heading: Floats
    duplicates: Floats


def text_matches(page: Page) -> TextMatches:
    """Compare the blocks of a page with its title, its first main heading, and each other."""
    blocks = page.blocks
    title = title_words(page)
    in_links = (2 * blocks.link_words > blocks.words).tolist()  # teasers repeat the words of titles
    spans = zip(blocks.start.tolist(), blocks.end.tolist(), blocks.words.tolist(), in_links, strict=True)
    texts: list[str] = []
    title_match = np.zeros(len(blocks))
    heading_match = np.zeros(len(blocks))
    h1 = np.flatnonzero(page.nodes.named("h1")[blocks.node])
    heading = word_set(page.text[blocks.start[h1[0]] : blocks.end[h1[0]]]) if len(h1) else set()
    for position, (start, end, count, is_link) in enumerate(spans):
        text = page.text[start:end]
        texts.append(text)
        if 1 < count <= MOST_WORDS and not is_link:
            title_match[position], heading_match[position] = shared_words(text, title, heading)
    seen: dict[str, int] = {}
    for text in texts:
        seen[text] = seen.get(text, 0) + 1
    return TextMatches(title_match, heading_match, np.array([seen[text] for text in texts], dtype=np.float64))


def shared_words(text: str, title: set[str], heading: set[str]) -> tuple[float, float]:
    """How much of a text is in the title, and how much of it is in the heading."""
    own = word_set(text)
    common = len(own & title)
    in_title = common / len(own) * min(1.0, len(own) / len(title) * 2) if common else 0.0
    return in_title, len(own & heading) / len(own)


def title_words(page: Page) -> set[str]:
    nodes = page.nodes
    titles = np.flatnonzero(nodes.named("title"))
    return word_set(page.node_text(int(titles[0]))) if len(titles) else set()


def word_set(text: str) -> set[str]:
    """The words of a text; its characters where a script has no blanks."""
    found = set(text.lower().split())
    return found if text.isascii() or len(found) > 2 else set(words(text.lower()))
