"""Small plots as SVG text, without a plotting library: they go into reports and pages that need nothing else."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

_ROW, _LABEL, _WIDTH = 22, 190, 640
_LINE = 15  # between names that stand below each other
_STEPS = (0.02, 0.05, 0.1, 0.2)  # between ticks of an axis from 0 to 1
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#666666",
)  # Okabe & Ito
_GOLDEN = (math.sqrt(5) - 1) / 2  # of the circle of hues: whatever follows each other lies far apart
_SHADES = ((0.45, 0.8), (0.62, 0.65), (0.47, 0.35))  # lightness and saturation in turns, seen on white and on black


def palette(count: int) -> tuple[str, ...]:
    """So many colours, no two alike: those of Okabe & Ito but for grey, then others around the circle of hues.

    >>> palette(8)[-2:]
    ('#cf17cf', '#5fddb8')
    """
    colours = list(COLOURS[:-1])
    for place in range(count - len(colours)):
        lightness, saturation = _SHADES[place % len(_SHADES)]
        red, green, blue = colorsys.hls_to_rgb((5 / 6 + place * _GOLDEN) % 1, lightness, saturation)
        colours.append("#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue)))
    return tuple(colours[:count])


def ink_on(colour: str) -> str:
    """Black or white, whichever is read more easily on a colour.

    >>> ink_on("#0072b2"), ink_on("#e69f00")
    ('#fff', '#111')
    """
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return "#111" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "#fff"  # WCAG: equal contrast


def box_plot(series: Mapping[str, Sequence[float]], title: str) -> str:
    """One row per name: box between the quartiles, line at the median, whiskers at the 5th and 95th percentile."""
    rows = []
    for place, (name, values) in enumerate(series.items()):
        if not len(values):
            continue
        low, first, middle, third, high = (_x(value) for value in np.percentile(values, [5, 25, 50, 75, 95]))
        y = 30 + place * _ROW
        rows.append(
            f'<text x="{_LABEL - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
            f'<path d="M{low:.1f} {y}H{first:.1f}M{third:.1f} {y}H{high:.1f}" stroke="currentColor"/>'
            f'<rect x="{first:.1f}" y="{y - 7}" width="{max(third - first, 1):.1f}" height="14" fill="{COLOURS[0]}" '
            f'fill-opacity=".35" stroke="{COLOURS[0]}"/>'
            f'<path d="M{middle:.1f} {y - 7}V{y + 7}" stroke="currentColor" stroke-width="2"/>'
        )
    height = 30 + len(series) * _ROW
    return figure(title, "".join(rows) + _axis(height), height + 24)


def scatter(points: Mapping[str, tuple[float, float]], title: str, x_name: str, y_name: str) -> str:
    """Named points between 0 and 1; the axes show the part of that in which they lie, the names stand beside it."""
    left, top, width, height = 56, 30, 390, max(340, len(points) * _LINE)
    ticks_x, ticks_y = (_ticks([point[axis] for point in points.values()]) for axis in (0, 1))

    def across(x: float) -> float:
        return left + (x - ticks_x[0]) / (ticks_x[-1] - ticks_x[0]) * width

    def down(y: float) -> float:
        return top + (1 - (y - ticks_y[0]) / (ticks_y[-1] - ticks_y[0])) * height

    order = sorted(points, key=lambda name: -points[name][1])
    rows = _spread([down(points[name][1]) for name in order], _LINE, top + 6, top + height - 2)
    colours = dict(zip(points, palette(len(points)), strict=True))
    column = left + width + 22
    marks = []
    for name, row in zip(order, rows, strict=True):
        (x, y), colour = points[name], colours[name]
        marks.append(
            f'<path d="M{across(x):.1f} {down(y):.1f}L{column - 4} {row:.1f}" stroke="{colour}" stroke-opacity=".35"/>'
            f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="4.5" fill="{colour}"><title>{escape(name)}: '
            f"{x:.3f}, {y:.3f}</title></circle>"
            f'<text x="{column}" y="{row + 4:.1f}">{escape(name)}</text>'
        )
    grid = "".join(
        f'<path d="M{across(x):.1f} {top}v{height}" stroke="currentColor" stroke-opacity=".12"/>'
        f'<text x="{across(x):.1f}" y="{top + height + 16}" text-anchor="middle">{x:g}</text>'
        for x in ticks_x
    ) + "".join(
        f'<path d="M{left} {down(y):.1f}h{width}" stroke="currentColor" stroke-opacity=".12"/>'
        f'<text x="{left - 6}" y="{down(y) + 4:.1f}" text-anchor="end">{y:g}</text>'
        for y in ticks_y
    )
    frame = (
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="currentColor"/>'
        f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{escape(x_name)}</text>'
        f'<text x="14" y="{top + height / 2}" transform="rotate(-90 14 {top + height / 2})" '
        f'text-anchor="middle">{escape(y_name)}</text>'
    )
    return figure(title, grid + frame + "".join(marks), top + height + 44)


def _ticks(values: Sequence[float]) -> list[float]:
    """Round numbers from just below the least to just above the greatest of some between 0 and 1.

    >>> _ticks([0.71, 0.93]), _ticks([0.5])
    ([0.7, 0.75, 0.8, 0.85, 0.9, 0.95], [0.48, 0.5, 0.52])
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    step = next(step for step in _STEPS if high - low <= 6 * step or step == _STEPS[-1])
    first, last = math.floor(low / step), math.ceil(high / step)
    first, last = (first - 1, last + 1) if first == last else (first, last)
    return [round(tick * step, 4) for tick in range(max(first, 0), min(last, round(1 / step)) + 1)]


