"""The compiled kernel of the segmenters and its readable reference are one truth, written twice."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis import kernels
from tamis.segmenters import _reference, bcs
from tamis.segmenters._box_graph import neighbours
from tamis.segmenters._disjoint_boxes import disjoint
from tests.segmenters.bcs_boxes import BOXES_ANYWHERE, THRESHOLDS, rect_of

_reason = kernels.why_not("tamis.segmenters")
compiled = pytest.mark.skipif(bool(_reason), reason=f"the kernel is {_reason}; without a C compiler there is no twin")
kernel: Any = None if _reason else importlib.import_module("tamis.segmenters._kernel")


@compiled
def test_every_function_of_one_twin_is_in_the_other() -> None:
    own = {name for name, value in vars(kernel).items() if callable(value) and not name.startswith("_")}
    own = {name for name in own if getattr(vars(kernel)[name], "__module__", "") == kernel.__name__}
    assert own == set(_reference.__all__)


@compiled
@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_what_hangs_together_is_the_same(boxes: tuple[int, list[tuple[int, int]]]) -> None:
    count, pairs = boxes
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    assert kernel.connected(count, first, second).tolist() == _reference.connected(count, first, second).tolist()


@compiled
@given(BOXES_ANYWHERE)
def test_the_nearest_boxes_are_the_same(boxes: list[Any]) -> None:
    _, rect = disjoint(rect_of(*boxes), np.arange(len(boxes)))
    left, top, right, bottom = rect.T
    for sides in ((left, right, top, bottom), (top, bottom, -right, -left)):
        one, other = (twin.nearest_before(*sides) for twin in (kernel, _reference))
        assert [found.tolist() for found in one] == [found.tolist() for found in other]


def joined(twin: Any, rect: Any, **options: Any) -> tuple[list[set[int]], list[int]]:
    """The groups in the end, and how unlike the two were at each step; what is drawn in comes in any order."""
    pairs = neighbours(rect)
    values = bcs.dissimilarities(rect, np.zeros((len(rect), 3)), pairs, bcs.Options())
    kept, moved, at = twin.join_boxes(rect, pairs, values, **options)
    groups = {box: {box} for box in range(len(rect))}
    for keeper, part in zip(kept.tolist(), moved.tolist(), strict=True):
        groups[keeper] |= groups.pop(part)
    return sorted(groups.values(), key=min), np.rint(at * 1e12).astype(int).tolist()


@compiled
@given(BOXES_ANYWHERE, THRESHOLDS, st.booleans())
def test_few_boxes_are_joined_alike(boxes: list[Any], threshold: float, absorb: bool) -> None:
    _, rect = disjoint(rect_of(*boxes), np.arange(len(boxes)))
    one, other = (joined(twin, rect, threshold=threshold, absorb=absorb) for twin in (kernel, _reference))
    assert one == other


@compiled
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("absorb", [False, True])
def test_many_boxes_are_joined_alike(seed: int, absorb: bool) -> None:
    """So many that the heap, the chains of the grid and the table of relations outgrow their first sizes."""
    boxes = np.random.default_rng(seed).integers([0, 0, 5, 5], [900, 900, 90, 20], (700, 4))
    _, rect = disjoint(rect_of(*boxes.tolist()), np.arange(len(boxes)))
    one, other = (joined(twin, rect, threshold=0.6, absorb=absorb) for twin in (kernel, _reference))
    assert one == other
    assert len(one[1]) > 50


@compiled
def test_no_boxes_are_no_trouble() -> None:
    assert joined(kernel, np.zeros((0, 4)), threshold=1.0, absorb=True) == ([], [])
