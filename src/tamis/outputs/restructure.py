"""The main content first, then everything else, grouped by its kind under headings; layout is dropped."""

from __future__ import annotations

import dataclasses
from html import escape

import numpy as np

from tamis.outputs import html
from tamis.outputs._kinds import KINDS, MAIN, block_kinds
from tamis.page.model import Page
from tamis.page.spans import Span, as_arrays, as_spans, overlaps, union
from tamis.page.text import Bools
from tamis.results import Extraction

HEADINGS = {
    "closely related": "Related",
    "navigation": "Navigation",
    "link list": "Links",
    "commercial": "Advertising",
    "functional element": "Controls",
    "template element": "About this site",
    "other": "More on this page",
}


def render(extraction: Extraction) -> str:
    page = extraction.page
    language, title = page.metadata.language, page.metadata.title
    parts = [
        f'<!DOCTYPE html>\n<html lang="{escape(language)}">' if language else "<!DOCTYPE html>\n<html>",
        f'<head>\n<meta charset="utf-8">\n<title>{escape(title or "")}</title>\n</head>\n<body>',
        f"<main>\n{html.render(extraction)}\n</main>",
    ]
    kinds = np.array(block_kinds(page, extraction.spans))
    for kind in KINDS:
        # What is left over of a block that is mostly main content belongs to nothing else.
        is_meant = (kinds == kind) if kind != "other" else (kinds == kind) | (kinds == MAIN)
        spans = _dropped_spans(page, is_meant, extraction.spans) if kind != MAIN else ()
        if markup := html.render(dataclasses.replace(extraction, spans=spans)):
            parts.append(f'<section data-tamis-kind="{kind}">\n<h2>{HEADINGS[kind]}</h2>\n{markup}\n</section>')
    return "\n".join((*parts, "</body>\n</html>"))


def _dropped_spans(page: Page, blocks: Bools, kept: tuple[Span, ...]) -> tuple[Span, ...]:
    """What is not kept of some blocks."""
    leaves = page.blocks.leaves[np.repeat(blocks, np.diff(page.blocks.first_leaf))]
    starts, ends = union(*as_arrays(kept))
    gap_starts, gap_ends = np.append(0, ends), np.append(starts, len(page.text))
    start, end, _, _ = overlaps(*as_arrays(page.text_spans(leaves)), gap_starts, gap_ends)
    return as_spans(start, end)
