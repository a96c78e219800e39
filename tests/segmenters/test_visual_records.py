"""Visual data records: the large block in the middle, cut where the same look returns."""

from __future__ import annotations

import pytest

import tamis
from tamis.errors import OptionError
from tamis.page.model import Page
from tamis.results import Region
from tests.segmenters.boxes_of import page_with_boxes


def block(name: str, top: int, text: str, look: str = "", left: int = 200, height: int = 50) -> str:
    return f"<{name} box='left:{left};top:{top};width:600;height:{height};{look}'>{text}</{name}>"


def framed(inner: str, left: int = 200, width: int = 600) -> Page:
    """A page of 1000 x 1000 pixels with a menu above and a region below it."""
    menu = "<nav box='left:0;top:0;width:1000;height:90'>Home News</nav>"
    region = f"<main box='left:{left};top:100;width:{width};height:900'>{inner}</main>"
    return page_with_boxes(f"<body box='left:0;top:0;width:1000;height:1000'>{menu}{region}")


def found(page: Page, **options: float) -> tuple[Region | None, list[str]]:
    parts = tamis.segment(page, method="visual_records", **options).root.parts
    if not parts:
        return None, []
    texts = [" ".join(page.node_text(node) for node in record.nodes) for record in parts[0].parts]
    return parts[0], texts


RESULTS = "".join(block("div", 160 + 60 * number, f"Result {number}") for number in range(5))


def test_blocks_with_one_look_are_records_and_headings_and_paging_are_none() -> None:
    page = framed(block("h1", 100, "Results", "size:32") + RESULTS + block("p", 500, "Next page", "size:10"))
    region, records = found(page)
    assert records == [f"Result {number}" for number in range(5)]
    assert region is not None
    assert (page.name(region.nodes[0]), region.label, region.parts[0].label) == ("main", "list", "record")
    assert region.parts[1].box == (200.0, 220.0, 800.0, 270.0)


def test_a_record_goes_on_until_its_first_block_returns() -> None:
    inner = "".join(
        block("h3", 100 + 100 * number, f"Title {number}", "size:20")
        + (block("p", 150 + 100 * number, f"Text {number}") if number != 1 else "")
        for number in range(4)
    )
    assert found(framed(inner))[1] == ["Title 0 Text 0", "Title 1", "Title 2 Text 2", "Title 3 Text 3"]


def test_the_last_record_ends_before_a_look_that_no_other_has_inside() -> None:
    pair = [block("h3", 100 + 100 * n, f"T{n}", "size:20") + block("p", 150 + 100 * n, f"x{n}") for n in range(3)]
    assert found(framed("".join(pair) + block("p", 700, "Imprint", "size:9")))[1][-1] == "T2 x2"


def test_a_record_begins_at_the_left_edge_of_most_blocks() -> None:
    inner = RESULTS + "".join(block("div", 500 + 60 * number, "indented", left=220) for number in range(2))
    assert found(framed(inner))[1][-1] == "Result 4"
    assert found(framed(inner), max_indent=20.0)[1][-1] == "indented"


@pytest.mark.parametrize(("left", "is_found"), [(200, True), (50, True), (400, True), (401, False)])
def test_a_region_is_centred(left: int, is_found: bool) -> None:
    page = framed(RESULTS, left=left)
    region, _ = found(page, max_offset=0.2, min_area=0.5)
    assert (region is not None and page.name(region.nodes[0]) == "main") == is_found


@pytest.mark.parametrize(("min_area", "name"), [(0.54, "main"), (0.55, "body")])
def test_a_region_is_large(min_area: float, name: str) -> None:
    page = framed(RESULTS)
    region, _ = found(page, min_area=min_area)
    assert region is not None
    assert page.name(region.nodes[0]) == name


def test_without_records_the_region_alone_is_given() -> None:
    region, records = found(framed(block("h1", 100, "One", "size:32") + block("p", 200, "Two")))
    assert region is not None
    assert (region.label, records) == ("", [])


@pytest.mark.parametrize(("min_records", "count"), [(5, 5), (6, 0)])
def test_there_must_be_enough_records(min_records: int, count: int) -> None:
    assert len(found(framed(RESULTS), min_records=min_records)[1]) == count


def test_a_page_without_a_large_block_has_no_region() -> None:
    assert found(page_with_boxes("<p box='left:0;top:0;width:1000;height:20'>text</p>")) == (None, [])


@pytest.mark.parametrize("wrong", [{"min_area": 1.5}, {"max_indent": -1.0}, {"min_records": 1}])
def test_options_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        tamis.segment("", method="visual_records", **wrong)
