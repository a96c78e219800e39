"""The whole page as HTML again, with something done to the text that was not kept.

The page keeps its look: markup, styles and comments stay. It becomes inert: no scripts, no event handlers, no
addresses but those of pages, people and pictures, no orders to the browser in ``meta``; frames are sandboxed, plug-ins
and the frames of a frameset stay empty. What ``noscript`` holds is shown, because no script will run. Hidden text
stays, and stays hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import NamedTuple

import numpy as np

from tamis import urls
from tamis.outputs._links import home_address
from tamis.outputs._pieces import kept_pieces
from tamis.page.html import TAG_CODES, TAG_NAMES, VOID_NAMES
from tamis.page.model import FOREIGN, HIDDEN, INVISIBLE, PREFORMATTED, UNRENDERED
from tamis.results import Extraction

_SYNONYMS = {"listing": "pre", "plaintext": "pre", "xmp": "pre"}  # in them a tag would be text, or never end
_UNKNOWN = "x-unknown"  # stands for names that must not be written
_ANIMATIONS = frozenset({"animate", "animatemotion", "animatetransform", "set"})  # may change an address later
_LEFT_OUT = frozenset({"noembed", "script"})
_UNWRAPPED = frozenset({"#code", "#document", "#fragment", "#instruction", "base", "noscript"})
_USEFUL_LINKS = frozenset({"alternate", "canonical", "icon", "stylesheet"})  # the others prepare for scripts
_LOADERS = {"embed": "src", "frame": "src", "object": "data"}  # what they load may run, and cannot be sandboxed
_IMAGES = frozenset({"background", "poster", "src", "srcset"})
_ADDRESSES = _IMAGES | frozenset(
    "action archive cite codebase data dynsrc formaction href imagesrcset longdesc lowsrc manifest ping "
    "profile xlink:href xml:base".split()
)
_LISTS = frozenset({"archive", "imagesrcset", "ping", "srcset"})  # of addresses
_SCHEMES = urls.SAFE_SCHEMES | {"sms", "tel"}  # a page keeps the links that only call somebody
_DATA = re.compile(r"data:(?:(?:audio|image|video)/|[;,])", re.IGNORECASE)  # without a type it is plain text
_SEPARATORS = re.compile(r"[\s,]+")
_ELEMENT_NAME = re.compile(r"[a-zA-Z][\w.:-]*", re.ASCII)
_ATTRIBUTE_NAME = re.compile(r"[a-zA-Z_:@#][\w.:@#-]*", re.ASCII)
_TAG_IN_STYLE = re.compile(r"<(?=[a-zA-Z/!?])")
_DOCTYPE = re.compile("<!doctype[^>]*>", re.IGNORECASE)


class Mode(NamedTuple):
    """What becomes of the text."""

    fill: Callable[[str], str]  # what takes the place of dropped text
    is_once: bool = False  # only for the first dropped text of a block, or after something kept in it
    in_comment: bool = False  # dropped text goes into a comment besides
    wrap: tuple[str, str] = ("", "")  # tags around dropped text, which stays; into a comment where no tag can be
    mark: tuple[str, str] = ("", "")  # tags around kept text
    kinds: Mapping[int, str] = {}  # of elements; an attribute says it
    style: str = ""


def write_page(extraction: Extraction, mode: Mode) -> str:
    """The page, its text treated as the mode says."""
    writer = _Writer(extraction, mode)
    node, count = 0, len(extraction.page.nodes)
    while node < count:
        node = writer.add(node)
    return writer.finish()


class _Open(NamedTuple):
    """An element that is not closed yet."""

    end: int  # first node after it
    tag: str  # its opening tag, if it holds a page, which is written as text
    closing: str
    first_part: int  # where that page begins, else -1


class _Writer:
    """Where the walk over the nodes is, and what it has written so far."""

    def __init__(self, extraction: Extraction, mode: Mode) -> None:
        page = self._page = extraction.page
        nodes = page.nodes
        self._mode = mode
        self._parts: list[str] = []
        self._path: list[_Open] = [_Open(len(nodes) + 1, "", "", -1)]
        self._tag: list[int] = nodes.tag.tolist()
        self._end: list[int] = nodes.end.tolist()
        self._parent: list[int] = nodes.parent.tolist()
        self._flags: list[int] = nodes.flags.tolist()
        self._text_start: list[int] = nodes.text_start.tolist()
        self._text_end: list[int] = nodes.text_end.tolist()
        forms = nodes.named("form") & ((nodes.flags & FOREIGN) == 0)
        self._is_inner_form = forms & nodes.inside(forms)[nodes.parent] & (nodes.parent >= 0)
        self._head = next(iter(np.flatnonzero(nodes.named("head")).tolist()), -1)
        self._is_plain = nodes.inside(nodes.named("textarea"))  # tags and comments would be read as text
        self._no_marks = self._is_plain | nodes.inside(nodes.named("option")) | ((nodes.flags & FOREIGN) != 0)
        kept = kept_pieces(extraction)
        self._kept: dict[int, list[tuple[int, int]]] = {}
        for node, start, end in zip(kept.node.tolist(), kept.start.tolist(), kept.end.tolist(), strict=True):
            self._kept.setdefault(node, []).append((start, end))
        self._beside_kept = np.isin(page.flow.run, kept.run)
        self._run: list[int] = page.flow.run.tolist()
        self._filled_run = -1  # the block in which something was dropped last, and nothing kept since

    def add(self, node: int) -> int:
        """Write a node, or its beginning; returns the node to go on with."""
        self._close(node)
        page, name = self._page, TAG_NAMES[self._tag[node]]
        if name == "#text":
            self._parts.append(self._text(node))
            return node + 1
        attributes = page.attributes(node)
        if name == "#comment":
            self._parts.append(_comment(page.code(node)))
        elif name == "#doctype":
            self._parts += _DOCTYPE.findall(page.source)[:1]
        elif name in _LEFT_OUT:
            return self._end[node]
        elif name == "style":
            self._parts.append(f"<style{_written(_safe(name, attributes))}>{_inert_style(page.code(node))}</style>")
            return self._end[node]
        elif name not in _UNWRAPPED and not _is_order(name, attributes):
            return self._open(node, self._written_name(node), dict(_safe(name, attributes)))
        return node + 1

    def finish(self) -> str:
        self._close(len(self._end))
        return "".join(self._parts)

    def _open(self, node: int, name: str, attributes: dict[str, str]) -> int:
        if node in self._mode.kinds:
            attributes["data-tamis-kind"] = self._mode.kinds[node]
        if name == "iframe":
            attributes["sandbox"] = ""
        end, tag, closing = self._end[node], f"<{name}{_written(attributes.items())}", f"</{name}>"
        holds_page = end > node + 1 and self._tag[node + 1] == TAG_CODES["html"]
        if name in VOID_NAMES and end == node + 1:
            self._parts.append(tag + ("/>" if self._flags[node] & FOREIGN else ">"))  # no void elements in pictures
            return end
        if name in ("iframe", "noframes") and not holds_page:
            self._parts.append(tag + ">" + closing)
            return end
        if name in ("iframe", "textarea") and holds_page:
            self._path.append(_Open(end, tag, closing, len(self._parts)))
            return node + 1
        self._parts.append(tag + ">")
        if node == self._head:
            self._parts.append(self._head_start())
            closing = self._head_end() + closing
        elif name in ("pre", "textarea") and self._starts_with_line_end(node):
            self._parts.append("\n")  # the first is not seen
        self._path.append(_Open(end, "", closing, -1))
        return node + 1

    def _written_name(self, node: int) -> str:
        name = self._page.name(node)
        if name in _SYNONYMS:
            return _UNKNOWN if self._flags[node] & FOREIGN else _SYNONYMS[name]
        if self._is_inner_form[node]:
            return "div"  # a form in a form comes from tags in the wrong order, and would not be opened again
        return name if _ELEMENT_NAME.fullmatch(name) and name.lower() not in _ANIMATIONS else _UNKNOWN

    def _close(self, node: int) -> None:
        """Close what ends before a node."""
        while self._path[-1].end <= node:
            closed = self._path.pop()
            if closed.first_part < 0:
                self._parts.append(closed.closing)
                continue
            content = escape("".join(self._parts[closed.first_part :]))
            del self._parts[closed.first_part :]
            is_frame = closed.closing == "</iframe>"
            inside = f' srcdoc="{content}">' if is_frame else f">{content}"
            self._parts.append(closed.tag + inside + closed.closing)

    def _head_start(self) -> str:
        home = home_address(self._page)
        return '<meta charset="utf-8">' + (f'<base href="{escape(home)}">' if home else "")

    def _head_end(self) -> str:
        return f"<style>{self._mode.style}</style>" if self._mode.style else ""

    def _starts_with_line_end(self, node: int) -> bool:
        return self._page.text.startswith("\n", self._text_start[node], self._text_end[node])

    def _text(self, node: int) -> str:
        # A text has a flag that its parent lacks if the page is plain text, or was nested too deeply and is flattened.
        parent = self._parent[node]
        own = self._flags[node] & ~self._flags[parent]
        is_in_head = self._tag[parent] == TAG_CODES["head"] and not self._page.node_text(node).isspace()
        if own & UNRENDERED or is_in_head:
            return ""
        if not self._flags[node] & INVISIBLE:
            markup = "".join(self._pieces(node))
        else:
            markup = self._invisible(node, bool(own & HIDDEN))
        return f"<pre>\n{markup}</pre>" if own & PREFORMATTED and markup else markup

    def _invisible(self, node: int, is_bare: bool) -> str:
        text = self._page.node_text(node)
        markup = escape(text, quote=False)
        if self._flags[node] & (UNRENDERED | FOREIGN) or self._is_plain[node] or text.isspace():
            return markup
        # Tags in the wrong order may bring a text into a hidden element that a parser would end before it, when it
        # reads the page again. So the text says itself that it is hidden; an attribute without effect on the look is
        # enough, unless nothing around the text hides it.
        hiding = "hidden" if is_bare else 'aria-hidden="true"'
        return f"<span {hiding}>{markup}</span>"

    def _pieces(self, node: int) -> Iterator[str]:
        """The kept and the dropped parts of a text; white space is nobody's, and stays as it is."""
        text, place, end = self._page.text, self._text_start[node], self._text_end[node]
        before, after = ("", "") if self._no_marks[node] else self._mode.mark
        for kept_start, kept_end in (*self._kept.get(node, ()), (end, end)):
            dropped, kept = text[place:kept_start], text[kept_start:kept_end]
            yield self._dropped(node, dropped) if dropped.strip() else dropped
            if kept.strip():
                self._filled_run = -1
            yield before + escape(kept, quote=False) + after if kept.strip() else kept
            place = kept_end

    def _dropped(self, node: int, text: str) -> str:
        is_repeated = self._mode.is_once and self._filled_run == self._run[node]
        self._filled_run = self._run[node]
        filled = "" if is_repeated else self._mode.fill(text)
        if not filled and self._beside_kept[node]:
            filled = " "  # so that the words on both sides stay apart
        return escape(filled, quote=False) + self._hidden(node, text)

    def _hidden(self, node: int, text: str) -> str:
        """Dropped text that stays in the page without being shown."""
        before, after = self._mode.wrap
        if before and not self._no_marks[node]:
            return before + escape(text, quote=False) + after
        is_meant = (self._mode.in_comment or before) and not self._is_plain[node]
        return _comment(text) if is_meant else ""


