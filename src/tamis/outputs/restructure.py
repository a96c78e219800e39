"""The main content first, under its headline, then the rest, grouped by its kind under headings; layout is dropped.

Level-1 headings stand in ``main`` alone. Those of the rest are moved below the heading of their section, so that the
outline is in order for people who go from heading to heading.
"""

from __future__ import annotations

import dataclasses
from html import escape

import numpy as np

from tamis.outputs import html
from tamis.outputs._events import CLOSE, OPEN, PARAGRAPHS, TEXT, Event
from tamis.outputs._kinds import KINDS, MAIN, block_kinds
from tamis.outputs._structure import events
from tamis.page.html import HEADINGS
from tamis.page.model import Page
from tamis.page.spans import Span, as_arrays, as_spans, overlaps, union
from tamis.page.text import Bools, collapse
from tamis.results import Extraction

SECTIONS = {
    "closely related": "Related",
    "navigation": "Navigation",
    "link list": "Links",
    "commercial": "Advertising",
    "functional element": "Controls",
    "template element": "About this site",
    "other": "More on this page",
}
_FIRST_LEVEL = 3  # of headings inside a section, whose own heading has level 2


def render(extraction: Extraction) -> str:
    page = extraction.page
    language, title = page.metadata.language, collapse(page.metadata.title or "")
    extraction = _with_headline(extraction, title)
    main = html.write(page, _headed(events(extraction), title), links=True)
    parts = [
        f'<!DOCTYPE html>\n<html lang="{escape(language)}">' if language else "<!DOCTYPE html>\n<html>",
        f'<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n</head>\n<body>',
        f"<main>\n{main}\n</main>",
    ]
    kinds = np.array(block_kinds(page, extraction.spans))
    for kind in KINDS:
        # What is left over of a block that is mostly main content belongs to nothing else.
        is_meant = (kinds == kind) if kind != "other" else (kinds == kind) | (kinds == MAIN)
        spans = _dropped_spans(page, is_meant, extraction.spans) if kind != MAIN else ()
        rest = _lowered(events(dataclasses.replace(extraction, spans=spans)))
        if markup := html.write(page, rest, links=True):
            parts.append(f'<section data-tamis-kind="{kind}">\n<h2>{SECTIONS[kind]}</h2>\n{markup}\n</section>')
    return "\n".join((*parts, "</body>\n</html>"))


def _with_headline(extraction: Extraction, title: str) -> Extraction:
    """The extraction with the level-1 heading that is the title of the page, even where the method dropped it."""
    page = extraction.page
    headlines = [node for node in page.select("h1") if _is_same(page.node_text(node), title)]
    if not headlines:
        return extraction
    is_headline = page.nodes.marked(headlines[:1])
    leaves = page.blocks.leaves
    found = page.text_spans(leaves[page.nodes.inside(is_headline)[leaves]])
    return dataclasses.replace(extraction, spans=as_spans(*union(*as_arrays((*extraction.spans, *found)))))


def _headed(found: list[Event], title: str) -> list[Event]:
    """The events with a level-1 heading: their own, or the paragraph that is the title, or the title in front."""
    if not title or any(event.name == "h1" for event in found):
        return found
    begin, texts = 0, [""]
    for place, event in enumerate(found):
        if event.kind == TEXT:
            texts.append(event.text)
        elif event.kind == OPEN and event.name in PARAGRAPHS:
            begin, texts = place, []
        elif event.kind == CLOSE and event.name in PARAGRAPHS and _is_same("".join(texts), title):
            opened, closed = found[begin]._replace(name="h1"), event._replace(name="h1")
            return [*found[:begin], opened, *found[begin + 1 : place], closed, *found[place + 1 :]]
    return [Event(OPEN, "h1", 0), Event(TEXT, "", -1, title), Event(CLOSE, "h1", 0), *found]


def _lowered(found: list[Event]) -> list[Event]:
    """The events with their headings moved below the heading of their section, and their order of rank kept."""
    levels = [int(event.name[1]) for event in found if event.name in HEADINGS]
    steps = max(_FIRST_LEVEL - min(levels, default=_FIRST_LEVEL), 0)
    return [
        event._replace(name=f"h{min(int(event.name[1]) + steps, 6)}") if event.name in HEADINGS else event
        for event in found
    ]


def _is_same(text: str, title: str) -> bool:
    return bool(title) and collapse(text).casefold() == title.casefold()


def _dropped_spans(page: Page, blocks: Bools, kept: tuple[Span, ...]) -> tuple[Span, ...]:
    """What is not kept of some blocks."""
    leaves = page.blocks.leaves[np.repeat(blocks, np.diff(page.blocks.first_leaf))]
    starts, ends = union(*as_arrays(kept))
    gap_starts, gap_ends = np.append(0, ends), np.append(starts, len(page.text))
    start, end, _, _ = overlaps(*as_arrays(page.text_spans(leaves)), gap_starts, gap_ends)
    return as_spans(start, end)
