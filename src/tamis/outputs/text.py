"""Plain text: blocks separated by blank lines, items of lists and rows of tables as lines, ``br`` as a line break."""

from __future__ import annotations

import numpy as np

from tamis.characters import without_unseen
from tamis.outputs._layout import PARAGRAPH, laid_out
from tamis.outputs._options import Options, reduced
from tamis.outputs._pieces import kept_pieces
from tamis.outputs._structure import events
from tamis.outputs._title import missing_title
from tamis.page.blocks import running_text
from tamis.page.model import PREFORMATTED
from tamis.page.text import collapse
from tamis.results import Extraction


def render(extraction: Extraction, options: Options | None = None) -> str:
    if options is None:
        return _text(extraction, marks=False)
    extraction = reduced(extraction, options)
    title = missing_title(extraction, events(extraction)) if options.add_title else ""
    return PARAGRAPH.join(filter(None, (title, _text(extraction, marks=options.list_marks))))


def _text(extraction: Extraction, *, marks: bool) -> str:
    page = extraction.page
    kept = kept_pieces(extraction)
    if not len(kept.node):
        return ""
    # What follows without a gap or a line break is one string, however many nodes it comes from.
    line = page.flow.line[kept.node]
    begins = np.searchsorted(kept.line_starts, kept.node, side="right")  # lines of code that no line end separates
    is_joined = np.zeros(len(line), dtype=np.bool_)
    is_joined[1:] = (line[1:] == line[:-1]) & (kept.start[1:] == kept.end[:-1]) & (begins[1:] == begins[:-1])
    is_joined &= ~kept.is_cut
    first = np.flatnonzero(~is_joined)
    last = np.append(first[1:], len(line)) - 1
    nodes = kept.node[first].tolist()
    ranges = zip(kept.start[first].tolist(), kept.end[last].tolist(), strict=True)
    strings = [page.text[start:end] for start, end in ranges]
    for position in np.flatnonzero(kept.is_cut[first]).tolist():
        strings[position] = " " + strings[position]

    for position in np.flatnonzero(np.diff(begins[first], prepend=begins[:1]))[: len(kept.line_starts)].tolist():
        is_same_run = kept.run[first[position]] == kept.run[first[position - 1]]
        if is_same_run and not strings[position - 1].endswith("\n"):
            strings[position] = "\n" * int(begins[first[position]] - begins[first[position - 1]]) + strings[position]

    run_starts = np.flatnonzero(np.diff(kept.run[first], prepend=-1))
    run_ends = np.append(run_starts[1:], len(first))
    is_plain = (run_ends - run_starts == 1) & ((page.nodes.flags[kept.node[first[run_starts]]] & PREFORMATTED) == 0)
    blocks = [
        collapse(strings[start]) if plain else running_text(page, nodes[start:end], strings[start:end])
        for start, end, plain in zip(run_starts.tolist(), run_ends.tolist(), is_plain.tolist(), strict=True)
    ]
    is_filled = [bool(block) for block in blocks]
    starts = kept.node[first[run_starts]][np.array(is_filled, dtype=np.bool_)]
    written = laid_out(extraction, starts, list(filter(None, blocks)), marks=marks)
    return without_unseen(written).replace("\xa0", " ")
