from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.page.boxes import Boxes
from tamis.page.layout import estimate_boxes
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.segmenters.mesh.candidates import candidate_rects, find_candidates, find_pieces
from tamis.segmenters.mesh.features import NAMES, region_features
from tests.segmenters.boxes_of import page_with_boxes


def features(page: Page, boxes: Boxes | None = None) -> dict[str, Floats]:
    """Each feature by its name, for the candidates with an id by document order."""
    boxes = boxes or page.boxes or estimate_boxes(page)
    pieces = find_pieces(page, boxes)
    candidates = find_candidates(page, pieces)
    rows = region_features(page, pieces, candidates, boxes, candidate_rects(pieces, candidates))
    assert rows.shape == (len(NAMES), len(candidates))
    assert np.isfinite(rows).all()
    chosen = [int(candidates.of_node[node]) for node in page.select("[id]")]
    return dict(zip(NAMES, rows[:, chosen], strict=True))


def test_names_are_different() -> None:
    assert len({*NAMES}) == len(NAMES) <= 256


def test_counts_of_text() -> None:
    found = features(tamis.parse("<div id=a><p>1234 <a href=/>67</a></p><p>9</p></div><p id=b>abc</p>"))
    assert np.expm1(found["log_characters"]).round().tolist() == [7, 3]
    assert found["character_share"].tolist() == pytest.approx([0.7, 0.3])
    assert found["characters_before"].tolist() == pytest.approx([0, 0.7])
    assert found["characters_after"].tolist() == pytest.approx([0.3, 0])
    assert found["link_share"].tolist() == pytest.approx([2 / 7, 0])
    assert found["words_per_piece"].tolist() == pytest.approx([1.5, 1])
    assert found["longest_piece"].tolist() == [6, 3]
    assert found["piece_share"].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_places_are_shares_of_the_page() -> None:
    page = page_with_boxes(
        '<p id=a box="left:0;top:0;width:100;height:40">a</p><p id=b box="left:100;top:60;width:300;height:140">b</p>'
    )
    assert page.boxes is not None
    found = features(page)
    width = page.boxes.width
    assert found["left"].tolist() == pytest.approx([0, 100 / width])
    assert found["width"].tolist() == pytest.approx([100 / width, 300 / width])
    assert found["top_share"].tolist() == pytest.approx([0, 0.3])
    assert found["bottom_share"].tolist() == pytest.approx([0.8, 0])
    assert found["area_share"].tolist() == pytest.approx([4000 / 80000, 42000 / 80000])
    assert found["gap_before"].tolist() == [-1, 20]
    assert found["gap_after"].tolist() == [20, -1]


def test_what_stands_side_by_side_is_seen() -> None:
    page = page_with_boxes(
        '<div id=a><p box="left:0;top:0;width:99;height:40">a</p><p box="left:100;top:0;width:99;height:40">b</p></div>'
        '<p box="left:0;top:60;width:100;height:40">c</p>'
    )
    assert features(page)["beside_children"].tolist() == [1]


def test_names_count_for_what_they_name_for_what_is_inside_and_for_what_is_around() -> None:
    found = features(tamis.parse("<div id=a><div class=pageFooter id=b><p>x</p><p id=c>y</p></div><p>z</p></div><p>u"))
    assert found["called_footer"].tolist() == [0, 1, 0]
    assert found["inside_footer"].tolist() == [0, 0, 1]
    assert np.expm1(found["holds_footer"]).round().tolist() == [1, 0, 0]


def test_elements_of_a_candidate_count_together() -> None:
    found = features(tamis.parse("<div><ul id=a><li>x<li>y</ul></div><p>z"))
    assert (found["is_division"].tolist(), found["is_list"].tolist(), found["is_paragraph"].tolist()) == ([1], [1], [0])
    assert np.expm1(found["items"]).round().tolist() == [2]
    assert found["wrappers"].tolist() == [2]


def test_siblings_that_look_the_same_are_counted() -> None:
    found = features(tamis.parse("<div id=l><p class=a id=x>1</p><p class=a>2</p><p class=b>3</p></div><p>4"))
    assert found["same_children"].tolist() == [2, 0]
    assert found["same_siblings"].tolist() == [1, 2]


def test_a_sign_of_copyright_counts_where_it_stands() -> None:
    assert features(tamis.parse("<p id=a>one</p><p id=b>© two</p>"))["copyright"].tolist() == [0, 1]


def test_a_ground_of_its_own_is_seen() -> None:
    page = page_with_boxes(
        '<div box="left:0;top:0;width:200;height:200;background:#ffffff">'
        '<p id=a box="left:0;top:0;width:100;height:40;background:#000000;paints:1">a</p>'
        '<p id=b box="left:0;top:60;width:100;height:40;background:#ffffff">b</p></div>'
    )
    found = features(page)
    assert found["paints"].tolist() == [1, 0]
    assert found["ground_step"].tolist() == [255, 0]


def test_an_estimate_is_told_from_a_rendering() -> None:
    assert features(tamis.parse("<p id=a>x"))["estimated"].tolist() == [1]
    assert features(page_with_boxes('<p id=a box="left:0;top:0;width:9;height:9">x'))["estimated"].tolist() == [0]
