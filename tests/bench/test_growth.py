"""Growth is told against what is read, however that grows with the page."""

from __future__ import annotations

import pytest

from bench.growth import MIN_SECONDS, Growth, measure
from tests.hostile import HOSTILE


@pytest.mark.parametrize(
    ("sizes", "seconds", "factor"),
    [
        ((10, 20, 40), (1.0, 2.0, 4.0), 2.0),
        ((10, 20, 40), (1.0, 4.0, 16.0), 4.0),
        ((10, 40, 160), (1.0, 4.0, 16.0), 2.0),  # the tree grows with the square, and time with the tree
        ((10, 20, 40), (1.0, 4.0, 8.0), 2.0),  # once only
        ((10, 20, 21), (1.0, 4.0, 9.0), 4.0),  # the last page was cut
        ((10, 10, 10), (1.0, 2.0, 4.0), None),
        ((10, 20, 40), (MIN_SECONDS / 4, MIN_SECONDS / 2, MIN_SECONDS), None),
    ],
)
def test_the_factor_is_that_of_twice_as_much(
    sizes: tuple[int, ...], seconds: tuple[float, ...], factor: float | None
) -> None:
    assert Growth("a page", "a stage", sizes, seconds).factor == (factor and pytest.approx(factor))


def test_formatting_that_is_opened_again_makes_trees_that_grow_with_the_square() -> None:
    sizes = measure("again", HOSTILE["formatting opened again"].make, 40)[0].sizes
    assert sizes[2] > 3.5 * sizes[1] > 3 * 3.5 * sizes[0]
