"""When a page was published and when it was changed: declared dates first, then its address, then what it shows.

Dates that a page shows are weighed by where they stand: marked as a time, named as a date, announced by a word such as
"published", near the headline; against them speak lists of dates, links, comments, and margins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from tamis import urls
from tamis.about.declared import Declared, Value, elements, texts_of
from tamis.about.kernel import kernel
from tamis.about.moments import Found, Moment, find_moments, may_hold_date, read_moment
from tamis.page.html import TEXT
from tamis.page.model import LINK, Page
from tamis.page.text import Ints, collapse

_PUBLISHED_META = (
    ("article:published_time", "og:published_time", "og:article:published_time", "article:published", "og:pubdate"),
    tuple(
        "dc.date.issued dcterms.issued dc.issued dc:date dc.date dcterms.date dc.date.created dcterms.created "
        "dcterms.dateaccepted dc.created dcterms.available dc.date.published".split()
    ),
    tuple(
        (
            "datepublished date_published citation_publication_date citation_online_date citation_date "
            "prism.publicationdate parsely-pub-date sailthru.date cxenseparse:recs:publishtime cxenseparse:publishtime "
            "bt:pubdate rnews:datepublished pubdate publishdate publish-date publish_date publication_date "
            "publication-date published_time published-time publisheddate published-date published_date published_at "
            "publishtime originalpublicationdate article_date_original article.published article.created article.date "
            "article-publication-date article_publication_date shareaholic:article_published_time displaydate "
            "firstpublished dcsext.articlefirstpublished analyticsattributes.articledate release_date pub_date ptime "
            "published datecreated date.created date_created creation_date created date timestamp dat doc_date "
            "video:release_date book:release_date music:release_date"
        ).split()
    ),
)
_MODIFIED_META = tuple(
    (
        "article:modified_time og:updated_time og:modified_time article:modified article:updated dcterms.modified "
        "dc.date.modified dc.modified datemodified date_modified date.modified modified_time modified last-modified "
        "last_modified lastmod lastmodified last-updated last_updated revised updated updated_time moddate "
        "cxenseparse:recs:modifiedtime"
    ).split()
)
_PUBLISHED_NAME = re.compile(r"publi(?:sh|cation|shed)?[-_.: ]?(?:date|time|on|at)\b|(?:date|time)[-_.: ]?publi")
_URL_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([-/_.])(0[1-9]|1[0-2]|[1-9](?=/)|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\2"
    r"(0[1-9]|[12]\d|3[01]|[1-9](?=/|\Z))(?!\d)|[/_-]((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)",
    re.IGNORECASE,
)
_URL_MONTH = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])(?:/|-|\Z)")
_SCRIPT_DATE = re.compile(
    r"[\"'](?:datePublished|publishedAt|published_at|publishDate|publish_date|publicationDate|publication_date|pubDate|"
    r"publishedDate|published_date|publishTime|datePublication|firstPublished(?:Date)?|published_time|"
    r"publishedTime)[\"']"
    r"\s{0,9}:\s{0,9}[\"']((?:19|20)\d\d-\d\d-\d\d[^\"']{0,30})[\"']",
    re.IGNORECASE,
)
_SCRIPT_YEAR = re.compile(r":\s{0,9}[\"'](?:19|20)\d\d-")  # what it looks for, without the many names
_MAX_SCRIPTS = 4 * 1024 * 1024  # characters that are searched
_MAX_BLOCKS = 4_000  # that are searched for dates; the most in train/wcxb are 2,641
_MAX_BLOCK = 400  # characters of a block, from both ends; a date in the middle of a paragraph is part of its story
_MAX_DATES = 500  # that are weighed
# Names of classes are searched in lower case: without the flag that ignores case a search is several times as quick.
_NAMED = re.compile(
    r"date|time|publi|posted|datum|fecha|meta|byline|entry-?info|post-?info|article-?info|dateline|tarih|data\b|"
    r"stamp|created"
)
_DATE_NAMED = re.compile(
    r"publi(?:sh|ca)|posted|(?:entry|post|article|story|news|content)[-_]*(?:date|time|meta|info)|dateline|byline|"
    r"\bdate\b|datum|fecha|timestamp|pubdate|created|erschein|veroeffentlich"
)
_ASIDE_NAMED = re.compile(
    r"comment|kommentar|sidebar|related|recent|footer|widget|teaser|recommend|popular|archive|calendar|kalender|"
    r"event|copyright|also|more-?(?:news|stories)|trending|similar|latest|newest|reply|replies|feed\b|ticker|slider|"
    r"carousel"
)
_PUBLISHED_WORDS = re.compile(
    r"(?i)publish|posted|veröffentlicht|publi[éeè]|publicad|pubblicat|gepubliceerd|geplaatst|opublikowan|опублик|"
    r"publicerad|publisert|julkais|yayın|közzét|publicat|zveřejn|δημοσι|kirjut|erstellt|geschrieben|verfasst|written|"
    r"created|date\s*:|datum\s*:|stand\s*:|fecha\s*:|data\s*:|発行|公開|投稿|发布|發布|发表|時間|时间|등록|입력|dodano|utworzono|vom\b|"
    r"diposting|first\s|released|eingestellt|gesendet|issued|pubblicazione|online seit|mis en ligne|le\s*\Z|am\s*\Z|"
    r"on\s*\Z"
)
_UPDATED_WORDS = re.compile(
    r"(?i)updat|modif|aktualisi|letzte\s+änderung|zuletzt|geändert|mis(?:e)? à jour|actualizad|aggiornat|bijgewerkt|"
    r"aktualizac|обновл|uppdater|oppdater|opdater|päivitetty|güncel|更新|수정|diperbarui|last\s+(?:edit|chang|review)|"
    r"changed|reviewed"
)
_OTHER_WORDS = re.compile(
    r"(?i)copyright|©|\(c\)|joined|member since|registered|registriert|mitglied seit|expires|deadline|until|bis\s*\Z|"
    r"born|\*\s*\Z|"
    r"geboren|retrieved|accessed|abgerufen|consulté|valid|due|next|upcoming|starts|begins|event|termin|from\s*\Z|"
    r"between"
)
_DATE_ATTRIBUTES = ("datetime", "title", "content", "data-date")  # of an element that is called a date
_DATED = ", ".join(f"[{name}]" for name in _DATE_ATTRIBUTES)
_MAX_DATE = 80  # characters of an element that is called a date
_MAX_PIECES = 30  # nodes of such an element
_LABEL_LENGTH = 40  # characters before a date in which a word may announce it
_NEAR, _FAR = 600, 3_000  # characters of page text from the headline: a byline's distance, and out of sight of it
_MANY = 4  # dates with the same surroundings make a list


class Dates(NamedTuple):
    """When a page was published and changed, and where that stands; None where it is not said."""

    published: Moment | None
    published_source: str
    modified: Moment | None
    modified_source: str


class _Candidate(NamedTuple):
    moment: Moment
    weight: float
    source: str
    is_update: bool


def read_dates(page: Page, declared: Declared, *, headline: int, language: str, url: str | None) -> Dates:
    """``headline`` is the node of the page's title (0 if it is not shown)."""
    month_first = writes_month_first(language, url)
    published, published_source = _first(_published(declared), month_first)
    modified, modified_source = _first(_modified(declared), month_first)
    in_address = date_in_url(url)
    if in_address and (published is None or _is_day_before_or_after(in_address, published)):
        published, published_source = in_address, "the address"
    if published is None:
        published, published_source = _first(_in_scripts(page), month_first)
    if published is None:
        shown = sorted(_shown(page, headline, month_first, _month_in_url(url)), key=lambda one: -one.weight)
        if modified is not None:
            shown = [
                one for one in shown if one.moment.day <= modified.day
            ]  # nothing is published after its last change
        own = [one for one in shown if not one.is_update]
        updates = [one for one in shown if one.is_update]
        if modified is None and updates and updates[0].weight > 0:
            modified, modified_source = updates[0].moment, updates[0].source
        best = own[0] if own and (own[0].weight > 0 or not updates) else next(iter(updates), None)
        if best is not None and (best.weight > 0 or modified is None):
            published, published_source = best.moment, best.source
    if published is None and modified is not None:
        published, published_source = modified, modified_source
    if published and modified and modified.day < published.day:
        modified, modified_source = None, ""
    return Dates(published, published_source, modified, modified_source)


