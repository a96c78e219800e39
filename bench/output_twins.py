"""What the twins of the outputs make of one page of which some spans are kept; ``bench.twins`` runs it over many."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

import tamis
from tamis.outputs import _reference, _structure, markdown
from tamis.page.html import TAG_CODES, mask
from tamis.page.model import INVISIBLE, PREFORMATTED, Page
from tamis.page.spans import Span
from tamis.results import Extraction

_LISTS = mask("ul", "ol", "dl"), mask("li", "dd", "dt")


def output_differences(markup: str | bytes) -> list[str]:
    """What the twins do not agree on for one page, kept as a whole and in parts."""
    page = tamis.parse(markup)
    found = [*page_differences(page, (Span(0, len(page.text)),)), *page_differences(page, parts(len(page.text)))]
    return list(dict.fromkeys(found))


def page_differences(page: Page, kept: tuple[Span, ...]) -> list[str]:
    """What the twins do not agree on for one page and these spans."""
    compiled = importlib.import_module("tamis.outputs._kernel")
    ours, theirs = (arrays(twin, page, kept) for twin in (compiled, _reference))
    return [name for name in theirs if ours[name] != theirs[name]]


def parts(length: int) -> tuple[Span, ...]:
    """A third of a text, in spans that begin and end anywhere."""
    return tuple(Span(start, min(start + 40, length)) for start in range(0, length, 120))


def arrays(twin: ModuleType, page: Page, kept: tuple[Span, ...]) -> dict[str, Any]:
    """Everything that a twin makes of a page."""
    nodes = page.nodes
    places = (nodes.text_start, nodes.text_end)
    held = twin.kept_text(page.text, kept, nodes.tag, nodes.flags, nodes.parent, nodes.end, *places, page.flow.run)
    starts, ends, node, tag = held.starts, held.ends, held.node, held.tag
    found: dict[str, Any] = {"kept text": held.pieces, "holders": (starts, ends, node, tag, held.names)}
    for name, clutter in {"all": None, "without b": nodes.inside(nodes.named("b"))}.items():
        pieces = twin.cut_pieces(page.text, starts, ends, clutter, nodes.tag, nodes.flags, *places, page.flow.run)
        text, start, end, run, is_cut, _ = pieces
        found[f"pieces, {name}"] = pieces
        columns = (page.text, text, start, end, run, is_cut, page.flow.line)
        found[f"runs, {name}"] = runs = twin.runs(text, run, pieces.is_blank, nodes.flags)
        found[f"words, {name}"] = twin.count_words(*columns)
        items = twin.list_places(runs.start, nodes.tag, nodes.parent, nodes.end, *_LISTS, nodes.texts[:0])
        cells = np.where(nodes.named("td", "dd", "i"), np.arange(len(nodes)) % 5, -1)
        rows = twin.row_places(runs.start, cells, nodes.named("table", "dl", "b"), nodes.parent)
        code = {number: f" {number}\n{number}" for number in runs.code}
        free = np.flatnonzero(~rows.is_cell).tolist()
        marks = {number: "1. " for number in free[::2] if number not in code}
        listed = np.arange(1, len(runs.first), 7)
        for asked in ((None, None), (items, None), (None, rows), (items, rows)):
            found[f"text, {name}, {[*map(bool, asked)]}"] = twin.written(
                *columns, runs.first, code, marks, *asked, listed
            )
    texts = held.pieces.node
    found["cells"] = twin.table_cells(nodes.tag, nodes.parent, mask("td", "li", "b"))
    heads, link = mask("b", "h2", "li", "a"), TAG_CODES["a"]
    found["links"] = twin.links_in_heads(page.text, node, tag, nodes.end, *places, heads, link, 5, "ontw")
    found["beside"] = twin.beside(texts, nodes.tag, nodes.end, page.flow.seen, mask("b", "br", "img", "#text"))
    if len(texts):
        tree = nodes.tag, nodes.flags, nodes.parent, nodes.end, page.flow.characters
        for judged in (None, frozenset(range(0, len(nodes), 3))):
            for image in ("img", "b"):
                names = mask("b", "br", "img", "video"), TAG_CODES[image], INVISIBLE | PREFORMATTED
                found[f"media, {image}, {judged is None}"] = twin.media(texts, *tree, *names, judged)
    found["tagged"] = twin.tagged(node, tag, mask("b", "a", "li"))
    found["meaning"] = twin.meaning(nodes.tag, nodes.flags, mask("b", "#text"), INVISIBLE)
    for name, line_starts in {"none": texts[:0], "some": texts[: len(texts) // 2]}.items():
        found[f"line numbers, {name}"] = twin.line_numbers(nodes.tag, TAG_CODES["br"], line_starts)
    codes = TAG_CODES["dt"], TAG_CODES["dd"]
    found["descriptions"] = twin.described(nodes.tag, nodes.parent, np.arange(len(nodes)) % 3 > 0, *codes)
    for name, bare in {"all": nodes.texts[:0], "without dl": np.flatnonzero(nodes.named("dl"))}.items():
        found[f"list places, {name}"] = twin.list_places(nodes.texts, nodes.tag, nodes.parent, nodes.end, *_LISTS, bare)
    cells = np.where(nodes.named("td", "dd", "i"), np.arange(len(nodes)) % 5, -1)
    found["row places"] = twin.row_places(nodes.texts, cells, nodes.named("table", "dl", "b"), nodes.parent)
    elements = np.flatnonzero(nodes.elements)
    found["classes"] = twin.with_words(page.attribute(elements, "class"), frozenset({"a", "half", "sr-only"}))
    with mock.patch.object(_structure, "kernel", twin), mock.patch.object(markdown, "kernel", twin):
        extraction = Extraction(page=page, spans=kept)
        found["events"] = _structure.events(extraction)
        found["Markdown"] = extraction.markdown
        found["Markdown without links"] = extraction.render("markdown", links=False)
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return [part.tolist() if isinstance(part, np.ndarray) else part for part in values]
