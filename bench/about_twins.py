"""What the twins of ``tamis.about`` make of one page; ``bench.twins`` runs it over many."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

import tamis
from tamis.about import headlines
from tamis.about.openings import opening_table
from tamis.page.model import Page

_HEADS = frozenset({"next", "the", "ab"})
_WORDS = frozenset({"a", "the", "of", "b"})
_OPENINGS = opening_table(head[:2] for head in _HEADS)


def about_differences(markup: str) -> list[str]:
    """What the twins do not agree on for one page."""
    twins = (importlib.import_module(f"tamis.about.{name}") for name in ("_kernel", "_reference"))
    ours, theirs = (arrays(twin, tamis.parse(markup)) for twin in twins)
    return [f"about: {name}" for name in theirs if ours[name] != theirs[name]]


def arrays(twin: ModuleType, page: Page) -> dict[str, Any]:
    """Everything that a twin makes of a page."""
    blocks, nodes = page.blocks, page.nodes
    elements = np.flatnonzero(nodes.elements).tolist()
    said = [blocks[number].text for number in range(min(len(blocks), 9))]
    with mock.patch.object(headlines, "kernel", twin):
        candidates = headlines.headline_candidates(page)
    metas = np.array([*page.nodes.each("meta")], dtype=np.int64)
    contents, *columns = (page.attribute(metas, name) for name in ("content", "property", "name"))
    classes = page.attribute(np.arange(len(page.nodes)), "class")
    counts = blocks.words, blocks.link_words
    return {
        "date places": twin.date_places(page.text).tolist(),
        "meta texts": twin.meta_texts([said or "" for said in contents], columns, 9, 99),
        "named outside": [twin.named_outside(nodes.tag, nodes.flags, code) for code in range(256)],
        "paragraphs": twin.paragraphs(*counts, 9),
        "longest texts": twin.longest_texts(page.text, blocks.start, blocks.end, *counts, 3, 9, 999),
        "short links": twin.short_links(page, 80, 999, _OPENINGS, _HEADS),
        "openings": twin.opening_so(page.text, blocks.start, blocks.end, _OPENINGS),
        "values": twin.values_opening_so([*classes, *said], _OPENINGS, _HEADS),
        "headlines": candidates,
        "asked names": twin.asked_names(columns, frozenset({"author", "og:title", "a"}), 20),
        "folded": twin.folded_nodes(page.text, elements, nodes.text_start, nodes.text_end, 50, None),
        "folded, with words": twin.folded_nodes(page.text, elements, nodes.text_start, nodes.text_end, 50, _WORDS),
        "repeating": twin.repeating_blocks(page, said[:3], said[3:5]),
        "parts": [twin.folded_parts(text) for text in said],
        "occurrences": twin.occurrences(page.text, (" the ", "aa", "e "), len(page.text) // 3, len(page.text)),
        "words": twin.holding(classes, twin.word_table(["next", "menu", "ab"])),
    }
