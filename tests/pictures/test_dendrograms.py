"""Joins as a tree: lines do not cross, and end where pages were joined."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.clusterers import single_linkage
from tamis.pictures.dendrograms import Branch, branches, dendrogram
from tamis.results import Merge

SVG = "{http://www.w3.org/2000/svg}"


def test_two_joins_and_their_places() -> None:
    order, drawn = branches([Merge(0, 2, 0.25), Merge(1, 0, 0.75)], 3)
    assert order == [1, 0, 2]
    assert drawn == [Branch(1, 2, 0.0, 0.0, 0.25, (0, 2)), Branch(0, 1.5, 0.0, 0.25, 0.75, (1, 0, 2))]


@given(st.integers(1, 12), st.integers(0, 2**32))
def test_every_join_covers_rows_side_by_side(count: int, seed: int) -> None:
    values = np.random.default_rng(seed).random((count, count))
    merges = single_linkage.join((values + values.T) * (1 - np.eye(count)))
    order, drawn = branches(merges, count)
    assert sorted(order) == list(range(count))
    row = {page: place for place, page in enumerate(order)}
    for branch in drawn:
        rows = sorted(row[page] for page in branch.leaves)
        assert rows == list(range(rows[0], rows[-1] + 1))
        assert rows[0] <= branch.low < branch.high <= rows[-1]
        assert max(branch.from_low, branch.from_high) <= branch.distance
    assert len(drawn) == count - 1


def test_a_join_within_a_group_has_its_colour_and_the_cut_is_marked() -> None:
    picture = dendrogram(
        [Merge(0, 1, 0.2), Merge(0, 2, 0.8)], ["a<b", "c", "d"], {0: "red", 1: "red", 2: "blue"}, "Joins", 0.5
    )
    image = ElementTree.fromstring(picture)  # noqa: S314 - our own
    lines = [line.get("stroke") for line in image.iter(f"{SVG}path") if line.get("fill") == "none"]
    assert lines == ["red", "currentColor"]
    assert "threshold 0.5" in [text.text for text in image.iter(f"{SVG}text")]
    assert "a<b" in [title.text for title in image.iter(f"{SVG}title")]


def test_no_pages_and_one_page_are_pictures_too() -> None:
    for names in ([], ["a"]):
        ElementTree.fromstring(dendrogram([], names, {}, "Joins", 0.5))  # noqa: S314
