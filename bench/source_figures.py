"""Figures of the methods that read the source: slope curve, content and code, tag ratios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from bench.drawing import (
    BLUE,
    GREEN,
    GREY,
    LINE,
    ORANGE,
    WIDTH,
    box,
    curve,
    figure,
    legend,
    line,
    stretches,
    strip,
    text,
)
from tamis import registry
from tamis.extractors import _code_blur as code_blur
from tamis.extractors import _slopes as slopes
from tamis.extractors import bte, cetr, cetr_km, cetr_tm
from tamis.extractors._blur import blur, gaussian_kernel
from tamis.extractors._k_means import k_means
from tamis.extractors._tag_ratios import read_lines, smooth
from tamis.page.model import Page
from tamis.page.text import Bools

_LEFT, _RIGHT = 120, WIDTH - 20
_SPAN = _RIGHT - _LEFT


def slope_curve(page: Page) -> str:
    """The number of tags from the start of the page, with what BTE, DSC and ADSC make of it."""
    is_tag = page.tokens.is_tag
    counts = np.cumsum(is_tag)
    top, height = 40, 230
    first, last = bte.best_window(is_tag)
    scale = _SPAN / len(is_tag)
    points = [(_LEFT + i * scale, top + height * (1 - count / counts[-1])) for i, count in enumerate(counts.tolist())]
    parts = [
        box(_LEFT + first * scale, top, (last - first) * scale, height, BLUE, 0.12),
        _frame(top, height),
        curve(points, "currentColor", 1.5),
        text(_LEFT - 8, top + 10, str(counts[-1]), anchor="end"),
        text(_LEFT - 8, top + height, "0", anchor="end"),
        text(_LEFT - 8, top + height / 2, "tags so far", anchor="end"),
    ]
    choices = {
        "bte": (np.isin(np.arange(len(is_tag)), np.arange(first, last)), BLUE),
        "dsc": (_slope_choice(is_tag, low=True, retroactive=False), ORANGE),
        "dsc, retroactive": (_slope_choice(is_tag, low=True, retroactive=True), ORANGE),
        "adsc": (_slope_choice(is_tag, low=False, retroactive=True), GREEN),
    }
    y = top + height + 12
    for name, (chosen, colour) in choices.items():
        parts += [text(_LEFT - 8, y + 10, name, anchor="end"), stretches(chosen, _LEFT, y, _SPAN, 12, colour)]
        y += LINE
    parts += [text(_LEFT, y + 14, "token 0"), text(_RIGHT, y + 14, f"token {len(is_tag)}", anchor="end")]
    title = "Document slope curve: tags counted along the words and tags of the page; text is a plateau"
    return figure(title, parts, y + 26)


def _slope_choice(is_tag: Bools, *, low: bool, retroactive: bool) -> Bools:
    sections = slopes.cut(is_tag)
    few = slopes.low_slope(sections) if low else 2 * sections.inner_tags < sections.length
    return slopes.spread(sections, slopes.regions(few, retroactive=retroactive), "extend")


def code_strip(method: str, page: Page) -> str:
    """The row of content and code before and after each pass, and what is chosen at the end."""
    options: Any = registry.load("extractors", method).Options()
    row = code_blur.token_row(page.tokens)
    if method != "tccb":
        row = code_blur.character_row(page.tokens, anchors=method == "ccb")
    blurred = code_blur.choose(row.is_content, options)
    kernel = gaussian_kernel(options.delta, options.delta / 2)
    values = row.is_content.astype(np.float64)
    strips = {"the row": values}
    for number in range(1, blurred.passes + 1):
        values = blur(values, kernel, options.border)
        strips[f"after pass {number}"] = values
    parts, y = [], 30.0
    for name, shades in strips.items():
        parts += [text(_LEFT - 8, y + 14, name, anchor="end"), strip(shades, _LEFT, y, _SPAN, 20, BLUE)]
        parts.append(_outline(y, 20))
        y += 26
    chosen = np.zeros(len(row.is_content), dtype=np.bool_)
    chosen[np.flatnonzero(row.is_content)[blurred.chosen]] = True
    parts += [
        text(_LEFT - 8, y + 14, "chosen", anchor="end"),
        stretches(chosen, _LEFT, y, _SPAN, 20, GREEN),
        _outline(y, 20),
    ]
    unit = "words and tags" if method == "tccb" else "characters"
    y += 38
    parts += [text(_LEFT, y, "0"), text(_RIGHT, y, f"{len(row.is_content)} {unit}", anchor="end")]
    title = (
        f"{method}: content filled, code empty; blurred until the choice of what is above {options.threshold:g} settles"
    )
    return figure(title, parts, y + 10)


def tag_ratios(page: Page) -> str:
    """Tag ratios line by line, raw and smoothed, and the lines each CETR method takes for content."""
    ratios = read_lines(page).ratios
    smoothed = smooth(ratios, cetr.Options().sigma)
    top, height = 56, 220
    step = _SPAN / len(ratios)
    highest = float(ratios.max())
    parts = [
        legend(_LEFT, 38, [(GREY, "characters per tag"), (BLUE, "smoothed")]),
        _frame(top, height),
        *(
            box(_LEFT + i * step, top + height * (1 - ratio / highest), step * 0.8, height * ratio / highest, GREY, 0.7)
            for i, ratio in enumerate(ratios.tolist())
            if ratio
        ),
        curve(
            [
                (_LEFT + (i + 0.5) * step, top + height * (1 - value / highest))
                for i, value in enumerate(smoothed.tolist())
            ],
            BLUE,
        ),
        text(_LEFT - 8, top + 10, f"{highest:.0f}", anchor="end"),
        text(_LEFT - 8, top + height, "0", anchor="end"),
    ]
    threshold = cetr_tm.Options().threshold * float(smoothed.std())
    y = top + height * (1 - threshold / highest)
    parts += [line(_LEFT, y, _RIGHT, y, dashed=True), text(_LEFT - 8, y + 4, "cut of cetr_tm", anchor="end")]
    y = top + height + 12.0
    for name, method in {"cetr_tm": cetr_tm, "cetr_km": cetr_km, "cetr": cetr}.items():
        chosen = method.choose(ratios, method.Options())
        parts += [text(_LEFT - 8, y + 10, name, anchor="end"), stretches(chosen, _LEFT, y, _SPAN, 12, GREEN)]
        y += LINE
    parts += [text(_LEFT, y + 14, "line 1"), text(_RIGHT, y + 14, f"line {len(ratios)}", anchor="end")]
    return figure("Tag ratios of the source lines, and the lines taken for content", parts, y + 26)


def ratio_scatter(page: Page) -> str:
    """Every line as a point, coloured by its cluster."""
    options = cetr.Options()
    points = cetr.describe(read_lines(page).ratios, options)
    labels, centroids = k_means(points, cetr.spread_seeds(points, options.clusters), pinned=1)
    top, height, width = 56, 260, 560
    far, high = points[:, 1].max() * 1.05, points[:, 0].max() * 1.05

    def place(point: Any) -> tuple[float, float]:
        return _LEFT + point[1] / far * width, top + height * (1 - point[0] / high)

    colours = [GREY, BLUE, ORANGE]
    parts = [
        legend(_LEFT, 38, [(GREY, "around the content"), (BLUE, "content"), (ORANGE, "content")]),
        _frame(top, height, width),
    ]
    for point, label in zip(points, labels.tolist(), strict=True):
        x, y = place(point)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colours[label]}" fill-opacity=".65"/>')
    for centroid in centroids:
        x, y = place(centroid)
        parts.append(f'<path d="M{x - 6:.1f} {y:.1f}h12m-6 -6v12" stroke="currentColor" stroke-width="2"/>')
    parts += [
        text(_LEFT - 8, top + 10, f"{high:.0f}", anchor="end"),
        text(_LEFT - 8, top + height, "0", anchor="end"),
        text(_LEFT - 8, top + height / 2, "smoothed ratio", anchor="end"),
        text(_LEFT, top + height + 18, "0"),
        text(_LEFT + width / 2, top + height + 18, "size of its change", anchor="middle"),
        text(_LEFT + width, top + height + 18, f"{far:.1f}", anchor="end"),
    ]
    return figure(
        "cetr: a point for each source line; crosses are centroids, one of them tied to the origin", parts, 346
    )


def _frame(top: float, height: float, width: float = _SPAN) -> str:
    return f'<rect x="{_LEFT}" y="{top}" width="{width}" height="{height}" fill="none" stroke="currentColor"/>'


def _outline(y: float, height: float) -> str:
    return (
        f'<rect x="{_LEFT}" y="{y}" width="{_SPAN}" height="{height}" fill="none" stroke="currentColor" '
        'stroke-opacity=".4"/>'
    )


FIGURES: Mapping[str, Callable[[Page], str]] = {
    "slope": slope_curve,
    "ccb": partial(code_strip, "ccb"),
    "accb": partial(code_strip, "accb"),
    "tccb": partial(code_strip, "tccb"),
    "tag_ratios": tag_ratios,
    "ratio_scatter": ratio_scatter,
}
