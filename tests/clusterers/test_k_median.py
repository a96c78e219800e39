from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tamis.clusterers import k_median
from tamis.errors import OptionError

POINTS = np.array([0.0, 1, 2, 10, 11, 12, 20, 21, 22])
LINE = np.abs(POINTS[:, None] - POINTS[None, :])


def test_the_middle_page_stands_for_its_group() -> None:
    found = k_median.cluster_by(LINE, k_median.Options(k=3))
    assert found.groups == ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    assert found.representatives == (1, 4, 7)


def test_the_same_seed_gives_the_same_groups() -> None:
    options = k_median.Options(k=4, restarts=3, seed=7)
    assert k_median.cluster_by(LINE, options) == k_median.cluster_by(LINE, options)


@pytest.mark.parametrize(("k", "groups"), [(1, 1), (9, 9), (50, 9)])
def test_every_group_has_a_page(k: int, groups: int) -> None:
    found = k_median.cluster_by(LINE, k_median.Options(k=k, restarts=5))
    assert len(found.groups) == groups
    assert sorted(page for group in found.groups for page in group) == list(range(9))


def test_identical_pages_and_no_pages_are_no_trouble() -> None:
    assert k_median.cluster_by(np.zeros((0, 0)), k_median.Options()).groups == ()
    found = k_median.cluster_by(np.zeros((6, 6)), k_median.Options(k=2, restarts=3))
    assert sorted(page for group in found.groups for page in group) == list(range(6))


def test_more_restarts_are_never_worse() -> None:
    chance = np.random.default_rng(3)
    points = chance.random((40, 2))
    distances = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))

    def total(restarts: int) -> float:
        found = k_median.cluster_by(distances, k_median.Options(k=6, restarts=restarts))
        chosen = found.representatives or ()
        return sum(float(distances[page][list(group)].sum()) for page, group in zip(chosen, found.groups, strict=True))

    assert total(30) <= total(5) <= total(1)


@pytest.mark.parametrize("options", [{"k": 0}, {"restarts": 0}, {"seed": -1}])
def test_numbers_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        k_median.Options(**options)
