"""The walk over the kept texts of a page, from which the stream of events is written: paragraphs, blocks, inlines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from tamis.outputs._code_language import code_language
from tamis.outputs._events import (
    BLOCKS,
    BREAK,
    CLOSE,
    FORMULA,
    INLINES,
    ONE_CELL,
    OPEN,
    TEXT,
    CellSpan,
    Event,
    quick_event,
)
from tamis.outputs._formulas import split_formulas
from tamis.outputs._links import home_address
from tamis.outputs._notes import Notes
from tamis.page.html import HEADINGS, TAG_NAMES, mask
from tamis.page.model import PREFORMATTED, Page
from tamis.page.text import Bools, Ints
from tamis.urls import resolve

_SYNONYMS = {"dir": "ul", "menu": "ul", "strike": "s", "tt": "code"}
# Blocks that mean nothing outside of these.
HOLDERS = {
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
NAMES = tuple(_SYNONYMS.get(name, name) for name in TAG_NAMES)
MEANT = mask(*(name for name in TAG_NAMES if _SYNONYMS.get(name, name) in BLOCKS | INLINES | {*HEADINGS}))
"""Elements that say something about the text in them, by the codes of tags."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What is known of the page before the walk."""

    page: Page
    holder: Ints  # for each node the nearest element that means something, itself included
    tables: dict[int, str]
    spans: dict[int, CellSpan]  # of cells that cover more than one place
    code: frozenset[int]  # elements other than ``pre`` that hold code
    plain: frozenset[int]  # elements that mean nothing, whatever they are called
    areas: frozenset[int]  # texts of text areas that hold no code
    roles: dict[int, str]  # names of elements that are parts of a table by their roles
    tasks: dict[int, str]  # items with a box to tick
    hrefs: dict[int, str]  # of links
    notes: Notes
    has_raw_formulas: bool


class _Context(NamedTuple):
    """What the elements around a text mean for it."""

    holder: str = ""  # name of the nearest block
    paragraph: str = "p"  # what a run is here
    pre: int = -1  # the outermost preformatted element
    inlines: tuple[Event, ...] = ()  # how inline elements open; of one name only the outermost
    note: str = ""  # the mark of the note whose first paragraph is to come


class _OpenElement(NamedTuple):
    """An element around the current text."""

    node: int
    end: int
    block: str  # its name in the stream, if it is a block there
    context: _Context


_open_element = partial(tuple.__new__, _OpenElement)


