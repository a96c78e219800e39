"""Figures of the methods that judge blocks: link quotas, filters, labels, purity, votes, and all methods together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from bench.drawing import (
    BLUE,
    GREEN,
    GREY,
    LINE,
    ORANGE,
    PINK,
    SKY,
    WIDTH,
    YELLOW,
    Bar,
    bars,
    box,
    figure,
    legend,
    line,
    shortened,
    text,
)
from bench.families import ordered_names
from tamis import extractors
from tamis.extractors import combine, crunch, elisa, fe, kfe, lqf
from tamis.extractors._link_quota import own_text, quotas
from tamis.extractors._purity import purities, segment
from tamis.page.model import Page

_LEFT = 300
_SHORT_WORDS = 4  # blocks of fewer words share a row when all methods treat them alike
_LABELS = {
    "content": GREEN,
    "navigation": ORANGE,
    "layout": SKY,
    "form": YELLOW,
    "footer": PINK,
    "logo": BLUE,
    "no label": GREY,
}


def link_quotas(page: Page) -> str:
    """The share of anchor text in every block that has text of its own."""
    blocks = page.nodes.named(*lqf.BLOCK_NAMES)
    own = own_text(page, blocks, page.nodes.visible_texts)
    quota = quotas(own.link_characters, own.characters)
    threshold = lqf.Options().rule.threshold
    owners = np.flatnonzero(blocks & (own.characters > 0))
    owners = owners[~page.nodes.named("td", "th")[owners]]  # the table has no link
    rows = [
        Bar(
            _named(page, node),
            quota[node],
            ORANGE if quota[node] > threshold else GREEN,
            f"{quota[node]:.2f}" if quota[node] else "",
        )
        for node in owners.tolist()
    ]
    top, width = 66, 380
    ticks = [
        line(_LEFT + tick * width, top - 6, _LEFT + tick * width, top + len(rows) * LINE, opacity=0.4, dashed=True)
        + text(_LEFT + tick * width, top - 10, f"{tick:g}", anchor="middle")
        for tick in (0.25, 0.5, 0.75, 1)
    ]
    parts = [
        legend(_LEFT, 36, [(ORANGE, f"dropped: above {threshold:g}"), (GREEN, "kept")]),
        *ticks,
        bars(rows, top, left=_LEFT, full=1, width=width),
    ]
    return figure("lqf: share of anchor text in the blocks of the page", parts, top + len(rows) * LINE + 10)


def chances(page: Page) -> str:
    """The probability of every block, and what became of it."""
    extraction = extractors.extract(page, "sieve")
    rows = [
        Bar(shortened(choice.text, 40), choice.score, GREEN if choice.kept else ORANGE, f"{choice.score:.2f}")
        for choice in extraction.blocks
        if choice.text
    ]
    top = 66
    parts = [
        legend(_LEFT, 36, [(ORANGE, "dropped"), (GREEN, "kept")]),
        bars(rows, top, left=_LEFT, full=1, width=380),
    ]
    return figure("sieve: how likely each block is content", parts, top + len(rows) * LINE + 10)


def purity(page: Page) -> str:
    """The purity of every block, the purest one, and the purest group."""
    segments = segment(page)
    pure = purities(segments, "text")
    candidates = np.flatnonzero(pure >= fe.Options().min_purity)
    group = set(candidates[kfe.purest_group(pure[candidates], kfe.Options().clusters)].tolist())
    winner = int(candidates[np.argmax(pure[candidates])])
    rows = [
        Bar(
            _named(page, int(root)),
            value,
            BLUE if place == winner else GREEN if place in group else GREY,
            f"{value:.2f}" + (", too low" if place not in candidates else ""),
        )
        for place, (root, value) in enumerate(zip(segments.roots, pure.tolist(), strict=True))
    ]
    top = 52
    parts = [
        legend(_LEFT, 36, [(BLUE, "kept by fe and kfe"), (GREEN, "kept by kfe"), (GREY, "dropped")]),
        bars(rows, top, left=_LEFT, full=1, width=380),
    ]
    title = "fe, kfe: words among the words and elements of each block"
    return figure(title, parts, top + len(rows) * LINE + 10)


def filters(page: Page) -> str:
    """What each filter of Crunch removes."""
    found = extractors.extract(page, "crunch")
    colours = dict(zip(crunch.FILTERS, (PINK, ORANGE, YELLOW), strict=True))
    rows = [([GREEN if block.kept else colours[block.reason]], block.text) for block in found.blocks]
    used = {row[0][0] for row in rows}
    key = [(GREEN, "kept"), *((colour, f"removed as {name}") for name, colour in colours.items() if colour in used)]
    return _block_rows("crunch: blocks of the page and the filter that removes them", rows, key, names=())


def labels(page: Page) -> str:
    """The label of every block."""
    found = extractors.extract(page, "elisa")
    rows = [([_LABELS[block.reason.partition(":")[0]]], block.text) for block in found.blocks]
    used = {row[0][0] for row in rows}
    key = [(colour, name) for name, colour in _LABELS.items() if colour in used]
    rules = len(elisa.Options().all_rules)
    return _block_rows(f"elisa: the label of each block, by {rules} rules", rows, key, names=())


def votes(page: Page) -> str:
    """What the parts of a combination keep, and what the majority does."""
    names = [name for name, _ in combine.Options().steps]
    return _matrix(page, [*names, "combine"], "combine: what its parts keep, and what it makes of that")


def comparison(page: Page) -> str:
    """Every method on every block."""
    return _matrix(page, ordered_names(), "Every method on examples/article.html: a filled cell is a block it keeps")


def kept_blocks(method: str, title: str, page: Page) -> str:
    """The blocks that one method keeps."""
    return _matrix(page, [method], title)


def _matrix(page: Page, names: Sequence[str], title: str) -> str:
    found = [extractors.extract(page, name).blocks for name in names]
    rows = [
        ([GREEN if choice.kept else "" for choice in choices], choices[0].text) for choices in zip(*found, strict=True)
    ]
    return _block_rows(title, rows, (), names=names if len(names) > 1 else ())


def _block_rows(
    title: str, rows: Sequence[tuple[list[str], str]], key: Sequence[tuple[str, str]], *, names: Sequence[str]
) -> str:
    """A row for each block: coloured cells, then its text. Short neighbours with the same colours share a row."""
    joined: list[tuple[list[str], str]] = []
    for cells, words in rows:
        if joined and joined[-1][0] == cells and len(words.split()) < _SHORT_WORDS and joined[-1][1].endswith("\0"):
            joined[-1] = (cells, f"{joined[-1][1][:-1]} · {words}\0")
        else:
            joined.append((cells, words + "\0" * (len(words.split()) < _SHORT_WORDS)))
    cell = 18
    left = max(8 + cell * max(len(joined[0][0]), 1) + 8, 40)
    top = 52 if key else 86 if names else 30
    parts = [legend(8, 38, key)] if key else []
    for place, name in enumerate(names):
        x = 8 + place * cell + 12
        parts.append(f'<text transform="translate({x} {top - 6}) rotate(-90)">{name}</text>')
    room = int((WIDTH - left) / 6.3)
    for place, (cells, words) in enumerate(joined):
        y = top + place * LINE
        parts += [
            box(8 + i * cell, y, cell - 2, LINE - 2, colour) if colour else _empty(8 + i * cell, y, cell - 2)
            for i, colour in enumerate(cells)
        ]
        parts.append(text(left, y + 12, shortened(words.rstrip("\0"), room)))
    return figure(title, parts, top + len(joined) * LINE + 8)


def _empty(x: float, y: float, width: float) -> str:
    return box(x, y, width, LINE - 2, GREY, 0.18)


def _named(page: Page, node: int) -> str:
    return f"{page.name(node)}: {opening_words(page, node, 36)}"


def opening_words(page: Page, node: int, most: int) -> str:
    """The first words below a node, in at most so many characters."""
    texts = page.nodes.visible_texts
    below = texts[(texts >= node) & (texts < page.nodes.end[node])].tolist()
    return shortened(" ".join(page.node_text(leaf) for leaf in below), most)


FIGURES: Mapping[str, Callable[[Page], str]] = {
    "sieve": chances,
    "lqf": link_quotas,
    "purity": purity,
    "crunch": filters,
    "elisa": labels,
    "combine": votes,
    "wish": partial(kept_blocks, "wish", "wish: the blocks that belong to the largest group of like siblings"),
    "compare": comparison,
}
