"""Blocks that say again what another block says: a copy for narrow screens, a pull quote, the beginning of a text."""

from __future__ import annotations

import re

import numpy as np

from tamis.about.titles import folded
from tamis.extractors.sieve.containers import Containers
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints, collapse

MIN_WORDS, MIN_CHARACTERS = 8, 40  # of a copy; shorter texts are repeated with reason: labels, refrains, "not at all"
MAX_QUOTE_WORDS = 60  # of a pull quote
_BESIDE = 1  # blocks from a text to its copy, if both look alike
_MAX_QUOTES = 200  # that are looked for in the text
_MAX_BEGINNINGS = 9  # texts with the same first words that a broken one is compared with
_ASIDE = mask("aside", "blockquote", "figure", "q")
_PULLED = re.compile(r"quote|callout|highlight|teaser|excerpt|summary", re.IGNORECASE)
_CUT_OFF = re.compile(r"\s*(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*(?:read more|more|continue reading)?\W*$", re.IGNORECASE)
_TAIL = 40  # characters in which a text may break off
_NEAR_LENGTH = 8  # characters by which a copy of the headline may be longer or shorter: marks, an icon


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
    ranges = zip(numbers.tolist(), blocks.start[numbers].tolist(), blocks.end[numbers].tolist(), strict=True)
    texts = {number: collapse(page.text[start:end]) for number, start, end in ranges}
    found[_equal(texts, containers, log_odds)] = True
    found[_beginnings(texts, found)] = True
    found[_quoted(page, containers, texts, found)] = True
    return found


def _equal(texts: dict[int, str], containers: Containers, log_odds: Floats) -> list[int]:
    best: dict[str, int] = {}
    for number, text in texts.items():
        other = best.setdefault(text, number)
        if other != number and log_odds[number] > log_odds[other]:
            best[text] = number
    if len(best) == len(texts):
        return []
    paths = containers.paths[containers.holder]
    return [
        number
        for number, text in texts.items()
        if paths[best[text]] != paths[number] or 0 < abs(number - best[text]) <= _BESIDE
    ]


def _beginnings(texts: dict[int, str], found: Bools) -> list[int]:
    """Blocks that break off, where another block goes on."""
    broken = {}
    for number, text in texts.items():
        tail = text[-_TAIL:]
        if ("…" in tail or "..." in tail) and not found[number] and (cut := _CUT_OFF.search(tail)):
            broken[number] = text[: len(text) - len(tail) + cut.start()]
    if not broken:
        return []
    by_start: dict[str, list[int]] = {}
    for number, text in texts.items():
        by_start.setdefault(text[: MIN_CHARACTERS // 2], []).append(number)
    return [
        number
        for number, kept in broken.items()
        if len(kept) >= MIN_CHARACTERS // 2
        and any(
            other != number and not found[other] and texts[other].startswith(kept)
            for other in by_start[kept[: MIN_CHARACTERS // 2]][:_MAX_BEGINNINGS]
        )
    ]


def _quoted(page: Page, containers: Containers, texts: dict[int, str], found: Bools) -> list[int]:
    """Blocks set apart from the text whose words stand in the text as well."""
    nodes, blocks = page.nodes, page.blocks
    numbers: Ints = np.array([number for number in texts if not found[number]], dtype=np.int64)
    numbers = numbers[blocks.words[numbers] <= MAX_QUOTE_WORDS]
    is_apart = nodes.inside(_ASIDE[nodes.tag])[blocks.node[numbers]]
    called = [containers.names[name] for name in containers.name[containers.holder[numbers]].tolist()]
    is_pulled = [_PULLED.search(name) is not None for name in called]
    short = numbers[is_apart | np.array(is_pulled, dtype=np.bool_)].tolist()[:_MAX_QUOTES]
    if not short:
        return []
    apart = set(short)
    running = "\n".join(folded(text) for number, text in texts.items() if number not in apart and not found[number])
    return [number for number in short if folded(texts[number]) in running]


def repeats_headline(page: Page, headline: Ints, is_content: Bools) -> Bools:
    """Blocks that show the headline again, such as the last entry of breadcrumbs."""
    blocks = page.blocks
    found = np.zeros(len(blocks), dtype=np.bool_)
    text = folded(" ".join(page.text[blocks.start[number] : blocks.end[number]] for number in headline.tolist()))
    length = int(blocks.characters[headline].sum())
    near = np.flatnonzero((np.abs(blocks.characters - length) <= _NEAR_LENGTH) & ~is_content)
    for number in near.tolist():
        found[number] = folded(page.text[blocks.start[number] : blocks.end[number]]) == text
    found[headline] = False
    return found
