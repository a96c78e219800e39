"""Trees from child counts, checked against a walk with a stack."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.page import tree
from tamis.page.text import Ints

Nested = list["Nested"]  # a node is the list of its children

trees: st.SearchStrategy[Nested] = st.recursive(st.just([]), lambda inner: st.lists(inner, max_size=4), max_leaves=30)


def walk(root: Nested) -> tuple[list[int], list[int], list[int], list[int]]:
    """Child counts, depths, parents and subtree ends, by recursion."""
    counts: list[int] = []
    depths: list[int] = []
    parents: list[int] = []
    ends: list[int] = []

    def visit(node: Nested, depth: int, parent: int) -> None:
        number = len(counts)
        counts.append(len(node))
        depths.append(depth)
        parents.append(parent)
        ends.append(0)
        for child in node:
            visit(child, depth + 1, number)
        ends[number] = len(counts)

    visit(root, 0, -1)
    return counts, depths, parents, ends


def ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


@given(trees)
def test_order_and_child_counts_are_the_tree(root: Nested) -> None:
    counts, depths, parents, ends = walk(root)
    assert tree.subtree_ends(ints(counts)).tolist() == ends
    assert tree.depths(ints(ends)).tolist() == depths
    assert tree.parents(ints(depths)).tolist() == parents


@given(trees, st.integers(1, 40))
def test_a_list_that_was_cut_off_is_the_tree_of_what_is_left(root: Nested, size: int) -> None:
    counts, depths, parents, ends = (values[:size] for values in walk(root))
    assert tree.subtree_ends(ints(counts)).tolist() == [min(end, len(counts)) for end in ends]
    assert tree.depths(tree.subtree_ends(ints(counts))).tolist() == depths
    assert tree.parents(ints(depths)).tolist() == parents


@given(trees, st.integers(1, 5))
def test_what_is_deeper_than_the_limit_becomes_a_leaf_at_the_limit(root: Nested, limit: int) -> None:
    _, depths, _, ends = walk(root)
    depth, end = tree.cap_depth(ints(depths), ints(ends), limit)
    assert depth.tolist() == [min(level, limit) for level in depths]
    for node in range(len(depths)):
        after = (other for other in range(node + 1, len(depths)) if depth[other] <= depth[node])
        assert end[node] == next(after, len(depths))


@given(trees, st.data())
def test_flags_are_inherited_by_everything_below(root: Nested, data: st.DataObject) -> None:
    _, _, parents, ends = walk(root)
    own = data.draw(st.lists(st.integers(0, 255), min_size=len(ends), max_size=len(ends)))
    expected: list[int] = []
    for node, parent in enumerate(parents):
        expected.append(own[node] | (expected[parent] if node else 0))
    assert tree.inherited(np.array(own, dtype=np.uint8), ints(ends)).tolist() == expected
    marked = np.array(own) % 2 == 1
    assert tree.inside(marked, ints(ends)).tolist() == [flags % 2 == 1 for flags in expected]


@pytest.mark.parametrize("count", [1, 2, 100_000])
def test_a_chain_is_as_deep_as_it_is_long(count: int) -> None:
    counts = np.ones(count, dtype=np.int64)
    counts[-1] = 0
    ends = tree.subtree_ends(counts)
    assert (ends == count).all()
    assert tree.depths(ends).tolist() == list(range(count))
    assert tree.parents(tree.depths(ends)).tolist() == list(range(-1, count - 1))
