"""The curves behind a choice: what a method computed along the page, thinned until a screen can show it.

Every curve runs along an axis (tokens, characters, source lines, blocks) and knows at each of its points the block that
stands there, so that a curve and the page can be read side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from tamis import registry
from tamis.extractors import _code_blur as code_blur
from tamis.extractors import _slopes as slopes
from tamis.extractors import bte, cetr, cetr_km, cetr_tm
from tamis.extractors._blur import blur, gaussian_kernel
from tamis.extractors._k_means import k_means
from tamis.extractors._tag_ratios import read_lines, smooth
from tamis.page.blocks import kept_shares
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.results import Extraction

MAX_POINTS = 900  # about one for each pixel of a wide pane

CurveShape = Literal["bars", "line", "strip"]


@dataclass(frozen=True)
class Series:
    """One row of numbers along the axis of a curve."""

    name: str
    shape: CurveShape
    values: list[float]


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Numbers along the page, thinned to at most ``MAX_POINTS``."""

    title: str
    axis: str  # what one step along the curve is, before thinning
    count: int  # steps before thinning
    series: tuple[Series, ...]
    chosen: list[bool]
    blocks: list[int]  # -1 where no block stands
    limit: float | None = None  # content lies above


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """Points in a plane, each with its cluster and its block."""

    title: str
    x_name: str
    y_name: str
    points: list[tuple[float, float]]
    clusters: list[int]
    blocks: list[int]
    centroids: list[tuple[float, float]]


def curves(extraction: Extraction) -> list[dict[str, Any]]:
    """What the method that made an extraction computed, if it is one with curves, and the scores of the blocks."""
    extraction = extraction.shown
    page, made = extraction.page, extraction.made
    draw = _CURVES.get(made.method)
    found: list[Curve | Scatter] = []
    if draw is not None and page.tokens.is_tag.any() and not page.tokens.is_tag.all():
        own = {name: value for name, value in made.options.items() if name not in ("keep", "drop")}
        found += draw(page, registry.make_options("extractors", made.method, own))
    if len(page.blocks):
        found.append(_scores(extraction))
    return [{"kind": type(one).__name__.lower(), **asdict(one)} for one in found]


def _scores(extraction: Extraction) -> Curve:
    shares = kept_shares(extraction.page, extraction.spans)
    scores = shares if extraction.scores is None else np.nan_to_num(np.array(extraction.scores, dtype=np.float64))
    name = "share kept" if extraction.scores is None else "score"
    blocks = np.arange(len(shares))
    return _curve("The blocks of the page", "block", [(name, "bars", scores)], shares > 0.5, blocks)


def _window(page: Page, options: Any) -> list[Curve | Scatter]:
    is_tag = page.tokens.is_tag
    first, last = bte.best_window(is_tag)
    place = np.arange(len(is_tag))
    sums = np.cumsum(1 - 2 * is_tag.astype(np.int64)).astype(np.float64)
    series: list[_Raw] = [("words less tags so far", "line", sums)]
    chosen = (place >= first) & (place < last)
    return [_curve("Words less tags: content is the steepest climb", "token", series, chosen, _token_blocks(page))]


def _slopes(low: bool) -> Callable[[Page, Any], list[Curve | Scatter]]:
    def draw(page: Page, options: Any) -> list[Curve | Scatter]:
        is_tag = page.tokens.is_tag
        sections = slopes.cut(is_tag)
        few = slopes.low_slope(sections) if low else 2 * sections.inner_tags < sections.length
        chosen = slopes.spread(sections, slopes.regions(few, retroactive=options.retroactive), options.tail)
        series: list[_Raw] = [("tags so far", "line", np.cumsum(is_tag).astype(np.float64))]
        title = f"Document slope curve: text is a plateau, read in windows of {sections.length} tokens"
        return [_curve(title, "token", series, chosen, _token_blocks(page))]

    return draw


def _blurring(method: str) -> Callable[[Page, Any], list[Curve | Scatter]]:
    def draw(page: Page, options: Any) -> list[Curve | Scatter]:
        row = code_blur.token_row(page.tokens)
        if method != "tccb":
            row = code_blur.character_row(page.tokens, anchors=method == "ccb")
        blurred = code_blur.choose(row.is_content, options)
        values = row.is_content.astype(np.float64)
        series: list[_Raw] = [("content and code", "strip", values)]
        kernel = gaussian_kernel(options.delta, options.delta / 2)
        for number in range(1, blurred.passes + 1):
            values = blur(values, kernel, options.border)
            series.append((f"pass {number}", "strip", values))
        series.append(("content around", "line", values))
        places = np.flatnonzero(row.is_content)
        chosen, blocks = np.zeros(len(values), dtype=np.bool_), np.full(len(values), -1, dtype=np.int64)
        chosen[places], blocks[places] = blurred.chosen, blocks_at(page, row.start)
        axis = "word or tag" if method == "tccb" else "character"
        title = "Content code blurring: what stays bright is content"
        return [_curve(title, axis, series, chosen, blocks, options.threshold)]

    return draw


