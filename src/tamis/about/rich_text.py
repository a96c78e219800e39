"""Rich text as editors store it in JSON → HTML: trees of typed parts with texts, children, marks and levels.

Every editor has its own names for the same few things (Contentful, Portable Text, ProseMirror, Lexical, Slate,
Draft.js, Editor.js, Arc, BBC Optimo, Medium). The names are tables here, and one function reads them all. Parts that
are not known to carry text are left out.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from html import escape, unescape
from typing import Any

_MAX_DEPTH = 24  # lists in lists in quotes; no editor offers more
_MAX_NAME = 60  # characters of a name that are looked at
_KIND_NAMES = ("type", "nodeType", "_type", "blockType", "style", "tag", "tagName", "kind", "__typename", "blockName")
_LIST_NAMES = (
    "children content content_elements blocks paragraphs items nodes document root model data value elements body "
    "attrs fields props listItems cells rows"
).split()
_ANY_KIND, _ANY_LIST = frozenset(_KIND_NAMES), frozenset(_LIST_NAMES)
_HOLDERS = (dict, list)
_TEXT_NAMES = ("html", "innerHTML", "text", "content", "value", "markdown", "rendered", "body")
_SKIPPED_KIND = re.compile(
    r"(?i)image|video|gallery|embed|advert|\bads?\b|ad[-_]|promo|newsletter|related|recirc|interstitial|script|iframe|"
    r"button|social|hyperlink_list|author|byline|metadata|divider|oembed|podcast|audio|poll|image-?link|cta\b"
)
_HEADING = re.compile(r"(?i)\A(?:h|heading[-_ ]?|header[-_ ]?)([1-6])\Z")
_HEADING_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_KINDS = (  # what the name of a part says, the most telling first
    ("li", re.compile(r"(?i)list[-_ ]?item|\Ali\Z|-item\Z")),
    ("ol", re.compile(r"(?i)ordered[-_ ]?list|numbered[-_ ]?list|\Aol\Z|\AOLI\Z")),
    ("ul", re.compile(r"(?i)bullet(?:ed)?[-_ ]?list|unordered|\Alist\Z|\Aul\Z|\AULI\Z")),
    ("blockquote", re.compile(r"(?i)quote|\ABQ\Z|\APQ\Z")),
    ("pre", re.compile(r"(?i)code[-_ ]?block|\Apre\Z|\Acode\Z")),
    ("h2", re.compile(r"(?i)head(?:er|ing)|\Asubtitle\Z|crosshead|subheadline")),
    ("p", re.compile(r"(?i)paragraph|\Ap\Z|\Ablock\Z|unstyled|\Anormal\Z|\Atext\Z|raw_html|html")),
)
_LINK_KINDS = re.compile(r"(?i)hyperlink|\Alink\Z|\Aa\Z|urlLink|autolink")
_INLINE_KIND = re.compile(r"(?i)\A(?:span|text|textrun|leaf|fragment|inline|bold|italic|strong|em|#text)\Z")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_HIDDEN_TAG = re.compile(r"&lt;/?(?:p|div|br|h[1-6]|ul|ol|li|a|strong|em|span|figure|img)\b", re.IGNORECASE)
_PARAGRAPHS = re.compile(r"\n\s*\n|\r\n\s*\r\n")


def has_markup(text: str) -> bool:
    return _TAG.search(text) is not None


def text_to_html(text: str) -> str:
    r"""Markup as it is, markup that was escaped once too often unescaped, and plain text as paragraphs.

    >>> text_to_html("One & two.\n\nThree.")
    '<p>One &amp; two.</p>\n<p>Three.</p>'
    """
    if has_markup(text):
        return text
    if _HIDDEN_TAG.search(text):
        return unescape(text)
    parts = _PARAGRAPHS.split(text) if _PARAGRAPHS.search(text) else text.splitlines()
    return "\n".join(f"<p>{escape(unescape(part.strip()))}</p>" for part in parts if part.strip())


def is_rich(value: Any) -> bool:
    """True for a list of parts that say what they are, or for its holder."""
    if isinstance(value, dict):
        return isinstance(value.get("root"), dict) or _kind(value).lower() in ("doc", "document", "root")
    if not isinstance(value, list):
        return False
    parts = [part for part in value[:20] if isinstance(part, dict)]
    return bool(parts) and sum(1 for part in parts if _kind(part) and _contents(part) is not None) * 2 > len(parts)


def rich_to_html(value: Any, references: Mapping[str, Any]) -> str:
    """HTML of a rich text; ``references`` finds parts that are only named in it."""
    return _render(value, references, 0)


def _render(value: Any, references: Mapping[str, Any], depth: int) -> str:
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(value, str):
        return value if has_markup(value) else escape(value)
    if isinstance(value, list):
        return "".join(_render(part, references, depth + 1) for part in value)
    if not isinstance(value, dict):
        return ""
    name = value.get("__ref") or value.get("id") if len(value) <= 3 else None
    if isinstance(name, str) and name in references and references[name] is not value:
        return _render(references[name], references, depth + 1)
    kind = _kind(value)
    if _is_skipped(kind[:_MAX_NAME]):
        return ""
    contents = _contents(value)
    if contents is None:
        return ""
    element = _element(value, kind)
    if element in ("ul", "ol") and isinstance(contents, list):
        inner = "".join(_item(_render(part, references, depth + 1)) for part in contents)
    else:
        inner = _render(contents, references, depth + 1)
    return _wrapped(inner, element, value) if inner.strip() else inner


def _item(inner: str) -> str:
    return inner if not inner.strip() or inner.lstrip().startswith("<li") else f"<li>{inner}</li>\n"


def _kind(part: Mapping[str, Any]) -> str:
    return "" if _ANY_KIND.isdisjoint(part) else _said(part, _KIND_NAMES) or ""


def _contents(part: Mapping[str, Any]) -> Any:
    """What a part holds: its children if it has any, else its text."""
    for name in () if _ANY_LIST.isdisjoint(part) else _LIST_NAMES:
        inner = part.get(name)
        if inner and isinstance(inner, _HOLDERS) and (name != "data" or isinstance(inner, dict)):
            return inner
    return _said(part, _TEXT_NAMES)


def _said(part: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """The first of some names under which a part says something."""
    for name in names:
        said = part.get(name)
        if said and isinstance(said, str):
            return said
    return None


def _element(part: Mapping[str, Any], kind: str) -> str:
    """The element that a part stands for; empty for one that only holds others."""
    if part.get("listItem"):
        return "li"
    names = [part[name] for name in ("style", "tag") if isinstance(part.get(name), str)]
    for name in (*names, kind):
        if _heading(name[:_MAX_NAME]):
            return _heading(name[:_MAX_NAME])
    element = _named_element(kind[:_MAX_NAME])
    if element == "span":
        return "p" if _has_block_text(part) else "span"
    level = part.get("level")
    if element == "h2" and isinstance(level, int) and 1 <= level <= 6:
        return f"h{level}"
    return element


@functools.lru_cache(maxsize=1024)
def _heading(name: str) -> str:
    """The heading that a name stands for, if any.

    >>> _heading("heading-3"), _heading("header-two"), _heading("paragraph")
    ('h3', 'h2', '')
    """
    heading = _HEADING.match(name)
    if heading:
        return f"h{heading[1]}"
    word = re.split(r"[-_ ]", name.lower())[-1]
    return f"h{_HEADING_WORDS[word]}" if name.lower().startswith("head") and word in _HEADING_WORDS else ""


@functools.lru_cache(maxsize=1024)
def _named_element(kind: str) -> str:
    if _INLINE_KIND.match(kind):
        return "span"
    if _LINK_KINDS.search(kind):
        return "a"
    return next((element for element, pattern in _KINDS if pattern.search(kind)), "")


@functools.lru_cache(maxsize=1024)
def _is_skipped(kind: str) -> bool:
    return _SKIPPED_KIND.search(kind) is not None


def _has_block_text(part: Mapping[str, Any]) -> bool:
    """Arc's ``text`` parts are paragraphs: they have an identity; the ``text`` leaves of editors are pieces of one."""
    return "_id" in part or "additional_properties" in part or isinstance(part.get("model"), dict)


def _wrapped(inner: str, element: str, part: Mapping[str, Any]) -> str:
    if element in ("", "span"):
        return inner
    if element == "a":
        holder = part.get("data") if isinstance(part.get("data"), dict) else part.get("attrs")
        places = [part, holder] if isinstance(holder, dict) else [part]
        names = ("uri", "url", "href")
        address = next((place[name] for place in places for name in names if isinstance(place.get(name), str)), "")
        return f'<a href="{escape(address)}">{inner}</a>' if address else inner
    if element in ("p", "li") and re.match(r"\s*<(?:p|li|h[1-6]|ul|ol|div|blockquote|table)\b", inner):
        return inner if element == "p" else f"<li>{inner}</li>\n"
    return f"<{element}>{inner}</{element}>\n"
