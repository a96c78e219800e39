"""Figures of the clusterers: how each of them puts twelve small pages of three templates into groups."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import numpy as np

import tamis
from bench.drawing import BLUE, GREEN, GREY, LINE, ORANGE, WIDTH, box, figure, legend, line, stretches, text
from tamis import distances
from tamis.clusterers import minhash, representatives
from tamis.distances import _bags as bags
from tamis.distances import common_tag_sequence_shingles as measure
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.results import Clustering

_FRAME = "<header><a>Home</a></header>{}<footer><p>Imprint</p></footer>"
_TEXT, _BOLD = "<p>Text</p>", "<p>Text <b>in bold</b></p>"
_PICTURE, _QUOTE = "<figure><img></figure>", "<blockquote><p>Words</p></blockquote>"
_LINK, _DATED = "<li><a>Entry</a></li>", "<li><a>Entry</a> <time>Monday</time></li>"
_FACT, _LINKED = "<tr><th>Size</th><td>9</td></tr>", "<tr><th>Maker</th><td><a>Name</a></td></tr>"
_PHOTO = "<tr><td><img></td></tr>"
_TEMPLATES = {
    "article": (
        "<article><h1>Title</h1>{}</article>",
        (_TEXT * 3, _TEXT * 2 + _BOLD + _TEXT, _TEXT + _PICTURE + _TEXT * 3, _TEXT + _QUOTE + _BOLD + _TEXT * 2),
    ),
    "list": ("<h1>Title</h1><ul>{}</ul>", (_LINK * 4, _LINK * 7, _DATED * 4, _LINK * 2 + _DATED * 3)),
    "product": (
        "<table>{}</table><form><input><button>Buy</button></form>",
        (_FACT * 3, _PHOTO + _FACT * 4, _FACT * 2 + _LINKED + _FACT, _PHOTO + _FACT + _LINKED * 2),
    ),
}
_COLOURS = (GREEN, ORANGE, BLUE)
_LEFT = 90.0


@functools.cache
def pages() -> Mapping[str, Page]:
    """Articles, lists and products of one site in turns, as they might come in; four of each."""
    return {
        f"{kind} {number + 1}": parse(_FRAME.format(shape.format(fillings[number])), url="https://example.org/")
        for number in range(4)
        for kind, (shape, fillings) in _TEMPLATES.items()
    }


def clustered(method: str) -> Clustering:
    return tamis.cluster(pages().values(), method=method, **({"k": 3} if method == "k_median" else {}))


def joins(method: str) -> str:
    """From left to right: every page by itself, and at which distance groups are joined."""
    found = clustered(method)
    names = list(pages())
    joined: dict[int, tuple[int, ...]] = {page: (page,) for page in range(len(names))}
    for merge in found.merges or ():
        together = joined[merge.left] + joined[merge.right]
        joined |= dict.fromkeys(together, together)
    order = joined[0]  # so that no two lines cross
    colours = {page: _COLOURS[number % 3] for number, group in enumerate(found.groups) for page in group}
    top, reach = 50.0, WIDTH - _LEFT - 40
    place = {page: top + LINE * row + 9 for row, page in enumerate(order)}
    # How far a group reaches, where, and its pages.
    ends: dict[int, tuple[float, float, tuple[int, ...]]] = {page: (0.0, place[page], (page,)) for page in order}
    bottom = top + LINE * len(order) + 6
    stop = _LEFT + reach * (found.threshold or 0)
    parts = [text(_LEFT - 8, place[page] + 4, names[page], anchor="end") for page in order]
    for merge in found.merges or ():
        first, second = ends[merge.left], ends[merge.right]
        x = _LEFT + reach * merge.distance
        colour = colours[merge.left] if merge.distance <= (found.threshold or 0) else GREY
        for far, y, _ in (first, second):
            parts.append(_thick(_LEFT + reach * far, y, x, y, colour))
        parts.append(_thick(x, first[1], x, second[1], colour))
        middle = (merge.distance, (first[1] + second[1]) / 2, first[2] + second[2])
        ends |= dict.fromkeys(middle[2], middle)
    parts.append(line(stop, top - 4, stop, bottom, dashed=True))
    parts += [text(stop, top - 8, f"threshold {found.threshold:g}", anchor="middle")]
    for tenth in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        parts.append(text(_LEFT + reach * tenth, bottom + 12, f"{tenth:g}", anchor="middle"))
    title = {"single_linkage": "of the nearest two pages", "average_linkage": "between all pages, in the mean"}[method]
    return figure(f"{method}: groups are joined at the distance {title}", parts, bottom + 20)


def _thick(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="2.5"/>'


def medians() -> str:
    """How far each page is from the three pages that stand for a group."""
    found = clustered("k_median")
    names = list(pages())
    apart = distances.matrix(pages().values())
    middles = found.representatives or ()
    top, width = 64.0, (WIDTH - _LEFT) / 3
    parts = [
        text(_LEFT + column * width, 44, f"to {names[middle]}", bold=True) for column, middle in enumerate(middles)
    ]
    for row, page in enumerate(page for group in found.groups for page in group):
        y = top + row * 20
        parts.append(text(_LEFT - 8, y + 13, names[page], anchor="end", bold=page in middles))
        for column, middle in enumerate(middles):
            x, value = _LEFT + column * width, float(apart[page, middle])
            colour = _COLOURS[column] if page in found.groups[column] else GREY
            reach = value * (width - 60)
            parts += [box(x, y + 3, reach, 13, colour, 0.8), text(x + reach + 5, y + 13, f"{value:.2f}")]
    title = "k_median: three pages, each the middle of its group, and how far every page is from them"
    return figure(title, parts, top + len(names) * 20 + 6)


def stream() -> str:
    """Every page as it comes in: how much it is like the pages that stand for a group so far."""
    options = representatives.Options()
    names = list(pages())
    chosen = list(representatives.assign(pages().values(), options))
    known: list[int] = []
    top, width = 56.0, 150.0
    parts = [legend(8, 38, [(GREEN, f"more than {options.min_similarity:g} of the paths"), (GREY, "less")])]
    for row, page in enumerate(pages().values()):
        y = top + row * 20
        parts.append(text(_LEFT - 8, y + 13, names[row], anchor="end"))
        paths = representatives.prune(page).paths(ids=options.ids)
        for column, other in enumerate(known):
            theirs = representatives.prune(list(pages().values())[other]).paths(ids=options.ids)
            alike = 1 - bags.for_pair(paths, theirs, bags.missing)
            x = _LEFT + column * width
            parts += [
                box(x, y + 3, alike * 70, 13, GREEN if alike > options.min_similarity else GREY, 0.8),
                text(x + alike * 70 + 5, y + 13, f"{alike:.2f}"),
            ]
        if chosen[row] == len(known):
            parts.append(text(_LEFT + len(known) * width, y + 13, f"stands for group {len(known) + 1}", bold=True))
            known.append(row)
    title = "representatives: pages as they come in, each compared with those that stand for a group"
    return figure(title, parts, top + len(names) * 20 + 6)


def bands() -> str:
    """Every page as a row of bands, coloured where an earlier page has the same band."""
    found = clustered("minhash")
    names = list(pages())
    keys = [minhash.band_keys(measure.features(page, measure.Options())).tolist() for page in pages().values()]
    colours = {page: _COLOURS[number % 3] for number, group in enumerate(found.groups) for page in group}
    top, width = 56.0, 14.0
    parts = [
        text(
            8,
            38,
            "each row a page, cut into bands of four hashes; filled where an earlier page of its group has the same",
        )
    ]
    for row, own in enumerate(keys):
        y = top + row * 20
        earlier = [page for page in range(row) if colours[page] == colours[row]]
        agreed = [sum(key == keys[page][band] for band, key in enumerate(own)) for page in earlier]
        parts.append(text(_LEFT - 8, y + 13, names[row], anchor="end"))
        parts.append(box(_LEFT, y + 2, len(own) * width, 15, GREY, 0.25))
        same = np.array([any(key == keys[page][band] for page in earlier) for band, key in enumerate(own)], np.bool_)
        parts.append(stretches(same, _LEFT, y + 2, len(own) * width, 15, colours[row]))
        if any(agreed):
            best = earlier[int(np.argmax(agreed))]
            x = _LEFT + len(own) * width + 6
            parts.append(text(x, y + 13, f"{max(agreed)} as on {names[best]}"))
    title = "minhash: only pages that agree in a band are compared while pages come in"
    return figure(title, parts, top + len(keys) * 20 + 6)


FIGURES: Mapping[str, Callable[[], str]] = {
    "single_linkage": functools.partial(joins, "single_linkage"),
    "average_linkage": functools.partial(joins, "average_linkage"),
    "k_median": medians,
    "representatives": stream,
    "minhash": bands,
}
