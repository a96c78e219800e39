from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.evaluation.covers import characters, leaves, node_cover, pixel_covers, summed, with_boxes
from tamis.evaluation.edges import find_edges
from tamis.evaluation.segmentations import Cover, b_cubed
from tamis.page.model import Page
from tamis.page.text import Ints
from tamis.results import Region

PAGE = "<nav>Home News</nav><main><h1>Title</h1><p>Some <b>bold</b> words</p><img src=a></main><footer>End</footer>"


def node(page: Page, selector: str) -> int:
    return page.select(selector)[0]


def segments_of(cover: Cover) -> list[tuple[int, ...]]:
    return [cover.kinds[kind] for kind in cover.kind.tolist()]


def regions(page: Page) -> Region:
    """nav (1) and main (2), with p (3) in it; the footer is in none."""
    paragraph = Region(nodes=(node(page, "p"),))
    main = Region(nodes=(node(page, "main"),), parts=(paragraph,))
    return Region(nodes=(0,), parts=(Region(nodes=(node(page, "nav"),)), main))


def test_characters_are_those_a_reader_sees_without_blanks() -> None:
    page = tamis.parse("<p> two  words </p><p hidden>not this</p><script>nor()</script><p> </p>")
    counted = characters(page)
    assert [page.node_text(text) for text in counted.node.tolist()] == [" two  words "]
    assert counted.weight.tolist() == [8]


def test_nodes_are_texts_and_images() -> None:
    page = tamis.parse(PAGE)
    counted = leaves(page)
    names = [page.name(leaf) for leaf in counted.node.tolist()]
    assert names == ["#text"] * 5 + ["img", "#text"]
    assert counted.weight.tolist() == [1] * 7


def test_an_element_belongs_to_the_deepest_region_around_it() -> None:
    page = tamis.parse(PAGE)
    cover = node_cover(page, regions(page), leaves(page).node)
    assert segments_of(cover) == [(1,), (2,), (3,), (3,), (3,), (2,), ()]


def test_nested_elements_belong_to_all_regions_around_them() -> None:
    page = tamis.parse(PAGE)
    cover = node_cover(page, regions(page), leaves(page).node, nested=True)
    assert segments_of(cover) == [(1,), (2,), (2, 3), (2, 3), (2, 3), (2,), ()]


def test_the_root_is_a_segment_only_without_parts() -> None:
    page = tamis.parse(PAGE)
    cover = node_cover(page, Region(nodes=(0,)), leaves(page).node)
    assert segments_of(cover) == [(0,)] * 7


def test_of_siblings_the_one_that_names_the_deeper_node_has_it() -> None:
    page = tamis.parse(PAGE)
    parts = (Region(nodes=(node(page, "b"),)), Region(nodes=(node(page, "main"),)))
    cover = node_cover(page, Region(nodes=(0,), parts=parts), leaves(page).node)
    assert segments_of(cover) == [(), (2,), (2,), (1,), (2,), (2,), ()]


def boxed(*boxes: tuple[float, float, float, float]) -> Region:
    return Region(nodes=(0,), parts=tuple(Region(nodes=(0,), box=box) for box in boxes))


def test_pixels_by_hand() -> None:
    """A page of 10 x 10: found are two halves side by side, right are two halves one above the other."""
    found, right, count = pixel_covers(
        boxed((0, 0, 5, 10), (5, 0, 10, 10)), boxed((0, 0, 10, 5), (0, 5, 10, 10)), 10, 10
    )
    assert count.tolist() == [25] * 4
    assert b_cubed(found, right, count) == pytest.approx((0.5, 0.5, 0.5))


def test_pixels_outside_all_boxes_are_in_none() -> None:
    found, right, count = pixel_covers(boxed((2, 2, 4, 4)), boxed((0, 0, 10, 10)), 10, 10)
    quality = b_cubed(found, right, count)
    assert quality.precision == 1
    assert quality.recall == pytest.approx(4 / 100 * 4 / 100)


def test_parts_take_pixels_from_what_they_are_parts_of() -> None:
    inner = Region(nodes=(0,), box=(0, 0, 2, 2))
    root = Region(nodes=(0,), parts=(Region(nodes=(0,), box=(0, 0, 4, 4), parts=(inner,)),))
    found, _, count = pixel_covers(root, root, 4, 4)
    held = {kind: int(count[found.kind == number].sum()) for number, kind in enumerate(found.kinds)}
    assert held == {(): 0, (1,): 12, (2,): 4}
    nested, _, _ = pixel_covers(root, root, 4, 4, nested=True)
    assert {*segments_of(nested)} == {(1,), (1, 2)}


