"""Blocks that say again what another block says: a copy for narrow screens, a pull quote, the beginning of a text."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from tamis.about.titles import folded
from tamis.extractors.sieve.containers import Containers
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints

MIN_WORDS, MIN_CHARACTERS = 8, 40  # of a copy; shorter texts are repeated with reason: labels, refrains, "not at all"
MAX_QUOTE_WORDS = 60  # of a pull quote
_BESIDE = 1  # blocks from a text to its copy, if both look alike
_MAX_QUOTES = 200  # that are looked for in the text
_ASIDE = mask("aside", "blockquote", "figure", "q")
_PULLED = re.compile(r"pull-?_?quote|quote|callout|highlight|teaser|excerpt|summary", re.IGNORECASE)
_CUT_OFF = re.compile(
    r"(?:\s*(?:…|\.\.\.|\[…\]|\[\.\.\.\]))+\s*(?:read more|more|continue reading)?\W*$", re.IGNORECASE
)


def copies(page: Page, containers: Containers, log_odds: Floats, candidates: Bools) -> Bools:
    """Which of the candidates repeat a likelier block, or a part of one. Of equals the first is the original.

    Blocks in elements that look alike say the same with reason, such as the terms of each offer in a list. A copy for
    other screens is marked up differently, or stands beside the original.
    """
    blocks = page.blocks
    found = np.zeros(len(blocks), dtype=np.bool_)
    is_long = (blocks.words >= MIN_WORDS) & (blocks.characters >= MIN_CHARACTERS)
    numbers = np.flatnonzero(candidates & is_long)
    if len(numbers) < 2:
        return found
    texts = {number: folded(page.text[blocks.start[number] : blocks.end[number]]) for number in numbers.tolist()}
    found[_equal(texts, containers.paths[containers.holder], log_odds)] = True
    found[_beginnings(page, texts, found)] = True
    found[_quoted(page, texts, found)] = True
    return found


def _equal(texts: dict[int, str], paths: npt.NDArray[np.uint64], log_odds: Floats) -> list[int]:
    best: dict[str, int] = {}
    for number, text in texts.items():
        if log_odds[number] > log_odds[best.setdefault(text, number)]:
            best[text] = number
    return [
        number
        for number, text in texts.items()
        if paths[best[text]] != paths[number] or 0 < abs(number - best[text]) <= _BESIDE
    ]


def _beginnings(page: Page, texts: dict[int, str], found: Bools) -> list[int]:
    """Blocks that break off, where another block goes on."""
    blocks = page.blocks
    by_start: dict[str, list[int]] = {}
    for number, text in texts.items():
        by_start.setdefault(_start(text), []).append(number)
    broken = []
    for number in texts:
        written = page.text[blocks.start[number] : blocks.end[number]]
        cut = _CUT_OFF.search(written[-40:])
        if cut is None or found[number]:
            continue
        kept = folded(written[: len(written) - (len(written[-40:]) - cut.start())])
        others = by_start[_start(texts[number])]
        if kept and any(other != number and not found[other] and texts[other].startswith(kept) for other in others[:9]):
            broken.append(number)
    return broken


def _start(text: str) -> str:
    return " ".join(text.split(maxsplit=MIN_WORDS)[:MIN_WORDS])


def _quoted(page: Page, texts: dict[int, str], found: Bools) -> list[int]:
    """Blocks set apart from the text whose words stand in the text as well."""
    nodes, blocks = page.nodes, page.blocks
    apart = nodes.nearest(_ASIDE[nodes.tag])[blocks.node]
    holders = page.names(blocks.node)
    short = [
        number
        for number in texts
        if not found[number]
        and blocks.words[number] <= MAX_QUOTE_WORDS
        and (apart[number] > 0 or _PULLED.search(holders[number]))
    ][:_MAX_QUOTES]
    if not short:
        return []
    kept_apart = set(short)
    running = "\n".join(text for number, text in texts.items() if number not in kept_apart and not found[number])
    return [number for number in short if texts[number] in running]


def repeats_headline(page: Page, headline: Ints, is_content: Bools) -> Bools:
    """Blocks that show the headline again, such as the last entry of breadcrumbs."""
    blocks = page.blocks
    found = np.zeros(len(blocks), dtype=np.bool_)
    text = folded(" ".join(page.text[blocks.start[number] : blocks.end[number]] for number in headline.tolist()))
    length = int(blocks.characters[headline].sum())
    near = np.flatnonzero((np.abs(blocks.characters - length) <= 8) & ~is_content)
    for number in near.tolist():
        found[number] = folded(page.text[blocks.start[number] : blocks.end[number]]) == text
    found[headline] = False
    return found
