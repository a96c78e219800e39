"""What the source of a page shows before it is parsed: a part of ``_reference.py``, which has its compiled twin."""

from __future__ import annotations

import re
from typing import NamedTuple

from tamis.page.html import VOID_NAMES
from tamis.page.sniff import CONTROLS, HEAD_SIZE, SELF_CLOSED_RAW_BYTES, SELF_CLOSED_RAW_TEXT

FORMATTING_NAMES = frozenset("a b big code em font i nobr s small strike strong tt u".split())
"""Elements that the parser opens again where they were not closed (the list of active formatting elements)."""
MOST_OPEN = 512  # of them that the parser keeps (measured)
MOST_ALIKE = 3  # of them with the same name and attributes ("Noah's Ark clause" of the standard)
MOST_NODES = MOST_OPEN + 2  # that a tag can cost: itself, the text behind it, and all that is opened again
_HALF = re.compile("[\ud800-\udfff]")
_TAG_START = re.compile(r"<(/?)([a-zA-Z!?][^\t\n\f\r />]*)([^<>]*)")


class Survey(NamedTuple):
    """What one look over a source shows before it is parsed."""

    has_halves: bool  # of characters, which no encoding can write
    has_nuls: bool
    starts: int  # "<" without a "/" behind: there are no more start tags
    ends: int  # "</"
    controls: int  # control characters that occur in no text, where it begins


def survey(source: str | bytes) -> Survey:
    """What one look over a source shows before it is parsed."""
    text = source if isinstance(source, str) else source.decode("latin-1")
    return Survey(
        has_halves=_HALF.search(text) is not None,
        has_nuls="\0" in text,
        starts=text.count("<") - text.count("</"),
        ends=text.count("</"),
        controls=sum(map(text[:HEAD_SIZE].count, map(chr, CONTROLS))),
    )


def affordable_length(markup: str | bytes, budget: int, seen: Survey) -> int:
    """How much of the markup can be parsed into at most so many nodes; known before anything is allocated.

    A tag costs an element and the text behind it. One thing costs more: formatting that is never closed, such as
    ``<b>``, is opened again by the parser in every paragraph that follows, so that each tag there costs as many nodes
    as are open. What is counted here is an upper bound, close for pages whose formatting is closed. The survey, which
    may have seen more tags than there are, tells of most pages that there is no need to count.
    """
    if seen.starts * MOST_NODES + seen.ends <= budget:
        return len(markup)
    text = markup if isinstance(markup, str) else markup.decode("latin-1")
    still_open: list[tuple[str, str]] = []
    for found in _TAG_START.finditer(text):
        is_end, name = found[1] == "/", found[2].lower() if found[2].isascii() else ""
        budget -= 1 if is_end else 2
        if name in FORMATTING_NAMES:
            places = [place for place, (other, _) in enumerate(still_open) if other == name]
            if places and (is_end or name == "a"):
                del still_open[places[-1]]
            if not is_end and len(still_open) < MOST_OPEN and still_open.count((name, found[3])) < MOST_ALIKE:
                still_open.append((name, found[3]))
        elif not is_end and name not in VOID_NAMES:
            budget -= len(still_open)
        if budget < 0:
            return found.start()
    return len(markup)


def without_nuls(text: str) -> str:
    """The text without NUL characters, which mean nothing in a page and which the parser treats in several ways."""
    return text.replace("\0", "")


def has_self_closed_raw(markup: str | bytes) -> bool:
    """Whether an element was closed at once that an HTML parser takes for open, and all that follows for its text."""
    if isinstance(markup, bytes):
        return SELF_CLOSED_RAW_BYTES.search(markup) is not None
    return SELF_CLOSED_RAW_TEXT.search(markup) is not None


def occurrences(text: str, sought: str) -> int:
    """How often a text stands in another one, without overlaps."""
    return text.count(sought)
