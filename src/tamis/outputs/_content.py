"""The kept content as a tree of plain values: what JSON says of its structure.

Blocks are named as in HTML. They hold other blocks (``content``) or text:

    {"type": "ul", "content": [{"type": "li", "content": [{"type": "p", "text": "an item"}]}]}

In a text formulas stand between dollar signs; they, and images, are also listed beside the text they belong to.
"""

from __future__ import annotations

from typing import Any

from tamis.outputs._events import BLOCKS, BREAK, FORMULA, IMAGE, OPEN, PARAGRAPHS, TEXT
from tamis.outputs._options import Options
from tamis.outputs._structure import events
from tamis.results import Extraction

_MAX_DEPTH = 100  # of blocks in blocks: readers of JSON count levels; deeper ones stand side by side

Block = dict[str, Any]


def content(extraction: Extraction, options: Options) -> list[Block]:
    """The blocks that are kept, in page order."""
    found: list[Block] = []
    places = [found]  # where blocks go, the innermost last
    ignored = 0  # blocks that are open, but too deep
    paragraph: Block = {}
    texts: list[str] = []
    for kind, name, _, text, address, span in events(extraction, images=options.images, formulas=options.formulas):
        if kind == TEXT:
            texts.append(text)
        elif kind == BREAK:
            texts.append("\n")
        elif kind == IMAGE:
            paragraph.setdefault("images", []).append({"type": name, "address": address, "text": text})
        elif kind == FORMULA:
            paragraph.setdefault("formulas", []).append(text)
            marks = "$$" if name == "display" else "$"
            texts.append(f"{marks}{text}{marks}")
        elif name in PARAGRAPHS:
            if kind == OPEN:
                paragraph, texts = {"type": name, "text": ""}, []
                if text:
                    paragraph["language"] = text
                places[-1].append(paragraph)
            else:
                paragraph["text"] = "".join(texts)
        elif name in BLOCKS:
            if kind != OPEN:
                ignored, _ = (ignored - 1, 0) if ignored else (0, places.pop())
            elif len(places) > _MAX_DEPTH:
                ignored += 1
            else:
                block: Block = {"type": name, "content": []}
                if span.columns > 1:
                    block["colspan"] = span.columns
                if span.rows > 1:
                    block["rowspan"] = span.rows
                places[-1].append(block)
                places.append(block["content"])
    return found
