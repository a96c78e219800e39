from __future__ import annotations

import numpy as np
import pytest

from tamis.segmenters._box_nesting import nest
from tamis.segmenters.bcs.smallest_boxes import colors, smallest_boxes, text_color
from tests.segmenters.boxes_of import Rectangle, make_boxes, page_of, page_with_boxes


@pytest.mark.parametrize(
    ("color", "background", "strength", "shown"),
    [
        ([0, 0, 0], [1, 1, 1], 0, (0.2, 0.2, 0.2)),  # plain black
        ([0, 0, 0], [1, 1, 1], 0.3, (0, 0, 0)),  # bold black
        ([0.5, 0.5, 0.5], [1, 1, 1], 0.2, (0.3, 0.3, 0.3)),  # grey in italics
        ([1, 0.5, 0.5], [1, 1, 1], 0.5, (1, 0, 0)),  # bold and underlined: as saturated as can be
        ([1, 1, 1], [0, 0, 1], 0, (0.8, 0.8, 1)),  # white on blue
        ([1, 1, 1], [0, 0, 1], 0.2, (1, 1, 1)),
        ([1, 1, 1], [0.5, 0.5, 0.5], 0, (1, 1, 1)),  # grey has no hue
    ],
)
def test_colour_of_text(
    color: list[float], background: list[float], strength: float, shown: tuple[float, float, float]
) -> None:
    assert text_color(color, background, strength) == pytest.approx(shown)


def test_look_and_kind_decide_the_colour_of_a_box() -> None:
    """Bold, italic and decorated text differ from plain; pictures have their mean, other boxes their background."""
    boxes = make_boxes(
        node=np.arange(6),
        kind=np.array([1, 1, 1, 1, 2, 0]),
        rect=np.zeros((6, 4)),
        size=(1, 1),
        color=np.array([[102, 0, 0]] * 6),
        background=np.array([[255, 255, 0]] * 6),
        font_weight=np.array([400, 600, 400, 400, 400, 400]),
        italic=np.array([False, False, True, False, False, False]),
        decorated=np.array([False, False, False, True, False, False]),
    )
    boxes.color[:4] = [102, 51, 51]  # saturation 0.5
    found = colors(boxes, np.arange(6))
    saturation = 1 - found.min(axis=1) / found.max(axis=1)
    assert saturation[:4] == pytest.approx([0.5, 0.8, 0.7, 0.7])
    assert found[4].tolist() == [0.4, 0, 0]
    assert found[5].tolist() == [1, 1, 0]


BOX = 'box="left:{};top:{};width:{};height:{};paints:{}"'


def _chosen(markup: str, *, leaf: bool = False) -> list[str]:
    """Names of the nodes of the smallest boxes."""
    page = page_with_boxes(markup)
    nesting = nest(page)
    nodes = nesting.node[smallest_boxes(nesting, leaf=leaf)].tolist()
    return [page.attributes(node).get("id") or page.name(node) for node in nodes]


def _element(name: str, content: str, *, paints: int = 0, inset: int = 0, left: int = 0, number: str = "") -> str:
    place = BOX.format(left + inset, inset, 100 - 2 * inset, 60 - 2 * inset, paints)
    return f"<{name} id='{number}' {place}>{content}</{name}>"


class TestSmallestBoxes:
    def test_are_texts_and_pictures(self) -> None:
        two = _element("p", "text", number="p") + _element("img", "", left=200, number="picture")
        assert _chosen(_element("div", two)) == ["#text", "picture"]

    def test_leave_out_empty_boxes_that_show_nothing(self) -> None:
        two = _element("p", "", left=200, number="bare") + _element("p", "", left=400, paints=1, number="bar")
        assert _chosen(_element("div", two)) == ["bar"]

    def test_of_nested_boxes_is_the_smallest_with_a_background(self) -> None:
        inner = _element("a", "text", paints=1, inset=8, number="button")
        middle = _element("p", inner, paints=1, inset=4, number="frame")
        assert _chosen(_element("div", middle, paints=1, number="outer")) == ["button"]
        assert _chosen(_element("div", middle, paints=1, number="outer"), leaf=True) == ["#text"]

    def test_the_outermost_of_nested_boxes_is_no_candidate(self) -> None:
        assert _chosen(_element("div", _element("p", "text", inset=4), paints=1, number="outer")) == ["#text"]

    def test_nested_boxes_around_nothing_show_by_their_background(self) -> None:
        nested = _element("div", _element("p", "", inset=4, paints=1, number="bar"), paints=1)
        assert _chosen(nested) == ["bar"] == _chosen(nested, leaf=True)

    def test_hidden_boxes_and_blank_texts_are_not_seen(self) -> None:
        page = page_with_boxes(_element("p", " &nbsp; ") + _element("img", "", left=200, number="picture"))
        assert page.boxes is not None
        page.boxes.visible[page.boxes.kind == 2] = False
        assert len(smallest_boxes(nest(page))) == 0

    def test_what_reaches_over_the_edge_of_the_page_is_cut_off(self) -> None:
        page = page_of([Rectangle(left=-50, top=-50, width=100, height=100)], size=(300, 200))
        assert nest(page).rect.tolist() == [[0, 0, 50, 50]]
