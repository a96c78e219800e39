from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Boxes
from tamis.page.layout import VIEWPORT, estimate_boxes
from tamis.page.model import Page


def boxes_of(markup: str) -> tuple[Page, Boxes]:
    page = tamis.parse(markup)
    return page, estimate_boxes(page)


def rect(page: Page, boxes: Boxes, selector: str) -> list[float]:
    (node,) = page.select(selector)
    (place,) = np.flatnonzero(boxes.node == node)
    return [round(value, 3) for value in boxes.rect[place].tolist()]


def lines(page: Page, boxes: Boxes) -> list[str]:
    chosen = boxes.kind == TEXT
    return [page.text[start:end] for start, end in zip(boxes.start[chosen], boxes.end[chosen], strict=True)]


def test_paragraphs_stand_below_each_other_with_margins_and_lines_as_high_as_their_font() -> None:
    page, boxes = boxes_of("<p id=a>one</p><p id=b>two</p>")
    # The margin of the body is 8, that of a paragraph 16, a line is 1.25 x 16 high.
    assert rect(page, boxes, "#a")[1::2] == [24, 44]
    assert rect(page, boxes, "#b")[1::2] == [76, 96]
    assert rect(page, boxes, "#a")[::2] == [8, VIEWPORT[0]]


def test_headings_have_larger_letters() -> None:
    _, boxes = boxes_of("<h1>one</h1><p>two</p>")
    is_text = boxes.kind == TEXT
    assert boxes.font_size[is_text].tolist() == [32, 16]
    assert boxes.font_weight[is_text].tolist() == [700, 400]


def test_long_text_is_broken_into_lines_that_together_are_the_text() -> None:
    text = "word " * 200
    page, boxes = boxes_of(f"<p>{text}</p>")
    # A letter is 8 pixels wide; 5 characters for each of 200 words in a paragraph 1358 wide.
    assert len(lines(page, boxes)) == -(-200 * 5 * 8 // 1358)
    assert "".join(lines(page, boxes)) == page.text
    heights = boxes.rect[boxes.kind == TEXT]
    assert (np.diff(heights[:, 1]) == 20).all()


def test_a_break_begins_a_line() -> None:
    page, boxes = boxes_of("<p>one<br>two</p>")
    tops = boxes.rect[boxes.kind == TEXT][:, 1]
    assert lines(page, boxes) == ["one", "two"]
    assert tops[1] - tops[0] == 20


def test_cells_of_a_row_stand_side_by_side_and_the_longer_text_has_more_room() -> None:
    page, boxes = boxes_of(f"<table><tr><td id=a>short</td><td id=b>{'long ' * 100}</td></tr></table>")
    left, right = rect(page, boxes, "#a"), rect(page, boxes, "#b")
    assert left[2] == right[0]
    assert left[1] == right[1]
    assert right[2] - right[0] > 2 * (left[2] - left[0])


@pytest.mark.parametrize(("width", "expected"), [("200", 200), ("50%", 679), ("200px", 200), ("wide", 1358)])
def test_the_stated_width_of_a_table_counts(width: str, expected: float) -> None:
    page, boxes = boxes_of(f"<table width='{width}'><tr><td>a</td></tr></table>")
    left, _, right, _ = rect(page, boxes, "table")
    assert right - left == expected


def test_what_is_called_a_sidebar_stands_beside_its_neighbour() -> None:
    page, boxes = boxes_of("<div id=main><p>text</p></div><div class=sidebar id=s><p>more</p></div>")
    main, side = rect(page, boxes, "#main"), rect(page, boxes, "#s")
    assert main[1] == side[1]
    assert main[2] == pytest.approx(side[0])
    assert side[2] - side[0] == pytest.approx((main[2] - main[0]) / 3)


def test_pictures_have_the_size_they_state_or_a_usual_one() -> None:
    page, boxes = boxes_of("<p><img id=a width=300 height=100></p><p><img id=b></p><iframe id=c></iframe>")
    sizes = [
        (right - left, bottom - top)
        for left, top, right, bottom in (rect(page, boxes, name) for name in ("#a", "#b", "#c"))
    ]
    assert sizes == [(300, 100), (120, 90), (300, 225)]
    assert (boxes.kind[np.isin(boxes.node, page.select("img, iframe"))] == IMAGE).all()


def test_an_inline_element_reaches_around_its_text() -> None:
    page, boxes = boxes_of("<p>one <b>two</b></p>")
    left, top, right, bottom = rect(page, boxes, "b")
    assert (right - left, bottom - top) == (32, 20)
    assert left == 8 + 32


def test_text_in_a_column_of_no_width_has_lines_of_about_ten_letters() -> None:
    page, boxes = boxes_of(f"{'<ul><li>' * 60}{'a' * 99}")
    assert [len(line) for line in lines(page, boxes)] == [9, *[10] * 9]


def test_hidden_text_has_no_box() -> None:
    page, boxes = boxes_of("<p hidden>secret</p><script>var x</script><p>seen</p>")
    assert lines(page, boxes) == ["seen"]


def test_links_are_blue_and_underlined() -> None:
    _, boxes = boxes_of("<p>one <a href=/>two</a></p>")
    is_text = boxes.kind == TEXT
    assert boxes.color[is_text].tolist() == [[0, 0, 0], [0, 0, 238]]
    assert boxes.decorated[is_text].tolist() == [False, True]


MARKUP = st.lists(
    st.sampled_from(
        ["<div>", "</div>", "<p>", "<table>", "<tr>", "<td width=3>", "</table>", "<ul>", "<li>", "<img>", "<span>",
         "</span>", "<aside>", "<div class=left>", "text", "more text <br>", "<svg><text>x</text></svg>", "<select>",
         "<option>", "<iframe>", "<h1>", "<img width=0 height=99999>", "<td width=200%>"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(MARKUP)
def test_every_shown_text_has_lines_that_cover_it_and_everything_lies_on_the_page(markup: str) -> None:
    page, boxes = boxes_of(markup)
    assert boxes.estimated
    assert np.isfinite(boxes.rect).all()
    assert (boxes.rect[:, 2:] >= boxes.rect[:, :2]).all()
    assert (np.diff(boxes.node) >= 0).all()
    assert {*boxes.kind.tolist()} <= {ELEMENT, TEXT, IMAGE}
    assert boxes.rect[:, 3].max(initial=0) <= boxes.height
    is_text = boxes.kind == TEXT
    covered = "".join(lines(page, boxes))
    assert covered == "".join(page.node_text(node) for node in page.blocks.leaves.tolist())
    assert page.nodes.elements[boxes.node[~is_text]].all()
