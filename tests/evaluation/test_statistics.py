from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.evaluation.statistics import difference_interval, mean_interval

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=50)


def test_no_pages_have_no_mean() -> None:
    assert mean_interval([]) == (0, 0, 0)


def test_the_interval_leaves_out_a_fortieth_of_the_resamples_at_each_end() -> None:
    """With this seed and number, so that reports made at different times can be compared."""
    values = np.sqrt(np.arange(20.0))  # no two resamples have the same mean
    random = np.random.default_rng(20100426)
    means = sorted(values[random.integers(0, 20, 20)].mean() for _ in range(1000))
    found = mean_interval(values.tolist())
    assert found.mean == pytest.approx(sum(values) / 20)
    # Between the two resamples where the share is reached, as far as it goes: 999 steps, of which 24.975 are left out.
    assert found.low == pytest.approx(means[24] + 0.975 * (means[25] - means[24]))
    assert found.high == pytest.approx(means[974] + 0.025 * (means[975] - means[974]))


@given(SCORES)
@settings(max_examples=20)
def test_the_interval_holds_values_between_the_extremes(values: list[float]) -> None:
    found = mean_interval(values)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


@given(SCORES)
@settings(max_examples=20)
def test_the_same_values_give_the_same_interval(values: list[float]) -> None:
    assert mean_interval(values) == mean_interval(values)


def test_more_pages_make_a_narrower_interval() -> None:
    random = np.random.default_rng(1)
    few, many = (mean_interval(random.random(count).tolist()) for count in (20, 2000))
    assert many.high - many.low < few.high - few.low


def test_a_constant_difference_is_certain() -> None:
    assert difference_interval([0.5, 0.7], [0.25, 0.45]).low > 0
