"""HTML: minimal and sanitised, with no element, attribute or address that could run or load anything."""

from __future__ import annotations

from html import escape

from tamis.outputs._structure import BREAK, CLOSE, OPEN, PARAGRAPHS, TEXT, Event, events
from tamis.outputs._tables import cell_spans
from tamis.page.model import Page
from tamis.page.results import Extraction

# Their first paragraph needs no element of its own.
_TEXT_HOLDERS = frozenset("caption dd dt figcaption li summary td th".split())
_BLOCK_HOLDERS = frozenset("blockquote details dl figure ol table tbody tfoot thead tr ul".split())
_LINES = PARAGRAPHS | _TEXT_HOLDERS | _BLOCK_HOLDERS


def render(extraction: Extraction) -> str:
    parts: list[str] = []
    before = Event(CLOSE)
    is_bare = False  # the paragraph that is open has no tags
    for event in events(extraction):
        kind, name = event.kind, event.name
        if kind == TEXT:
            parts.append(escape(event.text, quote=False))
        elif kind == BREAK:
            parts.append("<br>\n")
        elif name == "p" and kind == OPEN and before.kind == OPEN and before.name in _TEXT_HOLDERS:
            is_bare = True
        elif name == "p" and kind == CLOSE and is_bare:
            is_bare = False
        elif kind == OPEN:
            parts.append(_opening(extraction.page, event))
        else:
            parts.append(_closing(name))
        before = event
    return "".join(parts).rstrip("\n")


def _opening(page: Page, event: Event) -> str:
    name = event.name
    if name == "a":
        return f'<a href="{escape(event.text)}">'
    if name in ("td", "th"):
        spans = cell_spans(page, event.node)
        return "".join((f"<{name}", *(f' {side}="{count}"' for side, count in spans.items()), ">"))
    return f"<{name}>\n" if name in _BLOCK_HOLDERS else f"<{name}>"


def _closing(name: str) -> str:
    if name == "hr":
        return "\n"
    return f"</{name}>\n" if name in _LINES else f"</{name}>"
