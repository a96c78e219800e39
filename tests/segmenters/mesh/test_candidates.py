from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.page.layout import estimate_boxes
from tamis.page.model import Page
from tamis.segmenters.mesh.candidates import Candidates, VisiblePieces, candidate_rects, find_candidates, find_pieces
from tests.page.test_layout import MARKUP
from tests.segmenters.boxes_of import page_with_boxes


def read(markup: str) -> tuple[Page, VisiblePieces, Candidates]:
    page = tamis.parse(markup)
    pieces = find_pieces(page, estimate_boxes(page))
    return page, pieces, find_candidates(page, pieces)


def outline(markup: str) -> list[str]:
    """Each candidate as depth, outermost element and pieces."""
    page, _, candidates = read(markup)
    rows = zip(candidates.depth, candidates.outer, candidates.first, candidates.last, strict=True)
    return [f"{depth} {page.name(int(node))} {first}-{last}" for depth, node, first, last in rows]


def test_a_run_of_text_is_one_piece_and_a_picture_another() -> None:
    page, pieces, _ = read("<p>one <b>two</b> <a href=/>three</a></p><img width=20 height=20><p>four</p>")
    assert pieces.is_picture.tolist() == [False, True, False]
    assert pieces.characters.tolist() == [11, 0, 4]
    assert pieces.link_characters.tolist() == [5, 0, 0]
    assert pieces.words.tolist() == [3, 0, 1]
    assert [page.node_text(node) for node in pieces.nodes(0)] == ["one ", "two", "three"]
    assert [page.name(node) for node in pieces.nodes(1)] == ["img"]


def test_a_picture_of_64_square_pixels_is_one_and_a_smaller_one_is_not() -> None:
    assert read("<p>a</p><img width=8 height=8>")[1].is_picture.tolist() == [False, True]
    assert read("<p>a</p><img width=8 height=7>")[1].is_picture.tolist() == [False]


def test_a_picture_that_holds_text_is_seen_by_its_text() -> None:
    page = page_with_boxes('<svg box="left:0;top:0;width:100;height:40"><text>a</text></svg>')
    assert find_pieces(page, estimate_boxes(page)).is_picture.tolist() == [False]


def test_a_control_without_text_is_seen_like_a_picture() -> None:
    page = page_with_boxes(
        '<form><input box="left:0;top:0;width:100;height:20"><button box="left:0;top:0;width:90;height:20">Go</button>'
    )
    assert page.boxes is not None
    assert find_pieces(page, page.boxes).is_picture.tolist() == [True, False]


def test_text_that_is_not_shown_is_no_piece() -> None:
    page = page_with_boxes('<p box="left:0;top:0;width:100;height:40">seen</p><p>unseen</p>')
    assert page.boxes is not None
    assert find_pieces(page, page.boxes).characters.tolist() == [4]


def test_elements_around_the_same_pieces_are_one_candidate() -> None:
    assert outline("<div><div><ul><li>a<li>b</ul></div></div><p>c") == [
        "0 #document 0-3",
        "1 div 0-2",
        "2 li 0-1",
        "2 li 1-2",
        "1 p 2-3",
    ]


def test_a_candidate_knows_its_outermost_and_innermost_element() -> None:
    page, _, candidates = read("<div><section><p>a</p></section></div><p>c")
    assert [page.name(node) for node in candidates.outer.tolist()] == ["#document", "div", "p"]
    assert [page.name(node) for node in candidates.inner.tolist()] == ["body", "p", "p"]


def test_a_run_beside_elements_is_a_candidate_of_its_own() -> None:
    assert outline("<div>loose <i>text</i><p>a</p></div>") == ["0 #document 0-2", "1 #text 0-1", "1 p 1-2"]


def test_an_element_that_begins_in_the_middle_of_a_run_is_no_candidate() -> None:
    assert outline("<div>text <a href=/>link <img width=20 height=20></a></div>") == [
        "0 #document 0-2",
        "1 #text 0-1",
        "1 img 1-2",
    ]


def test_an_element_that_ends_in_the_middle_of_a_run_is_no_candidate() -> None:
    assert outline("<div><span><div>a</div>link</span> text</div>") == ["0 #document 0-2", "1 div 0-1", "1 #text 1-2"]


def test_a_rectangle_reaches_around_all_pieces() -> None:
    page = page_with_boxes(
        '<div><p box="left:10;top:20;width:100;height:40">a</p><p box="left:5;top:90;width:20;height:10">b</p></div>'
    )
    assert page.boxes is not None
    pieces = find_pieces(page, page.boxes)
    assert candidate_rects(pieces, find_candidates(page, pieces)).tolist()[0] == [5, 20, 110, 100]


@settings(max_examples=150, deadline=None)
@given(MARKUP | st.just("<p>a"))
def test_candidates_are_a_tree_whose_leaves_are_the_pieces(markup: str) -> None:
    page, pieces, candidates = read(markup)
    counts = candidates.last - candidates.first
    assert (counts[0], candidates.parent[0], candidates.end[0]) == (len(pieces), 0, len(candidates))
    assert (candidates.parent[1:] < np.arange(1, len(candidates))).all()
    below = np.bincount(candidates.parent[1:], counts[1:], len(candidates))
    is_inner = candidates.children > 0
    assert (below[is_inner] == counts[is_inner]).all()
    assert len(pieces) == 0 or (counts[~is_inner] == 1).all()
    assert (candidates.children[is_inner] > 1).all()
    for place in range(len(candidates)):
        assert candidates.end[place] == place + 1 + sum(
            place < other
            and candidates.first[other] >= candidates.first[place]
            and candidates.last[other] <= candidates.last[place]
            for other in range(len(candidates))
        )
        inside = {
            node for piece in range(candidates.first[place], candidates.last[place]) for node in pieces.nodes(piece)
        }
        outer = int(candidates.outer[place])
        if page.nodes.elements[outer]:
            shown = {*pieces.texts.tolist(), *pieces.node[pieces.is_picture].tolist()}
            assert inside == {node for node in range(outer, int(page.nodes.end[outer])) if node in shown}
