"""Markdown: headings, lists, quotes, code, tables, emphasis and links, as CommonMark and GitHub read them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tamis.outputs._markdown_inline import Inline, fence, without_tags
from tamis.outputs._structure import BLOCKS, HEADINGS, OPEN, PARAGRAPHS, TEXT, Event, events
from tamis.outputs._tables import grids
from tamis.page.model import Page
from tamis.page.results import Extraction

_LISTS = frozenset({"dl", "ol", "ul"})
_ITEMS = frozenset({"dd", "li"})
_HOLDERS = _LISTS | _ITEMS | {"blockquote"}
_MAX_HOLDERS = 40  # lists, items and quotes; deeper ones add no indent, so that output stays in proportion to the page
_OTHER_BULLET = {"-": "*", "*": "-", ".": ")", ")": "."}
_LIST_START = re.compile(r"\s*([0-9]{1,8})\s*", re.ASCII)
_LANGUAGE = re.compile(r"(?:^|\s)lang(?:uage)?-([\w.+#-]+)", re.ASCII)


def render(extraction: Extraction) -> str:
    stream = events(extraction)
    writer = _Writer(extraction.page, grids(extraction.page, stream))
    for event in stream:
        writer.take(event)
    return "".join(writer.parts)


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
    is_begun: bool = False


@dataclass
class _Table:
    rows: list[list[str]] = field(default_factory=list)
    has_head: bool = True


class _Writer:
    """Writes block after block, each line behind the marks of what it is in."""

    def __init__(self, page: Page, grids: frozenset[int]) -> None:
        self.parts: list[str] = []
        self._page = page
        self._grids = grids
        self._holders: list[_Holder] = []
        self._ignored_holders = 0
        self._last_bullet = ""  # of a list after which nothing was written yet
        self._table: _Table | None = None  # the grid that is open
        self._inline = Inline()
        self._code: list[str] | None = None  # the text of the ``pre`` that is open
        self._language = ""

    def take(self, event: Event) -> None:
        if event.name in PARAGRAPHS:
            self._open_paragraph(event) if event.kind == OPEN else self._close_paragraph(event.name)
        elif event.name in _HOLDERS:
            self._open_holder(event) if event.kind == OPEN else self._close_holder()
        elif event.name in BLOCKS:
            self._open_block(event) if event.kind == OPEN else self._close_block(event.name)
        elif self._code is None:
            self._inline.take(event)
        elif event.kind == TEXT:
            self._code.append(event.text)
        elif event.kind == OPEN and event.name == "code":
            self._language = self._language or self._language_of(event.node)

    def _open_paragraph(self, event: Event) -> None:
        self._inline = Inline()
        if event.name == "pre":
            self._code, self._language = [], self._language_of(event.node)

    def _close_paragraph(self, name: str) -> None:
        if self._code is not None:
            self._write_code("".join(self._code))
            self._code = None
        elif self._table and self._table.rows:
            self._table.rows[-1][-1] = self._inline.cell()
        elif name in HEADINGS:
            self._write("#" * int(name[1]) + " " + self._inline.heading())
        else:
            self._write(self._inline.paragraph())

    def _open_holder(self, event: Event) -> None:
        if len(self._holders) == _MAX_HOLDERS:
            self._ignored_holders += 1
            return
        above = self._holders[-1] if self._holders else _Holder("")
        if event.name in _LISTS:
            self._holders.append(self._list(event, above))
        elif event.name == "blockquote":
            self._holders.append(_Holder(event.name, "> ", "> "))
        else:
            mark = f"{above.number}{above.bullet} " if above.name == "ol" else f"{above.bullet} "
            self._holders.append(_Holder(event.name, mark, " " * len(mark), follows_item=bool(above.mark)))
            above.mark, above.number = mark, above.number + 1

    def _list(self, event: Event, above: _Holder) -> _Holder:
        bullet = "." if event.name == "ol" else "-"
        if bullet == self._last_bullet:
            bullet = _OTHER_BULLET[bullet]  # or both lists would be one
        # A list right inside a list belongs to the item before it.
        indent = " " * len(above.mark)
        start = _LIST_START.fullmatch(self._page.attributes(event.node).get("start", ""))
        return _Holder(event.name, indent, indent, bullet, int(start[1]) if start else 1)

    def _close_holder(self) -> None:
        if self._ignored_holders:
            self._ignored_holders -= 1
        else:
            self._last_bullet = self._holders.pop().bullet or self._last_bullet

    def _open_block(self, event: Event) -> None:
        name, table = event.name, self._table
        if name == "hr":
            self._write("___" if self._holders else "---")  # a hyphen may be the mark of an item
        elif name == "table" and event.node in self._grids:
            self._table = _Table()
        elif table and name == "tr":
            table.rows.append([])
        elif table and name in ("td", "th"):
            table.rows[-1].append("")
            table.has_head &= name == "th" or len(table.rows) > 1

    def _close_block(self, name: str) -> None:
        if name == "table" and self._table:
            table, self._table = self._table, None
            self._write_table(table)

    def _write_table(self, table: _Table) -> None:
        width = max(map(len, table.rows))
        head, *rows = table.rows if table.has_head else [[], *table.rows]
        # Only the first row must be complete.
        rows = [[*head, *[""] * (width - len(head))], ["---"] * width, *rows]
        self._write("\n".join(f"| {' | '.join(row)} |" for row in rows))

    def _write_code(self, code: str) -> None:
        if self._page.format == "text":
            self._write(without_tags(code))
        else:
            marks = fence(code)
            self._write(f"{marks}{self._language}\n{code}\n{marks}")

    def _language_of(self, node: int) -> str:
        found = _LANGUAGE.search(self._page.attributes(node).get("class", ""))
        return found[1] if found else ""

    def _write(self, block: str) -> None:
        """Add a block to the output, after a blank line unless it goes on with a list."""
        if self.parts:
            outer = "".join(holder.rest for holder in self._holders if holder.is_begun)
            self.parts.append("\n" if self._continues_list() else f"\n{outer.rstrip()}\n")
        first = "".join(holder.rest if holder.is_begun else holder.first for holder in self._holders)
        rest = "".join(holder.rest for holder in self._holders)
        line, *lines = block.split("\n")
        self.parts.append(first + line)
        self.parts += [f"\n{rest}{line}" if line else f"\n{rest.rstrip()}" for line in lines]
        for holder in self._holders:
            holder.is_begun = True
        self._last_bullet = ""

    def _continues_list(self) -> bool:
        """Whether the next block begins an item of a list that is begun, or of a list in an item that is."""
        fresh = [holder for holder in self._holders if not holder.is_begun]
        around = self._holders[-len(fresh) - 1].name if len(fresh) < len(self._holders) else ""
        item = next((holder for holder in fresh[:2] if holder.name in _ITEMS), None)
        if not item or around not in _LISTS | _ITEMS or fresh[0].name == "blockquote":
            return False
        # Markdown takes a first item for more of the paragraph before it if it has a number other than 1.
        return item.follows_item or not item.first[0].isdecimal() or item.first in ("1. ", "1) ")
