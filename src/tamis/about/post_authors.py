"""Author and date of a post, which stand beside its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis import urls
from tamis.about.declared import cleaned
from tamis.about.moments import Moment, find_moments, read_moment
from tamis.page.html import TEXT, mask
from tamis.page.model import Page
from tamis.page.text import Ints, collapse

BOLD, NAMED, LINKED, DECLARED = 1, 2, 3, 4  # how sure it is that a name is the author's
_MAX_NAME = 60  # characters
_MAX_NAME_WORDS = 5
_AUTHOR_WORDS = re.compile(
    r"(?i)(?:\A|[\s_-])(?:author|user-?name|user(?:link|info|details)?|poster|nick(?:name)?|member(?:name)?|creator|"
    r"fn|commenter|by|"
    r"bigusername|profile(?:link)?|display-?name|postuser\w*|autor|screen-?name|login)(?:\Z|[\s_-])|username|author|"
    r"PostUser"
)
_PROFILE = re.compile(
    r"(?i)(?:/|\b)(?:u|users?|members?|memberlist|profiles?|profil|mitglieder|userinfo|"
    r"User-Dashboard)\b(?:\.php)?[/?#=]|viewprofile|action=profile|member\.php|space-uid-\d|mod=space&uid=\d"
)
_MEMBERSHIP = re.compile(r"(?i)join|regist|since|seit|dabei|inscri|miembro|member|beitritt|anmeld|geburt|birth")
_BY = re.compile(r"\A(?:by|von|posted by|written by|author|autor|de|par|por)\b\s*:?\s*", re.IGNORECASE)


class About(NamedTuple):
    """Who wrote a post, and when."""

    author: str | None
    author_url: str | None  # as the page links to it, if that can be followed safely
    rating: int  # how sure it is
    moment: Moment | None
    places: tuple[int, ...]  # elements or texts that say so


def about_post(page: Page, beside: Sequence[int]) -> About:
    """Author and date among the nodes beside a text."""
    chosen: Ints = np.array(beside, dtype=np.int64)
    chosen = chosen[page.nodes.elements[chosen]] if len(chosen) else chosen
    author, address, rating, name_place = _author(page, chosen)
    moment, date_place = _moment(page, chosen, beside)
    places = (place for place in (name_place, date_place) if place)
    return About(author, address, rating, moment, tuple(sorted(places)))


def is_profile(address: str | None) -> bool:
    """True for a link that leads to somebody."""
    return address is not None and _PROFILE.search(address) is not None


def _author(page: Page, chosen: Ints) -> tuple[str | None, str | None, int, int]:
    """The name beside a text, in an element called so or in a link to a profile; how sure it is, and where."""
    columns = [page.attribute(chosen, name) for name in ("itemprop", "class", "href", "rel")]
    rated: list[tuple[int, int, int]] = []
    bold = mask("b", "strong", "cite", "h4", "h5", "h6")[page.nodes.tag[chosen]].tolist()
    for position, (node, prop, style, href, relation) in enumerate(zip(chosen.tolist(), *columns, strict=True)):
        rating = 0
        if prop and "author" in prop.lower().split():
            rating = DECLARED
        elif is_profile(href):
            rating = LINKED
        elif (style and _AUTHOR_WORDS.search(style)) or (relation and "author" in relation.lower()):
            rating = NAMED
        elif bold[position]:
            rating = BOLD
        length = int(page.nodes.text_end[node] - page.nodes.text_start[node])
        if rating and 0 < length <= 3 * _MAX_NAME:
            rated.append((-rating, position, node))
    for rating, _, node in sorted(rated):
        name = _name_in(page, node)
        if name:
            return name, urls.resolve(_link_of(page, node), "") or None, -rating, node
    return None, None, 0, 0


def _name_in(page: Page, node: int) -> str | None:
    """The first text below a node that can be a name: ranks and counts follow it."""
    nodes = page.nodes
    links = np.flatnonzero(mask("a")[nodes.tag[node : nodes.end[node]]])[:1] + node
    for holder in [*links.tolist(), node]:
        leaves = np.flatnonzero(nodes.tag[holder : nodes.end[holder]] == TEXT)[:10] + holder
        for leaf in leaves.tolist():
            text = _BY.sub("", cleaned(page.node_text(leaf))).strip(" :,|–-»")
            is_name = (
                0 < len(text) <= _MAX_NAME and any(map(str.isalpha, text)) and len(text.split()) <= _MAX_NAME_WORDS
            )
            if is_name and not next(find_moments(text), None):
                return text
    return None


def _link_of(page: Page, node: int) -> str | None:
    end = int(page.nodes.end[node])
    for inner in range(node, min(end, node + 20)):
        if page.name(inner) == "a" and page.attributes(inner).get("href"):
            return page.attributes(inner)["href"]
    above = int(page.nodes.parent[node])
    return page.attributes(above).get("href") if above > 0 and page.name(above) == "a" else None


def _moment(page: Page, chosen: Ints, beside: Sequence[int]) -> tuple[Moment | None, int]:
    """The date beside a text, and the element or text that shows it, or 0."""
    for name in ("datetime", "title", "data-time", "data-timestamp", "data-xutime", "content"):
        for node, value in zip(chosen.tolist(), page.attribute(chosen, name), strict=True):
            if value and len(value) < 60:
                moment = read_moment(value)
                if moment:
                    return moment, node
    texts = [node for node in beside if page.nodes.tag[node] == TEXT]
    joined = collapse(" ".join(page.node_text(node)[:200] for node in texts))[-4_000:]
    reach = 0
    for found in find_moments(joined):
        if not _MEMBERSHIP.search(joined[max(reach, found.start - 25) : found.start]):
            return found.moment, next((node for node in texts if _says(page, node, found.moment)), 0)
        reach = found.end
    return None, 0


def _says(page: Page, node: int, moment: Moment) -> bool:
    """Whether a text alone says a date."""
    return any(found.moment == moment for found in find_moments(collapse(page.node_text(node)[:200])))
