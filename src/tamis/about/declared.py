"""What a page declares in a form made for programs: JSON-LD, OpenGraph, Dublin Core, other meta elements, microdata.

A declaration is a text and the name of where it stands. Nothing is judged here but the choice of the object that the
page is about, when JSON-LD describes several.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from html import unescape
from typing import Any, NamedTuple

import numpy as np

from tamis import urls
from tamis.about.named import elements, kernel
from tamis.about.script_data import JsonObject, read_json_ld
from tamis.characters import writable
from tamis.page.html import TAG_CODES
from tamis.page.model import Page
from tamis.page.text import Bools, Ints, collapse

_MAX_LENGTH = 2_000  # characters of a value; longer ones are no titles, names or dates
_MAX_VALUES = 100  # of one name
_MAX_NAMES = 1_000  # of properties
_MAX_NESTING = 64  # of declared objects; deeper ones are an attack, those of train/wcxb have no more than 12
_MAX_DEPTH = 6  # of objects in objects that a value is looked for in
# What a page can be about, the most telling first; a page that is only a WebPage says little about itself.
_MAIN_KINDS = (
    "newsarticle article blogposting reportagenewsarticle analysisnewsarticle opinionnewsarticle liveblogposting "
    "report "
    "scholarlyarticle techarticle medicalscholarlyarticle socialmediaposting discussionforumposting "
    "advertisercontentarticle "
    "backgroundnewsarticle reviewnewsarticle satiricalarticle apireference",
    "recipe howto qapage question faqpage review claimreview criticreview podcastepisode videoobject event "
    "jobposting course "
    "book movie dataset softwareapplication product creativework",
    "webpage itempage aboutpage medicalwebpage collectionpage profilepage contactpage",
)
_KIND_RANKS = {name: rank for rank, names in enumerate(_MAIN_KINDS) for name in names.split()}
_META_KEYS = ("property", "name", "itemprop", "http-equiv")  # that a meta element is called by; the first by several
_LONGEST_NAME = 100  # characters
_MAX_EQUALS = 3  # articles of one kind; a page that describes more lists them and is none of them
_ADDRESSES = frozenset({"a", "area", "link"})
_PICTURES = frozenset({"img", "source", "video", "audio", "embed", "iframe"})
_FOREIGN_SCOPES = ("comment", "review", "rating", "offer", "product/related", "usercomments")


_NAMES_OF_PEOPLE = frozenset({"author", "creator"})
# What is asked of declarations: nothing else is read, but for ``read_structured_data``.
_ASKED_PROPERTIES = frozenset(
    "articlesection author created creator datecreated datemodified datepublished description headline image issued "
    "keywords modified published updated uploaddate".split()
)
_LINK_RELATIONS = frozenset(
    "alternate apple-touch-icon apple-touch-icon-precomposed canonical icon license mask-icon next prev "
    "previous".split()
)
_ANCHOR_RELATIONS = frozenset("author license next prev previous".split())


class Value(NamedTuple):
    """A declared text and where it stands."""

    text: str
    source: str


@dataclass(frozen=True, kw_only=True)
class Declared:
    """All declarations of a page, by kind."""

    meta: Mapping[str, tuple[str, ...]]  # by lower-cased name
    item: JsonObject  # the JSON-LD object the page is about; empty if there is none
    items: tuple[JsonObject, ...]  # all JSON-LD objects
    kinds: tuple[list[str], ...]  # of each of them
    named: Mapping[str, JsonObject]  # those with a name, by what other objects call them
    properties: Mapping[str, tuple[str, ...]]  # microdata and RDFa outside meta elements, by lower-cased name
    links: tuple[tuple[tuple[str, ...], Mapping[str, str]], ...]  # link elements: relations, address and type
    relations: Mapping[int, tuple[str, ...]]  # of anchors, by node

    def from_meta(self, *names: str) -> list[Value]:
        """Values of meta elements, in the order of the names."""
        if self.meta.keys().isdisjoint(names):  # as of most names, and quickly seen
            return []
        return [Value(text, f"meta {name}") for name in names if name in self.meta for text in self.meta[name]]

    def from_item(self, *names: str) -> list[Value]:
        """Values of the JSON-LD object the page is about."""
        item = self.item
        return [Value(text, f"JSON-LD {name}") for name in names if name in item for text in texts_of(item[name])]

    def of_kind(self, kind: str) -> list[JsonObject]:
        """JSON-LD objects of a kind."""
        return [item for item, kinds in zip(self.items, self.kinds, strict=True) if kind in kinds]

    def known(self, item: JsonObject) -> JsonObject:
        """A JSON-LD object; the one with a name, where it only says what that one is called."""
        called = item.get("@id")
        return self.named.get(called, item) if isinstance(called, str) else item  # broken pages have lists there

    def from_properties(self, *names: str) -> list[Value]:
        return [Value(text, f"microdata {name}") for name in names for text in self.properties[name.lower()]]


def read_declared(page: Page, *, url: str | None, title: str) -> Declared:
    """Everything a page declares; ``url`` and ``title`` help to choose among several objects."""
    items = read_json_ld(page)
    kinds = tuple(map(kinds_of, items))
    return Declared(
        meta=_meta(page),
        item=_main_item(items, kinds, url, title),
        items=items,
        kinds=kinds,
        named={item["@id"]: item for item in items if isinstance(item.get("@id"), str) and item.get("name")},
        properties=dict.fromkeys(_ASKED_PROPERTIES, ()) | _properties(page, _ASKED_PROPERTIES),
        links=_links(page),
        relations=_relations(page),
    )


def read_structured_data(page: Page) -> dict[str, Any]:
    """What a page declares, as it stands there, in the types that JSON has.

    ``json_ld`` is the list of objects, ``meta`` and ``microdata`` are lists of texts by name; what is not there is
    left out, and so is what is nested deeper than people write.
    """
    properties = {name: list(texts) for name, texts in _properties(page).items()}
    meta = {name: list(texts) for name, texts in _meta(page).items()}
    kinds = {"json_ld": _plain(list(read_json_ld(page))), "meta": meta, "microdata": properties}
    return {name: found for name, found in kinds.items() if found}


def _plain(value: Any, depth: int = 0) -> Any:
    """A value of JSON with texts that can be written and numbers that are some."""
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, dict | list) and depth > _MAX_NESTING:
        return None
    if isinstance(value, dict):
        return {writable(str(key)): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def kinds_of(item: Mapping[str, Any]) -> list[str]:
    """The types of an object, without the address of the vocabulary."""
    found = item.get("@type", item.get("type"))
    return [
        kind.rpartition("/")[2] for kind in (found if isinstance(found, list) else [found]) if isinstance(kind, str)
    ]


def texts_of(value: Any, depth: int = 0) -> list[str]:
    """The texts that a JSON-LD value stands for: itself, the names of its objects, the parts of its lists.

    >>> texts_of([{"@type": "Person", "name": "A. Writer"}, "B &amp; C"])
    ['A. Writer', 'B & C']
    """
    if isinstance(value, str):
        text = cleaned(value)
        return [text] if text else []
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [str(value)]
    if depth > _MAX_DEPTH:
        return []
    if isinstance(value, dict):
        return next(
            (
                texts
                for name in ("name", "@value", "url", "contentUrl", "@id")
                if (texts := texts_of(value.get(name), depth + 1))
            ),
            [],
        )
    if isinstance(value, list):
        return [text for part in value[:_MAX_VALUES] for text in texts_of(part, depth + 1)]
    return []


def cleaned(text: str) -> str:
    """A declared text as it was meant: entities resolved, white space collapsed, nothing that cannot be written."""
    if len(text) > _MAX_LENGTH:
        text = text[:_MAX_LENGTH]
    if "&" in text:
        text = unescape(text)
    if not text.isascii():
        text = writable(text)
    return collapse(text.replace("\0", "") if "\0" in text else text)


def _meta(page: Page) -> dict[str, tuple[str, ...]]:
    nodes: Ints = np.array(elements(page, "meta"), dtype=np.int64)
    given, *columns = (page.attribute(nodes, key) for key in ("content", *_META_KEYS))
    contents = [
        said or page.attributes(node).get("value", "") for node, said in zip(nodes.tolist(), given, strict=True)
    ]
    declared: dict[str, list[str]] = kernel().meta_texts(contents, columns, _MAX_VALUES, _LONGEST_NAME)
    if "twitter:label1" in declared or "twitter:label2" in declared:
        for name, text in _labelled(contents, columns):
            declared.setdefault(name, []).append(text)
    return {name: tuple(values) for name, values in declared.items()}


def _labelled(contents: Iterable[str], columns: Iterable[Iterable[str | None]]) -> Iterator[tuple[str, str]]:
    """Pairs such as "Written by" and a name, meant for previews of links."""
    said = {
        key: text
        for content, *names in zip(contents, *columns, strict=True)
        for name in filter(None, names)
        if (key := name.strip().lower()).startswith("twitter:") and (text := cleaned(content))
    }
    for number in "12":
        label, value = said.get(f"twitter:label{number}"), said.get(f"twitter:data{number}")
        if label and value:
            yield f"twitter:{label.lower()}", value


def _links(page: Page) -> tuple[tuple[tuple[str, ...], Mapping[str, str]], ...]:
    nodes: Ints = np.array(elements(page, "link"), dtype=np.int64)
    values = page.attribute(nodes, "rel")
    words = {value: tuple((value or "").lower().split()) for value in {*values}}  # most are style sheets
    relations = [words[value] for value in values]
    asked = [place for place, words in enumerate(relations) if not _LINK_RELATIONS.isdisjoint(words)]
    columns = [page.attribute(nodes[asked], name) for name in ("href", "type")]
    return tuple(
        (relations[place], {"href": href, "type": kind} if kind else {"href": href})
        for place, href, kind in zip(asked, *columns, strict=True)
        if href
    )


def _relations(page: Page) -> dict[int, tuple[str, ...]]:
    anchors = page.select("a[rel]")
    values = page.attribute(np.array(anchors, dtype=np.int64), "rel")
    # Most links say the same, such as that they are not to be followed.
    words = {value: tuple(value.lower().split()) for value in {*values} if value}
    telling = {value for value, said in words.items() if not _ANCHOR_RELATIONS.isdisjoint(said)}
    return {node: words[value] for node, value in zip(anchors, values, strict=True) if value in telling}


def _properties(page: Page, asked: Set[str] | None = None) -> dict[str, tuple[str, ...]]:
    """Values of ``itemprop`` and ``property`` outside meta elements and outside comments, in document order.

    Those with some names, if only these are asked for.
    """
    found: dict[str, list[str]] = {}
    first_people: dict[str, int] = {}
    nodes = page.carrying("itemprop")  # who has one or the other is looked up together
    nodes = nodes[page.nodes.tag[nodes] != TAG_CODES["meta"]]
    for attribute in ("itemprop", "property"):
        marked = [
            (node, name.rpartition(":")[2])
            for node, names in page.said(attribute, nodes).items()
            for name in names.lower().split()
            if asked is None or name.rpartition(":")[2] in asked
        ]
        is_foreign = _foreign_parts(page) if attribute == "itemprop" and marked else None
        for node, key in marked:
            if is_foreign is not None and is_foreign[node]:
                continue
            if key in _NAMES_OF_PEOPLE and node > first_people.setdefault(key, _family_end(page, node)):
                continue
            values = found.setdefault(key, [])
            if len(values) < _MAX_VALUES and len(found) < _MAX_NAMES:
                values.extend(text for text in _property_values(page, node) if text not in values)
    return {name: tuple(values) for name, values in found.items()}


def _family_end(page: Page, node: int) -> int:
    """Where the part of the page ends that a node shares with its neighbours: authors of other things come later."""
    parents = page.nodes.parent.item
    return page.nodes.end.item(max(0, parents(max(0, parents(node)))))


def _foreign_parts(page: Page) -> Bools | None:
    """True inside elements that describe something else than the page: comments, reviews, offers; None without any."""
    typed = page.carrying("itemtype")
    kinds = zip(typed.tolist(), page.attribute(typed, "itemtype"), strict=True)
    scopes = [node for node, kind in kinds if kind and kind.lower().rstrip("/").endswith(_FOREIGN_SCOPES)]
    if not scopes:
        return None
    marked = page.nodes.marked(scopes)
    return page.nodes.inside(marked)


def _property_values(page: Page, node: int) -> list[str]:
    attributes, name = page.attributes(node), page.name(node)
    if attributes.get("content"):
        return [cleaned(attributes["content"])]
    if "itemscope" in attributes:
        return _names_inside(page, node)
    if attributes.get("datetime"):
        return [cleaned(attributes["datetime"])]
    if name in _PICTURES and attributes.get("src"):
        return [cleaned(attributes["src"])]
    text = cleaned(page.node_text(node)[:_MAX_LENGTH])
    if not text and name in _ADDRESSES and attributes.get("href"):
        return [cleaned(attributes["href"])]
    return [text] if text else []


def _names_inside(page: Page, node: int) -> list[str]:
    """What the object below a node is called."""
    inside = np.arange(node + 1, page.nodes.end[node])[:_MAX_LENGTH]
    for found, name in zip(inside.tolist(), page.attribute(inside, "itemprop"), strict=True):
        if name and "name" in name.lower().split():
            text = cleaned(page.attributes(found).get("content") or page.node_text(found))
            return [text] if text else []
    text = cleaned(page.node_text(node))
    return [text] if text else []


def _main_item(
    items: Iterable[JsonObject], kinds_of_items: Iterable[list[str]], url: str | None, title: str
) -> JsonObject:
    """The object that the page is about: of a telling kind, with the page's address or title if there are several."""
    ranked: dict[int, list[JsonObject]] = {}
    for item, kinds in zip(items, kinds_of_items, strict=True):
        rank = min((_KIND_RANKS.get(kind.lower(), 99) for kind in kinds), default=99)
        if rank < 99:
            ranked.setdefault(rank, []).append(item)
    here = _place(url)
    for rank in sorted(ranked):
        group = ranked[rank]
        named = [item for item in group if _is_called(item, title)]
        placed = [item for item in group if here and here in map(_place, _addresses(item))]
        if named or placed:
            return (named or placed)[0]
        if len(group) <= _MAX_EQUALS:
            return group[0]
    return {}


def _is_called(item: Mapping[str, Any], title: str) -> bool:
    names = [text for name in ("headline", "name", "alternativeHeadline") for text in texts_of(item.get(name))]
    return bool(title) and any(len(name) > 5 and name.casefold() in title for name in names)


def _addresses(item: Mapping[str, Any]) -> list[str]:
    found = []
    for name in ("url", "mainEntityOfPage", "@id"):
        value = item.get(name)
        value = value.get("@id", value.get("url")) if isinstance(value, dict) else value
        if isinstance(value, str):
            found.append(value)
    return found


@functools.lru_cache(maxsize=256)
def _place(url: str | None) -> str:
    """Host and path of an address, without what may differ between two ways to write it."""
    parts = urls.split(url)
    return f"{parts.netloc.lower().removeprefix('www.')}{parts.path.rstrip('/')}" if parts.path.strip("/") else ""
