"""Sectioning elements that mislead: content in an element that says it is none, or outside of the one that says it is.

HTML names parts of a page: ``main`` and ``article`` for content, ``nav``, ``aside`` and ``footer`` for what is beside
it. Most sites use them as they are meant, some do not: a theme that puts the story into an ``aside``, an ``article``
around every teaser, keywords in a ``main`` that nobody sees. Gottron (2008), section 8.2, asks for a check.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.page.blocks import kept_shares
from tamis.page.text import Bools
from tamis.results import Extraction

__all__ = ["misleading_sections"]

CONTENT_NAMES = ("article", "main")
OTHER_NAMES = ("aside", "footer", "nav")
_MIN_WORDS = 50  # ours: of the content; of less, one sentence makes a large share
_MIN_HELD = 0.5  # ours: of the content, by one element that says it is none
_MAX_HELD = 0.25  # ours: of the content, by all elements that say they are it


class Misleading(NamedTuple):
    """An element, or a kind of elements, that holds what it should not, or not what it should."""

    name: str
    share: float  # of the words of the content that it holds

    def __str__(self) -> str:
        if self.name in OTHER_NAMES:
            return f"sections: {self.share:.0%} of the content is in <{self.name}>"
        return f"sections: <{self.name}> holds {self.share:.0%} of the content"


def misleading_sections(extraction: Extraction) -> tuple[Misleading, ...]:
    """What the sectioning elements of a page say that its content does not bear out.

    >>> import tamis
    >>> story = "<p>The river rose in the night, and the road was closed.</p>" * 9
    >>> page = tamis.parse(f"<article><a href=/>More</a></article><aside>{story}</aside>")
    >>> [str(one) for one in misleading_sections(tamis.extract(page, method="keep_all"))]
    ['sections: 99% of the content is in <aside>', 'sections: <article> holds 1% of the content']
    """
    page = extraction.shown.page
    words = page.blocks.words * kept_shares(page, extraction.spans)
    total = float(words.sum())
    if total < _MIN_WORDS:
        return ()
    nodes = page.nodes

    def share(marked: Bools) -> float:
        return float(words[nodes.inside(marked)[page.blocks.node]].sum()) / total

    found = []
    for name in OTHER_NAMES:
        is_named = nodes.named(name)
        if is_named.any() and (held := share(is_named)) >= _MIN_HELD:
            found.append(Misleading(name, round(held, 4)))
    is_content = nodes.named(*CONTENT_NAMES)
    if is_content.any() and (held := share(is_content)) <= _MAX_HELD:
        found.append(Misleading(page.name(int(np.flatnonzero(is_content)[0])), round(held, 4)))
    return tuple(found)