def _is_day_before_or_after(in_address: Moment, published: Moment) -> bool:
    """True when a time is given in universal time and the site's own calendar was still, or already, at another day."""
    return published.zone in ("Z", "+00:00") and abs((in_address.day - published.day).days) == 1


def date_in_url(url: str | None) -> Moment | None:
    """The day that an address names.

    >>> str(date_in_url("http://a.example/2017/08/26/a-title"))
    '2017-08-26'
    """
    parts = urls.split(url)
    place = unquote(f"{parts.path}?{parts.query}")
    for match in _URL_DATE.finditer(place[:2_000]):
        month = match[3] or match[6]
        written = f"{match[4] or match[7]} {month} {match[1] or match[5]}"
        moment = (
            read_moment(written)
            if month.isalpha()
            else read_moment(f"{match[1] or match[5]}-{month}-{match[4] or match[7]}")
        )
        if moment:
            return moment
    return None


def writes_month_first(language: str, url: str | None) -> bool:
    """Whether 3/4/2020 is in March: where English is written as in the United States.

    >>> writes_month_first("en-US", None), writes_month_first("en", "http://a.example.co.uk/")
    (True, False)
    """
    language = language.lower().replace("_", "-")
    if language.startswith(("en-us", "fil", "es-us")):
        return True
    if not language.startswith("en") and language:
        return False
    top = urls.host(url).rpartition(".")[2]
    return (
        language in ("", "en")
        and (len(top) != 2 or top == "us")
        and (bool(language) or not top.isalpha() or len(top) > 2)
    )


