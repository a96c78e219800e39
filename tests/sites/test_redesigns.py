"""A redesign is where no template of before is used any more."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.errors import OptionError
from tamis.page.text import Floats
from tamis.sites.redesigns import Options, Redesign, find_in, find_redesigns
from tests.templates.pages import article, car


def apart(designs: str) -> Floats:
    """The distances between pages that have the same design, 0.2, or another one, 0.9; small letters are near none."""
    same = [[one == other and one.isupper() for other in designs] for one in designs]
    return np.where(same, 0.2, 0.9) * (1 - np.eye(len(designs)))


@pytest.mark.parametrize(
    ("designs", "places"),
    [
        ("AAAABBBB", [4]),
        ("AAAABBBBCCCC", [4, 8]),
        ("AAAA", []),
        ("AAABBB", [3]),
        ("AABBBB", []),  # too few before
        ("AAAAxAAAA", []),  # one odd page
        ("AABABBABAB", []),  # two templates side by side
        ("ABABABCDCDCD", [6]),  # both are replaced
        ("ABABABCBCBCB", []),  # one is replaced, the other goes on
        ("AAAAAAAAAAAABBBBBBBBBBBA", [12]),  # an old page comes back, long after
    ],
)
def test_where_redesigns_are(designs: str, places: list[int]) -> None:
    assert [found.place for found in find_in(apart(designs), Options())] == places


def test_pages_of_another_template_are_a_redesign_and_the_distance_is_told() -> None:
    pages = [tamis.parse(article(number)) for number in range(4)] + [tamis.parse(car(number)) for number in range(4)]
    (found,) = find_redesigns(pages)
    assert found.place == 4
    assert found.distance > 0.6
    assert find_redesigns(pages[:4]) == find_redesigns([]) == ()


def test_a_larger_threshold_finds_less() -> None:
    assert find_in(apart("AAAABBBB"), Options(threshold=0.89)) == (Redesign(4, 0.9),)
    assert find_in(apart("AAAABBBB"), Options(threshold=0.9)) == ()


@pytest.mark.parametrize(
    "wrong", [{"distance": "rtdm"}, {"min_pages": 0}, {"min_pages": 11}, {"min_share": 0.0}, {"min_share": 1.5}]
)
def test_options_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Options(**wrong)  # type: ignore[arg-type]
