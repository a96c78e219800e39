"""The title of a page, without the name of its site, and the heading that shows it."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence, Set
from typing import NamedTuple

from tamis import urls
from tamis.about.declared import Declared, Value, cleaned
from tamis.about.kernel import kernel as about_kernel
from tamis.about.likeness import PLACEHOLDERS, words_overlap
from tamis.about.named import elements
from tamis.page.kernel import kernel
from tamis.page.model import INVISIBLE, Page

_MAX_HEADINGS = 200  # that are compared with the title
_MAX_LENGTH = 400  # characters of a title
_WORD = re.compile(r"\w+")
_MAX_SITE_WORDS = 5
_MIN_HEADLINE_WORDS = 4  # of the only h1 of a page, to be its title although no declared title is like it


class Title(NamedTuple):
    """The title, where it stands, and the node of the heading that shows it (0 if none does)."""

    text: str | None
    source: str
    headline: int


def read_title(page: Page, declared: Declared, sites: Sequence[str], url: str | None) -> Title:
    """The title that most of the page agrees on: a declared one that a heading repeats, else the first declared."""
    headings = _headings(page)
    names = [*map(folded, sites), *_host_names(url)]
    repeated = {folded(text): node for node, text in reversed(headings)}
    candidates: dict[str, Value] = {}
    for value in _candidates(page, declared):
        candidates.setdefault(value.text, value)  # most pages say the same in several places
    found = [
        Value(text, value.source)
        for value in candidates.values()
        if (text := without_site(value.text, names, repeated.keys())) and not is_placeholder(text, names)
    ]
    shown = [(node, text) for node, text in headings if page.name(node) == "h1" and not is_placeholder(text, names)]
    for value in found:
        node = repeated.get(folded(value.text), 0)
        if node:
            return Title(value.text, value.source, node)
    alike = [(node, text) for node, text in shown if any(overlaps(text, value.text) for value in found)]
    if len(shown) == 1 and (alike or not found or len(shown[0][1].split()) >= _MIN_HEADLINE_WORDS):
        return Title(shown[0][1], "h1", shown[0][0])  # what readers see goes before what search engines are told
    if alike:
        return Title(alike[0][1], "h1", alike[0][0])
    if found:
        return Title(found[0].text, found[0].source, shown[0][0] if len(shown) == 1 else 0)
    return Title(shown[0][1], "h1", shown[0][0]) if shown else Title(None, "", 0)


def without_site(title: str, sites: Sequence[str], headings: Set[str] = frozenset()) -> str:
    """A title without the name of the site before or after it; ``headings`` are folded.

    >>> without_site("Rivers rise again | The Daily Post", ["the daily post"])
    'Rivers rise again'
    """
    title = title[:_MAX_LENGTH]
    cuts = about_kernel.title_cuts(title)
    if not cuts:
        return title
    halves = [(title[:start], title[end:]) for start, end in cuts]
    for part in title_parts(title):  # what a heading repeats is the title
        if folded(part) in headings and len(folded(part)) > 3 and not _names_site(part, sites):
            return part
    for head, tail in reversed(halves):
        if _names_site(tail, sites):
            return head.strip()
    for head, tail in halves:
        if _names_site(head, sites):
            return tail.strip()
    (head, tail), separator = halves[-1], title[slice(*cuts[-1])]
    head_words, tail_words = len(_WORD.findall(head)), len(_WORD.findall(tail))
    if separator.strip() in ("|", "｜", "»") and tail_words <= _MAX_SITE_WORDS and tail_words < head_words:
        return head.strip()
    return title


def title_parts(title: str) -> list[str]:
    """What stands before, after and between the separators of a title.

    >>> title_parts("Rivers rise - a report | The Daily Post")
    ['Rivers rise', 'a report | The Daily Post', 'Rivers rise - a report', 'The Daily Post', 'a report']
    """
    title = title[:_MAX_LENGTH]
    cuts = about_kernel.title_cuts(title)
    outer = [part for start, end in cuts for part in (title[:start], title[end:])]
    inner = [title[end:start] for (_, end), (start, _) in itertools.pairwise(cuts)]
    return [part.strip() for part in (*outer, *inner)]


@functools.lru_cache(maxsize=1_024)
def folded(text: str) -> str:
    """The text for comparing: letters and digits only, without case.

    >>> folded("The “Daily” Post!")
    'the daily post'
    """
    return kernel.folded(text)


def _candidates(page: Page, declared: Declared) -> list[Value]:
    written = [
        Value(text, "title element") for node in elements(page, "title") if (text := cleaned(page.node_text(node)))
    ]
    return [
        *declared.from_item("headline", "name"),
        *declared.from_meta("og:title", "twitter:title"),
        *declared.from_meta("dc.title", "dcterms.title", "citation_title", "dc:title"),
        *declared.from_properties("headline"),
        *declared.from_meta("headline", "parsely-title", "sailthru.title", "article.title", "hdl", "title"),
        *written[:1],
    ]


def _headings(page: Page) -> list[tuple[int, str]]:
    """Headings that can be seen, the larger before the smaller."""
    found = []
    for name in ("h1", "h2"):
        for node in elements(page, name)[:_MAX_HEADINGS]:
            if page.nodes.flags.item(node) & INVISIBLE == 0:
                text = cleaned(page.node_text(node)[: 2 * _MAX_LENGTH])
                if text:
                    found.append((node, text))
    return found


def _host_names(url: str | None) -> list[str]:
    host = urls.host(url).removeprefix("www.")
    labels = host.split(".")
    return [folded(label) for label in (host, *labels[:-1]) if len(label) > 3]


def _names_site(part: str, sites: Sequence[str]) -> bool:
    """True when a part of a title is the name of the site, or an abbreviation or extension of it."""
    name = folded(part)
    if not name or len(_WORD.findall(name)) > 8:
        return False
    tight = _tight(name)
    for site in map(_tight, sites):
        if tight == site or (len(site) > 3 and site in tight and len(name.split()) <= _MAX_SITE_WORDS):
            return True
        if len(tight) > 3 and (site.startswith(tight) or site.removeprefix("the") == tight):
            return True
    return False


def _tight(site: str) -> str:
    return site.replace(" ", "")


def is_placeholder(text: str, sites: Sequence[str]) -> bool:
    """True for a text that names the site or no page at all, such as "Home"."""
    name = folded(text)
    return not name or name in PLACEHOLDERS or name in sites or "{{" in text


def overlaps(first: str, second: str) -> bool:
    """True when two titles share most words of the shorter."""
    return words_overlap(set(folded(first).split()), set(folded(second).split()))
