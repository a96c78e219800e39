"""Crunch: everything but advertisements and link lists, by a series of filters on the tree.

Idea:      each filter removes one kind of boilerplate and passes the rest on: first what is loaded from advertisers or
           named as an advertisement, then the text of blocks with much anchor text. What no filter recognises is kept.
           To add a filter, add a function like those in ``FILTERS``.
Reference: Gupta, Kaiser, Neistadt & Grimm (2003), as described by Gottron (2008), section 3.2.1.
Departs:   most heuristics of the original are not published; the tables of advertisers and words are ours, and lists of
           plain text, which it seems to remove, stay. Links to be saved stay where they are instead of moving to the
           end of the page, because an extraction keeps the order of the page. Empty cells, tables and containers, which
           the original removes, hold no text anyway. The settings by genre of later versions are not published. A
           partial word counts as a word; otherwise the number of characters per word would cancel out.
Strong at: recall; portals and news pages with menus made of links.
Weak at:   boilerplate without links; articles full of links; page designs newer than its heuristics.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tamis.errors import OptionError
from tamis.extractors._kept_text import block_reasons, kept_spans
from tamis.extractors._link_quota import own_text, quotas, word_estimate
from tamis.page.model import LINK, Page
from tamis.page.names import read_attributes, whole_words
from tamis.page.text import Bools
from tamis.ranges import COUNT, NOT_NEGATIVE, check_ranges
from tamis.results import Extraction


@dataclass(frozen=True, kw_only=True)
class Options:
    """How much anchor text makes a link list, and what becomes of links."""

    link_ratio: float = 0.35  # above it a block is a link list; the setting Crunch comes with
    denominator: Literal["nonlink", "all"] = (
        "nonlink"  # anchor text over the rest, as Gottron reads Crunch, or over all
    )
    characters_per_word: int = 5  # for estimating words; the setting Crunch comes with
    append_links: bool = False  # keep the anchor texts of link lists, so that the site stays navigable; optional there
    remove_links: bool = (
        False  # remove all anchor texts, one of the simple filters of Gupta et al.; ours to have it off
    )

    def __post_init__(self) -> None:
        check_ranges(self, link_ratio=NOT_NEGATIVE, characters_per_word=COUNT)
        if self.append_links and self.remove_links:
            raise OptionError("option append_links is True, but False is expected when remove_links is True")


ContentFilter = Callable[[Page, Bools, Options], Bools]
"""A page and the nodes removed so far → the nodes to remove, with everything below them."""


def find_advertisements(page: Page, removed: Bools, options: Options) -> Bools:
    """Elements that point to an advertiser or are named as an advertisement, and embedded documents."""
    nodes = page.nodes
    found = nodes.named("iframe", "embed")
    has_text = nodes.totals(page.flow.characters) > 0  # nothing else can be lost, and attributes take time to read
    candidates = nodes.elements & has_text & ~removed & ~nodes.named(*_NEVER_ADVERTISEMENTS)
    attributes = read_attributes(page, np.flatnonzero(candidates), ("href", "src", "class", "id"))
    for name, values in attributes.items():
        found[values.found(_AD_HOST if name in ("href", "src") else _AD_WORD)] = True
    return found


def find_link_lists(page: Page, removed: Bools, options: Options) -> Bools:
    """Texts of blocks with much anchor text; blocks nested in them are judged by themselves."""
    nodes = page.nodes
    texts = nodes.visible_texts[~removed[nodes.visible_texts]]
    blocks = nodes.named(*_LINK_LIST_NAMES)
    own = own_text(page, blocks, texts)
    whole = own.characters if options.denominator == "all" else own.characters - own.link_characters
    link_words, words = (word_estimate(size, options.characters_per_word) for size in (own.link_characters, whole))
    is_list = blocks & (quotas(link_words, words) > options.link_ratio)
    found = np.zeros(len(nodes), dtype=np.bool_)
    found[texts] = is_list[own.owner[texts]]
    if options.append_links:
        found &= (nodes.flags & LINK) == 0
    return found


def find_links(page: Page, removed: Bools, options: Options) -> Bools:
    """All links, if they are not wanted."""
    found: Bools = ((page.nodes.flags & LINK) != 0) & options.remove_links
    return found


FILTERS: Mapping[str, ContentFilter] = {
    "advertisement": find_advertisements,
    "link list": find_link_lists,
    "link": find_links,
}
"""What each filter removes, in the order in which they run."""


def extract(page: Page, options: Options, filters: Mapping[str, ContentFilter] = FILTERS) -> Extraction:
    removed = np.zeros(len(page.nodes), dtype=np.bool_)
    numbers = np.zeros(len(page.nodes), dtype=np.int64)
    for number, find in enumerate(filters.values(), start=1):
        newly = page.nodes.inside(find(page, removed, options)) & ~removed
        numbers[newly] = number
        removed |= newly
    return Extraction(
        page=page,
        spans=kept_spans(page, ~removed),
        reasons=block_reasons(page, numbers, ("", *filters)),
    )


_LINK_LIST_NAMES = ("td", "th", "div", "ul", "ol", "li", "p", "table")

_NEVER_ADVERTISEMENTS = ("html", "body", "main", "article")
"""Elements that hold too much to be removed for a word in their class."""

_AD_WORD = whole_words(
    "ad ads adbox adslot adspace adunit adsense adsbygoogle advert adverts advertise advertisement advertisements "
    "advertising banner banners dfp promo promoted promotion promotions skyscraper sponsor sponsored sponsors "
    "anzeige anzeigen werbung publicidad pubblicita publicite reklama reklame".split()
)

_AD_HOST = re.compile(
    r"//(?:[^/?#]*\.)?(?:"
    + "|".join(
        re.escape(host)
        for host in (
            "2mdn.net 2o7.net adform.net adnxs.com adroll.com ads-twitter.com adsrvr.org adtech.de advertising.com "
            "amazon-adsystem.com atdmt.com bidswitch.net buysellads.com carbonads.com casalemedia.com criteo.com "
            "criteo.net doubleclick.net falkag.net fastclick.net googleadservices.com googlesyndication.com "
            "infolinks.com media.net mgid.com moatads.com openx.net outbrain.com pubmatic.com quantserve.com "
            "rubiconproject.com scorecardresearch.com serving-sys.com smartadserver.com taboola.com teads.tv "
            "tradedoubler.com tribalfusion.com valueclick.com yieldmanager.com zanox.com zedo.com"
        ).split()
    )
    + r")(?![^/?#:\0])"
)
