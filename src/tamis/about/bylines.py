"""Who wrote a page: declared names first, then the line that says so; never programs, sites and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

import numpy as np

from tamis.about.called import Called
from tamis.about.comment_names import COMMENTS_AND_REPLIES
from tamis.about.declared import Declared, Value, cleaned, kinds_of, texts_of
from tamis.about.kernel import kernel
from tamis.about.names import (
    MAX_AUTHORS,
    MAX_NAME_WORDS,
    declared_names,
    is_person,
    is_slug,
    looks_like_name,
    names_in,
    names_role,
)
from tamis.about.openings import opening_table
from tamis.about.titles import folded
from tamis.page.html import mask
from tamis.page.model import INVISIBLE, Page
from tamis.page.text import Ints

_AUTHOR_META = (  # that name authors each by itself, the most trusted first
    *"author parsely-author sailthru.author byl byline article.author cxenseparse:author".split(),
    *("shareaholic:article_author_name", "twitter:written by", "twitter:verfasst von", "twitter:écrit par"),
)
_MAX_BLOCKS = 400  # that are searched for a byline: before the headline and after it
_VERBS = "written posted published story article reviewed text words reported".split()  # may stand before "by"
_BY_WORDS = (
    r"by von par por di door av автор:? przez autor(?:in)?: author: auteur\s?: autore: text:".split()  # before a name
)
_ALONE_WORDS = "von par por authors? autor(?:en|in)? text".split()  # in a line above the name
_BYLINE_START = re.compile(
    rf"\A\W{{0,3}}(?:(?:{'|'.join(_VERBS)})\s+)?(?:{'|'.join(_BY_WORDS)})\s+(?=\S)", re.IGNORECASE
)
_BY_ALONE = re.compile(
    rf"\A\W*(?:(?:written|posted|published|words)?\s*by|{'|'.join(_ALONE_WORDS)})\W*\Z", re.IGNORECASE
)
_HEADS = frozenset(word[:4] for word in (*_VERBS, *_BY_WORDS, *_ALONE_WORDS))
"""How all lines begin in which one of the two may be found, but for marks before them."""
_OPENINGS = opening_table(head[:2] for head in _HEADS)
# Names of classes are searched in lower case, which is several times as quick as to ignore case.
AUTHOR_WORDS = "byline author autor auteur writer verfasser contributor fn reporter".split()
_NAMED_TABLE = kernel.word_table(AUTHOR_WORDS)
_NAMED = re.compile(rf"(?:\A|[\s_-])(?:{'|'.join(AUTHOR_WORDS)}|autore|p-author)(?:s|[-_ ]?name)?(?:\Z|[\s_-])")
_LINKED = re.compile(
    r"/(?:authors?|autor(?:en|es)?|profile|people|staff|contributors?|producers|writers?|auteurs?|redaktion|by)/[^/?#]+"
)
_LINKED_TABLE = kernel.word_table(  # one of which is in all that it finds
    "/author /autor /auteur /profile /people /staff /contributor /producer /writer /redaktion /by/".split()
)
_ASIDE = re.compile(
    rf"{COMMENTS_AND_REPLIES}|kommentar|related|sidebar|footer|widget|recommend|teaser|popular|quote|testimonial|"
    r"card|bio-|latest|trending"
)
_BAR = re.compile(r"[|•·]")
_OTHER_WORK = re.compile(
    "(?i)photo|foto|image|illustrat|video|edit|review|translat"
)  # its names did not write the text
_SENTENCE_ENDS = ".!?…。！？:\"”»’'"
_MAX_BYLINE = 120  # characters of a line that names its author
_LONGEST_LINE = 150  # the same in an element that is called a byline, where it may say more
_CALLED_NAMES = mask(*"a address b cite dd div em h2 h3 h4 h5 h6 i li p section small span strong".split())
_LONGEST_CALLED = 400  # characters of an element that is called an author; a longer one holds the article as well
_NEAR = 1_200  # characters of page text between headline and byline
_BEFORE = 300  # the same where the byline stands above


class Authors(NamedTuple):
    """Names, and where they stand."""

    names: tuple[str, ...]
    source: str


def read_authors(page: Page, declared: Declared, called: Called, sites: Sequence[str], headline: int) -> Authors:
    """The names of the first source that has some; of another one if it has the same names and more.

    Logins and parts of addresses count where there is nothing else but organisations.
    """
    own = frozenset(map(folded, sites))
    people, organisations = _item_authors(declared)
    found = slugs = Authors((), "")
    for group in filter(None, (people, *_declared(declared))):
        is_list = group[0].source.startswith(("JSON-LD", "microdata", "meta citation", "meta dc"))
        names = (declared_names if is_list else names_in)((value.text for value in group), own)
        if names and all(map(is_slug, names)):
            slugs = slugs if slugs.names else Authors(names, group[0].source)
        elif names and (not found.names or _is_more(names, found.names)):
            found = Authors(names, group[0].source)
    if found.names:
        names = _beside(page, found.names, own, headline)
        return Authors(names, "a byline") if _is_more(names, found.names) else found
    for source, texts in _shown(page, declared, called, headline):
        first, *rest = tuple(filter(looks_like_name, names_in(texts, own))) or ("",)
        if first and not (slugs.names and is_slug(first)):
            return Authors((first, *filter(is_person, rest)), source)
    if slugs.names:
        return slugs
    names = declared_names((value.text for value in organisations), own)
    return Authors(names, organisations[0].source if names else "")


def is_byline(text: str, names: Sequence[str]) -> bool:
    """Whether a line does nothing but name the authors, and what they are.

    >>> is_byline("By Ann Lee, Environment Correspondent | The Daily Post", ["Ann Lee"])
    True
    >>> is_byline("By Monday the river had fallen again.", ["Ann Lee"])
    False
    """
    if len(text) > _MAX_BYLINE or not any(name in text for name in names):
        return False
    return _BYLINE_START.match(text) is not None or text[-1] not in _SENTENCE_ENDS


def _is_more(names: Sequence[str], known: Sequence[str]) -> bool:
    """Whether some names are those that are known, with others that are people's."""
    before, after = set(map(folded, known)), {folded(name): name for name in names}
    return before < after.keys() and all(is_person(name) for key, name in after.items() if key not in before)


