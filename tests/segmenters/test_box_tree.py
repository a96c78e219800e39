"""The box tree: how areas are nested, joined and divided."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.regions import walk
from tamis.results import Region
from tamis.segmenters import segment
from tamis.segmenters._disjoint_boxes import disjoint_groups
from tests.segmenters.boxes_of import Rectangle, page_of, page_with_boxes


def _box(name: str, place: tuple[float, float, float, float], content: str = "", extra: str = "") -> str:
    left, top, width, height = place
    return f'<{name} box="left:{left};top:{top};width:{width};height:{height};{extra}">{content}</{name}>'


def _text(top: float, left: float = 0, extra: str = "") -> str:
    return _box("p", (left, top, 100, 20), "text", extra)


def _outline(region: Region) -> Any:
    return [_outline(part) for part in region.parts] if region.parts else len(region.nodes)


def _divided(markup: str, **options: Any) -> Any:
    return _outline(segment(page_with_boxes(_box("body", (0, 0, 1000, 1000), markup)), "box_tree", **options).root)


class TestNesting:
    def test_is_as_seen_not_as_written(self) -> None:
        """A frame that is no parent of the texts over it holds them nevertheless."""
        frame = _box("div", (0, 0, 400, 300), "", "paints:1")
        texts = _text(10, extra="size:16") + _text(200, extra="size:32")
        assert _divided(frame + texts) == [[1, 1]]
        assert _divided(_box("div", (0, 0, 400, 300), "") + texts) == [1, 1]

    def test_makes_the_lower_of_two_that_cross_the_parent(self) -> None:
        found = segment(
            page_of(
                [Rectangle(left=0, top=0, width=100, height=100), Rectangle(left=50, top=50, width=100, height=100)]
            ),
            "box_tree",
        )
        (outer,) = found.root.parts
        assert outer.box == (0, 0, 150, 150)
        assert [part.box for part in outer.parts] == [(50, 50, 150, 150)]

    def test_gives_the_largest_box_all_that_is_inside_whatever_the_layers(self) -> None:
        found = segment(
            page_of([Rectangle(left=10, top=10, width=20, height=20), Rectangle(left=0, top=0, width=100, height=100)]),
            "box_tree",
        )
        assert [part.box for part in found.root.parts] == [(0, 0, 100, 100)]
        assert [part.box for part in found.root.parts[0].parts] == [(10, 10, 30, 30)]

    def test_leaves_out_frames_around_nothing(self) -> None:
        assert _divided(_box("div", (0, 0, 100, 100), "", "paints:1")) == 1  # the root alone


class TestLikeTexts:
    @pytest.mark.parametrize(("gap", "outline"), [(28, [2]), (28.8, [2]), (29, [1, 1])])
    def test_are_one_area_up_to_one_and_a_half_lines(self, gap: float, outline: Any) -> None:
        assert _divided(_text(0) + _text(20 + gap)) == outline

    @pytest.mark.parametrize("look", ["size:17", "weight:700", "color:#ff0000"])
    def test_of_another_look_stay_apart(self, look: str) -> None:
        assert _divided(_text(0) + _text(30)) == [2]
        assert _divided(_text(0) + _text(30, extra=look)) == [1, 1]

    def test_take_along_what_is_between_them(self) -> None:
        """Four like texts around a picture: the picture is inside the rectangle of their area."""
        ring = "".join(_text(top, left) for left in (0, 110) for top in (0, 25, 50)) + _text(75) + _text(75, 110)
        picture = _box("img", (92, 40, 16, 10))
        assert _divided(ring.replace("width:100", "width:90") + picture) == [[8, 1]]


class TestGaps:
    def test_wider_than_twice_the_usual_divide(self) -> None:
        looks = ["size:16", "size:17"] * 3
        tops = [0, 30, 60, 110, 140, 170]  # gaps of 10, and one of 30
        texts = "".join(_text(top, extra=look) for top, look in zip(tops, looks, strict=True))
        assert _divided(texts) == [[1, 1, 1], [1, 1, 1]]
        assert _divided(texts, wide_gap=3.0) == [1, 1, 1, 1, 1, 1]

    def test_divide_columns_as_well(self) -> None:
        looks = ["size:16", "size:17"] * 2
        lefts = [0, 110, 250, 360]
        texts = "".join(_text(0, left, look) for left, look in zip(lefts, looks, strict=True))
        assert _divided(texts) == [[1, 1], [1, 1]]


boxes_anywhere = st.lists(
    st.tuples(*(st.integers(0, 40) for _ in range(2)), *(st.integers(1, 15) for _ in range(2))), max_size=25
)


def _overlap(a: Any, b: Any) -> bool:
    return bool(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


@settings(max_examples=50)
@given(boxes_anywhere)
def test_areas_hold_their_parts_and_siblings_do_not_overlap(boxes: list[Any]) -> None:
    page = page_of([Rectangle(left=left, top=top, width=width, height=height) for left, top, width, height in boxes])
    found = segment(page, "box_tree")
    for region, _, _ in walk(found.root):
        rects = [part.box for part in region.parts]
        for rect in rects:
            assert region.box is not None
            assert rect is not None
            assert region.box[0] <= rect[0] <= rect[2] <= region.box[2]
            assert region.box[1] <= rect[1] <= rect[3] <= region.box[3]
        assert not any(_overlap(a, b) for a, b in itertools.combinations(rects, 2))
    assert found.root == segment(page, "box_tree").root


@given(boxes_anywhere)
def test_groups_are_the_finest_that_do_not_overlap(boxes: list[Any]) -> None:
    rects = [(float(left), float(top), float(left + w), float(top + h)) for left, top, w, h in boxes]
    assert disjoint_groups(rects) == _groups_slowly(rects)


def _groups_slowly(rects: list[Any]) -> list[list[int]]:
    groups = [([place], rect) for place, rect in enumerate(rects)]
    while True:
        for (a, one), (b, other) in itertools.combinations(groups, 2):
            if _overlap(one, other):
                around = (*map(min, one[:2], other[:2]), *map(max, one[2:], other[2:]))
                groups = [group for group in groups if group[0] not in (a, b)] + [(sorted(a + b), around)]
                break
        else:
            return sorted(members for members, _ in groups)


@pytest.mark.parametrize("markup", ["", "<p>", "<div></div>" * 3])
def test_a_page_that_shows_nothing_has_only_a_root(markup: str) -> None:
    assert segment(tamis.parse(markup), "box_tree").root.parts == ()


def test_a_page_of_one_pixel_is_one_region() -> None:
    found = segment(page_of([Rectangle(left=0, top=0, width=1, height=1)]), "box_tree")
    assert [part.box for part in found.root.parts] == [(0, 0, 1, 1)]


def test_a_heap_of_boxes_ends_in_one_area() -> None:
    heap = [Rectangle(left=at, top=at, width=900, height=900) for at in range(300)]
    found = segment(page_of(heap), "box_tree")
    depths = [depth for _, _, depth in walk(found.root)]
    assert max(depths) == 33
    assert sum(len(leaf.nodes) for leaf in found.leaves) == 300 - 32


@pytest.mark.parametrize("options", [{"close_lines": -1.0}, {"wide_gap": 0.5}])
def test_impossible_options_are_refused(options: Any) -> None:
    with pytest.raises(OptionError):
        segment(page_of([]), "box_tree", **options)
