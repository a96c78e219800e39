"""The best cut against a twin that tries all cuts and counts pairs of pieces one by one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.page.text import Floats
from tamis.segmenters.mesh.candidates import Candidates, VisiblePieces
from tamis.segmenters.mesh.cut import best_cut, regions_of, sizes

Tree = list[int]
"""For each candidate, in document order, its parent; the first is its own."""


def candidates_of(parent: Tree) -> Candidates:
    count = len(parent)
    children = [[child for child in range(1, count) if parent[child] == node] for node in range(count)]
    leaves: list[int] = []
    end, first, last, depth = [0] * count, [0] * count, [0] * count, [0] * count

    def visit(node: int) -> None:
        first[node] = len(leaves)
        if not children[node]:
            leaves.append(node)
        for child in children[node]:
            depth[child] = depth[node] + 1
            visit(child)
        last[node] = len(leaves)
        end[node] = max([node + 1, *(end[child] for child in children[node])])

    visit(0)
    arrays = {"end": end, "first": first, "last": last, "depth": depth}
    numbers = np.arange(count)
    return Candidates(
        outer=numbers,
        inner=numbers,
        parent=np.array(parent),
        of_node=numbers,
        **{name: np.array(values) for name, values in arrays.items()},
    )


def cuts(candidates: Candidates, node: int = 0) -> Iterator[tuple[int, ...]]:
    """All ways to divide a candidate."""
    yield (node,)
    children = [child for child in range(1, len(candidates)) if candidates.parent[child] == node]
    if children:
        for parts in itertools.product(*(list(cuts(candidates, child)) for child in children)):
            yield tuple(itertools.chain.from_iterable(parts))


def path(candidates: Candidates, node: int) -> list[int]:
    return [node] if node == 0 else [node, *path(candidates, int(candidates.parent[node]))]


def value(candidates: Candidates, size: Floats, together: Floats, fineness: float, cut: tuple[int, ...]) -> float:
    """Expected precision and recall of a cut, from their definitions."""
    leaves = np.flatnonzero(candidates.children == 0).tolist()
    paths = {node: path(candidates, node) for node in range(len(candidates))}
    is_leaf = candidates.children == 0
    sure = {node: 1.0 if is_leaf[node] else max(together[above] for above in paths[node]) for node in paths}

    def shared(one: int, other: int) -> float:
        above = paths[other]
        return 1.0 if one == other else sure[next(node for node in paths[one] if node in above)]

    total = 0.0
    for region in cut:
        inside = [leaf for leaf in leaves if region in paths[leaf]]
        weight = sum(size[leaf] for leaf in inside)
        for leaf in inside:
            precision = sum(size[other] * shared(leaf, other) for other in inside) / weight
            recall = 0.0
            for block in paths[leaf]:
                chance = sure[block] - (sure[int(candidates.parent[block])] if block else 0.0)
                in_block = [other for other in leaves if block in paths[other]]
                kept = sum(size[other] for other in in_block if other in inside)
                recall += chance * kept / sum(size[other] for other in in_block)
            total += size[leaf] * (fineness * precision + (1 - fineness) * recall)
    return total


@st.composite
def problems(draw: st.DrawFn) -> tuple[Candidates, Floats, Floats, float]:
    """Trees in which no candidate has a single child."""
    parent = [0]
    open_nodes = [0]
    while open_nodes and len(parent) < 9:
        node = open_nodes.pop()
        for _ in range(draw(st.sampled_from([0, 2, 2, 3])) if node else 2):
            open_nodes.append(len(parent))
            parent.append(node)
    candidates = candidates_of(in_document_order(parent))
    leaf_sizes = draw(st.lists(st.integers(1, 20), min_size=len(parent), max_size=len(parent)))
    sums = np.concatenate(([0], np.cumsum(leaf_sizes)))
    size = (sums[candidates.last] - sums[candidates.first]).astype(np.float64)
    together = np.array(draw(st.lists(st.floats(0, 1), min_size=len(parent), max_size=len(parent))))
    return candidates, size, together, draw(st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0]))


def in_document_order(parent: Tree) -> Tree:
    order: list[int] = []

    def visit(node: int) -> None:
        order.append(node)
        for child in range(1, len(parent)):
            if parent[child] == node:
                visit(child)

    visit(0)
    return [order.index(parent[node]) for node in order]


@settings(max_examples=60, deadline=None)
@given(problems())
def test_no_other_cut_is_worth_more(problem: tuple[Candidates, Floats, Floats, float]) -> None:
    candidates, size, together, fineness = problem
    chosen = regions_of(candidates, best_cut(candidates, size, together, fineness))
    found = value(candidates, size, together, fineness, tuple(np.flatnonzero(chosen).tolist()))
    best = max(value(candidates, size, together, fineness, cut) for cut in cuts(candidates))
    assert found == pytest.approx(best)


TWO_PAIRS = [0, 0, 1, 1, 0, 4, 4]
"""A page of two halves, each of two pieces."""


def test_a_candidate_counts_its_characters_its_pictures_and_its_pieces() -> None:
    """The first half is a text and a small picture, the second a large picture and a text."""
    rect = np.array([[5.0, 5, 900, 30], [10, 20, 40, 120], [100, 200, 900, 900], [0, 900, 50, 920]])
    is_picture, characters = np.array([False, True, True, False]), np.array([40, 0, 0, 7])
    blank = np.zeros(4)
    pieces = VisiblePieces(
        node=np.arange(4),
        last_node=np.arange(4),
        rect=rect,
        is_picture=is_picture,
        characters=characters,
        words=characters,
        link_characters=characters,
        font_size=blank,
        is_bold=is_picture,
        texts=characters,
    )
    # 30 by 100 pixels are 10 characters; no picture counts more than 100.
    each = [40 + 1, 10 + 1, 100 + 1, 7 + 1]
    halves = [each[0] + each[1], each[2] + each[3]]
    expected = [sum(each), halves[0], *each[:2], halves[1], *each[2:]]
    assert sizes(pieces, candidates_of(TWO_PAIRS)).tolist() == pytest.approx(expected)


def cut_of(together: list[float], fineness: float = 0.5) -> list[int]:
    candidates = candidates_of(TWO_PAIRS)
    size = np.array([4.0, 2, 1, 1, 2, 1, 1])
    return np.flatnonzero(regions_of(candidates, best_cut(candidates, size, np.array(together), fineness))).tolist()


def test_what_belongs_together_stays_together_and_what_does_not_is_taken_apart() -> None:
    assert cut_of([0, 1, 1, 1, 1, 1, 1]) == [1, 4]
    assert cut_of([1, 1, 1, 1, 1, 1, 1]) == [0]
    assert cut_of([0, 0, 1, 1, 1, 1, 1]) == [2, 3, 4]


def test_what_is_around_counts_for_what_is_inside() -> None:
    assert cut_of([1, 0, 1, 1, 0, 1, 1]) == [0]


def test_at_0_there_is_one_region_and_at_1_every_doubtful_one_is_taken_apart() -> None:
    doubt = [0.1, 0.9, 1, 1, 0.9, 1, 1]
    assert cut_of(doubt, 0.0) == [0]
    assert cut_of(doubt, 0.5) == [1, 4]
    assert cut_of(doubt, 1.0) == [2, 3, 5, 6]
    assert cut_of([1] * 7, 1.0) == [0], "what is worth the same stays whole"


def test_a_cut_can_be_limited_to_some_candidates() -> None:
    candidates = candidates_of(TWO_PAIRS)
    apart = np.array([False, True, False, False, False, False, False])
    inside = np.array([False, True, False, False, True, False, False])
    assert np.flatnonzero(regions_of(candidates, apart, inside)).tolist() == [2, 3, 4]
    assert np.flatnonzero(regions_of(candidates, apart)).tolist() == [0]