class Walk:
    """Where the walk is, and what it has written so far."""

    def __init__(self, plan: Plan) -> None:
        page = self._page = plan.page
        self._plan = plan
        self._events: list[Event] = []
        self._home = home_address(page)
        self._splits_formulas = plan.has_raw_formulas
        nodes = self._nodes = page.nodes
        # One number of an array; for the few that are asked for this is quicker than lists of all.
        self._tag, self._flags, self._end = nodes.tag.item, nodes.flags.item, nodes.end.item
        self._parent, self._holder = nodes.parent.item, plan.holder.item
        self._path = [_OpenElement(0, len(page.nodes) + 1, "", _Context())]
        self._paragraph: Event | None = None  # as it was opened
        self._paragraph_run = -1
        self._pre_end = -1  # first node after the preformatted element that is open
        self._inlines: tuple[Event, ...] = ()  # that are open
        self._run = self._line = -1  # of the last text, blank or not
        self._spaces = ""  # met since the last word
        self._is_broken = False  # by a line break since then
        self._begun_notes: set[str] = set()

    def add_thing(self, node: int, run: int, line: int, event: Event) -> None:
        """An element that is there for its own sake: a formula, an image, or a block without text."""
        holder = self._around(node)
        if node < self._pre_end:
            return
        if event.name == "hr":
            self.add_rule(node)
            return
        if event.kind == OPEN:
            self._end_paragraph()
            self._enter(node, node)
            return
        self._note_place(run, line)
        is_first = run != self._paragraph_run
        if is_first:
            self._end_paragraph()
        self._enter(node, holder)
        if self._path[-1].context.pre >= 0:
            return
        if is_first:
            self._open_paragraph(run)
        self._write("" if is_first or self._is_broken or not self._spaces else " ", event)
        self._spaces, self._is_broken = "", False

    def add_rule(self, node: int) -> None:
        """A line before a post that stands in no other block, if there is none yet."""
        self._end_paragraph()
        self._leave(node)
        if not self._path[-1].context.holder and self._events and self._events[-1].name != "hr":
            self._events += (Event(OPEN, "hr", node), Event(CLOSE, "hr", node))

    def add_text(self, node: int, holder: int, run: int, line: int, text: str, is_code: bool) -> None:
        """A piece of text in an element; ``line`` tells how many line breaks came before it."""
        if node in self._plan.areas:
            for number, part in enumerate(text.split("\n")):
                self._add_running(node, holder, run, line + number, part)
        elif is_code or node < self._pre_end:
            self._add_preformatted(node, holder, run, line, text, is_code)
        else:
            self._add_running(node, holder, run, line, text)

    def _add_running(self, node: int, holder: int, run: int, line: int, text: str) -> None:
        self._note_place(run, line)
        core = " ".join(text.split())
        if not core:
            self._spaces += text
            return
        is_first = run != self._paragraph_run
        if is_first:
            self._end_paragraph()
        self._enter(node, holder)
        if self._path[-1].context.pre >= 0:  # code that no ``pre`` holds
            self._add_preformatted(node, holder, run, line, text, is_code=False)
            return
        if is_first:
            self._open_paragraph(run)
            space = ""
        else:
            space = " " if (self._spaces or text[0].isspace()) and not self._is_broken else ""
        self._write_text(space, core)
        self._spaces, self._is_broken = " " if text[-1].isspace() else "", False

    def _note_place(self, run: int, line: int) -> None:
        if run != self._run:
            self._spaces, self._is_broken = "", False
        elif line != self._line:
            self._is_broken = True
        self._run, self._line = run, line

    def _add_preformatted(self, node: int, holder: int, run: int, line: int, text: str, is_code: bool) -> None:
        lines = line - self._line
        if node >= self._pre_end and run != self._run:
            self._spaces = ""
        elif self._line >= 0:
            is_same_line = run == self._run or self._spaces.endswith("\n")
            self._spaces += "\n" * (lines if is_same_line else max(1, lines))
        self._run, self._line, self._is_broken = run, line, False
        if not is_code and "\n" in text and text.isspace():
            return  # between rows
        core = text.strip()
        if not core:
            self._spaces += text
            return
        is_first = run != self._paragraph_run and node >= self._pre_end
        if is_first:
            self._end_paragraph()
        self._enter(node, holder)
        if is_first:
            self._open_paragraph(run, self._pre_around(node))
        space = self._spaces + text[: len(text) - len(text.lstrip())]
        self._write_text((space.lstrip("\n") if is_first else space).replace("\xa0", " "), core.replace("\xa0", " "))
        self._spaces = text[len(text.rstrip()) :]

    def finish(self) -> list[Event]:
        self._end_paragraph()
        self._leave(len(self._nodes))
        return self._events

    def _leave(self, node: int) -> None:
        """Close what ends before a node."""
        while self._path[-1].end <= node:
            place = self._path.pop()
            if place.block:
                if place.block == "table" and place.node in self._plan.roles:
                    self._events.append(Event(CLOSE, "tbody", place.node))
                self._events.append(quick_event((CLOSE, place.block, place.node, "", "", ONE_CELL)))

    def _enter(self, node: int, element: int) -> None:
        """Make the path lead to an element that means something, which is the node or around it."""
        if self._path[-1].end <= node:
            self._leave(node)
        if element == self._path[-1].node:
            return
        missing = []
        while element != self._path[-1].node:
            missing.append(element)
            element = self._around(element)
        for node in reversed(missing):
            block, context = self._meaning(node, self._path[-1].context)
            self._path.append(_open_element((node, self._end(node), block, context)))
            if block:
                plan = self._plan
                text, mark = plan.tables.get(node) or plan.tasks.get(node, ""), plan.notes.notes.get(node, "")
                self._events.append(quick_event((OPEN, block, node, text, mark, plan.spans.get(node, ONE_CELL))))
                if block == "table" and node in plan.roles:
                    self._events.append(Event(OPEN, "tbody", node))

    def _around(self, node: int) -> int:
        """The nearest element around a node that means something."""
        return self._holder(self._parent(node))

    def _meaning(self, node: int, around: _Context) -> tuple[str, _Context]:
        """The name of the block that an element is, if it is one, and the context inside it."""
        name = self._plan.roles.get(node) or NAMES[self._tag(node)]
        if node in self._plan.plain:
            return "", around
        if node in self._plan.code:
            return "", around._replace(pre=node) if around.pre < 0 else around
        if name in INLINES:
            return "", self._with_inline(around, name, node)
        if self._flags(node) & PREFORMATTED or around.pre >= 0:
            return "", around._replace(pre=node) if around.pre < 0 else around
        if name in HEADINGS:
            return "", _Context(around.holder, name, around.pre, around.inlines, around.note)
        if name in BLOCKS and around.holder in HOLDERS.get(name, (around.holder,)):
            return name, _Context(name, inlines=around.inlines)
        if node in self._plan.notes.notes:
            return "", around._replace(note=self._plan.notes.notes[node])
        return "", around

    def _with_inline(self, context: _Context, name: str, node: int) -> _Context:
        if any(name == inline.name for inline in context.inlines):
            return context
        address = ""
        if name == "a":
            address = self._address(node)
            if not address:
                return context
        inlines = (*context.inlines, Event(OPEN, name, node, "", address))
        return _Context(context.holder, context.paragraph, context.pre, inlines, context.note)

    def _address(self, node: int) -> str:
        if node in self._plan.notes.links:
            return self._plan.notes.links[node]
        return resolve(self._plan.hrefs.get(node), self._home)

    def _pre_around(self, node: int) -> int:
        """The outermost preformatted element around a text; plain text stands in none."""
        pre, above = self._path[-1].context.pre, self._parent(node)
        if pre >= 0:
            return pre
        while above >= 0 and self._flags(above) & PREFORMATTED:  # in a picture, where no element means anything
            pre, above = above, self._parent(above)
        return pre if pre >= 0 else self._path[-1].node

    def _open_paragraph(self, run: int, pre: int = -1) -> None:
        """Begin a paragraph, or the code that an element holds."""
        parent, context = self._path[-1].node, self._path[-1].context
        if pre >= 0:
            self._pre_end = self._end(pre)
            self._paragraph = Event(OPEN, "pre", pre, code_language(self._page, pre))
        else:
            note = "" if context.note in self._begun_notes else context.note
            self._begun_notes.add(note)
            self._paragraph = quick_event((OPEN, context.paragraph, parent, "", note, ONE_CELL))
        self._paragraph_run, self._is_broken = run, False
        self._events.append(self._paragraph)

    def _end_paragraph(self) -> None:
        if self._paragraph:
            self._close_inlines(0)
            self._events.append(quick_event((CLOSE, self._paragraph.name, self._paragraph.node, "", "", ONE_CELL)))
        self._paragraph, self._paragraph_run, self._pre_end = None, -1, -1

    def _write(self, space: str, event: Event) -> None:
        """Something under the inline elements of the path."""
        space = self._open_inlines(space)
        if event.kind != TEXT:
            self._events += (Event(TEXT, "", -1, space), event) if space else (event,)
        elif space or self._may_hold_formulas():
            self._add_settled(space + event.text)
        else:
            self._events.append(event)

    def _write_text(self, space: str, text: str) -> None:
        """Text under the inline elements of the path."""
        self._add_settled(self._open_inlines(space) + text)

    def _open_inlines(self, space: str) -> str:
        """Close and open inline elements as the path says; space goes where fewest are open, or comes back."""
        wanted = self._path[-1].context.inlines
        common = 0
        if self._inlines:
            for is_open, opening in zip(self._inlines, wanted, strict=False):
                if is_open.node != opening.node:
                    break
                common += 1
            self._close_inlines(common)
        if self._is_broken:
            self._events.append(Event(BREAK))
        if len(wanted) > common:
            if space:
                self._events.append(Event(TEXT, "", -1, space))
            self._events += wanted[common:]
            self._inlines = wanted
            space = ""
        return space

    def _add_settled(self, text: str) -> None:
        if self._splits_formulas and self._may_hold_formulas():
            self._split(text)
        else:
            self._events.append(quick_event((TEXT, "", -1, text, "", ONE_CELL)))

    def _may_hold_formulas(self) -> bool:
        is_code = self._pre_end >= 0 or any(inline.name == "code" for inline in self._inlines)
        return self._splits_formulas and not is_code

    def _split(self, text: str) -> None:
        for kind, part in split_formulas(text):
            self._events.append(Event(TEXT, "", -1, part) if kind == "text" else Event(FORMULA, kind, -1, part))

    def _close_inlines(self, common: int) -> None:
        if len(self._inlines) > common:
            self._events += [
                quick_event((CLOSE, inline.name, inline.node, "", "", ONE_CELL))
                for inline in reversed(self._inlines[common:])
            ]
            self._inlines = self._inlines[:common]


