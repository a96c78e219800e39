"""When a page was published and when it was changed: declared dates first, then its URL, then what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from tamis import urls
from tamis.about.called import Called
from tamis.about.declared import Declared, Value, texts_of
from tamis.about.moments import Moment, read_moment
from tamis.about.named import elements
from tamis.about.shown_dates import shown_dates
from tamis.page.model import Page

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
_MODIFIED_META = (
    tuple(
        "article:modified_time og:updated_time og:modified_time article:modified article:updated dcterms.modified "
        "dc.date.modified".split()
    ),
    tuple(
        "dc.modified datemodified date_modified date.modified modified_time modified last-modified "
        "last_modified lastmod lastmodified last-updated last_updated revised updated updated_time moddate "
        "cxenseparse:recs:modifiedtime".split()
    ),
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
_MAX_DATES = 500  # that are read from scripts


class Dates(NamedTuple):
    """When a page was published and changed, and where that stands; None where it is not said."""

    published: Moment | None
    published_source: str
    modified: Moment | None
    modified_source: str


def read_dates(
    page: Page, declared: Declared, called: Called, *, headline: int, language: str, url: str | None
) -> Dates:
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
        shown = sorted(
            shown_dates(page, called, headline, month_first, _month_in_url(url)), key=lambda one: -one.weight
        )
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
    place = unquote(f"{parts.path}?{parts.query}")[:2_000]
    for match in _URL_DATE.finditer(place) if "19" in place or "20" in place else ():
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
    yield from declared.from_meta(*(name for name in declared.meta if "publi" in name and _PUBLISHED_NAME.search(name)))


def _modified(declared: Declared) -> Iterator[Value]:
    graph_and_dublin, others = _MODIFIED_META
    yield from declared.from_item("dateModified")
    yield from declared.from_meta(*graph_and_dublin)
    yield from declared.from_properties("dateModified", "modified", "updated")
    yield from declared.from_meta(*others)


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