def _beside(page: Page, known: Sequence[str], sites: Set[str], headline: int) -> tuple[str, ...]:
    """The names of the line near the headline that has the first of the known names."""
    blocks, start = page.blocks, page.nodes.text_end.item(headline) if headline else 0
    place = page.text.find(known[0], max(0, start - _NEAR), start + _NEAR)
    number = int(blocks.start.searchsorted(place, side="right")) - 1
    if place < 0 or number < 0:
        return ()
    first, last = blocks.start.item(number), blocks.end.item(number)
    if not place < last <= first + _MAX_BYLINE:
        return ()
    line = cleaned(page.text[first:last])
    lines = [part for part in _BAR.split(line) if known[0] in part and not _OTHER_WORK.search(part)]
    return tuple(filter(looks_like_name, names_in(lines[:1], sites)))


def _declared(declared: Declared) -> Iterator[list[Value]]:
    yield declared.from_meta("article:author", "article:author_name", "og:author", "og:article:author")
    yield declared.from_meta(
        "dc.creator", "dcterms.creator", "dc:creator", "dc.contributor", "citation_author", "citation_authors"
    )
    yield declared.from_properties("author", "creator")
    for name in _AUTHOR_META:
        if name in declared.meta:
            yield declared.from_meta(name)


def _item_authors(declared: Declared) -> tuple[list[Value], list[Value]]:
    """People, and organisations, that JSON-LD names as authors."""
    people: list[Value] = []
    organisations: list[Value] = []
    for name in ("author", "creator"):
        value = declared.item.get(name)
        for one in (value if isinstance(value, list) else [value])[:MAX_AUTHORS]:
            whole = declared.known(one) if isinstance(one, dict) and not one.get("name") else one
            if isinstance(whole, dict) and not whole.get("name"):
                continue
            group = organisations if isinstance(whole, dict) and "Organization" in " ".join(kinds_of(whole)) else people
            group += [Value(text, f"JSON-LD {name}") for text in texts_of(whole)]
        if people or organisations:
            break
    return people, organisations


def _shown(page: Page, declared: Declared, called: Called, headline: int) -> Iterator[tuple[str, list[str]]]:
    """Lines that may name the author, the most telling first; lines that belong together in one list."""
    nodes = page.nodes
    start = nodes.text_end.item(headline) if headline else 0
    related = [
        node
        for node, relations in declared.relations.items()
        if "author" in relations and not nodes.flags.item(node) & INVISIBLE and not _is_aside(page, node)
    ]
    if related:
        node = min(related, key=lambda node: abs(nodes.text_start.item(node) - start))
        yield from (("link rel=author", [line]) for line in _lines(page, node))
    outermost = _called_authors(page, called)
    for node in sorted(outermost, key=lambda node: abs(nodes.text_start.item(node) - start))[:20]:
        if not _is_aside(page, node):
            # What stands in an element of its own is the name; the line around it may also name the outlet.
            names = [line for below in outermost[node] for line in _lines(page, below)[:1]]
            yield (
                "a byline",
                [line for line in names if len(line) < _LONGEST_LINE and not names_role(line)] or names[:1],
            )
            yield from (("a byline", [line]) for line in _lines(page, node) if len(line) < _LONGEST_LINE)
    for node in _linked_authors(page, start)[:3] if headline else []:
        yield "a link to an author", [cleaned(page.node_text(node)[:500])]
    yield from _announced(page, headline, start)