def _published(declared: Declared) -> Iterator[Value]:
    graph, dublin, others = _PUBLISHED_META
    yield from declared.from_item("datePublished", "dateCreated", "uploadDate", "datePosted")
    others_say = {text for item in declared.items for text in texts_of(item.get("datePublished"))}
    if len(others_say) == 1:  # whatever the object is called, the page names no other date
        yield Value(others_say.pop(), "JSON-LD datePublished")
    yield from declared.from_meta(*graph)
    yield from declared.from_meta(*dublin)
    yield from declared.from_properties("datePublished", "dateCreated", "uploadDate", "published", "issued", "created")
    yield from declared.from_meta(*others)
    yield from declared.from_meta(*(name for name in declared.meta if _PUBLISHED_NAME.search(name)))


def _modified(declared: Declared) -> Iterator[Value]:
    yield from declared.from_item("dateModified")
    yield from declared.from_meta(*_MODIFIED_META[:7])
    yield from declared.from_properties("dateModified", "modified", "updated")
    yield from declared.from_meta(*_MODIFIED_META[7:])


def _in_scripts(page: Page) -> Iterator[Value]:
    """Dates of publication that programs of the page carry, if they agree on one."""
    found: list[str] = []
    budget = _MAX_SCRIPTS
    for node in elements(page, "script"):
        code = page.code(node)[:budget]
        budget -= len(code)
        if "ubli" in code and _SCRIPT_YEAR.search(code):
            found += [match[1] for match in _SCRIPT_DATE.finditer(code)]
        if budget <= 0 or len(found) > _MAX_DATES:
            break
    if len({value[:10] for value in found}) == 1:
        yield Value(found[0], "a script")


def _first(values: Iterator[Value], month_first: bool) -> tuple[Moment | None, str]:
    for value in values:
        moment = read_moment(value.text, month_first=month_first)
        if moment:
            return moment, value.source
    return None, ""