def _spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Sorted places moved apart as little as keeps them a gap from each other and, if there is room, within bounds.

    >>> _spread([10, 11, 50], 10, 0, 100)
    [10, 20, 50]
    >>> _spread([95, 96, 97], 10, 0, 100)
    [80, 90, 100]
    """
    spread: list[float] = []
    for place in places:
        spread.append(max(place, spread[-1] + gap) if spread else max(place, low))
    most = high
    for number in reversed(range(len(spread))):
        spread[number] = min(spread[number], most)
        most = spread[number] - gap
    return spread


def curves(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    title: str,
    x_name: str,
    tick_names: Mapping[float, str] | None = None,
) -> str:
    """Lines over a common axis; values between 0 and 1. With ``tick_names`` the places on the axis have names."""
    left, top, width, height = 60, 30, 480, 240
    across = [x for line in lines.values() for x, _ in line]
    low, high = (min(across), max(across)) if across else (0.0, 1.0)
    reach = (high - low) or 1.0
    marks = []
    for place, ((name, line), colour) in enumerate(zip(lines.items(), palette(len(lines)), strict=True)):
        path = " ".join(f"{left + (x - low) / reach * width:.1f},{top + (1 - y) * height:.1f}" for x, y in line)
        turn = place // len(COLOURS)  # colours come round again, each time with other dashes
        dashes = f' stroke-dasharray="{6 * turn} {3 * turn}"' if turn else ""
        marks.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
            f'<text x="{left + width + 8}" y="{top + 14 + place * 18}" fill="{colour}">{escape(name)}</text>'
        )
    names = tick_names or {}
    ticks = sorted(set(across)) if len(set(across)) <= 12 else [low + reach * step / 5 for step in range(6)]
    frame = (
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="currentColor"/>'
        + "".join(
            f'<text x="{left + (x - low) / reach * width:.1f}" y="{top + height + 16}" '
            f'text-anchor="middle">{escape(names.get(x, f"{x:g}"))}</text>'
            for x in ticks
        )
        + "".join(
            f'<text x="{left - 6}" y="{top + (1 - y / 4) * height + 4}" text-anchor="end">{y / 4:g}</text>'
            for y in range(5)
        )
        + f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{escape(x_name)}</text>'
    )
    return figure(title, frame + "".join(marks), max(top + height + 44, top + 20 + len(lines) * 18))


def histogram(values: Sequence[float], title: str, x_name: str, mark: tuple[float, str] | None = None) -> str:
    """How often values of each size occur, on a logarithmic scale; a line marks one value and names it."""
    left, top, width, height, bins = 60, 40, 540, 220, 60
    high = max([float(np.max(values)) if len(values) else 0.0, mark[0] if mark else 0.0]) or 1.0
    counts, _ = np.histogram(values, bins=bins, range=(0.0, high))
    most = max(int(counts.max(initial=0)), 1)
    decades = len(str(most))

    def y(count: float) -> float:
        """One is a tenth of a decade above the ground, so that it is seen."""
        return top + height - (np.log10(count) + 0.1) / (decades + 0.1) * height if count else top + height

    bars = "".join(
        f'<rect x="{left + place * width / bins:.1f}" y="{y(count):.1f}" width="{width / bins:.1f}" '
        f'height="{top + height - y(count):.1f}" fill="{COLOURS[0]}"><title>{count}</title></rect>'
        for place, count in enumerate(counts.tolist())
        if count
    )
    axes = (
        f'<path d="M{left} {top}V{top + height}H{left + width}" fill="none" stroke="currentColor"/>'
        + "".join(
            f'<text x="{left - 6}" y="{y(10**power) + 4:.1f}" text-anchor="end">{10**power:,}</text>'
            for power in range(decades)
        )
        + "".join(
            f'<text x="{left + tick / 4 * width}" y="{top + height + 16}" text-anchor="middle">{high * tick / 4:.3g}'
            "</text>"
            for tick in range(5)
        )
        + f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{escape(x_name)}</text>'
    )
    line = ""
    if mark is not None:
        x = left + mark[0] / high * width
        line = (
            f'<path d="M{x:.1f} {top - 8}V{top + height}" stroke="currentColor" stroke-dasharray="4 3"/>'
            f'<text x="{x:.1f}" y="{top - 10}" text-anchor="middle">{escape(mark[1])}</text>'
        )
    return figure(title, bars + axes + line, top + height + 44)


def _x(value: float) -> float:
    return _LABEL + value * (_WIDTH - _LABEL - 20)


def _axis(y: float) -> str:
    ticks = "".join(
        f'<path d="M{_x(tick / 10)} 18V{y - 8}" stroke="currentColor" stroke-opacity=".15"/>'
        f'<text x="{_x(tick / 10)}" y="{y + 8}" text-anchor="middle">{tick / 10:g}</text>'
        for tick in range(0, 11, 2)
    )
    return f"<g>{ticks}</g>"


def figure(title: str, content: str, height: float) -> str:
    """A picture with its title above it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="currentColor" role="img">'
        f'<title>{escape(title)}</title><text x="8" y="14" font-weight="bold">{escape(title)}</text>{content}</svg>'
    )
