"""Closely related content: what belongs to the main content without being it, such as captions and bylines.

Gottron (2008), section 4.1, weighs "only what is needed" against "do not lose closely related parts", so that content
comes in three classes: main, closely related, and additional. An element tells by its name, its class, its id or what
it says about itself in microdata; the lists are our own, and were not swept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.page.blocks import kept_lengths, kept_shares
from tamis.page.model import Page
from tamis.page.names import read_attributes, whole_words
from tamis.page.spans import Span
from tamis.page.text import Bools

RELATED = "closely related"


class Sign(NamedTuple):
    """How elements of one sort are told."""

    names: str = ""  # of elements
    words: str = ""  # in class or id, where no letter or digit touches them
    properties: str = ""  # in itemprop or rel
    outside: str = ""  # names of elements that must not be around


SIGNS = (
    Sign(
        names="caption figcaption",
        words="caption captions image-credit photo-credit photocredit picture-credit wp-caption-text",
        outside="aside footer form nav",
    ),
    Sign(
        words="article-author article-date article-meta author author-name authors byline bylines dateline entry-date "
        "entry-meta post-author post-date post-meta posted-by posted-on pubdate publish-date published timestamp",
        properties="author datepublished datemodified",
        outside="aside footer form nav",
    ),
    Sign(words="also-read further-reading read-also related related-links see-also"),
)
"""Captions, bylines, links to pages on the same subject."""
_FOREIGN_WORDS = (
    "ad ads advert advertisement advertising affiliate comment comments outbrain promo promoted promotion sponsor "
    "sponsored taboola"
)
"""Of elements around, in which nothing is closely related: advertisements, and what readers wrote."""


def related_blocks(page: Page, kept: tuple[Span, ...]) -> Bools:
    """For each block whether it is closely related content, given the spans that were kept as main content."""
    blocks, nodes = page.blocks, page.nodes
    if not len(blocks):
        return np.zeros(0, dtype=np.bool_)
    sizes = np.zeros((2, len(nodes)), dtype=np.int64)
    sizes[0, blocks.leaves] = 1
    sizes[1, blocks.leaves] = kept_lengths(page, kept)
    # What holds main content may be called anything: it is the frame around it.
    speaking = nodes.elements & (nodes.totals(sizes[0]) > 0) & (nodes.totals(sizes[1]) == 0)
    is_related = nodes.inside(_told(page, speaking & ~nodes.named("html", "body")))
    is_solid = page.flow.characters[blocks.leaves] > 0
    says = np.minimum.reduceat(is_related[blocks.leaves] | ~is_solid, blocks.first_leaf[:-1])
    return np.asarray(says & (kept_shares(page, kept) <= 0.5))


def _told(page: Page, among: Bools) -> Bools:
    """Elements that tell that they are closely related."""
    nodes = page.nodes
    values = read_attributes(page, np.flatnonzero(among), ("class", "id", "itemprop", "rel"))
    told = np.zeros(len(nodes), dtype=np.bool_)
    for sign in SIGNS:
        fits = nodes.named(*sign.names.split())
        for words, attributes in ((sign.words, ("class", "id")), (sign.properties, ("itemprop", "rel"))):
            for attribute in attributes if words else ():
                fits[values[attribute].found(whole_words(words.split()))] = True
        told |= fits & ~nodes.inside(nodes.named(*sign.outside.split()))
    foreign = np.zeros(len(nodes), dtype=np.bool_)
    for attribute in ("class", "id"):
        foreign[values[attribute].found(whole_words(_FOREIGN_WORDS.split()))] = True
    return np.asarray(told & among & ~nodes.inside(foreign))
