"""What the blocks of a page are, besides main content: navigation, link lists, commercials, and so on.

The kinds are those of Gottron (2008), sections 1.2 and 2.1.4, and closely related content (``about.related``), which
goes before the others. An element is recognised by its name, its role, or a word
of its class or id, and gives its kind to the blocks inside it; the nearest such element counts. Blocks that no element
speaks for are judged by what they say, by their links, and by their place. The rules are our own.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from tamis.about.related import RELATED, related_blocks
from tamis.page.blocks import kept_lengths, kept_shares
from tamis.page.model import Page
from tamis.page.names import read_attributes, whole_words
from tamis.page.spans import Span
from tamis.page.text import Bools, Floats, Ints

MAIN, OTHER = "main content", "other"
NAVIGATION, LINK_LIST = "navigation", "link list"
COMMERCIAL, FUNCTIONAL, TEMPLATE = "commercial", "functional element", "template element"
KINDS = (MAIN, RELATED, NAVIGATION, LINK_LIST, COMMERCIAL, FUNCTIONAL, TEMPLATE, OTHER)


class Rule(NamedTuple):
    """Signs of a kind. One name, role or word makes an element fit; a block must fulfil all that is asked of it."""

    kind: str
    names: str = ""  # of elements
    roles: str = ""
    words: str = ""  # in class or id, where no letter or digit touches them
    outside: str = ""  # names of elements that must not be around the element
    phrases: tuple[str, ...] = ()  # in the text of a block, in lower case; one is enough
    min_link_share: float = 0.0  # of the characters of a block
    before_main: bool = False  # nothing of the main content stands before the block

    @property
    def is_of_elements(self) -> bool:
        return bool(self.names or self.roles or self.words)


_MOSTLY_LINKS = 2 / 3  # a line of links with separators or a label is above, a sentence with a long link below

RULES = (
    Rule(
        COMMERCIAL,
        words="ad ads adbox adsense adslot adunit advert adverts advertisement advertising advertorial affiliate "
        "anzeige anzeigen doubleclick outbrain partner-content promo promos promoted promotion publicidad "
        "publicite sponsor sponsored sponsors taboola werbung",
    ),
    Rule(
        FUNCTIONAL,
        names="button datalist dialog fieldset form input label legend meter option output progress select textarea",
        roles="alertdialog button dialog form search searchbox slider switch textbox toolbar",
        words="actions addthis consent controls cookie cookies email facebook font-size fontsize like likes login "
        "modal newsletter player poll popup print rating reply search searchform share sharedaddy sharing signin "
        "signup social subscribe toolbar tools tweet twitter vote whatsapp widget-search",
    ),
    Rule(
        NAVIGATION,
        names="menu nav",
        roles="directory menu menubar navigation tablist",
        words="breadcrumb breadcrumbs crumb crumbs dropdown mainmenu mainnav megamenu menu menus menubar nav navbar "
        "navi navigation pager paginate pagination paging prevnext sidenav sitemap skip skiplink submenu subnav "
        "tabs toc topnav",
    ),
    Rule(
        LINK_LIST,
        words="also-read archive archives blogroll categories further-reading headlines keywords latest links linklist "
        "more-news mostread most-read popular read-more readmore recent recommendation recommendations "
        "recommended related see-also similar tagcloud taglist tags teaser teasers top-stories topics trending",
    ),
    Rule(TEMPLATE, names="footer header", outside="article main"),
    Rule(
        TEMPLATE,
        roles="banner contentinfo",
        words="bottom branding colophon copyright credits disclaimer footer header impressum imprint legal logo "
        "masthead site-title sitename tagline topbar",
    ),
    Rule(TEMPLATE, phrases=("©", "copyright", "all rights reserved", "alle rechte vorbehalten")),
    Rule(NAVIGATION, min_link_share=_MOSTLY_LINKS, before_main=True),
    Rule(LINK_LIST, min_link_share=_MOSTLY_LINKS),
)
"""The first rule that fits counts; rules for elements go before rules for blocks."""


def block_kinds(page: Page, kept: tuple[Span, ...]) -> tuple[str, ...]:
    """The kind of every block of the page, one of ``KINDS``, given the spans that were kept as main content."""
    blocks = page.blocks
    if not len(blocks):
        return ()
    numbers = np.full(len(blocks), len(RULES), dtype=np.int64)
    shares = kept_shares(page, kept)
    unknown = shares <= 0.5
    of_elements = _from_elements(page, kept)
    numbers[unknown] = of_elements[unknown]
    for number, rule in enumerate(RULES):
        if not rule.is_of_elements:
            numbers[unknown & (numbers == len(RULES)) & _fitting_blocks(page, rule, shares)] = number
    numbers[related_blocks(page, kept)] = len(RULES) + 1
    kinds = (*(rule.kind for rule in RULES), OTHER, RELATED)
    return tuple(
        kinds[number] if is_other else MAIN for number, is_other in zip(numbers.tolist(), unknown.tolist(), strict=True)
    )


def _from_elements(page: Page, kept: tuple[Span, ...]) -> Ints:
    """For each block the number of the rule that the nearest recognised element fits."""
    blocks, nodes = page.blocks, page.nodes
    sizes = np.zeros((2, len(nodes)), dtype=np.int64)
    sizes[0, blocks.leaves] = 1
    sizes[1, blocks.leaves] = kept_lengths(page, kept)
    # What holds main content may be called anything: it is the frame around it.
    speaking = nodes.elements & (nodes.totals(sizes[0]) > 0) & (nodes.totals(sizes[1]) == 0)
    numbers = _fitting_elements(page, speaking & ~nodes.named("html", "body"))
    numbers = numbers[nodes.nearest(numbers < len(RULES))]
    # An inline element speaks for its block only if all of the block is in it or in its like.
    of_leaves, first = numbers[blocks.leaves], blocks.first_leaf[:-1]
    of_leaves = np.where(page.flow.characters[blocks.leaves] > 0, of_leaves, -1)
    last = np.maximum.reduceat(of_leaves, first)
    agreed = np.minimum.reduceat(np.where(of_leaves < 0, len(RULES), of_leaves), first) == last
    return np.where(agreed, last, numbers[blocks.node])


def _fitting_elements(page: Page, among: Bools) -> Ints:
    """For each node the number of the first rule it fits; that of no rule where none does."""
    nodes = page.nodes
    values = read_attributes(page, np.flatnonzero(among), ("class", "id", "role"))
    numbers = np.full(len(nodes), len(RULES), dtype=np.int64)
    for number, rule in enumerate(RULES):
        if not rule.is_of_elements:
            continue
        fits = nodes.named(*rule.names.split())
        if rule.outside:
            fits &= ~nodes.inside(nodes.named(*rule.outside.split()))
        for words, attributes in ((rule.words, ("class", "id")), (rule.roles, ("role",))):
            if words:
                for attribute in attributes:
                    fits[values[attribute].found(whole_words(words.split()))] = True
        numbers[fits & among & (numbers == len(RULES))] = number
    return numbers


def _fitting_blocks(page: Page, rule: Rule, shares: Floats) -> Bools:
    blocks = page.blocks
    fits: Bools = blocks.link_characters >= rule.min_link_share * blocks.characters
    if rule.phrases:
        text = page.text.replace("\u0130", "i").lower()  # the one letter that grows when it is lower-cased
        found = [match.start() for phrase in rule.phrases for match in re.finditer(re.escape(phrase), text)]
        places = np.array(found, dtype=np.int64)
        block = np.searchsorted(blocks.start, places, side="right") - 1
        says = np.zeros(len(blocks), dtype=np.bool_)
        says[block[(block >= 0) & (places < blocks.end[block])]] = True
        fits &= says
    if rule.before_main:
        fits &= np.cumsum(shares > 0) == 0
    return fits
