"""The figure of docs/architecture.md: the same page on its way through four commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bench.drawing import BLUE, GREEN, LINE, ORANGE, SKY, box, curve, figure, line, text
from tamis import extractors
from tamis.page.model import Page

WIDTH = 910
_HEADS = ("comes from", "page", "method", "result", "written")
_COLOURS = (SKY, BLUE, ORANGE, GREEN, SKY)
_LEFTS = (8, 186, 376, 566, 736)
_WIDTHS = (152, 164, 164, 144, 166)
_TOP = 138  # of the first row
_ROW, _CELL = 112, 76


class Cell(NamedTuple):
    """What happens in one column: words, and the file in which it happens."""

    words: tuple[str, ...]
    file: str


WAYS: Mapping[str, tuple[Cell, Cell, Cell, Cell, Cell]] = {
    "tamis extract": (
        Cell(("a file, an address,", "standard input"), "cli/sources.py"),
        Cell(("bytes are decoded,", "parsed, listed once"), "page/load.py"),
        Cell(("one extractor chooses", "ranges of page.text"), "extractors/__init__.py"),
        Cell(("Extraction: spans,", "scores, reasons"), "results/__init__.py"),
        Cell(("text, Markdown, TEI,", "HTML, JSON"), "outputs/__init__.py"),
    ),
    "tamis site": (
        Cell(("a folder, an archive,", "a crawl"), "sites/sources.py"),
        Cell(("every page: to group,", "to learn, to clean"), "page/load.py"),
        Cell(("pages → groups;", "group → template"), "sites/__init__.py"),
        Cell(("Clustering, Template", "and Extractions"), "results/__init__.py"),
        Cell(("pages.jsonl, report,", "templates"), "sites/report.py"),
    ),
    "tamis segment": (
        Cell(("a file, an address,", "standard input"), "cli/sources.py"),
        Cell(("boxes from Chromium", "or estimated"), "rendering/render.py"),
        Cell(("one segmenter joins", "what belongs together"), "segmenters/__init__.py"),
        Cell(("Segmentation:", "a tree of regions"), "results/__init__.py"),
        Cell(("JSON, a picture over", "the screenshot"), "pictures/overlays.py"),
    ),
    "tamis run": (
        Cell(("archives → shards", "→ records"), "scaling/inputs.py"),
        Cell(("parsed in a process", "that may be lost"), "scaling/shard_work.py"),
        Cell(("one extractor, or the", "template of the host"), "scaling/process.py"),
        Cell(("Outcome: a row,", "or why not"), "scaling/process.py"),
        Cell(("data, rejected, and", "last the manifest"), "scaling/writing.py"),
    ),
}
"""What a command does with a page, column by column; the files are below src/tamis."""


def flow(page: Page) -> str:
    """Where a page comes from, what is made of it, and where it goes, for each command a row."""
    kept = extractors.extract(page)
    said = (
        f"{len(page.source.encode()):,} bytes",
        f"{len(page.nodes):,} nodes, {len(page.blocks):,} blocks",
        kept.made.method,
        f"{sum(block.kept for block in kept.blocks)} blocks in {len(kept.spans)} spans",
        f"{len(kept.text.split()):,} words of text",
    )
    parts = [text(8, 36, "The numbers are those of examples/article.html.")]
    for head, number, colour, left, width in zip(_HEADS, said, _COLOURS, _LEFTS, _WIDTHS, strict=True):
        middle = left + width / 2
        parts += [
            box(left, 52, width, _TOP - 60 + len(WAYS) * _ROW, colour, 0.1),
            text(middle, 72, head, anchor="middle", bold=True),
            text(middle, 72 + LINE, number, anchor="middle"),
        ]
    for row, (command, cells) in enumerate(WAYS.items()):
        parts.append(_way(_TOP + row * _ROW, command, cells))
    return figure("How a page flows through Tamis", parts, _TOP + len(WAYS) * _ROW + 4, WIDTH)


def _way(top: float, command: str, cells: tuple[Cell, ...]) -> str:
    parts = [text(_LEFTS[0] + 8, top - 8, command, bold=True)]
    for cell, colour, left, width in zip(cells, _COLOURS, _LEFTS, _WIDTHS, strict=True):
        lines = [text(left + 14, top + 20 + number * LINE, words) for number, words in enumerate(cell.words)]
        lines.append(text(left + 14, top + 20 + 2 * LINE + 4, "", faint=cell.file))
        parts += [box(left + 6, top, width - 12, _CELL, colour, 0.25), *lines]
    for left, width, following in zip(_LEFTS[:-1], _WIDTHS[:-1], _LEFTS[1:], strict=True):
        parts.append(_arrow(left + width - 5, following + 5, top + _CELL / 2))
    return "".join(parts)


def _arrow(start: float, end: float, y: float) -> str:
    return line(start, y, end, y) + curve([(end - 5, y - 4), (end, y), (end - 5, y + 4)], "currentColor", 1)


FIGURES: Mapping[str, Callable[[Page], str]] = {"flow": flow}
