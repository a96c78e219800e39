"""Figures of the distances: what each of them compares on two small pages, and what it finds on both."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bench.drawing import BLUE, GREEN, ORANGE, WIDTH, box, figure, legend, shortened, text
from tamis import distances
from tamis.distances import common_path_shingles, common_tag_sequence_shingles, pq_grams
from tamis.page.load import parse
from tamis.page.model import Page

PAGE = "<nav><ul><li><a>Home</a><li><a>News</a></ul></nav><main><h1>Ferries</h1><p>One leaves.<p>One is late.</main>"
OTHER = (
    "<nav><ul><li><a>Home</a><li><a>News</a><li><a>Ports</a></ul></nav>"
    "<div><main><h1>Bridges</h1><p>One is <b>closed</b>.</main></div>"
)
"""Of one template: on the other page the menu is longer, the article shorter, in bold here and there, and wrapped."""

_ROW = 15.0
_TOP = 74.0
_COLUMNS = (8.0, WIDTH / 2 + 8)
_MOST = 52  # characters in a column


class Element(NamedTuple):
    """An element with what is below it."""

    name: str
    path: tuple[str, ...]  # of names from the root to the element
    children: tuple[Element, ...]

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()

    def tags(self) -> Iterator[str]:
        """From left to right, those that close with a stroke."""
        yield self.name
        for child in self.children:
            yield from child.tags()
        yield f"/{self.name}"

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.children))
        return f"{self.name}({inside})" if inside else self.name


class Row(NamedTuple):
    """What stands on one line of a figure, on the first page and on the other; empty where it is missing."""

    left: str
    right: str
    colour: str = ""  # without one it is green where both are alike, and orange elsewhere
    indents: tuple[int, int] = (0, 0)


@functools.cache
def both() -> tuple[Page, Page]:
    return parse(PAGE), parse(OTHER)


@functools.cache
def trees() -> tuple[Element, Element]:
    first, second = (_element(page, int(page.select("html")[0]), ()) for page in both())
    return first, second


def _element(page: Page, node: int, above: tuple[str, ...]) -> Element:
    path = (*above, page.name(node))
    inside = range(node + 1, int(page.nodes.end[node]))
    children = [child for child in inside if page.nodes.parent[child] == node and page.nodes.elements[child]]
    return Element(page.name(node), path, tuple(_element(page, child, path) for child in children))


def paths(tree: Element) -> list[str]:
    """From the root to every element that holds no other."""
    return ["/".join(element.path) for element in tree.walk() if not element.children]


def path_pieces(tree: Element) -> list[str]:
    """Every run of names in the paths."""
    length = common_path_shingles.Options().length
    names = [element.path for element in tree.walk() if not element.children]
    pieces = [path[start : start + length] for path in names for start in range(max(1, len(path) - length + 1))]
    return list(dict.fromkeys("/".join(piece) for piece in pieces))


def tag_runs(tree: Element) -> list[str]:
    length = common_tag_sequence_shingles.Options().length
    tags = list(tree.tags())
    return list(dict.fromkeys(" ".join(tags[start : start + length]) for start in range(len(tags) - length + 1)))


def grams(tree: Element) -> list[str]:
    """Every element below its parent with three children side by side; a star stands for what is missing."""
    options = pq_grams.Options()
    found = []
    for element in tree.walk():
        stem = ("*",) * (options.p - len(element.path)) + element.path[-options.p :]
        edge = ["*"] * (options.q - 1)
        names = [*edge, *(child.name for child in element.children), *edge] if element.children else ["*"] * options.q
        starts = range(len(names) - options.q + 1)
        found += [f"{'/'.join(stem)} › {' '.join(names[start : start + options.q])}" for start in starts]
    return found


def subtrees(tree: Element) -> list[str]:
    return [str(element) for element in tree.walk()]


def of_larger(shared: int, size: int, other: int) -> str:
    return f"1 - {shared} / {max(size, other)}"


def of_union(shared: int, size: int, other: int) -> str:
    return f"1 - {shared} / {size + other - shared}"


def of_both(shared: int, size: int, other: int) -> str:
    return f"1 - 2 * {shared} / {size + other}"


class Listed(NamedTuple):
    """A measure that counts what two lists have in common."""

    items: Callable[[Element], Sequence[str]]
    what: str  # they are
    formula: Callable[[int, int, int], str]  # of the distance, from the numbers of shared items and of all


LISTED: Mapping[str, Listed] = {
    "common_tag_sequence_shingles": Listed(tag_runs, "runs of tags", of_larger),
    "common_path_shingles": Listed(path_pieces, "pieces of paths", of_larger),
    "common_paths": Listed(lambda tree: list(dict.fromkeys(paths(tree))), "paths", of_larger),
    "bag_of_paths": Listed(paths, "paths", of_union),
    "pq_grams": Listed(grams, "pieces of the tree", of_both),
    "bottom_up": Listed(subtrees, "subtrees", of_larger),
}


def counts_of(name: str) -> tuple[int, int, int]:
    """How many items both pages have, how many the first, how many the other."""
    first, second = (Counter(LISTED[name].items(tree)) for tree in trees())
    return (first & second).total(), first.total(), second.total()


def _compared(name: str) -> str:
    """Two lists, what both pages have first; of what is there several times, how often it is on both."""
    first, second = (Counter(LISTED[name].items(tree)) for tree in trees())
    rows = [
        Row(_times(item, first[item]), _times(item, second[item]), GREEN if first[item] == second[item] else BLUE)
        for item in first & second
    ]
    alone = (
        [_times(item, one[item]) for item in one if item not in two] for one, two in ((first, second), (second, first))
    )
    rows += [Row(left, right, ORANGE) for left, right in itertools.zip_longest(*alone, fillvalue="")]
    shared, size, other = counts_of(name)
    formula = LISTED[name].formula(shared, size, other).replace("-", "−").replace("*", "·")
    told = f"{size} and {other} {LISTED[name].what}, {shared} in common: {formula}"
    return _sides(name, told, rows)


def _times(item: str, count: int) -> str:
    return shortened(item, _MOST) if count == 1 else f"{shortened(item, _MOST)} × {count}"


def common_subsequence() -> str:
    left, right = (list(tree.tags()) for tree in trees())
    depths = _depths(left), _depths(right)
    rows = [
        Row(
            left[i] if i is not None else "",
            right[j] if j is not None else "",
            "",
            (depths[0][i] if i is not None else 0, depths[1][j] if j is not None else 0),
        )
        for i, j in _aligned(left, right)
    ]
    shared = sum(bool(row.left and row.right) for row in rows)
    most = max(len(left), len(right))
    name = "longest_common_tag_subsequence"
    return _sides(name, f"{shared} tags in common, {most} on the longer page: 1 − {shared} / {most}", rows, 13.0)


def _depths(tags: Sequence[str]) -> list[int]:
    found, depth = [], 0
    for tag in tags:
        depth -= tag.startswith("/")
        found.append(depth)
        depth += not tag.startswith("/")
    return found


def _aligned(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Places in both lists from left to right, those of a longest common subsequence side by side."""
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            same = 1 + best[i + 1][j + 1] if left[i] == right[j] else 0
            best[i][j] = max(same, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(left) or j < len(right):
        if i < len(left) and j < len(right) and left[i] == right[j] and best[i][j] == 1 + best[i + 1][j + 1]:
            yield i, j
            i, j = i + 1, j + 1
        elif j == len(right) or (i < len(left) and best[i + 1][j] >= best[i][j + 1]):
            yield i, None
            i += 1
        else:
            yield None, j
            j += 1


def edited_trees() -> str:
    cost, rows = edits(*trees())
    return _sides("rtdm", f"{cost} elements come, go or change their name", rows)


def edits(mine: Element, theirs: Element) -> tuple[int, list[Row]]:
    """How many elements come, go or are renamed from the top down, and both trees side by side."""
    left, right = mine.children, theirs.children
    pairs = [[edits(child, other) for other in right] for child in left]
    best: list[list[int]] = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left), -1, -1):
        for j in range(len(right), -1, -1):
            ways = [best[i + 1][j] + _size(left[i])] if i < len(left) else []
            ways += [best[i][j + 1] + _size(right[j])] if j < len(right) else []
            ways += [best[i + 1][j + 1] + pairs[i][j][0]] if i < len(left) and j < len(right) else []
            best[i][j] = min(ways, default=0)
    is_renamed = mine.name != theirs.name
    depth = len(mine.path) - 1
    rows = [Row(mine.name, theirs.name, BLUE if is_renamed else GREEN, (depth, depth))]
    i = j = 0
    while i < len(left) or j < len(right):
        if i < len(left) and j < len(right) and best[i][j] == best[i + 1][j + 1] + pairs[i][j][0]:
            rows += pairs[i][j][1]
            i, j = i + 1, j + 1
        elif i < len(left) and best[i][j] == best[i + 1][j] + _size(left[i]):
            rows += [Row(one.name, "", ORANGE, (len(one.path) - 1, 0)) for one in left[i].walk()]
            i += 1
        else:
            rows += [Row("", one.name, ORANGE, (0, len(one.path) - 1)) for one in right[j].walk()]
            j += 1
    return best[0][0] + is_renamed, rows


