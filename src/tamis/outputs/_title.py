"""The title of the metadata, for content that shows no headline of its own."""

from __future__ import annotations

from tamis.outputs._events import CLOSE, OPEN, PARAGRAPHS, TEXT, Event
from tamis.outputs._options import Options
from tamis.outputs._structure import events
from tamis.page.html import HEADINGS
from tamis.page.text import collapse
from tamis.results import Extraction

_HEADLINE_PLACES = 5  # paragraphs from the start among which a headline that is no heading may stand


def stream(extraction: Extraction, options: Options) -> list[Event]:
    """The events of an extraction, after the title where it is asked for and missing."""
    found = events(extraction, images=options.images, formulas=options.formulas)
    title = missing_title(extraction, found) if options.add_title else ""
    if not title:
        return found
    return [Event(OPEN, "h1", 0), Event(TEXT, "", -1, title), Event(CLOSE, "h1", 0), *found]


def missing_title(extraction: Extraction, found: list[Event]) -> str:
    """The title, unless there is none, nothing is kept, or the content has a level-1 heading or the title itself."""
    title = collapse(extraction.metadata.title or "")
    if not title or not found:
        return ""
    name, texts, count = "", [""], 0
    for event in found:
        if event.kind == TEXT:
            texts.append(event.text)
        elif event.kind == OPEN and event.name in PARAGRAPHS:
            name, texts, count = event.name, [], count + 1
        elif event.kind == CLOSE and event.name in PARAGRAPHS:
            is_title = collapse("".join(texts)).casefold() == title.casefold()
            if name == "h1" or (is_title and (name in HEADINGS or count <= _HEADLINE_PLACES)):
                return ""
    return title
