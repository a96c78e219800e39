"""Web content clustering: pieces that stand close together, in the tree or on the screen, are one region."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.segmenters import contents
from tamis.segmenters._shown import Shown, shown_pieces
from tamis.segmenters.contents import grouped, pixel_density, tree_density
from tests.segmenters.boxes_of import page_with_boxes
from tests.trees import PAGES, Tree


def slow_dbscan(distance: Floats, reach: float, least: int) -> tuple[set[frozenset[int]], set[int]]:
    """Groups of cores, straight from the definition, and all that some core reaches."""
    near = distance <= reach
    cores = {int(core) for core in np.flatnonzero(near.sum(axis=1) >= least)}
    groups: set[frozenset[int]] = set()
    left = set(cores)
    while left:
        group, fresh = set[int](), {min(left)}
        while fresh:
            group |= fresh
            fresh = {other for core in fresh for other in cores if near[core, other]} - group
        groups.add(frozenset(group))
        left -= group
    return groups, {int(piece) for core in cores for piece in np.flatnonzero(near[core])}


def steps_between(page: Page, pieces: Ints) -> Floats:
    def path(node: int) -> list[int]:
        way = [node]
        while way[-1] > 0:
            way.append(int(page.nodes.parent[way[-1]]))
        return way[::-1]

    ways = [path(node) for node in pieces.tolist()]

    def steps(way: list[int], other: list[int]) -> int:
        shared = sum(1 for one, two in zip(way, other, strict=False) if one == two)
        return len(way) + len(other) - 2 * shared

    return np.array([[steps(way, other) for other in ways] for way in ways], dtype=float).reshape(len(ways), len(ways))


@given(PAGES, st.integers(0, 8), st.integers(1, 4))
def test_density_in_the_tree_is_that_of_the_definition(tree: Tree, steps: int, least: int) -> None:
    page = tamis.parse(tree.markup())
    pieces = shown_pieces(page).node
    distance = steps_between(page, pieces)
    density = tree_density(page.nodes, pieces, steps, least)
    cores, reached = slow_dbscan(distance, steps, least)
    found = grouped(density)
    is_core = density.is_core
    assert {frozenset(place for place in group.tolist() if is_core[place]) for group in found} == cores
    assert {place for group in found for place in group.tolist()} == reached
    for place in np.flatnonzero(density.nearest >= 0).tolist():
        assert distance[place, density.nearest[place]] == distance[place][is_core].min()


RECTS = st.lists(st.tuples(*[st.integers(0, 60)] * 2, *[st.integers(1, 20)] * 2), max_size=12)


@given(RECTS, st.integers(0, 20), st.integers(1, 4))
def test_density_on_the_screen_is_that_of_the_definition(
    corners: list[tuple[int, int, int, int]], pixels: int, least: int
) -> None:
    rect = np.array([(left, top, left + width, top + height) for left, top, width, height in corners], dtype=float)
    rect = rect.reshape(-1, 4)
    across = np.maximum(rect[:, None, 0] - rect[None, :, 2], 0) + np.maximum(rect[None, :, 0] - rect[:, None, 2], 0)
    down = np.maximum(rect[:, None, 1] - rect[None, :, 3], 0) + np.maximum(rect[None, :, 1] - rect[:, None, 3], 0)
    distance = np.hypot(across, down)
    shown = Shown(np.arange(len(rect)), rect, np.ones(len(rect), dtype=np.bool_))
    density = pixel_density(shown, pixels, least)
    cores, reached = slow_dbscan(distance, pixels, least)
    found = grouped(density)
    assert {frozenset(place for place in group.tolist() if density.is_core[place]) for group in found} == cores
    assert {place for group in found for place in group.tolist()} == reached
    for place in np.flatnonzero(density.nearest >= 0).tolist():
        assert distance[place, density.nearest[place]] == distance[place][density.is_core].min()


TOPICS = "".join(
    f"<section><div><div><h2>{topic}</h2><p>One {topic}.</p><p>Two {topic}.</p></div></div></section>"
    for topic in ("rivers", "engines", "gardens")
)


def regions(markup: str | Page, **options: object) -> list[str]:
    found = tamis.segment(markup, method="contents", **options)
    return [" ".join(found.page.node_text(node) for node in part.nodes) for part in found.root.parts]


@pytest.mark.parametrize(("steps", "count"), [(3, 9), (4, 3), (9, 3), (10, 1)])
def test_topics_in_boxes_of_their_own_are_regions(steps: int, count: int) -> None:
    found = regions(TOPICS, steps=steps)
    assert len(found) == count
    if count == 3:
        assert found[1] == "engines One engines. Two engines."


def labels(markup: str | Page, **options: object) -> list[tuple[str, str]]:
    found = tamis.segment(markup, method="contents", **options)
    return [(part.label, " ".join(map(found.page.node_text, part.nodes))) for part in found.root.parts]


DEEP = "<div><div><div>{}</div></div></div>"


def test_at_the_default_pieces_that_are_near_are_a_region_only_if_they_are_dense() -> None:
    """Two pieces within reach of each other hang together, but neither has two others within reach: that is noise."""
    pair, three = DEEP.format("<p>a</p><p>b</p>"), DEEP.format("<p>one</p><p>two</p><p>three</p>")
    assert labels(pair + three) == [("", "one two three"), (contents.LOOSE, "a"), (contents.LOOSE, "b")]
    assert labels(pair + three, min_pieces=2) == [("", "a b"), ("", "one two three")]


def test_a_piece_that_is_no_core_comes_along_but_leads_no_further() -> None:
    """Seven in a row, and one below the middle: only the middle has three others within reach, two of them in the row.

    Those two belong to it, but what lies beyond them does not.
    """
    row = "".join(f"<p box='left:{20 * place};top:0;width:10;height:10'>{place}</p>" for place in range(7))
    below = "<p box='left:60;top:20;width:10;height:10'>below</p>"
    page = page_with_boxes(row + below)
    assert labels(page, distance="pixels", pixels=10.0, min_pieces=4) == [
        ("", "2 3 4 below"),
        *((contents.LOOSE, name) for name in "0156"),
    ]
    assert regions(page, distance="pixels", pixels=10.0, min_pieces=1) == ["0 1 2 3 4 5 6 below"]


def test_a_piece_without_neighbours_is_loose_unless_it_is_a_core_by_itself() -> None:
    page = "<div><div><div><p>alone</p></div></div></div><p>one</p><p>two</p>"
    loose = contents.LOOSE
    assert labels(page, steps=4, min_pieces=2) == [("", "one two"), (loose, "alone")]
    assert labels(page, steps=4, min_pieces=1) == [("", "alone"), ("", "one two")]
    assert labels(page, steps=4, min_pieces=3) == [(loose, "alone"), (loose, "one"), (loose, "two")]


def test_on_the_screen_columns_are_told_apart_by_the_gap_between_them() -> None:
    column = "".join(f"<p box='left:{{0}};top:{20 * line};width:100;height:16'>{line}</p>" for line in range(3))
    page = page_with_boxes(column.format(0) + column.format(140))
    assert regions(page, distance="pixels", pixels=4.0) == ["0 1 2", "0 1 2"]
    assert regions(page, distance="pixels", pixels=39.9) == ["0 1 2", "0 1 2"]
    assert regions(page, distance="pixels", pixels=40.0) == ["0 1 2 0 1 2"]
    assert regions(page, distance="pixels", pixels=3.9) == [*"012012"]


@pytest.mark.parametrize("wrong", [{"steps": -1}, {"steps": 21}, {"pixels": -0.5}, {"min_pieces": 0}])
def test_options_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(wrong))} is .* but must be from"):
        tamis.segment("", method="contents", **wrong)
