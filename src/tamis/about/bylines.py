"""Who wrote a page: declared names first, then the line that says so; never programs, sites and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tamis.about.declared import Declared, Value, cleaned, kinds_of, texts_of
from tamis.about.moments import is_month
from tamis.about.titles import folded
from tamis.page.model import INVISIBLE, Page

_MAX_AUTHORS = 50
_MAX_NAME_WORDS = 7
_MAX_SHOWN_WORDS = 5  # of a name that is only shown: longer lines are sentences
_PARTICLES = frozenset(
    "van von der den de del della di da dos du la le el al bin ibn ben zu zur ter ten y e d' af av".split()
)
_NOT_IN_NAMES = frozenset(
    "posts post recent contributors contributor comments comment time insights view share about author authors blog "
    "news "
    "strategy sponsored read more category categories tags related updated published minutes min your the this our "
    "with "
    "sign subscribe newsletter advertisement photo photos image source video all latest what how why".split()
)
_MAX_BLOCKS = 400  # that are searched for a byline: before the headline and after it
_LEADING = re.compile(
    r"\A\W*(?:(?:article|story|text|written|authored|recipe|posted|published|reviewed|words|review|analysis|opinion|"
    r"guest post|photos?|"
    r"foto|report(?:ed)?|created|edited)?\s*"
    r"(?:by|von|par|por|di|da|door|av|af|autor(?:in|en|es|zy)?|authors?|auteurs?|autore|skribent|przez|автор(?:ы)?|"
    r"текст|"
    r"written|verfasst|yazar|作者|記者|记者|文|著者)\b\s*(?:by\b|von\b)?\s*[:：.]?\s*|(?:作者|記者|记者|文|著者)\s*[:：/]\s*)",
    re.IGNORECASE,
)
_BYLINE_START = re.compile(
    r"\A\W{0,3}(?:(?:written|posted|published|story|article|reviewed|text|words|reported)\s+)?(?:by|von|par|por|di|"
    r"door|av|"
    r"автор:?|przez|autor(?:in)?:|author:|auteur\s?:|autore:|text:)\s+(?=\S)",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"\s*(?:[|•·–—⋅●»]|\s-\s|\bon\b\s|\bam\b\s|\bin\b\s|\bat\b\s|\bfor\b\s|\bfrom\b\s|\b(?:published|posted|updated|"
    r"last)\b|"
    r"\(|\d|,\s*(?:updated|published|posted|special|staff|senior|contribut|correspond|editor|reporter|writer|chief|"
    r"associate|"
    r"guest|director|professor|freelance|the\s)).*\Z",
    re.IGNORECASE | re.DOTALL,
)
_PREAMBLE = re.compile(
    r"\A.{0,40}\b(?:posts?|articles?|written|stories|insights|more|contributed)\s+(?:by|from|von)\s+", re.IGNORECASE
)
_BY_ALONE = re.compile(
    r"\A\W*(?:(?:written|posted|published|words)?\s*by|von|par|por|authors?|autor(?:en|in)?|text)\W*\Z", re.IGNORECASE
)
_WEEKDAY = re.compile(
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|"
    r"mittwoch)\.?\Z",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"\s*(?:;|\||/|•|·|\s&\s|&amp;|、|，|\s(?:and|und|et|y|e|i|en|och|og|и|with|mit|avec|con)\s)\s*", re.IGNORECASE
)
_COMMA = re.compile(r"\s*,\s*(?:(?:and|und|et|y|&)\s+)?", re.IGNORECASE)
_CREDENTIAL = re.compile(
    r"(?:[A-Z]{2,6}(?:[-/][A-Z0-9]+)?|(?:[A-Z][a-z]{0,2}\.\s?){1,4}|[Pp][Hh]\.?\s?[Dd]\.?|[JS]r|MSc|BSc|III?|Esq|Dr|Prof)\W*\Z"
)
_ROLE = re.compile(
    r"(?i)\b(?:head|lead|chief|vp|fellow|expert|author|coach|nutritionist|owner|engineer|consultant|editor|reporter|"
    r"writer|correspondent|staff|contributor|director|founder|ceo|manager|professor|producer|"
    r"columnist|journalist|officer|president|specialist|analyst|redakteur|journaliste|dietitian|team|educator|desk|"
    r"horticulturalist)\b"
)
_ADDRESS = re.compile(r"https?:|www\.|@|\.com\b|\.org\b|\.net\b", re.IGNORECASE)
_REFUSED = frozenset(
    (
        "admin,administrator,administrador,adm,root,user,username,webmaster,web "
        "master,editor,editors,editorial,wordpress,"
        "drupal,joomla,typo3,blogger,guest,gast,unknown,unbekannt,anonymous,anonym,null,undefined,none,na,n "
        "a,author,authors,"
        "autor,super user,superuser,default,test,site admin,siteadmin,web,website,staff,by,posted by,nobody,no author,"
        "not available,name,author name,firstname lastname,owner,moderator,support,info,contact,marketing,"
        "facebook,twitter,google,share,follow,email,read "
        "more,comments,about,home,menu,search,login,subscribe,publisher,"
        "web team,content team,wix,squarespace,shopify,hubspot,ghost,medium,tumblr,livejournal,blogspot,weebly,webflow"
    ).split(",")
)
_NAMED = re.compile(
    r"(?i)(?:\A|[\s_-])(?:byline|author|autor|auteur|autore|writer|verfasser|contributor|p-author|fn|reporter)(?:s|"
    r"[-_ ]?name)?(?:\Z|[\s_-])"
)
_LINKED = re.compile(
    r"/(?:authors?|autor(?:en|es)?|profile|people|staff|contributors?|producers|writers?|auteurs?|redaktion|by)/[^/?#]+"
)
_ASIDE = re.compile(
    r"(?i)comment|reply|replies|kommentar|related|sidebar|footer|widget|recommend|teaser|popular|quote|testimonial|"
    r"card|bio-|latest|trending"
)
_MAX_BYLINE = 120  # characters of a line that names its author
_NEAR = 1_200  # characters of page text between headline and byline


class Authors(NamedTuple):
    """Names, and where they stand."""

    names: tuple[str, ...]
    source: str


def read_authors(page: Page, declared: Declared, sites: Sequence[str], headline: int) -> Authors:
    refused = {*_REFUSED, *map(folded, sites)}
    people, organisations = _item_authors(declared)
    names = _accepted((value.text for value in people), refused)
    if names:
        return Authors(names, people[0].source)
    for group in _declared(declared):
        read = _accepted if group and group[0].source.startswith(("microdata", "meta citation", "meta dc")) else _names
        names = read((value.text for value in group), refused)
        if names:
            return Authors(names, group[0].source)
    for source, text in _shown(page, headline):
        names = tuple(name for name in _names([text], refused) if _looks_like_name(name))
        if names:
            return Authors(names, source)
    names = _accepted((value.text for value in organisations), refused)
    return Authors(names, organisations[0].source if names else "")


def clean_names(text: str) -> list[str]:
    """The names in a byline.

    >>> clean_names("By Ann Lee, Bo Chen and Cy Diaz | 3 May")
    ['Ann Lee', 'Bo Chen', 'Cy Diaz']
    >>> clean_names("Robert E. Moffit, Ph.D.")
    ['Robert E. Moffit']
    """
    text = _PREAMBLE.sub("", _LEADING.sub("", text.strip()))
    names = []
    for piece in _SPLIT.split(text):
        parts = [part for part in _COMMA.split(piece or "") if part]
        for position, part in enumerate(parts):
            if position and (_CREDENTIAL.match(part) or _ROLE.search(part)):
                continue
            name = _TRAILING.sub("", _LEADING.sub("", part)).strip(" .,:;-–—|\"'“”()[]»●")
            if name and not _is_date_word(name):
                names.append(name)
    if len(names) == 2 and "," in text and all(len(name.split()) == 1 for name in names) and not _SPLIT.search(text):
        return [f"{names[1]} {names[0]}"]  # Lee, Ann
    return names


def _is_date_word(name: str) -> bool:
    return any(is_month(word) or _WEEKDAY.match(word) for word in name.split()[-2:]) and len(name.split()) <= 2


def _accepted(texts: Iterable[str], refused: set[str]) -> tuple[str, ...]:
    """Names that are declared one by one: nothing is cut off but titles; several in one are taken apart."""
    found: dict[str, str] = {}
    for text in texts:
        whole = _LEADING.sub("", text).strip()
        if folded(whole) in refused or _ADDRESS.search(whole):
            continue
        names = clean_names(whole) if _SPLIT.search(whole) or "," in whole else [whole]
        for name in names:
            if folded(name) not in refused and _is_name(name):
                found.setdefault(folded(name), _cased(name))
    return tuple(found.values())[:_MAX_AUTHORS]


def _names(texts: Iterable[str], refused: set[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for text in texts:
        for name in [] if _ADDRESS.search(text) else clean_names(text):
            key = folded(name)
            if key not in refused and _is_name(name):
                found.setdefault(key, _cased(name))
    return tuple(found.values())[:_MAX_AUTHORS]


def _is_name(name: str) -> bool:
    words = name.split()
    if not 1 <= len(words) <= _MAX_NAME_WORDS or len(name) > 80 or len(name) < 2 or _ADDRESS.search(name):
        return False
    return sum(character.isalpha() for character in name) >= 0.6 * len(name) and not any(
        character.isdigit() for character in name[:1]
    )


def _looks_like_name(name: str) -> bool:
    """True for words that begin with capitals, but for particles; scripts without capitals pass."""
    words = name.split()
    return len(words) <= _MAX_SHOWN_WORDS and not any(
        (word[:1].islower() and word.casefold() not in _PARTICLES) or folded(word) in _NOT_IN_NAMES for word in words
    )


def _cased(name: str) -> str:
    """The name; one in capitals only is written as names are."""
    if name.isupper() and " " in name:
        return " ".join(word.capitalize() if len(word) > 2 or not word.isalpha() else word for word in name.split())
    return name


def _declared(declared: Declared) -> Iterator[list[Value]]:
    yield declared.from_meta("article:author", "article:author_name", "og:author", "og:article:author")
    yield declared.from_meta(
        "dc.creator", "dcterms.creator", "dc:creator", "dc.contributor", "citation_author", "citation_authors"
    )
    yield declared.from_properties("author", "creator")
    for name in (
        "author",
        "parsely-author",
        "sailthru.author",
        "byl",
        "byline",
        "article.author",
        "cxenseparse:author",
    ):
        yield declared.from_meta(name)
    for name in ("shareaholic:article_author_name", "twitter:written by", "twitter:verfasst von", "twitter:écrit par"):
        yield declared.from_meta(name)


def _item_authors(declared: Declared) -> tuple[list[Value], list[Value]]:
    """People, and organisations, that JSON-LD names as authors."""
    known = {item["@id"]: item for item in declared.items if isinstance(item.get("@id"), str) and item.get("name")}
    people: list[Value] = []
    organisations: list[Value] = []
    for name in ("author", "creator"):
        value = declared.item.get(name)
        for one in (value if isinstance(value, list) else [value])[:_MAX_AUTHORS]:
            whole = known.get(one.get("@id"), one) if isinstance(one, dict) and not one.get("name") else one
            if isinstance(whole, dict) and not whole.get("name"):
                continue
            group = organisations if isinstance(whole, dict) and "Organization" in " ".join(kinds_of(whole)) else people
            group += [Value(text, f"JSON-LD {name}") for text in texts_of(whole)]
        if people or organisations:
            break
    return people, organisations


def _shown(page: Page, headline: int) -> Iterator[tuple[str, str]]:
    """Lines that may name the author, the most telling first."""
    nodes = page.nodes
    anchors = np.flatnonzero(nodes.named("a") & ((nodes.flags & INVISIBLE) == 0))
    relations = page.attribute(anchors, "rel")
    start = int(nodes.text_end[headline]) if headline else 0
    related = [
        node
        for node, relation in zip(anchors.tolist(), relations, strict=True)
        if relation and "author" in relation.lower().split() and not _is_aside(page, node)
    ]
    if related:
        node = min(related, key=lambda node: abs(int(nodes.text_start[node]) - start))
        yield from (("link rel=author", line) for line in _lines(page, node))
    named = []
    candidates = np.flatnonzero(
        nodes.elements
        & ((nodes.flags & INVISIBLE) == 0)
        & nodes.named(
            "div",
            "span",
            "p",
            "a",
            "li",
            "address",
            "cite",
            "strong",
            "b",
            "em",
            "i",
            "small",
            "section",
            "dd",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
        )
    )
    for attribute in ("class", "id"):
        for node, value in zip(candidates.tolist(), page.attribute(candidates, attribute), strict=True):
            if value and _NAMED.search(value) and nodes.text_end[node] - nodes.text_start[node] < 400:
                named.append(node)
    for node in sorted(named, key=lambda node: abs(int(nodes.text_start[node]) - start))[:20]:
        if not _is_aside(page, node):
            yield from (("a byline", line) for line in _lines(page, node) if len(line) < 150)
    addresses = page.attribute(anchors, "href")
    linked = [node for node, href in zip(anchors.tolist(), addresses, strict=True) if href and _LINKED.search(href)]
    near = [node for node in linked if headline and -300 < int(nodes.text_start[node]) - start < _NEAR]
    for node in [node for node in near if not _is_aside(page, node)][:3]:
        yield "a link to an author", cleaned(page.node_text(node)[:500])
    yield from _announced(page, headline, start)


def _lines(page: Page, node: int) -> list[str]:
    """The first lines of text below a node, as a reader sees them."""
    nodes = page.nodes
    leaves = nodes.visible_texts
    first, last = np.searchsorted(leaves, (node, nodes.end[node]))
    lines: dict[int, str] = {}
    for leaf, line in zip(leaves[first:last].tolist()[:40], page.flow.line[leaves[first:last]].tolist(), strict=False):
        lines[line] = lines.get(line, "") + page.node_text(leaf)
    return [text for text in map(cleaned, lines.values()) if text and not _BY_ALONE.match(text)][:3]


def _announced(page: Page, headline: int, start: int) -> Iterator[tuple[str, str]]:
    """Short lines that begin with "by" and the like: near the headline first, then anywhere after it."""
    blocks = page.blocks
    first = max(0, int(np.searchsorted(blocks.start, start)) - 5)
    last = min(len(blocks), first + _MAX_BLOCKS)
    distant = []
    after_word = False
    for number in range(first, last):
        begin, end = int(blocks.start[number]), int(blocks.end[number])
        text = cleaned(page.text[begin:end]) if end - begin <= _MAX_BYLINE else ""
        match = _BYLINE_START.match(text)
        is_announced = match is not None and text[match.end() : match.end() + 1].isupper()
        if text and (is_announced or (after_word and len(text.split()) <= _MAX_NAME_WORDS)):
            found = ("a line that begins with a word for author", text)
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
        if _ASIDE.search(attributes.get("class", "")) or _ASIDE.search(attributes.get("id", "")):
            return True
        node = int(page.nodes.parent[node])
    return False
