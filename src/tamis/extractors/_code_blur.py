"""Content code blurring: a page as a row of ones (content) and zeros (code), smoothed until the content stands out.

Shared by CCB, ACCB and TCCB, which differ only in what they write into the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np

from tamis.errors import OptionError
from tamis.extractors._blur import blur, gaussian_kernel
from tamis.page.html import mask
from tamis.page.model import Page
from tamis.page.source import Tokens
from tamis.page.text import Bools, Floats, Ints
from tamis.ranges import SHARE, Range, check_ranges
from tamis.results import Extraction

Border = Literal["renormalise", "zero"]

_RANGES = {
    "delta": Range(1, 1000),  # the time of a pass grows with it
    "threshold": SHARE,
    "stop": SHARE,
    "max_passes": Range(1, 100),
}


class BlurOptions(Protocol):
    """The options that the three methods have in common; each method says where its numbers come from."""

    @property
    def delta(self) -> int: ...
    @property
    def threshold(self) -> float: ...
    @property
    def stop(self) -> float: ...
    @property
    def max_passes(self) -> int: ...
    @property
    def expand(self) -> bool: ...
    @property
    def border(self) -> Border: ...


@dataclass(frozen=True, eq=False)
class ElementRow:
    """Elements of a page in source order, and where those that are content stand in ``page.text``."""

    is_content: Bools
    start: Ints
    end: Ints


@dataclass(frozen=True, eq=False)
class Blurred:
    """What became of the content elements of a row, in their order."""

    chosen: Bools
    ratios: Floats  # how much content there is around each, 0 to 1
    passes: int


def keep_bright(page: Page, row: ElementRow, settings: BlurOptions) -> Extraction:
    """The content elements of a row that stay bright when it is blurred; a block scores the mean of its elements."""
    blurred = choose(row.is_content, settings)
    order = np.argsort(row.start, kind="stable")
    start, end, chosen = row.start[order], row.end[order], blurred.chosen[order]
    change = np.diff(chosen.astype(np.int8), prepend=0, append=0)
    # Elements that follow each other are joined with the white space between them.
    spans = page.clip(start[change[:-1] == 1], end[change[1:] == -1])
    return Extraction(page=page, spans=spans, scores=_block_means(page, start, blurred.ratios[order]))


def check(settings: BlurOptions) -> None:
    """Raise if a setting is outside its range."""
    check_ranges(settings, **_RANGES)
    if settings.border not in get_args(Border):
        raise OptionError(f"option border is {settings.border!r}, but 'renormalise' or 'zero' is expected")


def character_row(tokens: Tokens, *, anchors: bool) -> ElementRow:
    """One element per character that is no white space; tags count with all they hold, anchor tags if wanted."""
    is_word = ~tokens.is_tag
    lengths = np.where(is_word, tokens.end - tokens.start, tokens.code_length)
    if not anchors:
        lengths[mask("a")[tokens.tag]] = 0
    word_lengths = lengths[is_word]
    gaps = tokens.start[is_word] - (np.cumsum(word_lengths) - word_lengths)
    start = np.arange(word_lengths.sum()) + np.repeat(gaps, word_lengths)
    return ElementRow(np.repeat(is_word, lengths), start, start + 1)


def token_row(tokens: Tokens) -> ElementRow:
    """One element per word and per tag, anchor tags left out."""
    is_word = ~tokens.is_tag
    return ElementRow(is_word[~mask("a")[tokens.tag]], tokens.start[is_word], tokens.end[is_word])


def choose(is_content: Bools, settings: BlurOptions) -> Blurred:
    """Blur a row until the choice of content settles.

    A choice is settled when the share of content elements that were decided otherwise one pass before is at most
    ``stop``; so there are two passes at least, if ``max_passes`` allows. With ``expand`` one element above the
    threshold is enough to choose all content up to the next code on both sides.
    """
    kernel = gaussian_kernel(settings.delta, settings.delta / 2)
    is_content = _without_far_code(is_content, settings.delta * settings.max_passes)
    values = is_content.astype(np.float64)
    edges = _edges(is_content)
    run_lengths = edges[1::2] - edges[::2]
    lengths = run_lengths if settings.expand else np.ones(run_lengths.sum(), dtype=np.int64)
    passes, before = 0, None
    while passes < settings.max_passes:
        passes += 1
        values = blur(values, kernel, settings.border)
        peaks = _run_peaks(values, edges) if settings.expand else values[is_content]
        chosen = peaks > settings.threshold
        if before is not None and lengths[chosen != before].sum() <= settings.stop * lengths.sum():
            break
        before = chosen
    return Blurred(np.repeat(chosen, lengths), values[is_content], passes)


def _without_far_code(is_content: Bools, reach: int) -> Bools:
    """The row with long stretches of code cut to what content can feel: the same ratios from half the work."""
    lengths = np.diff(_edges(is_content), prepend=0, append=len(is_content))
    lengths[::2] = np.minimum(lengths[::2], reach)
    return np.repeat(np.arange(len(lengths)) % 2 == 1, lengths)


def _edges(is_content: Bools) -> Ints:
    """Where runs of content start and end, in turn."""
    return np.flatnonzero(np.diff(is_content, prepend=False, append=False))


def _run_peaks(values: Floats, edges: Ints) -> Floats:
    """The highest value of each run of content."""
    edges = edges[edges < len(values)]
    return np.maximum.reduceat(values, edges)[::2] if len(edges) else np.zeros(0)


def _block_means(page: Page, start: Ints, ratios: Floats) -> tuple[float, ...]:
    blocks, nodes = page.blocks, page.nodes
    sums = np.concatenate(([0.0], np.cumsum(ratios)))
    first = np.searchsorted(start, nodes.text_start[blocks.leaves])
    last = np.searchsorted(start, nodes.text_end[blocks.leaves])
    block = np.repeat(np.arange(len(blocks)), np.diff(blocks.first_leaf))
    totals = np.bincount(block, weights=sums[last] - sums[first], minlength=len(blocks))
    counts = np.bincount(block, weights=last - first, minlength=len(blocks))
    return tuple(np.clip(totals / np.maximum(counts, 1), 0, 1).tolist())  # sums may be off by a rounding error