def _comment(text: str) -> str:
    """Without angle brackets inside, nothing can end a comment early.

    >>> _comment("a --> b")
    '<!--a --&gt; b-->'
    """
    return f"<!--{escape(text, quote=False)}-->" if text else ""


def _is_order(name: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element tells the browser what to do or fetch, other than how the page looks."""
    if name == "meta":
        return "http-equiv" in attributes or "charset" in attributes
    return name == "link" and _USEFUL_LINKS.isdisjoint(attributes.get("rel", "").lower().split())


def _safe(name: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The attributes that cannot run, and load nothing but images and styles."""
    for key, value in attributes.items():
        lowered = key.lower()
        if (
            lowered.startswith(("on", "data-tamis-"))
            or not _ATTRIBUTE_NAME.fullmatch(key)
            or _LOADERS.get(name) == lowered
            or (name == "iframe" and lowered in ("sandbox", "srcdoc"))
            or (lowered in _ADDRESSES and not _is_safe(name, lowered, value))
        ):
            continue
        yield key, value


def _is_safe(element: str, attribute: str, value: str) -> bool:
    """Whether an address is of a kind that is known to run nothing; pictures may also be written out as data.

    >>> _is_safe("a", "href", "java\\nscript:alert(1)"), _is_safe("img", "src", "data:image/png;base64,iVBO")
    (False, True)
    """
    takes_data = attribute in _IMAGES and element != "iframe"
    addresses = _SEPARATORS.split(value) if attribute in _LISTS else [value]
    return all(
        urls.scheme(address) in _SCHEMES or (takes_data and _DATA.match(address) is not None)
        for address in map(urls.normalised, addresses)
    )


def _written(attributes: Iterable[tuple[str, str]]) -> str:
    return "".join(f' {name}="{escape(value)}"' if value else f" {name}" for name, value in attributes)


def _inert_style(sheet: str) -> str:
    """The style sheet without anything that could be taken for a tag; comment brackets are left over from 1996."""
    return _TAG_IN_STYLE.sub(r"\\3c ", sheet.replace("<!--", "").replace("-->", ""))