def _month_in_url(url: str | None) -> tuple[int, int] | None:
    match = _URL_MONTH.search((url or "")[:2_000])
    return (int(match[1]), int(match[2])) if match else None


def _shown(page: Page, headline: int, month_first: bool, month: tuple[int, int] | None) -> list[_Candidate]:
    """Dates that the page shows, weighed; one in the month that the address names gains."""
    written = kernel.date_places(page.text)
    places = [
        *_time_elements(page, month_first),
        *_named_elements(page, month_first, written),
        *_in_blocks(page, month_first, written),
    ][: 2 * _MAX_DATES]
    surroundings = [_surroundings(page, place.node) for place in places]
    repeated: dict[str, int] = {}
    for words in surroundings:
        repeated[words] = repeated.get(words, 0) + 1
    found = []
    for place, words in zip(places, surroundings, strict=True):
        weight = _weight(page, place, words, headline)
        weight -= 2.0 if repeated[words] >= _MANY else 0.0
        if month is not None:
            weight += 2.0 if (place.moment.day.year, place.moment.day.month) == month else -1.0
        is_update = bool(_UPDATED_WORDS.search(place.label)) and not _PUBLISHED_WORDS.search(place.label)
        found.append(_Candidate(place.moment, weight, place.source, is_update))
    return found


class _FoundDate(NamedTuple):
    moment: Moment
    node: int
    position: int  # in page.text
    label: str  # what stands before it
    source: str


def _time_elements(page: Page, month_first: bool) -> Iterator[_FoundDate]:
    times = np.flatnonzero(page.nodes.named("time"))[:_MAX_DATES]
    for node, written in zip(times.tolist(), page.attribute(times, "datetime"), strict=True):
        text = collapse(page.node_text(node)[:_MAX_BLOCK])
        moment = read_moment(written or "", month_first=month_first) or read_moment(text, month_first=month_first)
        if moment:
            start = int(page.nodes.text_start[node])
            label = page.text[max(0, start - _LABEL_LENGTH) : start] + " " + (text if not moment.time else "")
            yield _FoundDate(moment, node, start, label, "time element")


def _named_elements(page: Page, month_first: bool, written: Ints) -> Iterator[_FoundDate]:
    """Elements called a date: the date is in an attribute, or in pieces, as on the leaf of a calendar."""
    nodes = page.nodes
    may_hold = np.searchsorted(written, nodes.text_start) < np.searchsorted(written, nodes.text_end)
    may_hold[page.select(_DATED)] = True
    lengths = nodes.text_end - nodes.text_start
    candidates = np.flatnonzero(
        may_hold & nodes.elements & (lengths < _MAX_DATE) & ~nodes.named("time", "script", "style", "meta")
    )
    styles = page.attribute(candidates, "class")
    found = 0
    named = {style for style in set(styles) if style and _DATE_NAMED.search(style.lower())}
    for node, style in zip(candidates.tolist(), styles, strict=True):
        if style in named and found < _MAX_DATES:
            attributes = page.attributes(node)
            texts = [
                page.node_text(leaf)
                for leaf in range(node + 1, min(int(nodes.end[node]), node + _MAX_PIECES))
                if nodes.tag[leaf] == TEXT
            ]
            values = [attributes.get(name, "") for name in _DATE_ATTRIBUTES]
            moments = (
                read_moment(text, month_first=month_first) for text in [*values, collapse(" ".join(texts))] if text
            )
            moment = next(filter(None, moments), None)
            if moment:
                found += 1
                start = int(nodes.text_start[node])
                yield _FoundDate(
                    moment, node, start, page.text[max(0, start - _LABEL_LENGTH) : start], "an element named as a date"
                )


