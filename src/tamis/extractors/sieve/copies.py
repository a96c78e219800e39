"""Blocks that say again what another block says: a copy for narrow screens, a pull quote, the beginning of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.decide import ELLIPSIS_TAIL
from tamis.extractors.sieve.kernel import kernel
from tamis.page.html import mask
from tamis.page.kernel import kernel as page_kernel
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints, collapse

MIN_WORDS, MIN_CHARACTERS = 8, 40  # of a copy; shorter texts are repeated with reason: labels, refrains, "not at all"
MAX_QUOTE_WORDS = 60  # of a pull quote
_BESIDE = 1  # blocks from a text to its copy, if both look alike
_MAX_QUOTES = 200  # that are looked for in the text
_MAX_RUNNING = 1_000_000  # characters of text in which they are looked for: pages of megabytes are no articles
_MAX_BEGINNINGS = 9  # texts with the same first words that a broken one is compared with
_ASIDE = mask("aside", "blockquote", "figure", "q")
_PULLING = ("quote", "callout", "highlight", "teaser", "excerpt", "summary")
_PULLED = re.compile("|".join(_PULLING), re.IGNORECASE)
_CUT_OFF = re.compile(r"\s*(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*(?:read more|more|continue reading)?\W*$", re.IGNORECASE)
_NEAR_LENGTH = 8  # characters by which a copy of the headline may be longer or shorter: marks, an icon


def copies(page: Page, containers: Containers, log_odds: Floats, candidates: Bools) -> Bools:
    """Which of the candidates repeat a likelier block, or a part of one. Of equals the first is the original.

    Blocks in elements that look alike say the same with reason, such as the terms of each offer in a list. A copy for
    other screens is marked up differently, or stands beside the original.
    """
    blocks = page.blocks
    found = np.zeros(len(blocks), dtype=np.bool_)
    is_long = (blocks.words >= MIN_WORDS) & (blocks.characters >= MIN_CHARACTERS)
    numbers = (candidates & is_long).nonzero()[0]
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
    twice = is_said_twice[same]
    pairs = list(zip(numbers[same[twice]].tolist(), numbers[twice].tolist(), strict=True))
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
    breaks = kernel.break_off(page.text, page.blocks.start[numbers], page.blocks.end[numbers])
    if not breaks.any():
        return []
    broken = {}
    for number in numbers[breaks & ~found[numbers]].tolist():
        whole = _text(page, number)
        tail = whole[-ELLIPSIS_TAIL:]
        cut = _CUT_OFF.search(tail)
        if cut and len(whole) - len(tail) + cut.start() >= MIN_CHARACTERS // 2:
            broken[number] = whole[: len(whole) - len(tail) + cut.start()]
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
    blocks = page.blocks
    numbers = numbers[~found[numbers]]
    is_apart = containers.inside(_ASIDE[containers.tag].nonzero()[0])[numbers]
    called = containers.name[containers.holder[numbers]].tolist()
    names = {name: containers.names[name] for name in set(called)}
    if _may_pull(names.values()):
        pulled = {name for name, said in names.items() if _PULLED.search(said)}
        is_apart |= np.array([name in pulled for name in called], dtype=np.bool_)
    is_apart &= blocks.words[numbers] <= MAX_QUOTE_WORDS
    is_apart &= np.cumsum(is_apart) <= _MAX_QUOTES
    if not is_apart.any():
        return []
    running = numbers[~is_apart]
    running = running[np.cumsum(blocks.end[running] - blocks.start[running]) <= _MAX_RUNNING]
    apart = numbers[is_apart]
    quotes = dict(zip(apart.tolist(), map(page_kernel.folded, _texts(page, apart)), strict=True))
    # All the text at once is folded quickly, and shows that most are no quotes; but two blocks may make up the words.
    text = page_kernel.folded(" ".join(_texts(page, running)))
    if any(quote in text for quote in quotes.values()):
        text = "\n".join(map(page_kernel.folded, _texts(page, running)))
        return [number for number, quote in quotes.items() if quote in text]
    return []


def _texts(page: Page, numbers: Ints) -> Iterator[str]:
    """What some blocks say."""
    for start, end in zip(page.blocks.start[numbers].tolist(), page.blocks.end[numbers].tolist(), strict=True):
        yield page.text[start:end]


def _may_pull(names: Iterable[str]) -> bool:
    """Whether one of some names may be that of a pull quote, which is quicker to see than of which."""
    said = " ".join(names).lower()
    return not said.isascii() or any(word in said for word in _PULLING)


def repeats_headline(page: Page, headline: Ints, is_content: Bools) -> Bools:
    """Blocks that show the headline again, such as the last entry of breadcrumbs."""
    blocks = page.blocks
    found = np.zeros(len(blocks), dtype=np.bool_)
    text = " ".join(filter(None, map(page_kernel.folded, _texts(page, headline))))
    length = int(blocks.characters[headline].sum())
    near = ((np.abs(blocks.characters - length) <= _NEAR_LENGTH) & ~is_content).nonzero()[0]
    found[near] = kernel.says(page.text, blocks.start[near], blocks.end[near], text)
    found[headline] = False
    return found
