"""Markdown: headings, lists, quotes, code, tables, formulas, images, emphasis and links, as GitHub reads them."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tamis.outputs import html
from tamis.outputs._events import BLOCKS, CELLS, OPEN, PARAGRAPHS, TEXT, Event
from tamis.outputs._front_matter import front_matter
from tamis.outputs._lists import list_start, number
from tamis.outputs._markdown_inline import block, fence, plain, seems_reference, table_cell
from tamis.outputs._options import Options, reduced
from tamis.outputs._title import stream
from tamis.outputs._twin import kernel
from tamis.page.model import Page
from tamis.page.tables import COMPLEX, GRID
from tamis.results import Extraction

_LISTS = frozenset({"dl", "ol", "ul"})
_ITEMS = frozenset({"dd", "li"})
_LISTS_AND_ITEMS = _LISTS | _ITEMS
_HOLDERS = _LISTS_AND_ITEMS | {"blockquote"}
_MAX_HOLDERS = 40  # lists, items and quotes; deeper ones add no indent, so that output stays in proportion to the page
_OTHER_BULLET = {"-": "*", "*": "-", ".": ")", ")": "."}
_BLANK = "\n\n"
_BLANK_LINE = re.compile(r"\n(?=[ \t]*\n)")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # where some reader of Markdown ends a line
_DEFAULT = Options()


def render(extraction: Extraction, options: Options | None = None) -> str:
    chosen = options or _DEFAULT
    if options is not None:
        extraction = reduced(extraction, options)
    writer = _Writer(extraction.page, links=chosen.links)
    writer.write(stream(extraction, chosen))
    head = front_matter(extraction) if chosen.front_matter else ""
    return "\n".join(filter(None, (head, "".join(writer.parts))))


@dataclass
class _Holder:
    """A list, an item or a quote that is open."""

    name: str
    first: str = ""  # what stands before its first line
    rest: str = ""  # and before the others
    bullet: str = ""  # of a list: what its items begin with, for ``ol`` after the number
    number: int = 1  # of its next item
    mark: str = ""  # of its last item
    follows_item: bool = False  # of an item: it is not the first of its list


class _Cell(NamedTuple):
    text: str
    columns: int
    rows: int


@dataclass
class _Table:
    rows: list[list[_Cell]] = field(default_factory=list)
    has_head: bool = True
    in_head: bool = False
    texts: list[str] = field(default_factory=list)  # paragraphs of the cell that is open


class _Writer:
    """Writes block after block, each line behind the marks of what it is in."""

    def __init__(self, page: Page, *, links: bool) -> None:
        self.parts: list[str] = []
        self._page = page
        self._links = links
        self._holders: list[_Holder] = []
        self._begun = 0  # how many of them had a line already
        self._ignored_holders = 0
        self._last_bullet = ""  # of a list after which nothing was written yet
        self._table: _Table | None = None  # the grid that is open
        self._complex: list[Event] = []  # the events of the table that is open and is no grid
        self._complex_depth = 0

    def write(self, events: list[Event]) -> None:
        place, count = 0, len(events)
        while place < count:
            event = events[place]
            kind, name = event[0], event[1]
            if self._complex_depth or (name == "table" and event.text == COMPLEX and kind == OPEN):
                self._take_complex(event)
            elif name in PARAGRAPHS:
                place = self._write_paragraphs(events, place)
            elif name in _HOLDERS:
                if kind != OPEN:
                    self._close_holder()
                elif name == "li" and self._may_be_lines():
                    place = self._write_items(events, place)
                else:
                    self._open_holder(event)
            elif name in CELLS and kind == OPEN and self._table:
                place = self._write_cells(events, place)
            elif name in BLOCKS:
                self._open_block(event) if kind == OPEN else self._close_block(name)
            place += 1

    def _take_complex(self, event: Event) -> None:
        """Collect a table that Markdown cannot write, and write it as HTML when it is over."""
        self._complex.append(event)
        if event.name == "table":
            self._complex_depth += 1 if event.kind == OPEN else -1
        if not self._complex_depth:
            markup = html.write(self._page, self._complex, links=self._links)
            self._complex = []
            self._write(_BLANK_LINE.sub("&#10;", _LINE_END.sub("\n", markup)))  # a blank line would end it

    def _write_paragraphs(self, events: list[Event], place: int) -> int:
        """Write the paragraph that opens at a place and, where they stand in nothing, those that follow it."""
        if not self._holders and not self._table:
            blocks, end = kernel.blocks(events, place, self._links)
            if blocks:
                self._write(_BLANK.join(blocks))
                return end - 1
        return self._write_paragraph(events, place)

    def _may_be_lines(self) -> bool:
        """Whether the next item stands right after another that has a line, or is the first of its list."""
        if not self._holders or self._table or len(self._holders) >= _MAX_HOLDERS:
            return False
        above = self._holders[-1]
        if above.name not in ("ol", "ul") or above.mark.startswith("["):
            return False
        return len(self._holders) == self._begun or not above.mark

    def _write_items(self, events: list[Event], place: int) -> int:
        """Write the items that open at a place, each of which is one line; gives the place of the last event."""
        lines, nodes, end = kernel.items(events, place, self._links)
        if not lines:
            self._open_holder(events[place])
            return place
        above = self._holders[-1]
        if not above.mark:  # the first one begins the list, and what that is in
            self._open_item(events[place], above)
            self._write(lines[0])
            self._close_holder()
            lines, nodes = lines[1:], nodes[1:]
        before = "\n" + "".join([holder.rest for holder in self._holders])
        if above.name == "ul":
            before += above.mark
            self.parts += [before + line for line in lines]
            above.number += len(lines)
        elif lines:
            values = self._page.attribute(np.array(nodes, dtype=np.int64), "value")
            for line, value in zip(lines, values, strict=True):
                _count_item(above, value)
                self.parts.append(before + above.mark + line)
        self._last_bullet = ""
        return end - 1

    def _write_cells(self, events: list[Event], place: int) -> int:
        """Write the cells that open at a place and hold nothing but paragraphs; gives the place of the last event."""
        found, end = kernel.cells(events, place, self._links)
        if not found:
            self._open_block(events[place])
            return place
        for name, text, span in found:
            self._add_cell(name, _Cell(text, *span))
        return end - 1

    def _add_cell(self, name: str, cell: _Cell) -> None:
        table = self._table
        if table:
            table.rows[-1].append(cell)
            table.has_head &= name == "th" or table.in_head or len(table.rows) > 1

    def _write_paragraph(self, events: list[Event], place: int) -> int:
        """Write the paragraph that opens at a place; gives the place where it closes."""
        _, name, _, language, note, _ = events[place]
        if name == "pre":
            texts = itertools.takewhile(lambda event: event.name != "pre", itertools.islice(events, place + 1, None))
            inner = list(texts)
            code = "".join(event.text for event in inner if event.kind == TEXT)
            self._write_code(_LINE_END.sub("\n", code), language)
            return place + 1 + len(inner)
        written, place = kernel.inline(events, place + 1, self._links)
        if self._table and self._table.rows:
            self._table.texts.append(table_cell(written))
        elif note:
            self._write_note(note, block(name, written))
        else:
            self._write(block(name, written))
        return place

    def _open_holder(self, event: Event) -> None:
        if len(self._holders) == _MAX_HOLDERS:
            self._ignored_holders += 1
            return
        above = self._holders[-1] if self._holders else _Holder("")
        if event.name in _LISTS:
            self._holders.append(self._list(event, above))
        elif event.name == "blockquote":
            self._holders.append(_Holder(event.name, "> ", "> "))
        elif event.address:
            mark = f"[^{event.address.rpartition('-')[2]}]: "
            self._holders.append(_Holder(event.name, mark, " " * 4, follows_item=bool(above.mark)))
            above.mark, above.number = mark, above.number + 1
        else:
            self._open_item(event, above)

    def _open_item(self, event: Event, above: _Holder) -> None:
        follows_item = bool(above.mark)
        _count_item(above, self._page.attributes(event.node).get("value") if above.name == "ol" else None)
        box = f"[{event.text}] " if event.text else ""
        self._holders.append(_Holder(event.name, above.mark + box, " " * len(above.mark), follows_item=follows_item))

    def _list(self, event: Event, above: _Holder) -> _Holder:
        bullet = "." if event.name == "ol" else "-"
        if bullet == self._last_bullet:
            bullet = _OTHER_BULLET[bullet]  # or both lists would be one
        # A list right inside a list belongs to the item before it.
        indent = " " * len(above.mark)
        number = list_start(self._page, event.node) if event.name == "ol" else 1
        return _Holder(event.name, indent, indent, bullet, number)

    def _close_holder(self) -> None:
        if self._ignored_holders:
            self._ignored_holders -= 1
        else:
            self._last_bullet = self._holders.pop().bullet or self._last_bullet
            self._begun = min(self._begun, len(self._holders))

    def _open_block(self, event: Event) -> None:
        name, table = event.name, self._table
        if name == "hr":
            if not table:
                self._write("___" if self._holders else "---")  # a hyphen may be the mark of an item
        elif name == "table" and event.text == GRID:
            self._table = _Table()
        elif not table:
            return
        elif name == "thead":
            table.in_head = True
        elif name == "tr":
            table.rows.append([])
        elif name in CELLS:
            self._add_cell(name, _Cell("", *event.span))

    def _close_block(self, name: str) -> None:
        table = self._table
        if not table:
            return
        if name == "table":
            self._table = None
            self._write_table(table)
        elif name == "thead":
            table.in_head = False
        elif name in CELLS:
            _, columns, rows = table.rows[-1][-1]
            table.rows[-1][-1] = _Cell("<br>".join(table.texts), columns, rows)
            table.texts = []

    def _write_table(self, table: _Table) -> None:
        rows = _expanded([row for row in table.rows if row])
        if not rows:
            return
        width = max(map(len, rows))
        head, *rows = rows if table.has_head else [[], *rows]
        # Only the first row must be complete.
        rows = [[*head, *[""] * (width - len(head))], ["---"] * width, *rows]
        self._write("\n".join(f"| {' | '.join(row)} |" for row in rows))

    def _write_code(self, code: str, language: str) -> None:
        if self._page.format == "text":
            self._write(plain(code))
        else:
            marks = fence(code)
            self._write(f"{marks}{language}\n{code}\n{marks}")

    def _write_note(self, note: str, text: str) -> None:
        gap = "\n\n    " if seems_reference(text) else " "
        text = text.replace("\n", "\n    ") if gap != " " else text
        self._write(f"[^{note.rpartition('-')[2]}]:{gap}{text}")

    def _write(self, text: str) -> None:
        """Add a block to the output, after a blank line unless it goes on with a list."""
        self._last_bullet = ""
        if not self._holders:
            self.parts += (_BLANK, text) if self.parts else (text,)
            return
        begun, fresh = self._holders[: self._begun], self._holders[self._begun :]
        outer = "".join([holder.rest for holder in begun])
        if self.parts:
            self.parts.append("\n" if fresh and _continues_list(begun, fresh) else f"\n{outer.rstrip()}\n")
        first = outer + "".join([holder.first for holder in fresh])
        if first.endswith("]: ") and seems_reference(text):
            text = f"\n\n{text}"
        line, *lines = text.split("\n") if "\n" in text else (text,)
        self.parts.append(first + line)
        if lines:
            rest = outer + "".join([holder.rest for holder in fresh])
            self.parts += [f"\n{rest}{line}" if line else f"\n{rest.rstrip()}" for line in lines]
        self._begun = len(self._holders)


def _count_item(above: _Holder, value: str | None) -> None:
    """Let a list have one item more; ``value`` is what the item says of its number, if the list is numbered."""
    if above.name == "ol":
        counted = number(value, above.number)
        if above.mark and counted != above.number:
            above.bullet = _OTHER_BULLET[above.bullet]  # begins a list, which begins with this number
        above.number = counted
    above.mark = f"{above.number}{above.bullet} " if above.name == "ol" else f"{above.bullet} "
    above.number += 1


def _continues_list(begun: list[_Holder], fresh: list[_Holder]) -> bool:
    """Whether the next block begins an item of a list that is begun, or of a list in an item that is."""
    around = begun[-1].name if begun else ""
    item = next((holder for holder in fresh[:2] if holder.name in _ITEMS), None)
    if not item or around not in _LISTS_AND_ITEMS or fresh[0].name == "blockquote":
        return False
    # Markdown takes a first item for more of the paragraph before it if it has a number other than 1.
    return item.follows_item or not item.first[0].isdecimal() or item.first in ("1. ", "1) ")


def _expanded(rows: list[list[_Cell]]) -> list[list[str]]:
    """The texts of the cells, with empty ones in the places that other cells cover."""
    written = []
    covered: dict[int, int] = {}  # for some columns, how many rows are still covered
    for row in rows:
        texts: list[str] = []
        still = {column: left - 1 for column, left in covered.items() if left > 1}
        for cell in row:
            while covered.get(len(texts)):
                texts.append("")
            if cell.rows > 1:
                still.update(dict.fromkeys(range(len(texts), len(texts) + cell.columns), cell.rows - 1))
            texts += [cell.text, *[""] * (cell.columns - 1)]
        written.append(texts)
        covered = still
    return written
