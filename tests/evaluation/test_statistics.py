from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.evaluation.statistics import difference_interval, mean_interval

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=50)


@given(SCORES)
def test_the_interval_holds_values_between_the_extremes(values: list[float]) -> None:
    found = mean_interval(values)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


@given(SCORES)
def test_the_same_values_give_the_same_interval(values: list[float]) -> None:
    assert mean_interval(values) == mean_interval(values)


def test_more_pages_make_a_narrower_interval() -> None:
    random = np.random.default_rng(1)
    few, many = (mean_interval(random.random(count).tolist()) for count in (20, 2000))
    assert many.high - many.low < few.high - few.low


def test_a_constant_difference_is_certain() -> None:
    assert difference_interval([0.5, 0.7], [0.25, 0.45]).low > 0
