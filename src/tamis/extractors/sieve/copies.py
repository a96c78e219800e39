"""Blocks that say again what another block says: a copy for narrow screens, a pull quote, the beginning of a text."""

from __future__ import annotations

import re

import numpy as np

from tamis.about.titles import folded
from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.kernel import kernel
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints, collapse

MIN_WORDS, MIN_CHARACTERS = 8, 40  # of a copy; shorter texts are repeated with reason: labels, refrains, "not at all"
MAX_QUOTE_WORDS = 60  # of a pull quote
_BESIDE = 1  # blocks from a text to its copy, if both look alike
_MAX_QUOTES = 200  # that are looked for in the text
_MAX_RUNNING = 1_000_000  # characters of text in which they are looked for: pages of megabytes are no articles
_MAX_BEGINNINGS = 9  # texts with the same first words that a broken one is compared with
_ASIDE = mask("aside", "blockquote", "figure", "q")
_PULLED = re.compile(r"quote|callout|highlight|teaser|excerpt|summary", re.IGNORECASE)
_CUT_OFF = re.compile(r"\s*(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*(?:read more|more|continue reading)?\W*$", re.IGNORECASE)
_ELLIPSES = ("…", "...")
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
    found[_equal(page, containers, numbers, log_odds)] = True
    found[_beginnings(page, numbers, found)] = True
    found[_quoted(page, containers, numbers, found)] = True
    return found


def _text(page: Page, number: int) -> str:
    return collapse(page.text[page.blocks.start[number] : page.blocks.end[number]])


def _equal(page: Page, containers: Containers, numbers: Ints, log_odds: Floats) -> list[int]:
    same = kernel.same_texts(page.text, page.blocks.start[numbers], page.blocks.end[numbers])
    is_again = same < np.arange(len(same))
    if not is_again.any():
        return []
    is_said_twice = np.zeros(len(same), dtype=np.bool_)
    is_said_twice[same[is_again]] = True
    pairs = [(numbers[first], number) for first, number in zip(same, numbers, strict=True) if is_said_twice[first]]
    best: dict[int, int] = {}
    for first, number in pairs:
        other = best.setdefault(first, number)
        if other != number and log_odds[number] > log_odds[other]:
            best[first] = number
    paths = containers.paths[containers.holder]
    return [
        number
        for first, number in pairs
        if paths[best[first]] != paths[number] or 0 < abs(number - best[first]) <= _BESIDE
    ]


def _beginnings(page: Page, numbers: Ints, found: Bools) -> list[int]:
    """Blocks that break off, where another block goes on."""
    text = page.text
    marks = [mark for mark in _ELLIPSES if mark in text]
    if not marks:
        return []
    broken = {}
    start, end = page.blocks.start[numbers].tolist(), page.blocks.end[numbers].tolist()
    for number, first, last in zip(numbers.tolist(), start, end, strict=True):
        if found[number] or all(text.rfind(mark, first, last) < 0 for mark in marks):
            continue
        whole = _text(page, number)
        if cut := _CUT_OFF.search(whole[-_TAIL:]):
            broken[number] = whole[: len(whole) - len(whole[-_TAIL:]) + cut.start()]
    broken = {number: kept for number, kept in broken.items() if len(kept) >= MIN_CHARACTERS // 2}
    if not broken:
        return []
    texts = {number: _text(page, number) for number in numbers.tolist()}
    by_start: dict[str, list[int]] = {}
    for number, whole in texts.items():
        by_start.setdefault(whole[: MIN_CHARACTERS // 2], []).append(number)
    return [
        number
        for number, kept in broken.items()
        if any(
            other != number and not found[other] and texts[other].startswith(kept)
            for other in by_start[kept[: MIN_CHARACTERS // 2]][:_MAX_BEGINNINGS]
        )
    ]


def _quoted(page: Page, containers: Containers, numbers: Ints, found: Bools) -> list[int]:
    """Blocks set apart from the text whose words stand in the text as well."""
    nodes, blocks = page.nodes, page.blocks
    numbers = numbers[~found[numbers]]
    is_apart = nodes.inside(_ASIDE[nodes.tag])[blocks.node[numbers]]
    called = containers.name[containers.holder[numbers]].tolist()
    pulled = {name for name in set(called) if _PULLED.search(containers.names[name])}
    if pulled:
        is_apart |= np.array([name in pulled for name in called], dtype=np.bool_)
    is_apart &= blocks.words[numbers] <= MAX_QUOTE_WORDS
    is_apart &= np.cumsum(is_apart) <= _MAX_QUOTES
    if not is_apart.any():
        return []
    running = numbers[~is_apart]
    running = running[np.cumsum(blocks.end[running] - blocks.start[running]) <= _MAX_RUNNING]
    text = "\n".join(folded(_text(page, number)) for number in running.tolist())
    return [number for number in numbers[is_apart].tolist() if folded(_text(page, number)) in text]


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