def stretches(
    plan: Plan, node: Ints, start: Ints, end: Ints, run: Ints, is_cut: Bools, lines: Ints, things: Ints
) -> Iterable[tuple[int, int, int, int, str, bool]]:
    """Each stretch of text in one element that means something.

    Its node, that element, paragraph, line, text, and whether white space counts in it.
    """
    page = plan.page
    if not len(node):
        return ()
    line = lines[node]
    holder = plan.holder[page.nodes.parent[node]]
    is_joined = np.zeros(len(line), dtype=np.bool_)
    is_joined[1:] = (
        (holder[1:] == holder[:-1])
        & (run[1:] == run[:-1])
        & (line[1:] == line[:-1])
        & (start[1:] == end[:-1])
        & ~is_cut[1:]
    )
    borders = np.searchsorted(node, things)
    is_joined[borders[borders < len(line)]] = False
    first = np.flatnonzero(~is_joined)
    last = np.append(first[1:], len(line)) - 1
    text = page.text
    ranges = zip(start[first].tolist(), end[last].tolist(), strict=True)
    strings = [text[begin:stop] for begin, stop in ranges]
    for position in np.flatnonzero(is_cut[first]).tolist():
        strings[position] = " " + strings[position]
    columns = (column[first].tolist() for column in (node, holder, run, line))
    is_code = ((page.nodes.flags[node[first]] & PREFORMATTED) != 0).tolist()
    return zip(*columns, strings, is_code, strict=True)
