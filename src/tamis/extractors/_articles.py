"""Does a page hold an article at all? The test with which QuASM chose pages to answer questions from.

Pinto et al. (2002), as described by Gottron (2008), section 3.2.3. On their 188 pages, 87 of them articles, it found
86 % of the articles, and 69 % of what it found were articles.
"""

from __future__ import annotations

from tamis.extractors import _slopes as slopes
from tamis.page.model import Page

_LEAST_PERCENT = 10  # of the tokens in regions of low slope (Pinto et al.)


def is_article(page: Page) -> bool:
    """True if enough of the page lies in regions of low slope, and their slope is low on the whole.

    The second condition fails when regions were closed too late. A page without tags is an article if it has text.
    """
    sections = slopes.cut(page.tokens.is_tag)
    inside = slopes.regions(slopes.low_slope(sections), retroactive=False)
    covered = slopes.spread(sections, inside, "extend").sum()
    if not covered or 100 * covered < _LEAST_PERCENT * sections.tokens:
        return False
    rise, seen = sections.rise[inside].sum(), inside.sum() * sections.length
    return bool(not sections.tags or 2 * sections.tokens * rise < seen * sections.tags)
