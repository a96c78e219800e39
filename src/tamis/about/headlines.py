"""The heading that shows the title of a page: which of its headings readers take for the headline.

Page authors call the same thing by several names: ``title``, ``og:title``, the ``headline`` of JSON-LD. A heading that
repeats one of them is the headline, wherever it stands; the name of the site is not, although it is often an ``h1`` and
part of the ``title`` too. Without any such heading the only ``h1`` of the page is taken.
"""

from __future__ import annotations

import numpy as np

from tamis.about.declared import kinds_of, texts_of
from tamis.about.kernel import kernel
from tamis.about.likeness import MAX_LENGTH, PART, SET_APART, HeadlineCandidate, best_candidates
from tamis.about.script_data import read_json_ld
from tamis.page.html import mask
from tamis.page.model import Page

_FOR_PROGRAMS = (("title",), ("meta",))
_GROUPS = (*_FOR_PROGRAMS, ("h1",), ("h2",), ("h3",), SET_APART)
"""Names of the elements that the headline is found with; ``telling_nodes`` knows them by their place here."""
_FIRST_SHOWN = len(_FOR_PROGRAMS) + 1  # of these groups, counted from 1
_GROUP_OF_TAG = np.zeros(256, dtype=np.uint8)
for _place, _names in enumerate(_GROUPS, start=1):
    _GROUP_OF_TAG[np.flatnonzero(mask(*_names))] = _place


def headline_candidates(page: Page) -> list[HeadlineCandidate]:
    """The nodes that may be the headline, as good as each other; empty if the page shows none.

    Several are returned where the same words are shown more than once, for wide and for narrow screens say.
    """
    nodes = page.nodes
    written, metas, *levels = kernel.telling_nodes(
        nodes.tag, nodes.flags, nodes.end, _GROUP_OF_TAG, _FIRST_SHOWN, len(_GROUPS)
    )
    titles, sites = kernel.declared_titles(page, metas, written[:1])
    found: list[HeadlineCandidate] = kernel.like_titles(page, levels, titles, sites)
    if found and found[0].likeness >= PART:
        return found
    if other_titles := _json_titles(page):
        found += kernel.like_titles(page, levels, other_titles, sites)
    return best_candidates([*found, *kernel.repeating_blocks(page, titles, sites)])


def _json_titles(page: Page) -> list[str]:
    """Headlines of the articles that JSON-LD describes."""
    objects = read_json_ld(page, with_word="headline")
    items = [item for item in objects if any("rticle" in kind or "osting" in kind for kind in kinds_of(item))]
    return [text[:MAX_LENGTH] for item in items[:3] for text in texts_of(item.get("headline"))]
