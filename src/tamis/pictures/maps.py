"""Pictures of a clustering: the distances in a plane, and all of them as a square of greys.

The map is non-metric multidimensional scaling (Kruskal 1964, as used by Gottron 2008, section 7.1.2): from a metric
start, points are moved until their distances rank like those of the pages. Distances need not be a metric.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from html import escape

import numpy as np

from tamis.characters import counted
from tamis.page.text import Floats, Ints
from tamis.pictures.plots import COLOURS, figure

_MAX_STEPS = 200
_MIN_CHANGE = 1e-4  # of the stress, relative
_MAX_RANKS = 2000  # distances this close in rank share one value
_SIDE, _EDGE = 460, 30
_HEIGHT = _EDGE + _SIDE + 20
_HEAP = 8  # side of a square of the map, in pixels: about a dot
_MAX_TOLD = 10  # names of the pages in one dot
_MAX_LISTED = 20  # groups in the legend
FEW = 4  # pages of a group that has a colour: from fewer no template is learned
_GREY = "#888888"
_GROUP_COLOURS = tuple(colour for colour in COLOURS if colour != "#666666")  # grey has a meaning of its own here


def scale(distances: Floats) -> tuple[Floats, float]:
    """A point of the plane for each page, and the stress: 0 if all distances rank as they should."""
    points = _classical_scaling(distances)
    count = len(points)
    upper = np.triu_indices(count, 1)
    given = distances[upper]
    if count < 3 or not given.any():
        return points, 0.0
    ranks = _ranks(given)
    best, before = points, np.inf
    for _ in range(_MAX_STEPS):
        lengths = _lengths(points)
        apart = lengths[upper]
        wanted = _rising(ranks, apart)
        stress = float(np.sqrt(((apart - wanted) ** 2).sum() / max((apart**2).sum(), 1e-300)))
        if stress >= before * (1 - _MIN_CHANGE):
            break
        best, before = points, stress
        wanted *= np.sqrt((apart**2).sum() / max((wanted**2).sum(), 1e-300))
        points = _moved(points, lengths, upper, wanted)
    return best, before


def group_colours(groups: Sequence[Sequence[int]]) -> list[str]:
    """A colour for each group: the largest has the first one, whatever the order; small groups are grey.

    >>> group_colours([[0], [1, 2, 3, 4], [5, 6, 7, 8, 9]])
    ['#888888', '#d55e00', '#0072b2']
    """
    found = [_GREY] * len(groups)
    large = [number for number, group in enumerate(groups) if len(group) >= FEW]
    ranked = sorted(large, key=lambda number: (-len(groups[number]), groups[number][0]))
    for rank, number in enumerate(ranked):
        found[number] = _GROUP_COLOURS[rank % len(_GROUP_COLOURS)]
    return found


def map_plot(points: Floats, groups: Sequence[Sequence[int]], names: Sequence[str], title: str) -> str:
    """Every page as a dot in the colour of its group, which has its number beside it; a dot tells the name of its page.

    Pages of a group that would cover each other are one larger dot, which says how many they are and tells all names.
    """
    low, reach = (points.min(axis=0), float(np.ptp(points, axis=0).max())) if len(points) else (np.zeros(2), 0.0)
    places = _EDGE + (points - low) / (reach or 1) * _SIDE
    colours = group_colours(groups)
    dots, numbers = [], []
    for number in sorted(range(len(groups)), key=lambda one: -len(groups[one])):
        group = groups[number]
        for pages in _heaps(places, group):
            (x, y), radius = places[pages].mean(axis=0), min(4 * len(pages) ** 0.5, 16)
            told = "\n".join(f"{names[page]}: group {number + 1}" for page in pages[:_MAX_TOLD])
            told += f"\nand {len(pages) - _MAX_TOLD} more" * (len(pages) > _MAX_TOLD)
            dots.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colours[number]}" fill-opacity=".7">'
                f"<title>{escape(told)}</title></circle>"
            )
            if len(pages) > 1:
                dots.append(
                    f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="10">{len(pages)}</text>'
                )
        if len(group) >= FEW:
            x, y = places[list(group)].min(axis=0)
            numbers.append(
                f'<text x="{x - 8:.1f}" y="{y - 4:.1f}" font-weight="bold" fill="{colours[number]}">{number + 1}</text>'
            )
    return figure(title, "".join(dots + numbers) + _legend(groups, colours), _HEIGHT)


def _heaps(places: Floats, group: Sequence[int]) -> list[list[int]]:
    """Pages of a group that fall into one small square of the map, square by square."""
    heaps: dict[tuple[int, int], list[int]] = {}
    for page in group:
        across, down = (places[page] // _HEAP).astype(int).tolist()
        heaps.setdefault((across, down), []).append(page)
    return list(heaps.values())


def matrix_plot(distances: Floats, groups: Sequence[Sequence[int]], title: str) -> str:
    """All distances, pages in the order of their groups, the largest groups first: 0 is white, the largest black."""
    ordered = sorted(groups, key=lambda group: (-len(group), group[:1]))
    order = [page for group in ordered for page in group]
    furthest = float(distances.max(initial=0.0))
    greys = np.empty((len(order), len(order)), dtype=np.uint8)
    for row, page in enumerate(order):
        greys[row] = 255 - np.rint(distances[page][order] / (furthest or 1) * 255)
    image = base64.b64encode(_png(greys)).decode("ascii")
    ends = np.cumsum([len(group) for group in ordered])[:-1] / max(len(order), 1) * _SIDE + _EDGE
    lines = "".join(
        f'<path d="M{end:.1f} {_EDGE}v{_SIDE}M{_EDGE} {end:.1f}h{_SIDE}" stroke="{COLOURS[1]}" stroke-width=".5"/>'
        for end in ends.tolist()
    )
    return figure(
        title,
        f'<image x="{_EDGE}" y="{_EDGE}" width="{_SIDE}" height="{_SIDE}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{image}"/>'
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="currentColor"/>{lines}'
        f'<text x="{_EDGE + _SIDE + 10}" y="{_EDGE + 14}">{counted(len(order), "page")}</text>'
        f'<text x="{_EDGE + _SIDE + 10}" y="{_EDGE + 32}">{counted(len(ordered), "group")}</text>'
        f'<text x="{_EDGE + _SIDE + 10}" y="{_EDGE + 50}">black: {furthest:.3g}</text>',
        _HEIGHT,
    )


def _classical_scaling(distances: Floats) -> Floats:
    count = len(distances)
    if not count:
        return np.zeros((0, 2))
    squares = distances**2
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean())
    values, vectors = np.linalg.eigh(centred)
    points = np.zeros((count, 2))
    for axis, place in enumerate(np.argsort(values)[::-1][:2]):
        vector = vectors[:, place]
        # An axis may point either way: the same way every time.
        direction = 1 if vector[np.argmax(np.abs(vector) > np.abs(vector).max() * 0.999)] > 0 else -1
        points[:, axis] = vector * direction * np.sqrt(max(values[place], 0.0))
    return points


def _lengths(points: Floats) -> Floats:
    difference = points[:, None, :] - points[None, :, :]
    lengths: Floats = np.sqrt((difference**2).sum(axis=2))
    return lengths


def _ranks(given: Floats) -> Ints:
    """The rank of each distance; equal ones share it."""
    _, ranks = np.unique(given, return_inverse=True)
    most = int(ranks.max()) + 1
    return (ranks.reshape(-1) * min(most, _MAX_RANKS)) // most


def _rising(ranks: Ints, apart: Floats) -> Floats:
    """The distances nearest to those in the plane that never fall where ranks rise (pool adjacent violators).

    >>> _rising(np.array([0, 1, 2]), np.array([1.0, 3.0, 2.0])).tolist()
    [1.0, 2.5, 2.5]
    """
    weights = np.bincount(ranks).astype(np.float64)
    means = np.bincount(ranks, apart) / np.maximum(weights, 1)
    pooled: list[tuple[float, float, int]] = []  # mean, weight, number of ranks
    for mean, weight in zip(means.tolist(), weights.tolist(), strict=True):
        width = 1
        while pooled and pooled[-1][0] >= mean and weight:
            before, before_weight, before_width = pooled.pop()
            mean = (mean * weight + before * before_weight) / (weight + before_weight)
            weight, width = weight + before_weight, width + before_width
        pooled.append((mean, weight, width))
    fitted = np.repeat([mean for mean, _, _ in pooled], [width for _, _, width in pooled])
    return fitted[ranks]


def _moved(points: Floats, lengths: Floats, upper: tuple[Ints, Ints], wanted: Floats) -> Floats:
    """The points pulled towards the wanted distances, all at once (Guttman 1968)."""
    pull = np.zeros_like(lengths)
    apart = lengths[upper]
    pull[upper] = np.divide(wanted, apart, out=np.zeros_like(apart), where=apart > 1e-12)
    pull += pull.T
    moved: Floats = (pull.sum(axis=1)[:, None] * points - pull @ points) / len(points)
    return moved


def _legend(groups: Sequence[Sequence[int]], colours: Sequence[str]) -> str:
    x = _EDGE + _SIDE + 10
    shown = [number for number, group in enumerate(groups) if len(group) >= FEW]
    rows = [(colours[number], f"group {number + 1}: {len(groups[number])}") for number in shown[:_MAX_LISTED]]
    if len(shown) > _MAX_LISTED:
        rows.append(("none", f"and {len(shown) - _MAX_LISTED} more"))
    few = sum(len(group) for group in groups if len(group) < FEW)
    if few:
        rows.append((_GREY, f"small groups: {few}"))
    return "".join(
        f'<circle cx="{x}" cy="{_EDGE + 10 + 18 * row}" r="4" fill="{colour}"/>'
        f'<text x="{x + 10}" y="{_EDGE + 14 + 18 * row}">{text}</text>'
        for row, (colour, text) in enumerate(rows)
    )


def _png(greys: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> bytes:
    """A picture of greys in the one format that every browser shows and that takes a few lines to write."""
    height, width = greys.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + row.tobytes() for row in greys)
    header = struct.pack(">IIBBBBB", max(width, 1), max(height, 1), 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(lines or b"\0\xff", 9))
        + chunk(b"IEND", b"")
    )
