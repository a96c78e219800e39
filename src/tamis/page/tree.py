"""From a list of nodes in document order, each with its number of children, to arrays that describe the tree.

The parser hands over no parent links, only the order and the child counts; both together are the tree. All steps are
sorts and cumulative operations, so that depth costs nothing: a million nested elements take as long as a million
siblings.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis.page.text import Bools, Ints

Flags = npt.NDArray[np.uint8]


def subtree_ends(child_counts: Ints) -> Ints:
    """For each node the number of the first node after its subtree.

    >>> subtree_ends(np.array([2, 1, 0, 0])).tolist()
    [4, 3, 3, 4]
    """
    count = len(child_counts)
    # Children still owed before each node. A subtree is over when one fewer is owed than before its root.
    owed = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(child_counts - 1, out=owed[1:])
    # Sorted by that number, a node with children is followed by the leaf that pays the last of its debt.
    order = _stable_order(owed[:count])
    is_leaf = child_counts[order] == 0
    leaves = np.append(order[is_leaf], count - 1)
    inner = np.flatnonzero(~is_leaf)
    node = order[inner]
    last = leaves[inner - np.arange(len(inner))]
    ends = np.arange(1, count + 1)
    ends[node] = np.where(owed[last] == owed[node], last + 1, count)  # never paid when the list was cut off
    return ends


def depths(ends: Ints) -> Ints:
    """Number of ancestors of each node.

    >>> depths(np.array([4, 3, 3, 4])).tolist()
    [0, 1, 2, 1]
    """
    count = len(ends)
    closed = np.cumsum(np.bincount(ends, minlength=count + 1))[:count]
    return np.arange(count, dtype=np.int64) - closed


def parents(depth: Ints) -> Ints:
    """Parent of each node, -1 for the root: the last node before it that is one level higher.

    >>> parents(np.array([0, 1, 2, 1])).tolist()
    [-1, 0, 1, 0]
    """
    # Sorted by depth, a node is either the first child of the node before it in the document, or the next sibling of
    # the one before it in this order.
    order = _stable_order(depth)
    is_first = np.diff(depth, prepend=-1) > 0
    first = np.maximum.accumulate(np.where(is_first[order], np.arange(len(depth)), 0))
    result = np.empty(len(depth), dtype=np.int64)
    result[order] = order[first] - 1
    return result


def cap_depth(depth: Ints, ends: Ints, limit: int) -> tuple[Ints, Ints]:
    """Depths and subtree ends with everything below ``limit`` made a leaf at ``limit``, as browsers do."""
    leaves = depth >= limit
    return np.minimum(depth, limit), np.where(leaves, np.arange(len(ends)) + 1, ends)


def inside(marked: Bools, ends: Ints) -> Bools:
    """True for marked nodes and everything below them.

    >>> inside(np.array([False, True, False, False]), np.array([4, 3, 3, 4])).tolist()
    [False, True, True, False]
    """
    roots = np.flatnonzero(marked)
    if not len(roots):
        return np.zeros(len(ends), dtype=np.bool_)
    change = np.bincount(ends[roots], minlength=len(ends) + 1)
    np.negative(change, out=change)
    change[roots] += 1
    result: Bools = np.cumsum(change[:-1]) > 0
    return result


def nearest(marked: Bools, parent: Ints) -> Ints:
    """For each node the nearest marked one among itself and its ancestors; 0 where there is none.

    >>> nearest(np.array([True, True, False, False]), np.array([-1, 0, 1, 0])).tolist()
    [0, 1, 1, 0]
    """
    marked = marked.copy()
    marked[:1] = True
    found = np.where(marked, np.arange(len(marked)), parent)
    while not marked[found].all():
        found = found[found]  # doubles the distance covered, so depth costs its logarithm
    return found


def inherited(flags: Flags, ends: Ints) -> Flags:
    """The flags of each node and of all its ancestors together.

    >>> inherited(np.array([0, 1, 2, 0], dtype=np.uint8), np.array([4, 3, 3, 4])).tolist()
    [0, 1, 3, 0]
    """
    result = np.zeros(len(flags), dtype=np.uint8)
    present = int(np.bitwise_or.reduce(flags))
    for bit in (1 << position for position in range(8)):
        if present & bit:
            result |= inside((flags & bit) != 0, ends) * np.uint8(bit)
    return result


def _stable_order(levels: Ints) -> Ints:
    """Positions sorted by level, and by position within a level."""
    # Sorting level and position in one number is faster than a stable argsort.
    bits = len(levels).bit_length()
    return np.sort((levels << bits) | np.arange(len(levels))) & ((1 << bits) - 1)
