"""What must hold for every output, whatever the page: each check raises a ``Violation`` that says what does not."""

from __future__ import annotations

import functools
import importlib.util
import json
import re
import xml.etree.ElementTree
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import tamis

STRICT_ELEMENTS = frozenset(
    "#document #text a b blockquote body br caption cite code dd del details dl dt em figcaption figure h1 h2 h3 h4 h5 "
    "h6 head hr html i img ins kbd li mark ol p pre q rt ruby s samp span strong sub summary sup table tbody td tfoot "
    "th thead tr u ul var".split()
)
STRICT_ATTRIBUTES = frozenset("align href src alt class colspan dir rowspan start id style value".split())
ACTIVE_ELEMENTS = frozenset("script animate animatemotion animatetransform set".split())
LOADERS = {"embed": "src", "frame": "src", "object": "data"}
ADDRESSES = frozenset("action background cite data formaction href longdesc ping poster src xlink:href".split())
_SAFE_SCHEMES = ("http:", "https:", "mailto:")
_INERT_SCHEMES = (*_SAFE_SCHEMES, "tel:", "sms:")  # a page keeps the links that only call somebody
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_IGNORED = re.compile("[\0-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""What some reader of an address passes over: browsers drop controls, and others what cannot be seen."""
_IMAGES = frozenset("background poster src srcset".split())
_FRAMES = frozenset("embed frame iframe object".split())
_STYLE = re.compile(r"text-align:(?:left|right|center)")  # of table cells, as renderers of Markdown write it
_OWN_CLASSES = re.compile(r"math|language-[\w.+#-]+")
_ANY_CLASSES = re.compile(r"math|language-\S+")  # plain text may have fences of its own, and any word behind them
_NOTE = re.compile(r"note-\d+")
_DIRECTIONS = frozenset("auto ltr rtl".split())
_ADDRESS_KEYS = frozenset(
    "address author_url favicon feeds href image images licence next_page previous_page src videos".split()
)
_NUMBER = re.compile(r"-?[0-9]{1,9}")  # of an item of a list
_DEEP = re.compile(r"^(?:[>\-*+ ]|[0-9]+[.)]){40}", re.MULTILINE)  # marks in a row: marko takes very long
_BOX = {"type": "checkbox", "disabled": ""}
_BOXES = (_BOX, {**_BOX, "checked": ""})  # of task lists; they cannot be clicked


class Violation(Exception):  # noqa: N818 - what it is, not that it is an error
    """Something that must hold does not."""


def check_spans(spans: Sequence[Any], length: int) -> None:
    """Inside the text, sorted, not overlapping, not empty."""
    last = 0
    for start, end in spans:
        if not last <= start < end <= length:
            raise Violation(f"span {start}-{end} after {last} in a text of {length}")
        last = end


def check_strict(markup: str, what: str, classes: re.Pattern[str] = _OWN_CLASSES) -> None:
    """Only a few harmless elements and attributes, and addresses of safe kinds where addresses may stand."""
    page = tamis.parse(f"<body>{markup}")
    for node in range(len(page.nodes)):
        name = page.name(node)
        if name == "input" and dict(page.attributes(node)) in _BOXES:
            continue
        if name not in STRICT_ELEMENTS:
            raise Violation(f"{what} holds the element {name[:20]}")
        for attribute, value in page.attributes(node).items():
            if attribute not in STRICT_ATTRIBUTES:
                raise Violation(f"{what} holds the attribute {attribute[:20]}")
            if attribute == "style" and not (name in ("td", "th") and _STYLE.fullmatch(value)):
                raise Violation(f"{what} holds a style")
            if attribute == "dir" and value not in _DIRECTIONS:
                raise Violation(f"{what} holds a direction that is none")
            if attribute == "value" and not (name == "li" and _NUMBER.fullmatch(value)):
                raise Violation(f"{what} holds a value that is no number of an item")
            if attribute == "class" and not classes.fullmatch(value):
                raise Violation(f"{what} holds a class that is not ours")
            if attribute == "id" and not _NOTE.fullmatch(value):
                raise Violation(f"{what} holds an id that is not ours")
            if attribute in ("href", "src"):
                if (name, attribute) not in (("a", "href"), ("img", "src")):
                    raise Violation(f"{what} holds an address in {name}")
                check_address(value, what)


def check_inert(markup: str, what: str) -> None:
    """A whole page of which nothing runs."""
    page = tamis.parse(markup)
    for node in range(len(page.nodes)):
        name, attributes = page.name(node), page.attributes(node)
        if name in ACTIVE_ELEMENTS:
            raise Violation(f"{what} holds the element {name}")
        if name == "meta" and "http-equiv" in attributes:
            raise Violation(f"{what} holds an order to the browser")
        if name == "iframe" and "sandbox" not in attributes:
            raise Violation(f"{what} holds a frame that is not sandboxed")
        if LOADERS.get(name) in attributes:
            raise Violation(f"{what} lets {name} load something")
        for attribute, value in attributes.items():
            if attribute.startswith("on"):
                raise Violation(f"{what} holds a handler")
            is_image = attribute in _IMAGES and name not in _FRAMES
            if attribute in ADDRESSES and not _is_inert(value, is_image=is_image):
                raise Violation(f"{what} holds an address that may be a program")
            if name == "base" and attribute == "href" and not _seen(value).lower().startswith(("http:", "https:")):
                raise Violation(f"{what} is relative to what is no page")


def _is_inert(address: str, *, is_image: bool) -> bool:
    """Whether an address is relative, or of a kind that runs nothing; as an image also data are harmless."""
    seen = _seen(address)
    return not _SCHEME.match(seen) or seen.lower().startswith(_INERT_SCHEMES + (("data:",) if is_image else ()))


def check_address(value: str, what: str) -> None:
    """A relative address, or one of a safe kind, also for readers that pass over invisible characters."""
    seen = _seen(value)
    if _SCHEME.match(seen) and not seen.lower().startswith(_SAFE_SCHEMES):
        raise Violation(f"{what} holds an address of another scheme")


def _seen(address: str) -> str:
    """An address as readers take it."""
    return _IGNORED.sub("", address).strip()


def check_markdown(markdown: str) -> None:
    """What careless readers make of it is as harmless as our HTML."""
    for name, render in readers():
        if name == "marko" and _DEEP.search(markdown):
            continue
        check_strict(render(markdown), f"Markdown, read by {name},", _ANY_CLASSES)


def check_json(text: str) -> None:
    """JSON without numbers that JSON does not know, and the HTML and Markdown inside are safe."""

    def refuse(constant: str) -> NoReturn:
        raise Violation(f"JSON holds {constant}")

    try:
        values = json.loads(text, parse_constant=refuse)
    except ValueError as error:
        raise Violation("the JSON is none") from error
    check_strict(values["html"], "the HTML in JSON")
    for key, value in _strings(values, ""):
        if key in _ADDRESS_KEYS:
            check_address(value, f"{key} in JSON")


def check_tei(text: str) -> None:
    """XML, with addresses of safe kinds."""
    try:
        root = xml.etree.ElementTree.fromstring(text)  # noqa: S314 - our own output
    except xml.etree.ElementTree.ParseError as error:
        raise Violation("TEI is no XML") from error
    for element in root.iter():
        for name in ("target", "url"):
            if name in element.attrib:
                check_address(element.attrib[name], f"{name} in TEI")


def _strings(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """All strings in some JSON, each with the key it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, key)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _strings(item, name)


@functools.cache
def readers() -> tuple[tuple[str, Any], ...]:
    """CommonMark readers that pass raw HTML and any address on: one, or two where both are installed."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader.validateLink = _any_address  # type: ignore[method-assign]
    found: list[tuple[str, Any]] = [("markdown-it", reader.render)]
    if importlib.util.find_spec("marko"):
        found.append(("marko", importlib.import_module("marko").Markdown(extensions=["gfm"]).convert))
    return tuple(found)


def _any_address(url: str) -> bool:
    return True
