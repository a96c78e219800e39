"""What the twins of ``tamis.about`` make of one page; ``bench.twins`` runs it over many."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np

import tamis
from tamis.about.openings import opening_table
from tamis.page.model import Page

_HEADS = frozenset({"next", "the", "ab"})
_OPENINGS = opening_table(head[:2] for head in _HEADS)


def about_differences(markup: str) -> list[str]:
    """What the twins do not agree on for one page."""
    page = tamis.parse(markup)
    twins = (importlib.import_module(f"tamis.about.{name}") for name in ("_kernel", "_reference"))
    ours, theirs = (_found(twin, page) for twin in twins)
    return [f"about: {name}" for name in theirs if ours[name] != theirs[name]]


def _found(twin: ModuleType, page: Page) -> dict[str, Any]:
    blocks = page.blocks
    metas = np.array([*page.nodes.each("meta")], dtype=np.int64)
    contents, *columns = (page.attribute(metas, name) for name in ("content", "property", "name"))
    classes = page.attribute(np.arange(len(page.nodes)), "class")
    counts = blocks.words, blocks.link_words
    return {
        "date places": twin.date_places(page.text).tolist(),
        "meta texts": twin.meta_texts([said or "" for said in contents], columns, 9, 99),
        "paragraphs": twin.paragraphs(*counts, 9),
        "longest texts": twin.longest_texts(page.text, blocks.start, blocks.end, *counts, 3, 9, 999),
        "short links": twin.short_links(page, 80, 999, _OPENINGS, _HEADS),
        "words": twin.holding(classes, twin.word_table(["next", "menu", "ab"])),
    }