def _ratios(method: Any) -> Callable[[Page, Any], list[Curve | Scatter]]:
    def draw(page: Page, options: Any) -> list[Curve | Scatter]:
        lines = read_lines(page, options.break_over)
        chosen = method.choose(lines.ratios, options)
        smoothed = smooth(lines.ratios, options.sigma, options.border)
        series: list[_Raw] = [("ratio", "bars", lines.ratios), ("smoothed", "line", smoothed)]
        blocks = np.full(len(chosen), -1, dtype=np.int64)
        at_words = blocks_at(page, lines.start)
        shown = np.flatnonzero(at_words >= 0)[::-1]  # the first word of a line is written last, and stays
        blocks[lines.line[shown]] = at_words[shown]
        limit = None
        if method is cetr_tm:
            measured = smoothed if options.threshold_std_of == "smoothed" else lines.ratios
            limit = float(options.threshold * measured.std())
        title = "Tag ratios: characters of text for each tag"
        found: list[Curve | Scatter] = [_curve(title, "source line", series, chosen, blocks, limit)]
        if method is cetr:
            found.append(_clusters(lines.ratios, blocks, options))
        return found

    return draw


def _clusters(ratios: Floats, blocks: Ints, options: Any) -> Scatter:
    points = cetr.describe(ratios, options)
    labels, centroids = k_means(points, cetr.spread_seeds(points, options.clusters), pinned=1)
    step = -(-len(points) // MAX_POINTS)
    return Scatter(
        title="Every line a point: what lies nearest to the origin is dropped",
        x_name="size of the change",
        y_name="smoothed ratio",
        points=[(_rounded(change), _rounded(ratio)) for ratio, change in points[::step].tolist()],
        clusters=labels[::step].tolist(),
        blocks=blocks[::step].tolist(),
        centroids=[(_rounded(change), _rounded(ratio)) for ratio, change in centroids.tolist()],
    )


_Raw = tuple[str, CurveShape, Floats]

_CURVES: Mapping[str, Callable[[Page, Any], list[Curve | Scatter]]] = {
    "bte": _window,
    "dsc": _slopes(low=True),
    "adsc": _slopes(low=False),
    **{name: _blurring(name) for name in ("ccb", "accb", "tccb")},
    **{name: _ratios(module) for name, module in (("cetr", cetr), ("cetr_km", cetr_km), ("cetr_tm", cetr_tm))},
}
"""Methods that decide by a curve."""


def _token_blocks(page: Page) -> Ints:
    """The block of each token; a tag belongs to the word before it."""
    tokens = page.tokens
    words = np.flatnonzero(~tokens.is_tag)
    blocks = np.full(len(tokens) + 1, -1, dtype=np.int64)
    blocks[words] = blocks_at(page, tokens.start[words])
    last_word = np.maximum.accumulate(np.where(tokens.is_tag, -1, np.arange(len(tokens))))
    return blocks[last_word]


def blocks_at(page: Page, places: Ints) -> Ints:
    """The blocks that stand at some places of ``page.text``; -1 for none."""
    blocks, nodes = page.blocks, page.nodes
    if not len(blocks):
        return np.full(len(places), -1, dtype=np.int64)
    leaf = np.searchsorted(nodes.text_start[blocks.leaves], places, side="right") - 1
    owner = np.repeat(np.arange(len(blocks)), np.diff(blocks.first_leaf))
    inside = (leaf >= 0) & (places < nodes.text_end[blocks.leaves[leaf]])
    return np.where(inside, owner[leaf], -1)


def _curve(
    title: str, axis: str, series: Sequence[_Raw], chosen: Bools, blocks: Ints, limit: float | None = None
) -> Curve:
    count = len(chosen)
    first = np.unique(np.linspace(0, count, min(count, MAX_POINTS) + 1).astype(np.int64)[:-1])
    sizes = np.diff(np.append(first, count))
    return Curve(
        title=title,
        axis=axis,
        count=count,
        series=tuple(
            Series(name, shape, [_rounded(value) for value in (np.add.reduceat(values, first) / sizes).tolist()])
            for name, shape, values in series
        ),
        chosen=(np.add.reduceat(chosen.astype(np.int64), first) * 2 > sizes).tolist(),
        blocks=np.maximum.reduceat(blocks, first).tolist(),
        limit=limit,
    )


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
