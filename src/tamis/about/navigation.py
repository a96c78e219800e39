"""Where a page stands among others: next and previous page, feeds, and the trail of breadcrumbs that leads to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tamis import urls
from tamis.about.called import Called
from tamis.about.declared import Declared, cleaned, texts_of
from tamis.about.kernel import kernel
from tamis.about.openings import opening_table
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.text import Ints, collapse

_MAX_LINKS = 20_000  # that are looked at
_MAX_CRUMBS = 12
_MAX_CRUMB = 80  # characters
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "text/xml+rss"})
_ASKING = ("go to ", "view ", "load ", "the ")  # may stand before the first of the phrases
_NEXT_PHRASES = r"""
next(?: page| posts?| entries| results| \d+)?
older(?: posts| entries)?
more posts
weiter
nächste(?: seite)?
vor
suivante?s?
page suivante
siguientes?
página siguiente
próxim[ao]s?(?: página)?
seguinte
avanti
successiv[aoi]
pagina successiva
volgende(?: pagina)?
następna(?: strona)?
dalej
след(?:ующая|\.)?(?: страница)?
вперед
далее
další
nästa
neste
næste
seuraava
sonraki
következő
επόμεν[αη]
下一页
下一頁
下页
下頁
次へ
次の?ページ
次
다음
selanjutnya
berikutnya
тиндеги
наступна
următoarea
последна
""".strip().split("\n")
_PREVIOUS_PHRASES = r"""
prev(?:ious)?(?: page| posts?| entries| results| \d+)?
newer(?: posts| entries)?
zurück
vorherige(?: seite)?
précédente?s?
page précédente
anterior(?:es)?
página anterior
indietro
precedent[ei]
pagina precedente
vorige(?: pagina)?
poprzednia(?: strona)?
wstecz
пред(?:ыдущая|\.)?(?: страница)?
назад
předchozí
föregående
forrige
edellinen
önceki
előző
προηγούμεν[αη]
上一页
上一頁
上页
上頁
前へ
前の?ページ
前
이전
sebelumnya
попередня
anterioara
""".strip().split("\n")


def _either(phrases: Sequence[str]) -> str:
    """A pattern for texts, in lower case, that are one of the phrases, with marks around it."""
    *asking, article = _ASKING
    return rf"\A\W*(?:(?:{'|'.join(asking)})?(?:{article})?{'|'.join(phrases)})\W*\Z"


# To choose among so many words is several times as quick in lower case as where case is ignored.
_NEXT_TEXT = re.compile(_either(_NEXT_PHRASES))
_PREVIOUS_TEXT = re.compile(_either(_PREVIOUS_PHRASES))
_SAID = re.compile(f"{_NEXT_TEXT.pattern}|{_PREVIOUS_TEXT.pattern}")
_OPENINGS = opening_table(phrase[:2] for phrase in (*_ASKING, *_NEXT_PHRASES, *_PREVIOUS_PHRASES))
_HEAD = re.compile(r"\w(?!\?)(?:\w(?!\?)){0,3}")
_HEADS = frozenset(_HEAD.match(phrase)[0] for phrase in (*_ASKING, *_NEXT_PHRASES, *_PREVIOUS_PHRASES))  # type: ignore[index]
"""How all texts begin that may be one of the phrases, but for marks before them: one to four characters."""
_NEXT_ARROWS = frozenset("> >> › » → ⟩ ⇒ ► ▶ ❯ ≫".split())
_PREVIOUS_ARROWS = frozenset("< << ‹ « ← ⟨ ⇐ ◄ ◀ ❮ ≪".split())
_ARROWS = _NEXT_ARROWS | _PREVIOUS_ARROWS
_NEXT_NAME = re.compile(
    r"(?i)(?:\A|[\s_-])(?:next|nextpostslink|nextpage|page-?next|older|siguiente|weiter)(?:\Z|[\s_-])|"
    r"next[-_]?(?:page|link|posts)"
)
_PREVIOUS_NAME = re.compile(
    r"(?i)(?:\A|[\s_-])(?:prev|previous|previouspostslink|prevpage|page-?prev|newer|anterior)(?:\Z|[\s_-])|"
    r"prev(?:ious)?[-_]?(?:page|link|posts)"
)
_PAGER_NAME = re.compile(
    r"(?i)pag(?:e|er|ing|in|es)\b|paginat|pagenav|page-?numbers|wp-pagenavi|nav-?links|posts-?nav|blog-?pager|seiten"
)
_CRUMB_WORDS = ("crumb", "rootline")
_MAX_TRAILS = 10  # elements called so that are looked into
_PAGE_NUMBER = re.compile(
    r"(?i)(?:page|seite|pagina|p|pg|start|offset|from|paged|s)[=/_-]?(\d{1,6})|/(\d{1,4})(?:/|\Z|\.html?)|"
    r"[?&]\w*=(\d{1,5})\b"
)
_TELLING_WORDS = "next prev older newer weiter siguiente anterior".split()
_CRUMB_TABLE, _TELLING_TABLE = kernel.word_table(_CRUMB_WORDS), kernel.word_table(_TELLING_WORDS)
NAVIGATION_WORDS = (*_CRUMB_WORDS, *_TELLING_WORDS)
"""Words in classes and ids that say where a link leads."""
_MAX_LINK_TEXT = 80  # characters, white space included
_MIN_SCORE = 3.0  # a link that says "next" in its text; swept 2-5 on train/pagination_autopager, flat to 3.5


class Navigation(NamedTuple):
    """Addresses of neighbouring pages and feeds, and the names on the way to the page."""

    next: str | None
    previous: str | None
    feeds: tuple[str, ...]
    breadcrumbs: tuple[str, ...]


def read_navigation(page: Page, declared: Declared, called: Called, home: str) -> Navigation:
    """``home`` is what relative addresses are relative to."""
    labels = page.said("aria-label", page.carrying("aria-label"))
    following, preceding = _pagination(page, declared, called, labels, home)
    return Navigation(following, preceding, _feeds(declared, home), _breadcrumbs(page, declared, called, labels))


def resolved(href: str | None, home: str) -> str | None:
    """The address a link leads to; None if it leads to no page."""
    return urls.resolve(href, home, urls.WEB_SCHEMES) or None if href else None


def _pagination(
    page: Page, declared: Declared, called: Called, labels: Mapping[int, str], home: str
) -> tuple[str | None, str | None]:
    """Next and previous page: as declared by ``rel``, else the link that says so best."""
    related: dict[str, str | None] = {}
    for relations, attributes in declared.links:
        for word in relations:
            if word in ("next", "prev", "previous"):
                related.setdefault(word[:4], resolved(attributes.get("href"), home))
    links = [] if related.get("next") and related.get("prev") else _links(page, declared, called, labels)
    following = related.get("next") or _best(page, links, home, forward=True)
    preceding = related.get("prev") or _best(page, links, home, forward=False)
    return following, preceding if preceding != following else related.get("prev")


class _Link(NamedTuple):
    node: int
    href: str
    relations: tuple[str, ...]
    text: str  # in lower case, as are label and title
    label: str
    title: str
    names: str  # classes and id
    is_telling: bool  # the names may say what the link is


def _links(page: Page, declared: Declared, called: Called, labels: Mapping[int, str]) -> list[_Link]:
    """Links that may lead to a neighbouring page: their text or an attribute says so."""
    short, opening = kernel.short_links(page, _MAX_LINK_TEXT, _MAX_LINKS, _OPENINGS, _HEADS)
    texts = {node: page.node_text(node) for node in opening}
    titled = page.select("a[title]")
    pairs = zip(titled, page.attribute(np.array(titled, dtype=np.int64), "title"), strict=True)
    labels, titles = _lowered(labels), _lowered({node: title for node, title in pairs if title})
    speaking = {node for said in (texts, labels, titles) for node in _speaking(said)}
    relations, telling = declared.relations, set(called.found(_TELLING_TABLE))
    chosen: Ints = np.array(sorted((speaking | telling | relations.keys()).intersection(short)), dtype=np.int64)
    columns = (page.attribute(chosen, name) for name in ("href", "class", "id"))
    return [
        _Link(
            node,
            href,
            relations.get(node, ()),
            collapse(page.node_text(node)).lower(),
            labels.get(node, ""),
            titles.get(node, ""),
            f"{style or ''} {name or ''}",
            node in telling,
        )
        for node, href, style, name in zip(chosen.tolist(), *columns, strict=True)
        if href and not href.startswith(("#", "javascript:", "mailto:"))
    ]


def _lowered(said: Mapping[int, str]) -> dict[int, str]:
    """What is said of nodes, where it may begin with one of the phrases."""
    nodes, values = [*said], [*said.values()]
    return {nodes[place]: values[place].lower() for place in kernel.values_opening_so(values, _OPENINGS, _HEADS)}


def _speaking(said: Mapping[int, str]) -> Iterator[int]:
    """The nodes whose text is one of the phrases or an arrow."""
    for node, text in said.items():
        text = collapse(text).lower()
        if text in _ARROWS or _SAID.match(text):
            yield node


def _best(page: Page, links: Sequence[_Link], home: str, *, forward: bool) -> str | None:
    relation = ("next",) if forward else ("prev", "previous")
    said, arrows = (_NEXT_TEXT, _NEXT_ARROWS) if forward else (_PREVIOUS_TEXT, _PREVIOUS_ARROWS)
    called, opposite = (_NEXT_NAME, _PREVIOUS_NAME) if forward else (_PREVIOUS_NAME, _NEXT_NAME)
    here, own = _without_fragment(home), _number(home) or 0
    best, best_score = None, _MIN_SCORE
    for link in links:
        score = 0.0
        if any(word in relation for word in link.relations):
            score += 4.0
        if link.text in arrows:
            score += 2.0
        elif said.match(link.text):
            score += 3.0
        elif (link.label and said.match(link.label)) or (link.title and said.match(link.title)):
            score += 2.5
        if link.is_telling and called.search(link.names):
            score += 2.0
        if score == 0.0:
            continue
        around = _around(page, link.node)
        if called.search(around) and not opposite.search(around):
            score += 1.5
        if _PAGER_NAME.search(around):
            score += 1.5
        address = resolved(link.href, home)
        if not address or _without_fragment(address) == here or not _same_host(address, home):
            continue
        number = _number(address)
        if number is not None and (number > own) == forward:
            score += 1.0
        if score > best_score or (best is None and score == best_score):
            best, best_score = address, score
    return best


def _around(page: Page, node: int) -> str:
    words = []
    for _ in range(3):
        node = page.nodes.parent.item(node)
        if node <= 0 or page.name(node) in ("body", "html"):
            break
        attributes = page.attributes(node)
        words += [attributes.get(name, "")[:200] for name in ("class", "id", "aria-label")]
    return " ".join(words)


def _number(address: str) -> int | None:
    numbers = _PAGE_NUMBER.findall(address.partition("//")[2].partition("/")[2])
    return int(next(filter(None, numbers[-1]), 0)) if numbers else None


def _without_fragment(address: str) -> str:
    return address.partition("#")[0].rstrip("/")


def _same_host(address: str, home: str) -> bool:
    one, two = urls.host(address), urls.host(home)
    return not one or not two or one.removeprefix("www.") == two.removeprefix("www.")


def _feeds(declared: Declared, home: str) -> tuple[str, ...]:
    found = []
    for relations, attributes in declared.links:
        if "alternate" in relations and attributes.get("type", "").lower().strip() in _FEED_TYPES:
            address = resolved(attributes.get("href"), home)
            if address and address not in found:
                found.append(address)
    return tuple(found[:20])


def _breadcrumbs(page: Page, declared: Declared, called: Called, labels: Mapping[int, str]) -> tuple[str, ...]:
    for item in declared.of_kind("BreadcrumbList"):
        names = list(_crumb_names(item.get("itemListElement")))
        if names:
            return tuple(names[:_MAX_CRUMBS])
    labelled = [*labels]
    places = kernel.holding([*labels.values()], _CRUMB_TABLE)
    trails = {*called.found(_CRUMB_TABLE), *(labelled[place] for place in places)}
    for node in sorted(trails)[:_MAX_TRAILS]:
        names = _linked_names(page, node)
        if names:
            return tuple(names)
    return ()


def _crumb_names(value: Any) -> Iterator[str]:
    parts = [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)]
    for part in sorted(parts, key=lambda part: part["position"] if isinstance(part.get("position"), int) else 0):
        item = part.get("item")
        texts = texts_of(part.get("name")) or (texts_of(item.get("name")) if isinstance(item, dict) else [])
        if texts and len(texts[0]) <= 3 * _MAX_CRUMB:
            yield texts[0]


def _linked_names(page: Page, node: int) -> list[str]:
    nodes = page.nodes
    if nodes.text_end.item(node) - nodes.text_start.item(node) > _MAX_CRUMBS * _MAX_CRUMB:
        return []
    links = np.flatnonzero(mask("a")[nodes.tag[node : nodes.end.item(node)]])[:_MAX_CRUMBS] + node
    names = [text for link in links.tolist() if (text := cleaned(page.node_text(link))) and len(text) <= _MAX_CRUMB]
    return list(dict.fromkeys(names))
