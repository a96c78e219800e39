"""Plain text: blocks separated by blank lines, ``br`` as a line break."""

from __future__ import annotations

import numpy as np

from tamis.characters import without_unseen
from tamis.outputs._options import Options, reduced
from tamis.outputs._pieces import kept_pieces
from tamis.page.blocks import running_text
from tamis.page.model import PREFORMATTED
from tamis.page.text import collapse
from tamis.results import Extraction


def render(extraction: Extraction, options: Options | None = None) -> str:
    if options is not None:
        extraction = reduced(extraction, options)
    page = extraction.page
    kept = kept_pieces(extraction)
    if not len(kept.node):
        return ""
    # What follows without a gap or a line break is one string, however many nodes it comes from.
    line = page.flow.line[kept.node]
    is_joined = np.zeros(len(line), dtype=np.bool_)
    is_joined[1:] = (line[1:] == line[:-1]) & (kept.start[1:] == kept.end[:-1])
    first = np.flatnonzero(~is_joined)
    last = np.append(first[1:], len(line)) - 1
    nodes = kept.node[first].tolist()
    ranges = zip(kept.start[first].tolist(), kept.end[last].tolist(), strict=True)
    strings = [page.text[start:end] for start, end in ranges]
    for position in np.flatnonzero(kept.is_cut[first]).tolist():
        strings[position] = " " + strings[position]

    run_starts = np.flatnonzero(np.diff(kept.run[first], prepend=-1))
    run_ends = np.append(run_starts[1:], len(first))
    is_plain = (run_ends - run_starts == 1) & ((page.nodes.flags[kept.node[first[run_starts]]] & PREFORMATTED) == 0)
    blocks = [
        collapse(strings[start]) if plain else running_text(page, nodes[start:end], strings[start:end])
        for start, end, plain in zip(run_starts.tolist(), run_ends.tolist(), is_plain.tolist(), strict=True)
    ]
    return without_unseen("\n\n".join(filter(None, blocks))).replace("\xa0", " ")
