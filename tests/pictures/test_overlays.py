from __future__ import annotations

import re
import struct
import zlib
from xml.etree import ElementTree

import pytest

import tamis
from tamis import segmenters
from tamis.pictures.overlays import _COLOUR_OF, to_sheet, to_svg
from tamis.results import Made, Region, Segmentation

NAMESPACE = "{http://www.w3.org/2000/svg}"


def picture(width: int, height: int) -> bytes:
    """A white PNG."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def segmentation(*parts: Region, method: str = "drawn") -> Segmentation:
    return Segmentation(page=tamis.parse("<p>text"), root=Region(nodes=(0,), parts=parts), made=Made(method=method))


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own


def outlines(svg: str) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of the regions: rectangles with something to say when pointed at."""
    return [
        (float(rect.get("x", 0)), float(rect.get("y", 0)), float(rect.get("width", 0)), float(rect.get("height", 0)))
        for rect in drawn(svg).iter(f"{NAMESPACE}rect")
        if rect.find(f"{NAMESPACE}title") is not None
    ]


def words(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in drawn(svg).iter(f"{NAMESPACE}text")]


LEAF = Region(nodes=(1,), box=(10, 20, 210, 120), label="main", score=0.876)


def test_a_region_is_drawn_where_it_is() -> None:
    svg = to_svg(segmentation(LEAF), picture(300, 200), "a page")
    assert outlines(svg) == [(10, 20, 200, 100)]
    assert "main 0.88" in svg
    assert words(svg) == ["drawna page", "main 1", "main"]


def test_the_picture_is_as_large_as_the_screenshot_and_a_head() -> None:
    root = drawn(to_svg(segmentation(LEAF), picture(300, 200)))
    assert root.get("width") == "300"
    assert int(root.get("height", 0)) > 200
    (image,) = root.iter(f"{NAMESPACE}image")
    assert image.get("href", "").startswith("data:image/png;base64,iVBOR")


def test_what_is_around_others_keeps_a_distance() -> None:
    outer = Region(nodes=(0,), box=(10, 20, 210, 120), label="aside", parts=(LEAF,))
    (left, top, width, height), inner = outlines(to_svg(segmentation(outer), picture(300, 200)))
    assert inner == (10, 20, 200, 100)
    assert (left, top, width, height) == (6, 16, 208, 108)


def test_regions_stay_in_the_picture_and_those_outside_are_left_out() -> None:
    parts = (
        Region(nodes=(1,), box=(-50, -50, 900, 900)),
        Region(nodes=(1,), box=(400, 10, 500, 20)),
        Region(nodes=(1,)),
    )
    assert outlines(to_svg(segmentation(*parts), picture(300, 200))) == [(1, 1, 298, 198)]


def test_captions_do_not_cover_each_other() -> None:
    """Two regions at the same place: the second finds another corner, and there is none for a tenth."""
    svg = to_svg(segmentation(*[LEAF] * 10), picture(300, 200))
    chips = [
        (float(rect.get("x", 0)), float(rect.get("y", 0)))
        for rect in drawn(svg).iter(f"{NAMESPACE}rect")
        if rect.get("fill-opacity") is None and rect.get("x") and float(rect.get("height", 0)) > 13
    ]
    assert len(chips) == len({*chips}) == 4


def test_regions_without_labels_are_numbered() -> None:
    parts = [Region(nodes=(1,), box=(10, top, 210, top + 40)) for top in (0, 50, 100)]
    assert words(to_svg(segmentation(*parts), picture(300, 200)))[1:] == ["3 regions", "1", "2", "3"]


def test_regions_without_labels_have_colours_of_their_own() -> None:
    parts = [Region(nodes=(1,), box=(10, 10 * number, 210, 10 * number + 8)) for number in range(30)]
    svg = to_svg(segmentation(*parts), picture(300, 400))
    colours = [rect.get("stroke") for rect in drawn(svg).iter(f"{NAMESPACE}rect") if rect.get("stroke")]
    assert len(colours) == len(set(colours)) == 30


def test_every_label_has_a_colour_of_its_own() -> None:
    assert len(set(_COLOUR_OF.values())) == len(_COLOUR_OF)


def test_a_single_method_is_not_shown_as_a_thumbnail() -> None:
    one, two = (to_sheet([segmentation(LEAF)] * count, picture(300, 200)) for count in (1, 2))
    assert "<main class=one>" in one
    assert "<main>" in two


def test_markup_in_titles_and_labels_is_shown_as_text() -> None:
    odd = Region(nodes=(1,), box=(10, 20, 290, 120), label="<b>&'\"")
    one = segmentation(odd, method="<i>")
    assert "<b>&'\"" in words(to_svg(one, picture(300, 200), "</title><script>"))
    assert "<script>" not in to_sheet([one], picture(300, 200), "</title><script>")
    assert "<i>" not in re.sub(r"<i style", "", to_sheet([one], picture(300, 200)))


def test_without_a_screenshot_the_page_is_sketched() -> None:
    found = segmenters.segment(tamis.parse("<p>Some words</p><img src=a>"), "one")
    assert found.page.boxes is not None
    root = drawn(to_svg(found))
    assert root.get("width") == str(round(found.page.boxes.width))
    sketch = next(path.get("d", "") for path in root.iter(f"{NAMESPACE}path"))
    assert sketch.count("M") == 2


@pytest.mark.parametrize("markup", ["", "<p>", "<div style='width:-5px'>x"])
def test_pages_with_nothing_on_them_can_be_drawn(markup: str) -> None:
    found = segmenters.segment(tamis.parse(markup), "text_nodes")
    drawn(to_svg(found))
    assert "text_nodes" in to_sheet([found])


def test_a_sheet_shows_all_methods_and_holds_the_screenshot_once() -> None:
    shot = picture(300, 200)
    sheet = to_sheet([segmentation(LEAF, method=name) for name in ("first", "second")], shot, "a page")
    assert re.findall(r'<figure id="(\w+)"', sheet) == ["first", "second"]
    assert sheet.count("data:image/png;base64,") == 1
    assert "var(" not in sheet  # Chromium shows no picture of some megabytes that way
    assert sheet.count("</li>") == 1
    assert "<h1>a page</h1>" in sheet


def test_an_at_sign_in_a_title_is_one() -> None:
    assert "<h1>me@example.org</h1>" in to_sheet([segmentation(LEAF)], None, "me@example.org")
