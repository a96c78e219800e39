"""An extraction as a flat, well-formed stream of events, from which formats with structure are written.

Only elements that say something about the text are in it. Between blocks (lists, quotes, tables, ...) stand
paragraphs: one for each run of text, named ``p``, ``h1`` ... ``h6`` or ``pre``. Blocks hold blocks and paragraphs,
paragraphs hold inline elements, text and line breaks, and nothing else holds text:

    ul( li( p("one " a("two")) ) )

White space is settled here: it is collapsed across inline elements, stands between elements rather than at their
edges, and is kept as it is in ``pre``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.outputs._links import home_address, resolve
from tamis.outputs._pieces import kept_pieces, textless_elements
from tamis.page.html import TAG_NAMES
from tamis.page.model import FOREIGN, PREFORMATTED, Page
from tamis.page.results import Extraction

OPEN, CLOSE, TEXT, BREAK = range(4)

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
PARAGRAPHS = HEADINGS | {"p", "pre"}

_SYNONYMS = {"dir": "ul", "menu": "ul", "strike": "s", "tt": "code"}
BLOCKS = frozenset(
    "blockquote caption dd details dl dt figcaption figure hr li ol summary table tbody td tfoot th thead tr ul".split()
)
_INLINES = frozenset("a b cite code del em i ins kbd mark q rt ruby s samp strong sub sup u var".split())
# Blocks that mean nothing outside of these.
_HOLDERS = {
    "li": ("ol", "ul"),
    "dt": ("dl",),
    "dd": ("dl",),
    "figcaption": ("figure",),
    "summary": ("details",),
    "caption": ("table",),
    "thead": ("table",),
    "tbody": ("table",),
    "tfoot": ("table",),
    "tr": ("table", "thead", "tbody", "tfoot"),
    "td": ("tr",),
    "th": ("tr",),
}
_NAMES = tuple(_SYNONYMS.get(name, name) for name in TAG_NAMES)


class Event(NamedTuple):
    """One step through the kept content."""

    kind: int
    name: str = ""  # of the element that opens or closes
    node: int = -1  # likewise
    text: str = ""  # of TEXT; the address of an ``a`` that opens


class _Context(NamedTuple):
    """What the elements around a text mean for it."""

    holder: str = ""  # name of the nearest block
    paragraph: str = "p"  # what a run is here
    pre: int = -1  # the outermost preformatted element
    inlines: tuple[Event, ...] = ()  # how inline elements open; of one name only the outermost


class _Place(NamedTuple):
    """An element around the current text."""

    node: int
    end: int
    block: str  # its name in the stream, if it is a block there
    context: _Context


def events(extraction: Extraction) -> list[Event]:
    """The kept content in page order."""
    page = extraction.page
    kept = kept_pieces(extraction)
    texts = [page.text[start:end] for start, end in zip(kept.start.tolist(), kept.end.tolist(), strict=True)]
    for position in np.flatnonzero(kept.is_cut).tolist():
        texts[position] = " " + texts[position]
    breaks = np.cumsum(page.nodes.named("br"))[kept.node]
    textless = textless_elements(page, kept.node[[not text.isspace() for text in texts]])
    to_come = textless[::-1].tolist()
    walk = _Walk(page)
    for node, run, line, text in zip(kept.node.tolist(), kept.run.tolist(), breaks.tolist(), texts, strict=True):
        while to_come and to_come[-1] < node:
            walk.add_element(to_come.pop())
        walk.add_text(node, run, line, text)
    while to_come:
        walk.add_element(to_come.pop())
    return walk.finish()


class _Walk:
    """Where the walk is, and what it has written so far."""

    def __init__(self, page: Page) -> None:
        self._events: list[Event] = []
        self._page = page
        self._home = home_address(page)
        self._tag, self._parent = page.nodes.tag.tolist(), page.nodes.parent.tolist()
        self._end, self._flags = page.nodes.end.tolist(), page.nodes.flags.tolist()
        self._path = [_Place(-1, len(page.nodes) + 1, "", _Context())]
        self._paragraph: Event | None = None  # as it was opened
        self._paragraph_run = -1
        self._pre_end = -1  # first node after the preformatted element that is open
        self._inlines: tuple[Event, ...] = ()  # that are open
        self._run = self._line = -1  # of the last text, blank or not
        self._spaces: list[str] = []  # met since the last word
        self._is_broken = False  # by a line break since then

    def add_element(self, node: int) -> None:
        """An element that is there for its own sake."""
        if node >= self._pre_end:
            self._end_paragraph()
            self._enter(node, node)

    def add_text(self, node: int, run: int, line: int, text: str) -> None:
        """A piece of a text node; ``line`` tells how many line breaks came before it."""
        is_preformatted = bool(self._flags[node] & PREFORMATTED)
        self._note_borders(node, run, line, is_preformatted)
        core = text.strip() if is_preformatted else " ".join(text.split())
        if not core:
            self._spaces.append(text)
            return
        is_first = run != self._paragraph_run and node >= self._pre_end
        if is_first:
            self._end_paragraph()
        self._enter(node, self._parent[node])
        if is_first:
            self._open_paragraph(run, is_preformatted)
        self._spaces.append(text[: len(text) - len(text.lstrip())])
        space = "".join(self._spaces)
        if is_first:
            space = space.lstrip("\n") if is_preformatted else ""
        elif not is_preformatted:
            space = " " if space and not self._is_broken else ""
        self._write(space, core)
        self._spaces, self._is_broken = [text[len(text.rstrip()) :]], False

    def finish(self) -> list[Event]:
        self._end_paragraph()
        self._leave(len(self._end))
        return self._events

    def _note_borders(self, node: int, run: int, line: int, is_preformatted: bool) -> None:
        lines = line - self._line
        if run != self._run and node >= self._pre_end:
            self._spaces, self._is_broken = [], False
        elif is_preformatted:
            is_same_line = run == self._run or "\n" in "".join(self._spaces[-1:])
            self._spaces.append("\n" * (lines if is_same_line else max(1, lines)))
        elif lines:
            self._is_broken = True
        self._run, self._line = run, line

    def _leave(self, node: int) -> None:
        """Close what ends before a node."""
        while self._path[-1].end <= node:
            place = self._path.pop()
            if place.block:
                self._events.append(Event(CLOSE, place.block, place.node))

    def _enter(self, node: int, element: int) -> None:
        """Make the path lead to an element, which is the node or its parent."""
        self._leave(node)
        missing = []
        while element != self._path[-1].node:
            missing.append(element)
            element = self._parent[element]
        for node in reversed(missing):
            block, context = self._meaning(node, self._path[-1].context)
            self._path.append(_Place(node, self._end[node], block, context))
            if block:
                self._events.append(Event(OPEN, block, node))

    def _meaning(self, node: int, around: _Context) -> tuple[str, _Context]:
        """The name of the block that an element is, if it is one, and the context inside it."""
        name, flags = _NAMES[self._tag[node]], self._flags[node]
        if flags & FOREIGN:
            return "", around
        if name in _INLINES:
            return "", self._with_inline(around, name, node)
        if flags & PREFORMATTED:
            return "", around._replace(pre=node) if around.pre < 0 else around
        if name in HEADINGS:
            return "", around._replace(paragraph=name)
        if name in BLOCKS and around.holder in _HOLDERS.get(name, (around.holder,)):
            return name, _Context(name, inlines=around.inlines)
        return "", around

    def _with_inline(self, context: _Context, name: str, node: int) -> _Context:
        if any(name == inline.name for inline in context.inlines):
            return context
        address = ""
        if name == "a":
            address = resolve(self._page.attributes(node).get("href"), self._home)
            if not address:
                return context
        return context._replace(inlines=(*context.inlines, Event(OPEN, name, node, address)))

    def _open_paragraph(self, run: int, preformatted: bool) -> None:
        parent, context = self._path[-1].node, self._path[-1].context
        if preformatted:
            pre = parent if context.pre < 0 else context.pre  # plain text stands in no element that says so
            self._pre_end = self._end[pre]
            self._paragraph = Event(OPEN, "pre", pre)
        else:
            self._paragraph = Event(OPEN, context.paragraph, parent)
        self._paragraph_run, self._is_broken = run, False
        self._events.append(self._paragraph)

    def _end_paragraph(self) -> None:
        if self._paragraph:
            self._close_inlines(0)
            self._events.append(Event(CLOSE, self._paragraph.name, self._paragraph.node))
        self._paragraph, self._paragraph_run, self._pre_end = None, -1, -1

    def _write(self, space: str, core: str) -> None:
        """Text under the inline elements of the path; space goes where fewest elements are open."""
        wanted = self._path[-1].context.inlines
        common = 0
        for is_open, opening in zip(self._inlines, wanted, strict=False):
            if is_open.node != opening.node:
                break
            common += 1
        self._close_inlines(common)
        if self._is_broken:
            self._events.append(Event(BREAK))
        if len(wanted) == common:
            self._events.append(Event(TEXT, text=space + core))
            return
        if space:
            self._events.append(Event(TEXT, text=space))
        self._events += wanted[common:]
        self._events.append(Event(TEXT, text=core))
        self._inlines = wanted

    def _close_inlines(self, common: int) -> None:
        if len(self._inlines) > common:
            self._events += [Event(CLOSE, inline.name, inline.node) for inline in reversed(self._inlines[common:])]
            self._inlines = self._inlines[:common]
