from __future__ import annotations

import base64
import re
import struct
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis import distances, templates
from tamis.page.text import Floats
from tamis.pictures import maps
from tests.sites.generator import make_corpus


def apart(points: Floats) -> Floats:
    lengths: Floats = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    return lengths


def test_five_sites_are_five_clouds() -> None:
    corpus = make_corpus(5, 2, 4)
    sites = np.array([page.site for page in corpus])
    found = distances.matrix([tamis.parse(page.html) for page in corpus])
    points, stress = maps.scale(found)
    lengths = apart(points)
    is_same = sites[:, None] == sites[None, :]
    assert lengths[is_same].max() < lengths[~is_same].min()
    assert stress < 0.2  # five points that are all as far apart do not fit a plane better


def test_points_of_a_plane_are_found_again_even_if_distances_are_bent() -> None:
    given_points = np.random.default_rng(1).random((12, 2))
    for bent in (apart(given_points), apart(given_points) ** 3):
        points, stress = maps.scale(bent)
        assert stress < 0.05
        upper = np.triu_indices(12, 1)
        ranks = np.argsort(np.argsort([apart(points)[upper], apart(given_points)[upper]]))
        assert np.corrcoef(ranks.astype(float))[0, 1] > 0.99


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_few_or_identical_pages_have_places_too(count: int) -> None:
    points, stress = maps.scale(np.zeros((count, count)))
    assert points.shape == (count, 2)
    assert np.isfinite(points).all()
    assert stress == 0


@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_fitted_distances_rise_and_keep_their_sum(values: list[int]) -> None:
    wanted = np.array(values, dtype=np.float64)
    fitted = maps._rising(np.arange(len(values)), wanted)
    assert (np.diff(fitted) >= -1e-12).all()
    assert fitted.sum() == pytest.approx(wanted.sum())


def test_a_map_has_a_named_dot_for_every_page() -> None:
    points = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    image = ElementTree.fromstring(maps.map_plot(points, [[0, 1], [2]], ["a<b", "c", "d"], "Map"))  # noqa: S314
    assert [title.text for title in image.iter("{http://www.w3.org/2000/svg}title")][1:] == [
        "a<b: group 1",
        "c: group 1",
        "d: group 2",
    ]


def test_pages_that_would_cover_each_other_are_one_dot_that_says_how_many() -> None:
    points = np.array([[0.0, 0.0], [0.001, 0.0], [0.0, 0.001], [1.0, 1.0], [1.0, 1.0]])
    image = ElementTree.fromstring(maps.map_plot(points, [[0, 1, 2, 3], [4]], list("abcde"), "Map"))  # noqa: S314
    told = [title.text for title in image.iter("{http://www.w3.org/2000/svg}title")][1:]
    assert told == ["a: group 1\nb: group 1\nc: group 1", "d: group 1", "e: group 2"]
    texts = [text.text for text in image.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["Map", "3", "1", "group 1: 4", "small groups: 1"]


def test_legend_fits_into_the_picture() -> None:
    count = 1600
    groups = [list(range(500)), *([number] for number in range(500, count))]
    points = np.stack([np.arange(count), np.arange(count)], axis=1).astype(np.float64)
    image = ElementTree.fromstring(maps.map_plot(points, groups, ["page"] * count, "Map"))  # noqa: S314
    last = list(image.iter("{http://www.w3.org/2000/svg}text"))[-1]
    assert last.text == "small groups: 1100"
    right = float(last.attrib["x"]) + 7 * len(last.text)  # a letter is about 7 units wide at this size
    assert right <= float(image.attrib["viewBox"].split()[2])


def test_groups_have_the_same_colours_in_any_order_and_those_too_small_for_a_template_none() -> None:
    groups = [[0, 1, 2, 3], [4, 5, 6, 7, 8], [9], [10, 11, 12]]
    colours = maps.group_colours(groups)
    assert maps.group_colours(groups[::-1]) == colours[::-1]
    assert colours[2] == colours[3] != colours[0] != colours[1] != colours[2]
    assert maps.FEW == templates.MIN_PAGES


def test_the_matrix_is_ordered_by_group_and_zero_is_white() -> None:
    found = np.array([[0, 1, 0.5], [1, 0, 1], [0.5, 1, 0]])
    figure = maps.matrix_plot(found, [[0, 2], [1]], "Distances")
    ElementTree.fromstring(figure)  # noqa: S314 - our own
    assert pixels(figure) == [[255, 127, 0], [127, 255, 0], [0, 0, 255]]


def test_no_pages_are_an_empty_picture() -> None:
    pictures = (
        maps.matrix_plot(np.zeros((0, 0)), [], "Distances"),
        maps.map_plot(np.zeros((0, 2)), [], [], "Map"),
    )
    for picture, name in zip(pictures, ("Distances", "Map"), strict=True):
        image = ElementTree.fromstring(picture)  # noqa: S314
        assert [title.text for title in image.iter("{http://www.w3.org/2000/svg}title")] == [name]


def pixels(figure: str) -> list[list[int]]:
    """What a reader of PNG files sees."""
    found = re.search(r"base64,([^\"]+)", figure)
    assert found is not None
    data = base64.b64decode(found.group(1))
    width, height = struct.unpack(">II", data[16:24])
    size = struct.unpack(">I", data[33:37])[0]
    raw = zlib.decompress(data[41 : 41 + size])
    return [list(raw[row * (width + 1) + 1 : (row + 1) * (width + 1)]) for row in range(height)]
