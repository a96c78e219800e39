"""What a page says about itself: declared for programs first, then as a reader sees it; every value with its source.

Sources in their order: JSON-LD, OpenGraph, Dublin Core, microdata, other meta elements, the page itself. Values that
are wrong on their face (epochs, "admin", names of programs, the site as author) count as none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamis import urls
from tamis.about.bylines import AUTHOR_WORDS, is_byline, read_authors
from tamis.about.called import Called
from tamis.about.declared import Declared, Value, cleaned, kinds_of, read_declared, texts_of
from tamis.about.kernel import kernel
from tamis.about.languages import declared_language, detected_language
from tamis.about.media import read_icon, read_images, read_videos
from tamis.about.named import elements
from tamis.about.navigation import NAVIGATION_WORDS, read_navigation, resolved
from tamis.about.publication import read_dates
from tamis.about.shown_dates import DATE_WORDS
from tamis.about.titles import Title, folded, read_title
from tamis.characters import writable
from tamis.page.model import FOREIGN, Page
from tamis.page.text import Ints, collapse

_MAX_TAGS = 50
_MAX_TAG = 60  # characters; longer ones are sentences
_WORDS_PER_MINUTE = 238  # silent reading of English non-fiction, Brysbaert (2019)
_MIN_BLOCK_WORDS = 10  # of a paragraph; shorter blocks are headings, menus and captions
_LONGEST_EXCERPT = 300  # characters; as long as search engines show
_LONGEST_TITLE = 400  # characters
# Of 524 labelled pages with such a title, 477 declare that name of the site, and 43 a shorter or longer one.
_MAX_SITE_WORDS, _MIN_SITE_LETTERS = 5, 4
_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he iw ks nqo ps sd syr ug ur yi".split())
_DURATION = re.compile(r"PT?(?:(\d{1,2})H)?(?:(\d{1,3})M)?(?:\d{1,3}S)?\Z", re.IGNORECASE)
_MINUTES = re.compile(r"(\d{1,3})\s*(?:min|minut)", re.IGNORECASE)
_CALLED_WORDS = kernel.word_table((*DATE_WORDS, *AUTHOR_WORDS, *NAVIGATION_WORDS))
_LICENCE_STARTS = [
    f'[href^="{scheme}://{www}creativecommons.org/" i]' for scheme in ("https", "http") for www in ("", "www.")
]
_LICENCE_LINKS = f"a:is({','.join(_LICENCE_STARTS)})"  # beginnings are compared in a third of the time of a search
_LICENCE_ADDRESS = re.compile(r"https?://(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Metadata of a page; None or empty if the page does not declare it."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None  # of publication, ISO 8601, with time and time zone if given
    modified: str | None = None
    language: str | None = None  # as declared, else as detected
    detected_language: str | None = None
    site_name: str | None = None
    description: str | None = None
    url: str | None = None  # canonical
    image: str | None = None
    tags: tuple[str, ...] = ()
    licence: str | None = None
    page_type: str | None = None  # predicted by the method, if it does
    kinds: tuple[str, ...] = ()  # declared types: og:type, types of JSON-LD
    reading_minutes: float | None = None
    breadcrumbs: tuple[str, ...] = ()
    next_page: str | None = None
    previous_page: str | None = None
    feeds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()  # sections of the site
    hostname: str | None = None  # of its URL
    favicon: str | None = None
    excerpt: str | None = None  # the description, else the beginning of the first paragraph
    word_count: int | None = None  # of the paragraphs of the page; of an extraction's metadata, of its text
    direction: str | None = None  # "ltr" or "rtl", as declared, or because its language is written so
    images: tuple[str, ...] = ()  # that it declares; of an extraction's metadata, then those of its content
    videos: tuple[str, ...] = ()  # that it declares, and those in its video elements and players
    sources: Mapping[str, str] = field(default_factory=dict)  # where each value was found, by field


def read_metadata(page: Page) -> Metadata:
    """Everything a page says about itself."""
    home, declared = _home(page), _read_declared(page)
    site_names, address = _site_names(declared), _read_address(declared, home)
    sites = [value.text for value in site_names]
    title = _read_title(page, declared, site_names, address)
    language, detected = declared_language(page, declared), detected_language(page)
    called = Called(page, _CALLED_WORDS)
    dates = read_dates(
        page,
        declared,
        called,
        headline=title.headline,
        language=language.text if language else detected or "",
        url=page.url or (address.text if address else None),
    )
    authors = read_authors(page, declared, called, sites, title.headline)
    navigation = read_navigation(page, declared, called, home)
    description, licence = _description(declared), _licence(page, declared, home)
    images, videos, icon = read_images(declared, home), read_videos(page, declared, home), read_icon(declared, home)
    minutes = _declared_minutes(declared)
    words, first_paragraph = kernel.paragraphs(page.blocks.words, page.blocks.link_words, _MIN_BLOCK_WORDS)
    hosts = [host for place in (address.text if address else None, page.url) if (host := urls.host(place))]
    values = {
        "title": (title.text, title.source),
        "authors": (authors.names, authors.source),
        "date": (str(dates.published) if dates.published else None, dates.published_source),
        "modified": (str(dates.modified) if dates.modified else None, dates.modified_source),
        "language": language or (detected, "the text"),
        "detected_language": (detected, "the text"),
        "site_name": next(iter(site_names), None) or _site_of_title(_head(page), hosts) or (None, ""),
        "description": description or (None, ""),
        "url": address or (page.url, "the address passed in"),
        "image": next(iter(images), None) or (None, ""),
        "tags": (_tags(declared), "declared keywords"),
        "licence": licence or (None, ""),
        "kinds": (_kinds(declared), "og:type and JSON-LD"),
        "reading_minutes": (minutes, "declared") if minutes else (_reading_minutes(words), "the text"),
        "breadcrumbs": (navigation.breadcrumbs, "breadcrumbs"),
        "next_page": (navigation.next, "links"),
        "previous_page": (navigation.previous, "links"),
        "feeds": (navigation.feeds, "links"),
        "categories": (_categories(declared), "declared sections"),
        "hostname": (next(iter(hosts), None), "the address"),
        "favicon": icon or (None, ""),
        "excerpt": _excerpt(page, description, first_paragraph, authors.names) or (None, ""),
        "word_count": (words, "the text"),
        "direction": _direction(page, language.text if language else detected) or (None, ""),
        "images": (tuple(value.text for value in images), "declared"),
        "videos": (tuple(value.text for value in videos), "declared, and the page"),
    }
    known = {name: value for name, value in values.items() if value[0]}
    fields: dict[str, Any] = {name: value for name, (value, _) in known.items()}
    return Metadata(sources={name: source for name, (_, source) in known.items()}, **fields)


def find_title(page: Page) -> Title:
    """The title that the metadata have, without all the rest."""
    declared = _read_declared(page)
    return _read_title(page, declared, _site_names(declared), _read_address(declared, _home(page)))


def _read_declared(page: Page) -> Declared:
    return read_declared(page, url=page.url, title=_head(page).casefold())


def _head(page: Page) -> str:
    """What the ``title`` element says."""
    return next((cleaned(page.node_text(node)) for node in elements(page, "title")[:1]), "")


def _read_address(declared: Declared, home: str) -> Value | None:
    return _canonical(declared, home) or _address(declared.from_meta("og:url"), home)


def _read_title(page: Page, declared: Declared, sites: Iterable[Value], address: Value | None) -> Title:
    names = [site.text for site in sites]
    return read_title(page, declared, names, page.url or (address.text if address else None))


def _home(page: Page) -> str:
    """What relative addresses of the page are relative to."""
    for node in elements(page, "base")[:1]:
        return resolved(page.attributes(node).get("href"), page.url or "") or page.url or ""
    return page.url or ""


def _site_names(declared: Declared) -> list[Value]:
    sites = declared.of_kind("WebSite")[:3]
    return [
        *declared.from_meta("og:site_name"),
        *(Value(text, "JSON-LD WebSite") for site in sites for text in texts_of(site.get("name"))),
        *_publishers(declared),
        *declared.from_meta("dc.publisher", "dcterms.publisher", "application-name", "apple-mobile-web-app-title"),
    ]


def _site_of_title(title: str, hosts: Sequence[str]) -> Value | None:
    """The last part of a title if the host of the page has its name.

    >>> _site_of_title("Rivers rise again | The Daily Post", ["www.the-daily-post.example"])
    Value(text='The Daily Post', source='title element')
    """
    title = title[:_LONGEST_TITLE]
    name = title[max((end for _, end in kernel.title_cuts(title)), default=len(title)) :].strip()
    tight = _tight(name)
    if len(tight) < _MIN_SITE_LETTERS or "." in name or len(name.split()) > _MAX_SITE_WORDS:
        return None
    labels = {_tight(label) for host in hosts for label in host.split(".")[:-1]}
    return Value(name, "title element") if tight in labels else None


def _tight(name: str) -> str:
    return folded(name).replace(" ", "")


def _publishers(declared: Declared) -> list[Value]:
    publisher = declared.item.get("publisher")
    if isinstance(publisher, dict):
        publisher = declared.known(publisher).get("name") or publisher.get("name")
    return [Value(text, "JSON-LD publisher") for text in texts_of(publisher)]


def _canonical(declared: Declared, home: str) -> Value | None:
    for relations, attributes in declared.links:
        if "canonical" in relations:
            return _address([Value(attributes["href"], "link canonical")], home)
    return None


def _address(values: Iterable[Value], home: str) -> Value | None:
    return next((Value(found, value.source) for value in values if (found := resolved(value.text, home))), None)


def _description(declared: Declared) -> Value | None:
    values = [
        *declared.from_item("description"),
        *declared.from_meta("og:description", "dc.description", "dcterms.description", "dcterms.abstract"),
        *declared.from_properties("description"),
        *declared.from_meta("description", "twitter:description", "abstract", "sailthru.description"),
    ]
    return next(
        (value for value in values if len(value.text.split()) > 1 or len(value.text) > 20), next(iter(values), None)
    )


def _categories(declared: Declared) -> tuple[str, ...]:
    return _terms(
        [
            *declared.from_item("articleSection"),
            *declared.from_meta("article:section", "og:article:section", "parsely-section", "sailthru.section"),
            *declared.from_properties("articleSection"),
            *declared.from_meta("section", "category"),
        ]
    )


def _excerpt(page: Page, description: Value | None, paragraph: int, authors: Sequence[str]) -> Value | None:
    """What may stand for the page in a list: its description, else the beginning of its first paragraph, if any."""
    if description or paragraph < 0:
        return description
    blocks, text = page.blocks, _beginning(page, paragraph)
    if is_byline(text, authors):  # it has as many words as a paragraph
        after = paragraph + 1
        _, following = kernel.paragraphs(blocks.words[after:], blocks.link_words[after:], _MIN_BLOCK_WORDS)
        text = _beginning(page, after + following) if following >= 0 else text
    cut = text[: _LONGEST_EXCERPT + 1].rpartition(" ")[0] if len(text) > _LONGEST_EXCERPT else text
    return Value(writable(cut), "the text")


def _beginning(page: Page, block: int) -> str:
    start, end = int(page.blocks.start[block]), int(page.blocks.end[block])
    return collapse(page.text[start : min(end, start + 2 * _LONGEST_EXCERPT)])


def _direction(page: Page, language: str | None) -> Value | None:
    """From where to where the page is written, as it declares, or as its language is."""
    holders = [node for name in ("html", "body") for node in elements(page, name)[:1]]
    for node, said in page.said("dir", np.array(holders, dtype=np.int64)).items():
        if (direction := said.strip().lower()) in ("ltr", "rtl"):
            return Value(direction, f"{page.name(node)} dir")
    return Value("rtl", "the language") if (language or "").partition("-")[0] in _RIGHT_TO_LEFT else None


def _tags(declared: Declared) -> tuple[str, ...]:
    return _terms(
        [
            *declared.from_item("keywords"),
            *declared.from_meta("article:tag", "og:article:tag", "parsely-tags", "sailthru.tags"),
            *declared.from_meta("dc.subject", "dcterms.subject", "citation_keywords"),
            *declared.from_properties("keywords"),
            *declared.from_meta("news_keywords", "keywords"),
        ]
    )


def _terms(values: Iterable[Value]) -> tuple[str, ...]:
    """Terms that are declared one by one or in lists, each once."""
    found: dict[str, str] = {}
    for value in values:
        for part in re.split(r"[,;，、]", value.text):
            tag = part.strip()
            if 1 < len(tag) <= _MAX_TAG:
                found.setdefault(tag.casefold(), tag)
    return tuple(found.values())[:_MAX_TAGS]


def _licence(page: Page, declared: Declared, home: str) -> Value | None:
    for relations, attributes in declared.links:
        if "license" in relations and (address := resolved(attributes["href"], home)):
            return Value(address, "link license")
    stated = declared.from_item("license") or declared.from_meta("dcterms.license", "dc.rights.license")
    if stated and urls.scheme(urls.normalised(stated[0].text)) in urls.SAFE_SCHEMES:  # a name, or an address
        return stated[0]
    called = {node for node, relations in declared.relations.items() if "license" in relations}
    linked = called.union(page.select(_LICENCE_LINKS))
    nodes: Ints = np.array([node for node in sorted(linked) if not page.nodes.flags[node] & FOREIGN], dtype=np.int64)
    for node, href in zip(nodes.tolist(), page.attribute(nodes, "href"), strict=True):
        is_licence = href and (node in called or _LICENCE_ADDRESS.match(href))
        if is_licence and (address := resolved(href, home)):
            return Value(address, "a link to a licence")
    return next(iter(declared.from_meta("dc.rights", "dcterms.rights", "copyright", "rights")), None)


def _kinds(declared: Declared) -> tuple[str, ...]:
    graph = [value.text for value in declared.from_meta("og:type")]
    return tuple(dict.fromkeys([*graph, *kinds_of(declared.item)]))


def _declared_minutes(declared: Declared) -> float | None:
    for value in declared.from_item("timeRequired"):
        match = _DURATION.match(value.text)
        if match and (match[1] or match[2]):
            return float(int(match[1] or 0) * 60 + int(match[2] or 0)) or None
    for value in declared.from_meta("twitter:est. reading time", "twitter:reading time", "twitter:geschätzte lesezeit"):
        match = _MINUTES.search(value.text)
        if match:
            return float(match[1]) or None
    return None


def _reading_minutes(words: int) -> float | None:
    """Minutes that so many words take to read."""
    return round(words / _WORDS_PER_MINUTE, 1) or None
