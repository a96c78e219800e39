"""Blocks that say again what another block says: a copy for narrow screens, a pull quote, the beginning of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

import numpy as np

from tamis.extractors.sieve.containers import PULLING_SIGNS, Containers
from tamis.extractors.sieve.decide import ELLIPSIS_TAIL
from tamis.extractors.sieve.kernel import kernel
from tamis.extractors.sieve.units import PLAIN, QUOTE, STRUCTURES, Units
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.text import Floats, collapse

MIN_WORDS, MIN_CHARACTERS = 8, 40  # of a copy; shorter texts are repeated with reason: labels, refrains, "not at all"
MAX_QUOTE_WORDS = 60  # of a pull quote
_OPENING = MIN_CHARACTERS // 2  # characters that a text which breaks off has at least, and the whole text as well
_HEAD = 3  # characters with which few texts begin
_BESIDE = 1  # blocks from a text to its copy, if both look alike
_MAX_QUOTES = 200  # that are looked for in the text
_MAX_RUNNING = 1_000_000  # characters of text in which they are looked for: pages of megabytes are no articles
_MAX_BEGINNINGS = 9  # texts with the same first words that a broken one is compared with
_ASIDE = mask("aside", "blockquote", "figure", "q")
_CUT_OFF = re.compile(r"\s*(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*(?:read more|more|continue reading)?\W*$", re.IGNORECASE)
_NEAR_LENGTH = 8  # characters by which a copy of the headline may be longer or shorter: marks, an icon
# Of the kinds of units: those whose blocks may be copies of a text, and of the headline.
_MAY_COPY, _MAY_REPEAT = (np.zeros(len(STRUCTURES), dtype=np.uint8) for _ in range(2))
_MAY_COPY[[PLAIN, QUOTE]] = 1
_MAY_REPEAT[~STRUCTURES] = 1


def copies(page: Page, containers: Containers, log_odds: Floats, units: Units) -> list[int]:
    """The blocks that repeat a likelier block, or a part of one. Of equals the first is the original.

    Blocks in elements that look alike say the same with reason, such as the terms of each offer in a list. A copy for
    other screens is marked up differently, or stands beside the original. Structures other than quotations are whole.
    """
    numbers, twice, broken = kernel.long_texts(page, units, _MAY_COPY, MIN_WORDS, MIN_CHARACTERS, _OPENING)
    if len(numbers) < 2:
        return []
    found = set(_equal(containers, twice, log_odds)) if twice else set()
    if broken:
        found.update(_beginnings(page, numbers, broken, found))
    left = [number for number in numbers if number not in found] if found else numbers
    found.update(_quoted(page, containers, left))
    return sorted(found)


def _text(page: Page, number: int) -> str:
    return collapse(page.text[page.blocks.start[number] : page.blocks.end[number]])


def _equal(containers: Containers, twice: Sequence[tuple[int, int]], log_odds: Floats) -> list[int]:
    """Of blocks that say the same as a first one, which is one of them, those that are no original."""
    best: dict[int, int] = {}
    for first, number in twice:
        other = best.setdefault(first, number)
        if other != number and log_odds[number] > log_odds[other]:
            best[first] = number
    paths, holder = containers.paths, containers.holder
    return [
        number
        for first, number in twice
        if paths[holder[best[first]]] != paths[holder[number]] or 0 < abs(number - best[first]) <= _BESIDE
    ]


def _beginnings(page: Page, numbers: Sequence[int], breaking: Sequence[int], found: Set[int]) -> list[int]:
    """Blocks that break off, where another block goes on."""
    broken = {}
    for number in breaking:
        if number in found:
            continue
        whole = _text(page, number)
        tail = whole[-ELLIPSIS_TAIL:]
        cut = _CUT_OFF.search(tail)
        if cut and len(whole) - len(tail) + cut.start() >= _OPENING:
            broken[number] = whole[: len(whole) - len(tail) + cut.start()]
    if not broken:
        return []
    by_start: dict[str, list[int]] = {}
    heads = {kept[:_HEAD] for kept in broken.values()}
    for number, start in zip(numbers, page.blocks.start[numbers].tolist(), strict=True):
        head = page.text[start : start + _HEAD]
        if head in heads or head.split() != [head]:  # most begin otherwise, and with no white space
            by_start.setdefault(_beginning(page, number), []).append(number)
    return [
        number
        for number, kept in broken.items()
        if any(
            other != number and other not in found and _text(page, other).startswith(kept)
            for other in by_start[kept[:_OPENING]][:_MAX_BEGINNINGS]
        )
    ]


def _beginning(page: Page, number: int) -> str:
    """The first characters of a block, white space reduced; a little of the text is enough for most."""
    start, end = page.blocks.start.item(number), page.blocks.end.item(number)
    few = collapse(page.text[start : min(end, start + 2 * MIN_CHARACTERS)])
    return (few if len(few) > _OPENING else _text(page, number))[:_OPENING]


def _quoted(page: Page, containers: Containers, numbers: list[int]) -> list[int]:
    """Blocks set apart from the text whose words stand in the text as well."""
    pulling = tuple(filter(PULLING_SIGNS.__contains__, containers.signs))
    apart = kernel.set_apart(page, containers, numbers, _ASIDE, pulling, MAX_QUOTE_WORDS, _MAX_QUOTES)
    if not apart:
        return []
    is_apart = set(apart)
    running = _first_texts(page, [number for number in numbers if number not in is_apart], _MAX_RUNNING)
    return kernel.quoted(page, running, apart)


def _first_texts(page: Page, numbers: list[int], most: int) -> list[int]:
    """As many of the first blocks as have together no more than so many characters."""
    if len(page.text) <= most:
        return numbers
    lengths = page.blocks.end[numbers] - page.blocks.start[numbers]
    return numbers[: int(np.searchsorted(np.cumsum(lengths), most, side="right"))]


def repeats_headline(page: Page, headline: range, units: Units) -> list[int]:
    """Blocks that show the headline again, such as the last entry of breadcrumbs; none in structures."""
    return kernel.headline_again(page, units, _MAY_REPEAT, headline, _NEAR_LENGTH)
