"""A page as a picture of itself that can be looked at safely: nothing runs, nothing loads, every text knows its block.

Elements and attributes are written only if they stand in a table below; all else becomes a plain box or is left out.
Style sheets are returned beside the markup: the inspector adopts them by script, so that its policy can forbid every
style in markup. What is written is read in a sandboxed frame under that policy; the tables are the first wall of two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np

from tamis.page.html import TAG_NAMES
from tamis.page.model import FOREIGN, UNRENDERED, Page
from tamis.page.text import Ints

MAX_CHARACTERS = 4_000_000  # of the markup: more makes a browser slow; ours, not swept
POLICY = "default-src 'none'; img-src data:; style-src 'none'; base-uri 'none'; form-action 'none'"
TEXT_ELEMENT, BLOCK_ATTRIBUTE, NODE_ATTRIBUTE, STYLE_ATTRIBUTE = "tamis-text", "data-block", "data-node", "data-style"

_AS_THEY_ARE = frozenset(
    "a abbr acronym address article aside b bdi bdo big blockquote br button caption center cite code col colgroup "
    "data dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup hr i img input ins kbd label legend li main mark menu meter nav ol p picture pre progress q rb "
    "rp rt rtc ruby s samp search section small span strike strong sub summary sup table tbody td tfoot th thead "
    "time tr tt u ul var wbr".split()
)
_LEFT_OUT = frozenset("area base embed frame link meta noembed param script source style template title track".split())
_UNWRAPPED = frozenset("#document #fragment head noscript".split())
_INLINE_BOXES = frozenset("audio canvas math object select svg video".split())  # what they would show is not loaded
_VOID = frozenset("br col hr img input wbr".split())
_CONTROLS = frozenset("button fieldset input".split())
_ATTRIBUTES = frozenset(
    "align alt bgcolor border cellpadding cellspacing class color colspan cols dir face height id lang max min open "
    "placeholder rowspan rows size span start type valign value width".split()
)
_PICTURE = re.compile(r"data:image/(?:avif|gif|jpeg|png|webp);base64,[A-Za-z0-9+/=\s]*", re.ASCII)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|([g-zG-Z-]))")
_ADDRESS = re.compile(r"(?:url|image|image-set|src)\(\s*(?!['\"]?data:image/)[^)]*\)|@import[^;]*;?", re.IGNORECASE)


@dataclass(frozen=True)
class InertPage:
    """A document, the sheets it is styled with, and whether all of the page is in it."""

    markup: str
    sheets: tuple[str, ...]
    complete: bool


def inert_page(page: Page) -> InertPage:
    """The page with its look and none of its power; texts carry the numbers of their blocks."""
    writer = _Writer(page)
    node, count = 0, len(page.nodes)
    while node < count and writer.size < MAX_CHARACTERS:
        node = writer.add(node)
    return InertPage(writer.finish(), tuple(_sheets(page)), node >= count)


def inert_style(sheet: str) -> str:
    """Declarations without the addresses they would load.

    >>> inert_style("p { color: red; background: url(https://a.example/x) }")
    'p { color: red; background: none }'
    """
    return _ADDRESS.sub("none", _ESCAPE.sub(_letter, sheet))


def _letter(escape: re.Match[str]) -> str:
    r"""A letter written plainly, since names may be spelled with escapes; other escapes as they are.

    >>> _ESCAPE.sub(_letter, r"\75 rl(x) u\72l(x) \url(x) .a\:b '\201C'")
    "url(x) url(x) url(x) .a\\:b '\\201C'"
    """
    number, letter = escape.groups()
    code = int(number, 16) if number else ord(letter)
    return chr(code) if code < 128 and (chr(code).isalpha() or code == ord("-")) else escape[0]


def _sheets(page: Page) -> Iterator[str]:
    styles = np.flatnonzero(page.nodes.named("style") & ((page.nodes.flags & FOREIGN) == 0))
    for node in styles.tolist():
        attributes = page.attributes(node)
        if attributes.get("type", "text/css").lower() == "text/css":
            sheet, media = page.code(node), attributes.get("media", "")
            yield inert_style(f"@media {media} {{ {sheet} }}" if media and "{" not in media else sheet)


class _Writer:
    """Where the walk over the nodes is, and what it has written so far."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        self.size = 0
        self._has_started = self._has_body = False
        self._page = page
        self._parts: list[str] = []
        self._path: list[tuple[int, str]] = [(len(nodes) + 1, "")]  # end and closing tag of what is open
        self._tag: list[int] = nodes.tag.tolist()
        self._end: list[int] = nodes.end.tolist()
        self._flags: list[int] = nodes.flags.tolist()
        self._block: list[int] = block_of_nodes(page).tolist()

    def add(self, node: int) -> int:
        """Write a node, or its beginning; returns the node to go on with."""
        self._close(node)
        name = TAG_NAMES[self._tag[node]]
        if name == "#text":
            self._write(self._text(node))
            return node + 1
        if name in _UNWRAPPED:
            return node + 1
        if name == "html":
            self._start(node)
            return node + 1
        if (name.startswith("#") and name != "#other") or name in _LEFT_OUT:
            return self._end[node]
        return self._open(node, name)

    def finish(self) -> str:
        self._close(len(self._end))
        return "".join(self._parts)

    def _start(self, node: int) -> None:
        """The head of the document, once: a page in a frame is a box like any other."""
        if self._has_started:
            return
        self._has_started = True
        attributes = _written("html", self._page.attributes(node))
        self._write(f'<!doctype html><html{attributes}><head><meta charset="utf-8">')
        self._write(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"></head>')

    def _open(self, node: int, name: str) -> int:
        attributes = self._page.attributes(node)
        is_inline = name in _INLINE_BOXES or bool(self._flags[node] & FOREIGN)
        written = name if name in _AS_THEY_ARE and not is_inline else "span" if is_inline else "div"
        if name == "body" and not self._has_body:
            written, self._has_body = name, True
        marks = "" if written == name else f' data-was="{escape(self._page.name(node))}"'
        self._write(f'<{written} {NODE_ATTRIBUTE}="{node}"{marks}{_written(name, attributes)}>')
        if written in _VOID:
            return self._end[node]
        if written == "pre":
            self._write("\n")  # the first line end is not seen
        self._path.append((self._end[node], f"</{written}>"))
        return node + 1

    def _text(self, node: int) -> str:
        text = self._page.node_text(node)
        if self._flags[node] & UNRENDERED:
            return ""
        markup = escape(text, quote=False)
        if text.isspace():
            return markup
        block = self._block[node]
        return f'<{TEXT_ELEMENT} {BLOCK_ATTRIBUTE}="{block}">{markup}</{TEXT_ELEMENT}>' if block >= 0 else markup

    def _close(self, node: int) -> None:
        while self._path[-1][0] <= node:
            self._write(self._path.pop()[1])

    def _write(self, markup: str) -> None:
        self._parts.append(markup)
        self.size += len(markup)


def block_of_nodes(page: Page) -> Ints:
    """For each node the block it is a text of; -1 for others."""
    blocks = page.blocks
    found = np.full(len(page.nodes), -1, dtype=np.int64)
    found[blocks.leaves] = np.repeat(np.arange(len(blocks)), np.diff(blocks.first_leaf))
    return found


def _written(name: str, attributes: Mapping[str, str]) -> str:
    parts = [f' {key}="{escape(value)}"' for key, value in attributes.items() if key in _ATTRIBUTES]
    if attributes.get("style"):
        parts.append(f' {STYLE_ATTRIBUTE}="{escape(inert_style(attributes["style"]))}"')
    if "hidden" in attributes:
        parts.append(" hidden")
    if name == "a" and "href" in attributes:
        parts.append(" data-link")
    if name == "img" and _PICTURE.fullmatch(attributes.get("src", "")):
        parts.append(f' src="{escape(attributes["src"])}"')
    if name in _CONTROLS:
        parts.append(" disabled")
    return "".join(parts)
