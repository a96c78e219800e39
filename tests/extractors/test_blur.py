from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.extractors._blur import blur, gaussian_kernel

VALUES = st.lists(st.floats(0, 100), min_size=1, max_size=200).map(np.array)
RADII = st.integers(0, 50)


@given(VALUES, RADII)
def test_blurring_is_a_weighted_sum_of_neighbours(values: np.ndarray, radius: int) -> None:
    kernel = gaussian_kernel(radius, radius / 2)
    padded = np.pad(values, radius)
    expected = [padded[place : place + len(kernel)] @ kernel for place in range(len(values))]
    assert blur(values, kernel, "zero") == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("length", [4095, 4096, 5000, 5120])
@pytest.mark.parametrize("radius", [15, 16, 40])
def test_long_rows_are_blurred_like_short_ones(length: int, radius: int) -> None:
    values, kernel = np.random.default_rng(length).random(length), gaussian_kernel(radius, radius / 2)
    assert blur(values, kernel, "zero") == pytest.approx(np.convolve(values, kernel, "same"), abs=1e-12)


@given(st.floats(0, 100), st.integers(1, 300), RADII)
def test_a_constant_stays_a_constant(value: float, length: int, radius: int) -> None:
    blurred = blur(np.full(length, value), gaussian_kernel(radius, radius / 2))
    assert blurred == pytest.approx(np.full(length, value))


@given(VALUES, RADII)
def test_averages_stay_between_the_extremes(values: np.ndarray, radius: int) -> None:
    blurred = blur(values, gaussian_kernel(radius, radius / 2))
    assert values.min() - 1e-9 <= blurred.min()
    assert blurred.max() <= values.max() + 1e-9


def test_kept_borders_are_untouched() -> None:
    values = np.array([9.0, 0.0, 0.0, 9.0])
    assert blur(values, gaussian_kernel(1, 1.0), "keep")[[0, -1]].tolist() == [9.0, 9.0]


def test_kernels_of_the_cetr_paper() -> None:
    assert gaussian_kernel(1, 1.0) == pytest.approx([0.2741, 0.4519, 0.2741], abs=5e-5)
    assert gaussian_kernel(2, 2.0) == pytest.approx([0.1525, 0.2218, 0.2514, 0.2218, 0.1525], abs=5e-5)


def test_smoothing_the_worked_example_of_the_cetr_paper() -> None:
    ratios = np.array([0, 0, 5.5, 37, 20.5, 0])
    expected = [0, 1.5074, 12.6258, 23.8447, 19.4037, 7.7396]
    assert blur(ratios, gaussian_kernel(1, 1.0)) == pytest.approx(expected, abs=5e-5)
