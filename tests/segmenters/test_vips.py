"""VIPS, by worked separators, rule by rule, and on random pages."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.regions import walk
from tamis.results import Region
from tamis.segmenters import segment
from tamis.segmenters._box_nesting import elements_with_content, nest
from tamis.segmenters._separators import ACROSS, DOWN, HorizontalRules, Look, Separator, separators, weight
from tamis.segmenters._visual_blocks import divide, read_facts
from tests.segmenters.boxes_of import Rectangle, page_of, page_with_boxes

PLAIN = Look((255, 255, 255), 16.0, 400, False)
HUGE, TINY = 10.0**9, 1.0  # limits at which everything and nothing is small


class TestSeparators:
    def test_are_the_empty_stretches_between_blocks(self) -> None:
        """Blocks from 10 to 30 and from 50 to 90 on a page of 100: the border is no separator."""
        _, found, _ = separators([(0, 10, 50, 30), (0, 50, 50, 90)], ACROSS, 3)
        assert found == [Separator(30, 50, 1)]

    def test_are_covered_by_blocks_that_reach_over_them(self) -> None:
        blocks = [(0.0, 10.0, 50.0, 30.0), (60.0, 20.0, 80.0, 60.0), (0.0, 50.0, 50.0, 90.0), (0.0, 95.0, 9.0, 99.0)]
        assert separators(blocks, ACROSS, 3)[1] == [Separator(90, 95, 3)]
        assert separators(blocks, DOWN, 3)[1] == [Separator(50, 60, 3)]

    @given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), min_size=1, max_size=12))
    def test_are_what_no_block_covers(self, spans: list[tuple[int, int]]) -> None:
        rects = [(0.0, float(top), 1.0, float(top + height)) for top, height in spans]
        covered = {place for top, height in spans for place in range(top, top + height)}
        inside = range(min(top for top, _ in spans), max(top + height for top, height in spans))
        empty = [place for place in inside if place not in covered]
        found = separators(rects, ACROSS, 1)[1]
        assert [place for start, end, _ in found for place in range(int(start), int(end))] == empty

    @pytest.mark.parametrize(
        ("thickness", "extra"),
        [(5, 1), (8, 1), (9, 2), (15, 2), (16, 4), (25, 4), (26, 6), (36, 8), (46, 10), (55, 10), (56, 12)],
    )
    def test_weigh_more_the_thicker_they_are(self, thickness: float, extra: int) -> None:
        assert weight(Separator(0, thickness, 1), DOWN, PLAIN, PLAIN, False) == 3 + extra

    @pytest.mark.parametrize(
        ("before", "after", "has_rule", "across", "down"),
        [
            (PLAIN, PLAIN, True, 2, 2),
            (PLAIN, PLAIN._replace(background=(0, 0, 0)), False, 2, 2),
            (PLAIN, PLAIN._replace(font_weight=700), False, 2, 0),
            (PLAIN, PLAIN._replace(font_size=20.0), False, 4, 0),
            (PLAIN, PLAIN._replace(font_size=12.0), False, 2, 0),
            (PLAIN._replace(is_text=True), PLAIN._replace(is_text=True), False, -2, 0),
            (PLAIN._replace(is_text=True), PLAIN, False, 0, 0),
        ],
    )
    def test_weigh_more_the_more_their_sides_differ(
        self, before: Look, after: Look, has_rule: bool, across: int, down: int
    ) -> None:
        gap = Separator(0, 5, 1)
        assert weight(gap, ACROSS, before, after, has_rule) - 4 == across
        assert weight(gap, DOWN, before, after, has_rule) - 4 == down

    def test_know_the_rules_drawn_in_them(self) -> None:
        rules = HorizontalRules([(0, 40, 50, 42), (60, 10, 90, 12)])
        assert rules.between(Separator(30, 50, 1), 0, 100)
        assert not rules.between(Separator(30, 50, 1), 50, 100)
        assert not rules.between(Separator(43, 50, 1), 0, 100)


def _box(name: str, place: tuple[int, int, int, int], content: str = "", extra: str = "") -> str:
    left, top, width, height = place
    return f'<{name} box="left:{left};top:{top};width:{width};height:{height};{extra}">{content}</{name}>'


def _blocks(markup: str, limit: float) -> list[tuple[str, int]]:
    """Names and degrees of the blocks that the body falls into."""
    page = page_with_boxes(f'<body box="left:0;top:0;width:400;height:400">{markup}</body>')
    nesting = elements_with_content(nest(page))
    facts = read_facts(page, nesting)
    found = divide(facts, [0], limit, set())
    return [(page.name(int(nesting.node[box])), doc) for box, doc in found.items()]


TEXT = _box("p", (0, 300, 100, 20), "text")


class TestDivisionRules:
    """Each with a neighbour, so that the body is divided and the element decides for itself."""

    def test_1_empty_elements_are_cut(self) -> None:
        assert _blocks(_box("div", (0, 0, 100, 20), "", "paints:1") + TEXT, TINY) == [("p", 10)]

    def test_2_a_single_child_stands_for_its_parent(self) -> None:
        nested = _box("div", (0, 0, 100, 20), _box("div", (0, 0, 90, 20), _box("p", (0, 0, 80, 20), "text")))
        assert _blocks(nested + TEXT, HUGE) == [("p", 10), ("p", 10)]

    def test_3_what_a_part_consists_of_is_divided(self) -> None:
        assert _blocks(TEXT + TEXT, HUGE) == [("p", 10), ("p", 10)]

    def test_4_nothing_but_text_is_a_block(self) -> None:
        bold = _box("b", (0, 0, 40, 20), "bold", "weight:700")
        plain = _box("a", (0, 0, 40, 20), "plain")
        assert _blocks(_box("p", (0, 0, 100, 20), "text" + plain) + TEXT, TINY) == [("p", 10), ("p", 10)]
        assert _blocks(_box("p", (0, 0, 100, 20), "text" + bold) + TEXT, TINY) == [("p", 9), ("p", 10)]

    def test_5_inline_elements_with_blocks_in_them_are_divided(self) -> None:
        two = _box("div", (0, 0, 40, 20), "one") + _box("div", (0, 30, 40, 20), "two")
        assert _blocks(_box("a", (0, 0, 100, 60), two) + TEXT, HUGE) == [("div", 10), ("div", 10), ("p", 10)]
        assert _blocks(_box("div", (0, 0, 100, 60), two) + TEXT, HUGE) == [("div", 8), ("p", 10)]

    def test_6_a_rule_divides(self) -> None:
        two = _box("p", (0, 0, 40, 20), "one") + _box("hr", (0, 25, 40, 2), "", "paints:1")
        two += _box("p", (0, 30, 40, 20), "two")
        assert _blocks(_box("div", (0, 0, 100, 60), two) + TEXT, HUGE) == [("p", 10)] * 3

    def test_7_children_larger_than_their_parent_divide_it(self) -> None:
        two = _box("p", (0, 0, 80, 20), "one") + _box("p", (0, 30, 80, 20), "two")
        assert _blocks(_box("div", (0, 0, 100, 30), two) + TEXT, HUGE) == [("p", 10)] * 3
        assert _blocks(_box("div", (0, 0, 100, 32), two) + TEXT, HUGE) == [("div", 8), ("p", 10)]

    def test_8_another_background_divides_and_makes_a_block(self) -> None:
        cells = _box("td", (0, 0, 40, 20), "one") + _box("td", (50, 0, 40, 20), _box("p", (50, 0, 40, 20), "two") * 2)
        dark = cells.replace(
            "left:50;top:0;width:40;height:20;", "left:50;top:0;width:40;height:20;background:#000000", 1
        )
        table = (
            '<table box="left:0;top:0;width:100;height:20"><tr box="left:0;top:0;width:100;height:20">{}</tr></table>'
        )
        assert _blocks(table.format(cells) + TEXT, HUGE) == [("tr", 8), ("p", 10)]
        assert _blocks(table.format(dark) + TEXT, HUGE) == [("td", 10), ("td", 7), ("p", 10)]

    def test_9_small_elements_with_text_are_blocks(self) -> None:
        inside = _box("b", (0, 0, 40, 20), "one") + _box("p", (0, 30, 40, 20), "two")
        for name, doc in (("div", 5), ("section", 8)):
            assert _blocks(_box(name, (0, 0, 100, 60), inside) + TEXT, 6001) == [(name, doc), ("p", 10)]
        assert _blocks(_box("div", (0, 0, 100, 60), inside) + TEXT, 6000) == [("div", 8), ("p", 10)]  # by the next rule

    def test_10_elements_with_small_children_are_blocks(self) -> None:
        two = _box("p", (0, 0, 40, 20), "one") + _box("p", (0, 30, 40, 20), "two")
        whole = _box("div", (0, 0, 100, 60), two)
        assert _blocks(whole + TEXT, 801) == [("div", 8), ("p", 10)]
        assert _blocks(whole + TEXT, 800) == [("p", 10)] * 3

    def test_11_to_13_cells_are_divided_after_divided_cells_only(self) -> None:
        two = _box("p", (0, 0, 40, 20), "one") + _box("p", (0, 30, 40, 20), "two")
        rows = (
            "<table box='left:0;top:0;width:300;height:60'><tr box='left:0;top:0;width:300;height:60'>{}</tr></table>"
        )
        cell = '<td box="left:{};top:0;width:90;height:60">{}</td>'
        still = rows.format(cell.format(0, two) + cell.format(100, two))
        assert _blocks(still + TEXT, TINY) == [("tr", 7), ("p", 10)]
        page = page_with_boxes(still)
        nesting = elements_with_content(nest(page))
        facts = read_facts(page, nesting)
        row = [page.name(int(node)) for node in nesting.node].index("tr")
        divided = divide(facts, [row], TINY, set())
        assert [page.name(int(nesting.node[box])) for box in divided] == ["td", "td"]
        first = next(iter(divided))
        after = divide(facts, [row], TINY, {first})
        assert [page.name(int(nesting.node[box])) for box in after] == ["td", "p", "p"]

    def test_pictures_are_blocks(self) -> None:
        assert _blocks(_box("img", (0, 0, 100, 20)) + TEXT, TINY) == [("img", 11), ("p", 10)]


def _columns() -> Page:
    """A heading above two columns of paragraphs; the gap between the columns is wide, those inside are narrow."""
    columns = "".join(
        _box(
            "div",
            (left, 100, 300, 500),
            "".join(_box("p", (left, 100 + 110 * k, 300, 100), "words") for k in range(4)),
        )
        for left in (0, 360)
    )
    return page_with_boxes(_box("body", (0, 0, 660, 600), _box("h1", (0, 0, 660, 40), "title", "size:32") + columns))


def _outline(region: Region) -> Any:
    return [_outline(part) for part in region.parts] if region.parts else len(region.nodes)


class TestThePage:
    def test_is_divided_at_its_heaviest_separators_first(self) -> None:
        found = segment(_columns(), "vips", pdoc=11)
        assert _outline(found.root) == [1, [[1, 1, 1, 1], [1, 1, 1, 1]]]

    def test_is_one_region_at_the_lowest_degree(self) -> None:
        found = segment(_columns(), "vips", pdoc=1)
        assert len(found.root.parts) == 1
        assert found.root.parts[0].box == (0, 0, 660, 600)

    def test_keeps_together_what_is_coherent_enough(self) -> None:
        coarse, fine = (segment(_columns(), "vips", pdoc=degree) for degree in (9, 11))
        assert _outline(coarse.root) == [1, [4, 4]]
        assert len(coarse.leaves) == 3 < len(fine.leaves)

    @pytest.mark.parametrize("markup", ["", "<p>", "<div></div>" * 3])
    def test_that_shows_nothing_has_only_a_root(self, markup: str) -> None:
        assert segment(tamis.parse(markup), "vips").root.parts == ()

    def test_of_one_pixel_is_one_region(self) -> None:
        found = segment(page_of([Rectangle(left=0, top=0, width=1, height=1)]), "vips")
        assert [part.box for part in found.root.parts] == [(0, 0, 1, 1)]

    @pytest.mark.parametrize("degree", [0, 12])
    def test_is_not_divided_by_impossible_degrees(self, degree: int) -> None:
        with pytest.raises(OptionError):
            segment(_columns(), "vips", pdoc=degree)


def _random_page(seed: int) -> Page:
    """Elements in elements, each inside the rectangle of its parent or reaching a little out of it."""
    chance = random.Random(seed)

    def element(place: tuple[int, int, int, int], depth: int) -> str:
        left, top, width, height = place
        if depth == 0 or min(width, height) < 12 or chance.random() < 0.2:
            return _box(chance.choice(["p", "div", "img", "a"]), place, "text", f"size:{chance.choice([12, 16, 32])}")
        count, is_row = chance.randint(1, 4), chance.random() < 0.5
        step = (width if is_row else height) // count
        inner = "".join(
            element(
                (left + k * step, top, max(step - chance.randint(0, 20), 1), height)
                if is_row
                else (left, top + k * step, width, max(step - chance.randint(-5, 60), 1)),
                depth - 1,
            )
            for k in range(count)
        )
        name = chance.choice(["div", "section", "table", "tr", "td", "ul", "span"])
        return _box(
            name, place, inner, f"paints:{chance.randint(0, 1)};background:{chance.choice(['#ffffff', '#eeeeee'])}"
        )

    return page_with_boxes(element((0, 0, 1000, 1500), 5))


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_finer_degrees_never_give_fewer_leaves_and_parts_are_never_less_coherent(seed: int) -> None:
    page = _random_page(seed)
    finest = {region.nodes for region in segment(page, "vips", pdoc=11).leaves}
    counts = []
    for degree in range(1, 12):
        found = segment(page, "vips", pdoc=degree)
        counts.append(len(found.leaves))
        placed = walk(found.root)
        for region, parent, _ in placed[1:]:
            assert region.score is not None
            above = placed[parent].region.score
            assert above is None or above <= region.score
        for leaf in found.leaves:
            assert leaf.score is not None
            assert leaf.score >= degree or leaf.nodes in finest
    assert counts == sorted(counts)


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_the_same_page_gives_the_same_regions(seed: int) -> None:
    assert segment(_random_page(seed), "vips").root == segment(_random_page(seed), "vips").root
