"""The compiled kernel of the segmenters and its readable reference are one truth, written twice."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.segmenter_twins import arrays, rect_differences
from tamis import kernels
from tamis.segmenters import _reference
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
@given(BOXES_ANYWHERE, THRESHOLDS, st.booleans())
def test_few_boxes_have_the_same_neighbours_and_are_joined_alike(
    boxes: list[Any], threshold: float, absorb: bool
) -> None:
    assert rect_differences(rect_of(*boxes), threshold, absorb) == []


@compiled
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("absorb", [False, True])
def test_many_boxes_are_joined_alike(seed: int, absorb: bool) -> None:
    """So many that the heap, the chains of the grid and the table of relations outgrow their first sizes."""
    boxes = np.random.default_rng(seed).integers([0, 0, 5, 5], [900, 900, 90, 20], (700, 4))
    rect = rect_of(*boxes.tolist())
    assert rect_differences(rect, 0.6, absorb) == []
    _, steps = arrays(kernel, rect, 0.6, absorb)["joined"]
    assert len(steps) > 50


@compiled
def test_no_boxes_are_no_trouble() -> None:
    assert arrays(kernel, np.zeros((0, 4)), threshold=1.0, absorb=True)["joined"] == ([], [])


@compiled
def test_a_difference_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_reference, "connected", lambda count, *_: np.zeros(count, dtype=int))
    assert rect_differences(rect_of((0, 0, 5, 5), (90, 90, 5, 5)), 0.5, absorb=False) == ["connected"]