def _size(element: Element) -> int:
    return sum(1 for _ in element.walk())


def _sides(name: str, told: str, rows: Sequence[Row], row_height: float = _ROW) -> str:
    """Two columns of words, in front of each line a bar in the colour of what became of it."""
    parts = [_head(told), _pages(), f'<g font-size="{row_height - 3:g}">']
    for place, row in enumerate(rows):
        y = _TOP + place * row_height
        colour = row.colour or (GREEN if row.left == row.right else ORANGE)
        for x, words, indent in zip(_COLUMNS, (row.left, row.right), row.indents, strict=True):
            if words:
                parts += [
                    box(x, y + 1, 5, row_height - 2, colour),
                    text(x + 12 + 14 * indent, y + row_height - 3, words),
                ]
    key = [(GREEN, "on both pages"), (ORANGE, "on one of them")]
    if any(row.colour == BLUE for row in rows):
        key.append((BLUE, "on both, but changed" if name == "rtdm" else "on both, but not as often"))
    parts += ["</g>", legend(8, 40, key)]
    return figure(_title(name), parts, _TOP + len(rows) * row_height + 8)


def tag_counts() -> str:
    counts = [Counter(element.name for element in tree.walk()) for tree in trees()]
    names = list(dict.fromkeys((*counts[0], *counts[1])))
    squares = sum((counts[0][name] - counts[1][name]) ** 2 for name in names)
    told = f"the squares of the differences add up to {squares}, whose root is {math.sqrt(squares):.2f}"
    values = {name: (float(counts[0][name]), float(counts[1][name])) for name in names}
    return _pairs("tag_vector", told, values, "{:.0f}")


