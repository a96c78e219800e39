"""Plain text: blocks separated by blank lines, items of lists and rows of tables as lines, ``br`` as a line break."""

from __future__ import annotations

import numpy as np

from tamis.characters import without_unseen
from tamis.outputs._layout import find_layout, item_marks
from tamis.outputs._options import Options, reduced
from tamis.outputs._pieces import Pieces, kept_pieces
from tamis.outputs._structure import events
from tamis.outputs._title import missing_title
from tamis.outputs._twin import kernel
from tamis.page.blocks import running_text
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.results import Extraction


def render(extraction: Extraction, options: Options | None = None) -> str:
    if options is None:
        return _text(extraction, marks=False)
    extraction = reduced(extraction, options)
    title = missing_title(extraction, events(extraction)) if options.add_title else ""
    return "\n\n".join(filter(None, (title, _text(extraction, marks=options.list_marks))))


def count_words(extraction: Extraction) -> int:
    """How many words the text has; only white space is laid out, so that it need not be written to count them."""
    page, kept = extraction.page, kept_pieces(extraction)
    lines, _ = _lines(page, kept)
    return kernel.count_words(page.text, kept.node, kept.start, kept.end, kept.run, kept.is_cut, lines)


def _text(extraction: Extraction, *, marks: bool) -> str:
    page, kept = extraction.page, kept_pieces(extraction)
    runs = kernel.runs(kept.node, kept.run, kept.is_blank, page.nodes.flags)
    lines, begins = _lines(page, kept)
    code = {number: _code(page, kept, begins, runs.first.item(number)) for number in runs.code}
    layout = find_layout(extraction, runs.start)
    shown = item_marks(page, runs.start, layout) if marks else {}
    pieces = (kept.node, kept.start, kept.end, kept.run, kept.is_cut)
    return without_unseen(kernel.written(page.text, *pieces, lines, runs.first, code, shown, *layout)).replace(
        "\xa0", " "
    )


def _lines(page: Page, kept: Pieces) -> tuple[Ints, Ints | None]:
    """The line of each node, and of each piece how many lines begin before it that no line end separates."""
    lines = page.flow.line
    if not len(kept.line_starts):
        return lines, None
    begins = np.searchsorted(kept.line_starts, kept.node, side="right")
    return lines + np.searchsorted(kept.line_starts, np.arange(len(lines)), side="right"), begins


def _code(page: Page, kept: Pieces, begins: Ints | None, first: int) -> str:
    """The text of a run in which white space counts, by its first piece."""
    run = slice(first, int(np.searchsorted(kept.run, kept.run[first], side="right")))
    pieces = [page.text[start:end] for start, end in zip(kept.start[run].tolist(), kept.end[run].tolist(), strict=True)]
    for number in np.flatnonzero(kept.is_cut[run]).tolist():
        pieces[number] = " " + pieces[number]
    if begins is not None:  # lines that no line end separates
        for number, count in enumerate(np.diff(begins[run]).tolist(), start=1):
            if count and not pieces[number - 1].endswith("\n"):
                pieces[number] = "\n" * count + pieces[number]
    return running_text(page, kept.node[run].tolist(), pieces)
