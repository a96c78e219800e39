"""From events to Markdown, many at a time: a part of ``_reference.py``, which has its compiled twin."""

from __future__ import annotations

from tamis.outputs._events import CELLS, CLOSE, OPEN, PARAGRAPHS, CellSpan, Event
from tamis.outputs._markdown_inline import Inline, block, paragraph, table_cell

_RUNNING = PARAGRAPHS - {"pre"}


def inline(events: list[Event], place: int, links: bool) -> tuple[str, int]:
    """The content of the paragraph whose first event stands at a place, as Markdown; and the place where it closes."""
    content = Inline(links=links)
    while place < len(events):
        event = events[place]
        if event.kind == CLOSE and event.name in PARAGRAPHS:
            break
        content.take(event)
        place += 1
    return content.written(), place


def blocks(events: list[Event], place: int, links: bool) -> tuple[list[str], int]:
    """Paragraphs and headings from a place on as Markdown, and the place of the first event that is none of theirs.

    Code, and the first paragraph of a note, are left to the caller.
    """
    found = []
    while (
        place < len(events) and (event := events[place]).kind == OPEN and event.name in _RUNNING and not event.address
    ):
        written, place = inline(events, place + 1, links)
        found.append(block(event.name, written))
        place += 1
    return found, place


def items(events: list[Event], place: int, links: bool) -> tuple[list[str], list[int], int]:
    """The items of a list from a place on of which each is one line, as Markdown; their nodes, and the place behind."""
    found: list[str] = []
    nodes: list[int] = []
    while place + 2 < len(events):
        item, inner = events[place : place + 2]
        if (item.kind, item.name, item.text, item.address) != (OPEN, "li", "", ""):
            break
        if (inner.kind, inner.name, inner.address) != (OPEN, "p", ""):
            break
        written, end = inline(events, place + 2, links)
        line = paragraph(written)
        if end + 1 >= len(events) or events[end + 1][:2] != (CLOSE, "li") or "\n" in line:
            break
        found.append(line)
        nodes.append(item.node)
        place = end + 2
    return found, nodes, place


def cells(events: list[Event], place: int, links: bool) -> tuple[list[tuple[str, str, CellSpan]], int]:
    """The cells of a row from a place on, as far as they hold nothing but paragraphs, and the place behind them.

    Of each its name, its text as Markdown, and how many columns and rows it covers.
    """
    found = []
    while place < len(events) and (cell := events[place]).kind == OPEN and cell.name in CELLS:
        texts = []
        inner = place + 1
        while inner < len(events) and events[inner].kind == OPEN and events[inner].name in _RUNNING:
            written, inner = inline(events, inner + 1, links)
            texts.append(table_cell(written))
            inner += 1
        if inner >= len(events) or events[inner][:2] != (CLOSE, cell.name):
            break
        found.append((cell.name, "<br>".join(texts), cell.span))
        place = inner + 1
    return found, place
