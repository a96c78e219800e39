"""Small plots as SVG text, without a plotting library: they go into reports and pages that need nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

_ROW, _LABEL, _WIDTH = 22, 190, 640
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#666666",
)  # Okabe & Ito


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
    """Named points in the unit square."""
    size, left, top = 320, 60, 30
    marks = []
    for place, (name, (x, y)) in enumerate(points.items()):
        colour = COLOURS[place % len(COLOURS)]
        across, down = left + x * size, top + (1 - y) * size
        marks.append(
            f'<circle cx="{across:.1f}" cy="{down:.1f}" r="4" fill="{colour}"><title>{escape(name)}: '
            f"{x:.3f}, {y:.3f}</title></circle>"
            f'<circle cx="{left + size + 30}" cy="{top + 10 + place * 18}" r="4" fill="{colour}"/>'
            f'<text x="{left + size + 40}" y="{top + 14 + place * 18}">{escape(name)}</text>'
        )
    frame = (
        f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="none" stroke="currentColor"/>'
        + "".join(
            f'<text x="{left + tick / 4 * size}" y="{top + size + 16}" text-anchor="middle">{tick / 4:g}</text>'
            f'<text x="{left - 6}" y="{top + (1 - tick / 4) * size + 4}" text-anchor="end">{tick / 4:g}</text>'
            for tick in range(5)
        )
        + f'<text x="{left + size / 2}" y="{top + size + 34}" text-anchor="middle">{escape(x_name)}</text>'
        + f'<text x="14" y="{top + size / 2}" transform="rotate(-90 14 {top + size / 2})" '
        f'text-anchor="middle">{escape(y_name)}</text>'
    )
    return figure(title, frame + "".join(marks), max(top + size + 44, top + 20 + len(points) * 18))


def curves(lines: Mapping[str, Sequence[tuple[float, float]]], title: str, x_name: str) -> str:
    """Lines over a common axis; values between 0 and 1."""
    left, top, width, height = 60, 30, 480, 240
    across = [x for line in lines.values() for x, _ in line]
    low, high = (min(across), max(across)) if across else (0.0, 1.0)
    reach = (high - low) or 1.0
    marks = []
    for place, (name, line) in enumerate(lines.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(f"{left + (x - low) / reach * width:.1f},{top + (1 - y) * height:.1f}" for x, y in line)
        marks.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{left + width + 8}" y="{top + 14 + place * 18}" fill="{colour}">{escape(name)}</text>'
        )
    ticks = sorted(set(across)) if len(set(across)) <= 12 else [low + reach * step / 5 for step in range(6)]
    frame = (
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="currentColor"/>'
        + "".join(
            f'<text x="{left + (x - low) / reach * width:.1f}" y="{top + height + 16}" '
            f'text-anchor="middle">{x:g}</text>'
            for x in ticks
        )
        + "".join(
            f'<text x="{left - 6}" y="{top + (1 - y / 4) * height + 4}" text-anchor="end">{y / 4:g}</text>'
            for y in range(5)
        )
        + f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{escape(x_name)}</text>'
    )
    return figure(title, frame + "".join(marks), top + height + 44)


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