def tag_shares() -> str:
    counts = [Counter(element.name for element in tree.walk()) for tree in trees()]
    names = list(dict.fromkeys((*counts[0], *counts[1])))
    values = {name: (counts[0][name] / counts[0].total(), counts[1][name] / counts[1].total()) for name in names}
    return _pairs("weighted_tag_frequency", "shares of each name among the elements of its page", values, "{:.0%}")


def _pairs(name: str, told: str, values: Mapping[str, tuple[float, float]], form: str) -> str:
    """For every name two bars, the first page's above that of the other; those that are alike in green."""
    full = max(max(pair) for pair in values.values())
    parts = [_head(told), legend(8, 40, [(GREEN, "the same"), (ORANGE, "page"), (BLUE, "other page")])]
    top = 56.0
    for place, (tag, pair) in enumerate(values.items()):
        y = top + place * 26
        parts.append(text(84, y + 15, tag, anchor="end"))
        for row, (value, colour) in enumerate(zip(pair, (ORANGE, BLUE), strict=True)):
            reach = value / full * (WIDTH - 160)
            if value:
                parts.append(box(94, y + 2 + 11 * row, reach, 9, GREEN if pair[0] == pair[1] else colour))
            parts.append(f'<g font-size="9">{text(100 + reach, y + 10 + 11 * row, form.format(value))}</g>')
    return figure(_title(name), parts, top + len(values) * 26 + 6)


def _title(name: str) -> str:
    return f"{name}: distance {distances.distance(*both(), name):.3g}"


def _head(told: str) -> str:
    return text(WIDTH - 8, 16, told, anchor="end")


def _pages() -> str:
    return "".join(
        text(x, 62, title, bold=True) for x, title in zip(_COLUMNS, ("the page", "the other page"), strict=True)
    )


FIGURES: Mapping[str, Callable[[], str]] = {
    **{name: functools.partial(_compared, name) for name in LISTED},
    "longest_common_tag_subsequence": common_subsequence,
    "rtdm": edited_trees,
    "tag_vector": tag_counts,
    "weighted_tag_frequency": tag_shares,
}
