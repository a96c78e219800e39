from __future__ import annotations

import pytest

import tamis
from tamis.errors import OptionError
from tamis.results import Region
from tamis.segmenters.mesh import Options, segment_with
from tests.toy_mesh import toy_mesh

PAGE = """<div class=box id=a><div class=post id=b><p>one two</p><p>three</p></div><p id=c>four five six</p></div>
<div class=box id=d><p>seven eight</p><p>nine</p></div>"""


def told(markup: str, mesh: float = 0.5) -> list[tuple[str, list[str]]]:
    """Labels and texts of the top regions, with the texts of their parts."""
    page = tamis.parse(markup)

    def text(region: Region) -> str:
        return " ".join("".join(page.node_text(node) for node in region.nodes).split())

    root = segment_with(toy_mesh(), page, Options(mesh=mesh)).root
    return [(f"{top.label}: {text(top)}", [f"{part.label}: {text(part)}" for part in top.parts]) for top in root.parts]


def test_main_blocks_are_divided_into_the_smallest_blocks() -> None:
    assert told(PAGE) == [
        ("main: one twothreefour five six", ["article: one twothree", "article: four five six"]),
        ("main: seven eightnine", ["article: seven eight", "article: nine"]),
    ]


def test_at_0_the_page_is_one_region() -> None:
    assert [parts for _, parts in told(PAGE, 0.0)] == [[]]


def test_at_1_every_piece_is_a_region() -> None:
    assert sum(max(len(parts), 1) for _, parts in told(PAGE, 1.0)) == 5


def test_a_run_beside_elements_is_a_region_of_its_texts() -> None:
    assert told("<div class=box>loose <i>text</i><p>a</p></div><p>b") == [
        ("main: loose texta", ["article: loose text", "article: a"]),
        ("main: b", []),
    ]


@pytest.mark.parametrize(
    ("element", "label"),
    [
        ("nav", "navigation"),
        ("footer", "footer"),
        ("aside", "aside"),
        ("main", "main"),
        ("div role=search", "search"),
        ("div role=Banner", "header"),
        ("div role=presentation", "main"),
    ],
)
def test_what_an_element_says_it_is_counts(element: str, label: str) -> None:
    markup = f"<{element} class=box><p>one</p><p>two</p></{element.split()[0]}><div class=box><p>three</p></div>"
    first = segment_with(toy_mesh(), tamis.parse(markup), Options()).root.parts[0]
    assert first.label == label
    assert (first.score == 1.0) == (element != "div role=presentation")


def test_boxes_reach_around_what_is_seen() -> None:
    root = segment_with(toy_mesh(), tamis.parse(PAGE), Options()).root
    for top in root.parts:
        assert top.box is not None
        for part in top.parts:
            assert part.box is not None
            assert top.box[0] <= part.box[0] < part.box[2] <= top.box[2]
            assert top.box[1] <= part.box[1] < part.box[3] <= top.box[3]


def test_an_empty_page_has_no_regions() -> None:
    assert tamis.segment("", method="mesh").root.parts == ()


@pytest.mark.parametrize("mesh", [-0.01, 1.01, float("nan")])
def test_a_mesh_outside_0_to_1_is_refused(mesh: float) -> None:
    with pytest.raises(OptionError, match="must be from 0"):
        Options(mesh=mesh)


@pytest.mark.parametrize("mesh", [0, 1])
def test_a_mesh_of_0_and_of_1_is_allowed(mesh: float) -> None:
    assert Options(mesh=mesh).mesh == mesh


def test_the_shipped_model_finds_the_parts_of_a_plain_page() -> None:
    entry = "<li><a href='/x'>Something to read</a></li>"
    page = f"""<div id=header><img width=200 height=80 src=logo.png><ul>{entry * 5}</ul></div>
    <div id=content><h1>A title</h1><p>{"A sentence with some words. " * 60}</p></div>
    <div id=footer>© 2012 The makers of this page</div>"""
    assert [part.label for part in tamis.segment(page).root.parts] == ["header", "main", "footer"]