Box = tuple[int, int, int, int]
CORNER = st.integers(-2, 9)
BOX = st.tuples(CORNER, CORNER, CORNER, CORNER).map(
    lambda box: (min(box[::2]), min(box[1::2]), max(box[::2]), max(box[1::2]))
)


@given(st.lists(BOX, max_size=4), st.lists(BOX, max_size=4), st.integers(0, 2**56 - 1))
def test_cells_are_the_pixels_they_stand_for(found: list[Box], right: list[Box], bits: int) -> None:
    """Pixel by pixel on a page of 8 x 7, with boxes that overlap and reach beyond it."""
    edges = np.array([bool(bits >> place & 1) for place in range(56)]).reshape(7, 8)

    def by_pixel(boxes: list[Box]) -> list[tuple[int, ...]]:
        return [
            tuple(
                number
                for number, (left, top, end, bottom) in enumerate(boxes, start=1)
                if left <= x < end and top <= y < bottom
            )
            if boxes
            else (0,)
            for y in range(7)
            for x in range(8)
            if edges[y, x]
        ]

    roots = [boxed(*boxes) if boxes else Region(nodes=(0,), box=(0, 0, 8, 7)) for boxes in (found, right)]
    first, second, count = pixel_covers(roots[0], roots[1], 8, 7, summed(edges))
    cells = sorted(
        pair
        for *pair, many in zip(segments_of(first), segments_of(second), count.tolist(), strict=True)
        for _ in range(many)
    )
    pixels = sorted([one, other] for one, other in zip(by_pixel(found), by_pixel(right), strict=True))
    assert cells == pixels


def test_a_picture_that_ends_before_the_page_does_is_enough() -> None:
    whole = Region(nodes=(0,), box=(0, 0, 10, 20))
    cover, _, count = pixel_covers(
        boxed((0, 0, 10, 3), (0, 3, 10, 20)), whole, 10, 20, summed(np.ones((5, 4), dtype=bool))
    )
    held = {kind: int(count[cover.kind == number].sum()) for number, kind in enumerate(cover.kinds)}
    assert held == {(): 0, (1,): 12, (2,): 8}


def test_regions_get_boxes_around_what_they_show() -> None:
    page = tamis.parse(PAGE)
    root = with_boxes(page, regions(page))
    main, (paragraph,) = root.parts[1], root.parts[1].parts
    assert main.box is not None
    assert paragraph.box is not None
    assert main.box[1] < paragraph.box[1] < paragraph.box[3] < main.box[3]
    assert root.parts[0].box is not None
    assert root.parts[0].box[3] <= main.box[1]


def test_boxes_that_are_there_stay_and_nothing_seen_has_none() -> None:
    page = tamis.parse("<p>text</p><div></div>")
    parts = (Region(nodes=(node(page, "p"),), box=(1, 2, 3, 4)), Region(nodes=(node(page, "div"),)))
    root = with_boxes(page, Region(nodes=(0,), parts=parts))
    assert [part.box for part in root.parts] == [(1, 2, 3, 4), None]


def edge_places(rows: Ints) -> list[tuple[int, int]]:
    return [(y, x) for y, x in np.argwhere(find_edges(rows.astype(np.float64))).tolist()]


def test_a_plain_picture_has_no_edges() -> None:
    assert edge_places(np.full((6, 6), 200)) == []
    assert find_edges(np.zeros((0, 0))).shape == (0, 0)
    assert find_edges(np.zeros((1, 5))).any() == False  # noqa: E712 - a NumPy truth value


def test_edges_follow_the_border_of_a_box() -> None:
    picture = np.zeros((12, 12), dtype=np.int64)
    picture[4:8, 4:8] = 255
    found = find_edges(picture.astype(np.float64))
    assert found[5, 3:5].any()
    assert found[3:5, 5].any()
    assert not found[:2].any()
    assert not found[:, 10:].any()
    assert (found == found.T).all()


@pytest.mark.parametrize(("step", "is_edge"), [(15, False), (16, False), (17, True)])
def test_faint_steps_are_no_edges(step: int, is_edge: bool) -> None:
    picture = np.repeat([[255 - step] * 4 + [255] * 4], 6, axis=0)
    assert bool(edge_places(picture)) == is_edge
