"""The kept content as a tree of plain values: what JSON says of its structure.

Blocks are named as in HTML. They hold other blocks (``content``) or text:

    {"type": "ul", "content": [{"type": "li", "content": [{"type": "p", "text": "an item"}]}]}

Lists and items say what they count from (``start``, ``value``), items with a box whether it is ticked (``checked``).
Links, emphasis, inline code and the like are ``marks`` of a text: each with its name, the range of the text it covers,
and for a link its address. In a text formulas stand between dollar signs; they, and images, are also listed beside the
text they belong to.
"""

from __future__ import annotations

from typing import Any

from tamis.outputs._events import BLOCKS, BREAK, FORMULA, IMAGE, OPEN, PARAGRAPHS, TEXT
from tamis.outputs._lists import list_start, number
from tamis.outputs._options import Options
from tamis.outputs._title import stream
from tamis.page.model import Page
from tamis.results import Extraction

_MAX_DEPTH = 100  # of blocks in blocks: readers of JSON count levels; deeper ones stand side by side

_CODE_NAMES = frozenset({"code", "kbd", "samp"})

Block = dict[str, Any]


def content(extraction: Extraction, options: Options) -> list[Block]:
    """The blocks that are kept, in page order."""
    found: list[Block] = []
    places = [found]  # where blocks go, the innermost last
    ignored = 0  # blocks that are open, but too deep
    paragraph = _Paragraph("p")
    page = extraction.page
    for kind, name, node, text, address, span in stream(extraction, options):
        if kind == TEXT:
            paragraph.add(text)
        elif kind == BREAK:
            paragraph.add("\n")
        elif kind == IMAGE:
            paragraph.block.setdefault("images", []).append({"type": name, "address": address, "text": text})
        elif kind == FORMULA:
            paragraph.block.setdefault("formulas", []).append(text)
            marks = "$$" if name == "display" else "$"
            paragraph.add(f"{marks}{text}{marks}")
        elif name in PARAGRAPHS:
            if kind == OPEN:
                paragraph = _Paragraph(name, text)
                places[-1].append(paragraph.block)
            else:
                paragraph.finish()
        elif name in BLOCKS:
            if kind != OPEN:
                ignored, _ = (ignored - 1, 0) if ignored else (0, places.pop())
            elif len(places) > _MAX_DEPTH:
                ignored += 1
            else:
                block: Block = {"type": name, "content": []}
                if name in ("li", "ol"):
                    block |= _counted(page, name, node, text)
                if span.columns > 1:
                    block["colspan"] = span.columns
                if span.rows > 1:
                    block["rowspan"] = span.rows
                places[-1].append(block)
                places.append(block["content"])
        elif name != "a" or options.links:
            paragraph.open_mark(name, address) if kind == OPEN else paragraph.close_mark()
    return found


def _counted(page: Page, name: str, node: int, box: str) -> Block:
    """What a list or an item says beside its content."""
    if name == "ol":
        start = list_start(page, node)
        return {"start": start} if start != 1 else {}
    value = number(page.attributes(node).get("value"), -1)
    return ({"value": value} if value >= 0 else {}) | ({"checked": box == "x"} if box else {})


class _Paragraph:
    """A paragraph, a heading or code while its text is collected."""

    def __init__(self, name: str, language: str = "") -> None:
        self.block: Block = {"type": name, "text": ""}
        if language:
            self.block["language"] = language
        self._texts: list[str] = []
        self._length = 0
        self._open: list[Block] = []

    def add(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)

    def open_mark(self, name: str, address: str) -> None:
        mark: Block = {"type": name, "start": self._length, "end": self._length}
        if address:
            mark["address"] = address
        self._open.append(mark)
        if self.block["type"] != "pre" or name not in _CODE_NAMES:  # which is code as a whole
            self.block.setdefault("marks", []).append(mark)

    def close_mark(self) -> None:
        self._open.pop()["end"] = self._length

    def finish(self) -> None:
        self.block["text"] = "".join(self._texts)
