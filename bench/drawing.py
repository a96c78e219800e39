"""Pieces of SVG: a few shapes, rows of bars and strips. Colours are those of ``tamis.pictures.plots``."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.pictures.plots import COLOURS

BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, _ = COLOURS
GREY = "#808080"
WIDTH = 760
LINE = 17  # height of a row of text
_LEVELS = 12  # of brightness in a strip
_COLUMNS = 360  # of a strip; more cannot be told apart

# Inside an image nothing is inherited from the page around it, so that the figure must know about dark backgrounds.
_STYLE = "svg{color:#1f2328}@media(prefers-color-scheme:dark){svg{color:#e6edf3}}"


class Bar(NamedTuple):
    """A row of a bar chart."""

    name: str
    value: float
    colour: str
    note: str = ""


def figure(title: str, parts: Sequence[str], height: float, width: float = WIDTH) -> str:
    """A whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="currentColor" role="img">\n<style>{_STYLE}</style>\n'
        f"<title>{escape(title)}</title>\n"
        + "\n".join((text(8, 16, title, bold=True), *filter(None, parts)))
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, *, anchor: str = "start", bold: bool = False, faint: str = "") -> str:
    """Words, and behind them others that are to stand back."""
    marks = f' text-anchor="{anchor}"' * (anchor != "start") + ' font-weight="bold"' * bold
    behind = f' <tspan font-weight="normal" fill-opacity=".6">{escape(faint)}</tspan>' * bool(faint)
    return f'<text x="{x:.1f}" y="{y:.1f}"{marks}>{escape(words)}{behind}</text>'


def box(x: float, y: float, width: float, height: float, colour: str, opacity: float = 1.0) -> str:
    faded = "" if opacity == 1 else f' fill-opacity="{opacity:g}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"{faded}/>'


def line(x1: float, y1: float, x2: float, y2: float, *, opacity: float = 1.0, dashed: bool = False) -> str:
    marks = (f' stroke-opacity="{opacity:g}"' if opacity < 1 else "") + ' stroke-dasharray="4 3"' * dashed
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="currentColor"{marks}/>'


def curve(points: Sequence[tuple[float, float]], colour: str, width: float = 2.0) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def legend(x: float, y: float, entries: Sequence[tuple[str, str]]) -> str:
    """Coloured squares with their meaning, side by side."""
    parts = []
    for colour, words in entries:
        parts += [box(x, y - 9, 10, 10, colour), text(x + 15, y, words)]
        x += 36 + 6.4 * len(words)
    return "".join(parts)


def stretches(chosen: npt.NDArray[np.bool_], x: float, y: float, width: float, height: float, colour: str) -> str:
    """A bar for each run of true values, on an axis as wide as all of them."""
    edges = np.flatnonzero(np.diff(chosen.astype(np.int8), prepend=0, append=0))
    scale = width / max(len(chosen), 1)
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return "".join(box(x + first * scale, y, (last - first) * scale, height, colour) for first, last in runs)


def strip(values: npt.NDArray[np.float64], x: float, y: float, width: float, height: float, colour: str) -> str:
    """Numbers from 0 to 1 as a row that is the more filled the higher they are."""
    places = np.linspace(0, len(values), min(_COLUMNS, len(values)) + 1).astype(np.int64)
    means = np.add.reduceat(values, places[:-1]) / np.diff(places)
    levels = np.rint(means * _LEVELS).astype(np.int64)
    edges = np.flatnonzero(np.diff(levels, prepend=-1, append=-1))
    scale = width / len(levels)
    return "".join(
        box(x + first * scale, y, (last - first) * scale, height, colour, round(levels[first] / _LEVELS, 2))
        for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        if levels[first]
    )


def bars(rows: Sequence[Bar], top: float, *, left: float, full: float, width: float) -> str:
    """Rows with a name, a bar for the value, and a note behind it; ``full`` is the value of the widest bar."""
    parts = []
    for place, row in enumerate(rows):
        y = top + place * LINE
        reach = min(row.value / full, 1) * width if full else 0
        parts += [
            text(left - 8, y + 11, row.name, anchor="end"),
            box(left, y + 2, reach, LINE - 5, row.colour, 0.8) if row.value else "",
            text(left + reach + 6, y + 11, row.note) if row.note else "",
        ]
    return "".join(parts)


def shortened(words: str, most: int) -> str:
    """One line of at most so many characters.

    >>> shortened("The night train returns", 12)
    'The night…'
    """
    words = " ".join(words.split())
    return words if len(words) <= most else words[: most - 1].rsplit(" ", 1)[0] + "…"
