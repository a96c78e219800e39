"""What a reader sees, piece by piece, and the rectangles around it."""

from __future__ import annotations

import numpy as np
from hypothesis import given

import tamis
from tamis.segmenters._shown import NOWHERE, boxes_of, rects_below, region_of, shown_pieces, whole_page
from tests.segmenters.boxes_of import page_with_boxes
from tests.trees import PAGES, Tree

PAGE = """<body><p box="left:10;top:0;width:100;height:40;lines:2">Two lines of text</p>
<img box="left:20;top:50;width:30;height:30"><p box="left:0;top:90;width:100;height:20"> </p>
<p>not shown</p><p box="left:0;top:90;width:0;height:20">no width</p>"""


def test_texts_and_pictures_are_pieces_and_lines_are_joined() -> None:
    page = page_with_boxes(PAGE)
    shown = shown_pieces(page)
    assert [page.name(node) for node in shown.node.tolist()] == ["#text", "img"]
    assert shown.rect.tolist() == [[10, 0, 110, 40], [20, 50, 50, 80]]
    assert shown.is_image.tolist() == [False, True]


def test_what_is_inside_a_picture_is_part_of_it() -> None:
    page = page_with_boxes("<img box='left:0;top:0;width:9;height:9'><p box='left:0;top:9;width:9;height:9'>a</p>")
    boxes = boxes_of(page)
    boxes.kind[boxes.node == page.select("p")[0]] = 2
    assert [page.name(node) for node in shown_pieces(page).node.tolist()] == ["img", "p"]


def test_a_page_that_was_not_rendered_is_estimated() -> None:
    page = tamis.parse("<p>text</p>")
    assert boxes_of(page).estimated
    assert len(shown_pieces(page)) == 1
    assert whole_page(page).box == (0.0, 0.0, 1366.0, 768.0)


@given(PAGES)
def test_ranges_and_rectangles_are_those_of_the_pieces_below(tree: Tree) -> None:
    page = tamis.parse(tree.markup())
    shown, nodes = shown_pieces(page), page.nodes
    first, last = shown.ranges(nodes)
    rects = rects_below(nodes, shown)
    for node in range(len(nodes)):
        below = [place for place, piece in enumerate(shown.node) if node <= piece < nodes.end[node]]
        assert below == list(range(first[node], last[node]))
        rect = shown.rect[below]
        around = [*rect[:, :2].min(0), *rect[:, 2:].max(0)] if below else NOWHERE
        assert rects[node].tolist() == list(around)


def test_a_region_lies_in_the_rectangle_around_its_parts() -> None:
    region = region_of((3, 5), np.array([[10.0, 20.0, 30.0, 40.0], [0.0, 25.0, 20.0, 90.0]]), "list")
    assert (region.nodes, region.box, region.label) == ((3, 5), (0.0, 20.0, 30.0, 90.0), "list")
