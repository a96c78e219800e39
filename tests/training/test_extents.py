"""Where elements are seen, and what rectangles hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tamis
from tamis.extractors.elements.groups import find_elements
from tamis.page.boxes import ELEMENT, IMAGE, TEXT
from tamis.page.model import Page
from tamis.training.extents import held, seen_rects
from tests.training.test_attachments import boxes

# A heading as wide as the page, a paragraph of two lines, an item around a paragraph, a picture.
MARKUP = "<h1>Hut</h1><p>one<br>two</p><ul><li><p>item</p></li></ul><img src=a>"


def shown() -> Page:
    page = tamis.parse(MARKUP)
    texts = dict(zip(("Hut", "one", "two", "item"), page.nodes.visible_texts.tolist(), strict=True))
    h1, p, li, inner, img = (page.select(name)[0] for name in ("h1", "p", "li", "li p", "img"))
    rows: list[tuple[int, int, tuple[float, float, float, float]]] = [
        (h1, ELEMENT, (0, 0, 1000, 40)),
        (texts["Hut"], TEXT, (0, 0, 90, 40)),
        (p, ELEMENT, (0, 50, 1000, 90)),
        (texts["one"], TEXT, (0, 50, 60, 70)),
        (texts["two"], TEXT, (0, 70, 80, 90)),
        (li, ELEMENT, (0, 100, 1000, 120)),
        (inner, ELEMENT, (40, 100, 1000, 120)),
        (texts["item"], TEXT, (40, 100, 90, 120)),
        (img, IMAGE, (0, 130, 200, 230)),
    ]
    rows.sort(key=lambda row: row[0])
    found = boxes(*(row[2] for row in rows), nodes=tuple(row[0] for row in rows), kinds=tuple(row[1] for row in rows))
    return page.with_boxes(found)


def test_an_element_is_where_its_text_or_its_picture_is() -> None:
    page = shown()
    elements = find_elements(page)
    assert [page.name(node) for node in elements.node.tolist()] == ["h1", "p", "li", "p", "img"]
    assert seen_rects(page, elements).tolist() == [
        [0, 0, 90, 40],
        [0, 50, 80, 90],
        [40, 100, 90, 120],
        [40, 100, 90, 120],
        [0, 130, 200, 230],
    ]


@pytest.mark.parametrize(
    ("rectangle", "names"),
    [
        ((0, 10, 90, 30), ["h1"]),  # along the letters of a heading that is as wide as the page
        ((0, 10.1, 90, 30), []),
        ((0, 10, 89, 30), []),
        ((0, 55, 80, 85), ["p"]),
        ((0, 55, 80, 84), []),
        ((40, 105, 90, 115), ["li", "p"]),
        ((0, 130, 200, 230), ["img"]),
        ((0, 131, 200, 230), []),
        ((0, 0, 1000, 300), ["h1", "p", "li", "p", "img"]),
    ],
)
def test_a_rectangle_holds_what_is_seen_entirely_inside(
    rectangle: tuple[float, float, float, float], names: list[str]
) -> None:
    page = shown()
    assert [page.name(node) for node in held(page, find_elements(page), [rectangle]).tolist()] == names


def test_what_is_not_shown_is_nowhere() -> None:
    page = tamis.parse(MARKUP)
    elements = find_elements(page)
    assert np.isnan(seen_rects(page, elements)).all()
    assert held(page, elements, [(-math.inf, -math.inf, math.inf, math.inf)]).tolist() == []