def _linked_authors(page: Page, start: int) -> list[int]:
    """Links near the headline that lead to the page of an author."""
    nodes = page.nodes
    anchors = nodes.named("a").nonzero()[0]
    distances = nodes.text_start[anchors] - start
    near = anchors[(distances > -_BEFORE) & (distances < _NEAR) & (nodes.flags[anchors] & INVISIBLE == 0)]
    addresses = page.attribute(near, "href")
    linked = [place for place in kernel.holding(addresses, _LINKED_TABLE) if _LINKED.search(addresses[place] or "")]
    return [node for node in near[linked].tolist() if not _is_aside(page, node)]


def _called_authors(page: Page, called: Called) -> dict[int, list[int]]:
    """The outermost elements that are called authors, each with the innermost such elements in it."""
    nodes = page.nodes
    named: Ints = np.array(called.found(_NAMED_TABLE, _NAMED), dtype=np.int64)
    is_seen = _CALLED_NAMES[nodes.tag[named]] & ((nodes.flags[named] & INVISIBLE) == 0)
    named = named[is_seen & (nodes.text_end[named] - nodes.text_start[named] < _LONGEST_CALLED)]
    found: dict[int, list[int]] = {}
    inner: list[int] = []
    outer_end = 0
    for node in named.tolist():
        if node >= outer_end:
            inner, outer_end = [], nodes.end.item(node)
            found[node] = inner
            continue
        if inner and node < nodes.end.item(inner[-1]):
            inner.pop()
        inner.append(node)
    return found


def _lines(page: Page, node: int) -> list[str]:
    """The first lines of text below a node, as a reader sees them."""
    nodes = page.nodes
    leaves = nodes.visible_texts
    first, last = leaves.searchsorted((node, nodes.end.item(node))).tolist()
    lines: dict[int, str] = {}
    for leaf, line in zip(leaves[first:last].tolist()[:40], page.flow.line[leaves[first:last]].tolist(), strict=False):
        before, text = lines.get(line, ""), page.node_text(leaf)
        is_glued = before[-1:].isalnum() and text[:1].isalpha()  # two elements that only a style sheet sets apart
        lines[line] = before + (" | " if is_glued else "") + text
    return [text for text in map(cleaned, lines.values()) if text and not _BY_ALONE.match(text)][:3]


def _announced(page: Page, headline: int, start: int) -> Iterator[tuple[str, list[str]]]:
    """Short lines that begin with "by" and the like: near the headline first, then anywhere after it."""
    blocks = page.blocks
    first = max(0, int(blocks.start.searchsorted(start)) - 5)
    last = min(len(blocks), first + _MAX_BLOCKS)
    distant = []
    starts, ends = blocks.start[first:last], blocks.end[first:last]
    number = 0  # of the line after those that were read
    for opening in kernel.opening_so(page.text, starts, ends, _OPENINGS, _HEADS):
        after_word, number = False, max(number, opening)
        while number < len(starts) and (after_word or number == opening):
            begin, end = starts.item(number), ends.item(number)
            number += 1
            text = cleaned(page.text[begin:end]) if end - begin <= _MAX_BYLINE else ""
            match = _BYLINE_START.match(text)
            is_announced = match is not None and text[match.end() : match.end() + 1].isupper()
            if text and (is_announced or (after_word and len(text.split()) <= MAX_NAME_WORDS)):
                found = ("a line that begins with a word for author", [text])
                if headline and begin > start + _NEAR:
                    distant.append(found)
                else:
                    yield found
            after_word = bool(text) and _BY_ALONE.match(text) is not None
    yield from distant


def _is_aside(page: Page, node: int) -> bool:
    for _ in range(8):
        if node <= 0:
            return False
        if page.name(node) in ("aside", "footer", "nav", "blockquote"):
            return True
        attributes = page.attributes(node)
        if _ASIDE.search(f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()):
            return True
        node = page.nodes.parent.item(node)
    return False