def _in_blocks(page: Page, month_first: bool, written: Ints) -> Iterator[_FoundDate]:
    blocks = page.blocks
    holding = np.unique(np.searchsorted(blocks.start, written, side="right") - 1)
    for number in holding[(holding >= 0) & (holding < _MAX_BLOCKS)].tolist():
        raw = _searched(page, number)
        if not may_hold_date(raw):
            continue
        text, before = collapse(raw), collapse(_searched(page, number - 1)) if number else ""
        before = before if len(before) < _LABEL_LENGTH else ""
        start = int(blocks.start[number])
        for found in find_moments(text, month_first=month_first):
            label = (before + " " if found.start < 3 else "") + text[max(0, found.start - _LABEL_LENGTH) : found.start]
            is_alone = len(text) - (found.end - found.start) < 60
            node = _leaf_holder(page, number, raw, found, text)
            yield _FoundDate(found.moment, node, start, label, "a line with a date" if is_alone else "the text")


def _searched(page: Page, number: int) -> str:
    """What is searched of a block."""
    start, end = int(page.blocks.start[number]), int(page.blocks.end[number])
    return page.text[start : end if end - start <= 2 * _MAX_BLOCK else start + _MAX_BLOCK]


def _leaf_holder(page: Page, number: int, raw: str, found: Found, text: str) -> int:
    """The element around a date: nearly always it has one of its own."""
    blocks = page.blocks
    first, last = blocks.first_leaf[number : number + 2].tolist()
    if last - first == 1:
        return int(page.nodes.parent[blocks.leaves[first]])
    year = text[found.start : found.end]
    for leaf in blocks.leaves[first:last].tolist()[:50]:
        if year[:6] in collapse(page.node_text(leaf)):
            return int(page.nodes.parent[leaf])
    return int(blocks.node[number])


def _surroundings(page: Page, node: int) -> str:
    """Names, classes and ids of an element and of what holds it."""
    words = []
    for _ in range(4):
        if node <= 0 or page.name(node) in ("body", "html", "article", "main"):
            break
        attributes = page.attributes(node)
        words.append(f"{page.name(node)} {attributes.get('class', '')} {attributes.get('id', '')[:0]}")
        node = int(page.nodes.parent[node])
    return " / ".join(words)[:500].lower()


def _weight(page: Page, place: _FoundDate, words: str, headline: int) -> float:
    """How much speaks for a shown date.

    The numbers were set by hand on train/wcxb and train/newspaper4k_articles with declared dates hidden: of the dates
    that are shown there, 95 % and 98 % come out first.
    """
    nodes = page.nodes
    weight = 0.0
    if place.source == "time element":
        weight += 2.0
    elif place.source == "an element named as a date":
        weight += 0.5
    elif place.source == "the text":
        weight -= 1.5
    if _DATE_NAMED.search(words):
        weight += 2.0
    elif _NAMED.search(words):
        weight += 1.0
    if _ASIDE_NAMED.search(words) or _ASIDE_NAMED.search(_outer_words(page, place.node)):
        weight -= 2.5
    if nodes.flags[place.node] & LINK:
        weight -= 0.5
    if _PUBLISHED_WORDS.search(place.label):
        weight += 2.0
    if _OTHER_WORDS.search(place.label):
        weight -= 2.5
    if headline:
        distance = place.position - int(nodes.text_end[headline])
        if -_NEAR < distance < _NEAR:
            weight += 2.0 if distance >= 0 else 1.0
        elif distance > _FAR or distance <= -_NEAR:
            weight -= 1.0
        weight -= min(abs(distance), 20_000) / 40_000  # the nearer of two that are alike
    else:
        weight -= min(place.position, 20_000) / 20_000
    return weight


def _outer_words(page: Page, node: int) -> str:
    """Names of the larger parts of the page around an element."""
    words = []
    depth = 0
    while node > 0 and depth < 12:
        name = page.name(node)
        if name in ("aside", "footer", "nav"):
            words.append("sidebar")
        if name in ("div", "section", "ul", "ol", "table", "td") and depth >= 3:
            attributes = page.attributes(node)
            words.append(f"{attributes.get('class', '')[:100]} {attributes.get('id', '')[:50]}")
        if name in ("article", "main", "body"):
            break
        node = int(page.nodes.parent[node])
        depth += 1
    return " ".join(words).lower()
