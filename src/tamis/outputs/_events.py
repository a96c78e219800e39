"""The kept content as a flat, well-formed stream of events: what formats with structure are written from.

Only elements that say something about the text are in it. Between blocks (lists, quotes, tables, ...) stand
paragraphs: one for each run of text, named ``p``, ``h1`` ... ``h6`` or ``pre``. Blocks hold blocks and paragraphs,
paragraphs hold inline elements, text, line breaks, images and formulas, and nothing else holds these:

    ul( li( p("one " a("two")) ) )

Texts and addresses are what is written: nothing is removed from them later, so formats escape the last state of them.
White space is settled: it is collapsed across inline elements, stands between elements rather than at their edges, and
is kept as it is in ``pre``. Tables for layout are not in it, and code is one ``pre`` however many rows, lines and spans
the page splits it into.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from tamis.page.html import HEADINGS

OPEN, CLOSE, TEXT, BREAK, IMAGE, FORMULA = range(6)

PARAGRAPHS = frozenset({*HEADINGS, "p", "pre"})
BLOCKS = frozenset(
    "blockquote caption dd details dl dt figcaption figure hr li ol summary table tbody td tfoot th thead tr ul".split()
)
CELLS = frozenset({"td", "th"})
INLINES = frozenset("a b cite code del em i ins kbd mark q rt ruby s samp strong sub sup u var".split())


class CellSpan(NamedTuple):
    """How many columns and rows a cell covers."""

    columns: int = 1
    rows: int = 1


ONE_CELL = CellSpan()


class Event(NamedTuple):
    """One step through the kept content."""

    kind: int
    name: str = ""  # of what opens or closes; "img", "audio" or "video"; "inline" or "display" for a formula
    node: int = -1
    text: str = (
        ""  # of TEXT; what stands for an image; LaTeX; the kind of a table; language of a ``pre``; box of an item
    )
    address: str = ""  # of an ``a`` or an image; for a link to a note, and where the note opens, the note's mark
    span: CellSpan = ONE_CELL  # of a cell


quick_event = partial(tuple.__new__, Event)
"""An event from a tuple of all its fields: a page has hundreds, and ``Event`` takes them one by one."""
