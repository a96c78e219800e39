"""What every segmenter owes, checked for each module of the folder without naming one.

A segmenter may be excused from a check, with the reason written down in ``EXCUSED``.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import registry
from tamis.page.boxes import Boxes
from tamis.page.layout import estimate_boxes
from tamis.page.limits import Limits
from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.regions import walk
from tamis.results import Region, Segmentation
from tests.contract.test_methods import (
    ARTICLE,
    INPUTS,
    MANY_PARAGRAPHS,
    markup_of,
    results,
    the_page_is_unchanged,
)
from tests.hostile import HOSTILE, Markup

EXCUSED: dict[tuple[str, str], str] = {
    ("bcs", "siblings_share_nothing"): "its boxes are lines: a text whose lines fall into two segments is in both",
}
"""(segmenter, check) → why the segmenter need not pass it."""

SEGMENTERS = registry.names("segmenters")


def check(name: str, checked: Callable[..., None], *arguments: Any) -> None:
    if (name, checked.__name__) not in EXCUSED:
        checked(*arguments)


def keeps_its_promises(name: str, page: Page) -> Segmentation:
    segmentation = tamis.segment(page, method=name)
    assert isinstance(segmentation, Segmentation)
    assert segmentation.page.text is page.text
    assert segmentation.made.method == name
    check(name, nodes_exist, segmentation)
    check(name, parts_are_inside, segmentation)
    check(name, siblings_share_nothing, segmentation)
    check(name, boxes_are_in_order, segmentation)
    check(name, it_survives_json, segmentation)
    return segmentation


def nodes_exist(segmentation: Segmentation) -> None:
    count = len(segmentation.page.nodes)
    assert segmentation.root.nodes == (0,)
    for region, _, _ in walk(segmentation.root):
        assert region.nodes
        assert all(type(node) is int and 0 <= node < count for node in region.nodes)
        assert len(set(region.nodes)) == len(region.nodes)


def members(page: Page, region: Region) -> set[int]:
    """Everything that a region holds: its nodes and what is below them."""
    return {below for node in region.nodes for below in range(node, int(page.nodes.end[node]))}


def parts_are_inside(segmentation: Segmentation) -> None:
    placed = walk(segmentation.root)
    held = [members(segmentation.page, item.region) for item in placed]
    for number, item in enumerate(placed):
        assert item.parent < 0 or held[number] <= held[item.parent]


def siblings_share_nothing(segmentation: Segmentation) -> None:
    taken: set[tuple[int, int]] = set()
    for region, parent, _ in walk(segmentation.root):
        own = {(parent, node) for node in members(segmentation.page, region)}
        assert not own & taken
        taken |= own


def boxes_are_in_order(segmentation: Segmentation) -> None:
    for region, _, _ in walk(segmentation.root):
        if region.box is not None:
            assert all(type(edge) is float and np.isfinite(edge) for edge in region.box)
            assert region.box[0] <= region.box[2]
            assert region.box[1] <= region.box[3]
        assert region.score is None or (type(region.score) is float and region.score == region.score)


def it_survives_json(segmentation: Segmentation) -> None:
    assert json.loads(json.dumps(segmentation.to_dict(), allow_nan=False)) == segmentation.to_dict()


@functools.cache
def parsed(source: str) -> Page:
    return tamis.parse(markup_of(source))


@functools.cache
def untouched(source: str) -> Page:
    return tamis.parse(markup_of(source))


@pytest.mark.parametrize("source", INPUTS)
@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_segmenter_keeps_its_promises(name: str, source: str) -> None:
    found = keeps_its_promises(name, parsed(source))
    assert tamis.segment(tamis.parse(markup_of(source)), method=name).root == found.root
    the_page_is_unchanged(parsed(source), untouched(source))


@pytest.mark.parametrize("name", SEGMENTERS)
@pytest.mark.parametrize(
    "limits", [Limits(max_nodes=1), Limits(max_nodes=20), Limits(max_depth=1), Limits(max_depth=4)]
)
def test_a_segmenter_copes_with_a_page_that_was_cut(name: str, limits: Limits) -> None:
    assert keeps_its_promises(name, tamis.parse(ARTICLE, limits=limits)).status == "truncated"


def one_pixel(rect: Floats) -> Floats:
    return np.tile([0.0, 0.0, 1.0, 1.0], (len(rect), 1))


def on_top_of_each_other(rect: Floats) -> Floats:
    return np.tile([100.0, 100.0, 300.0, 200.0], (len(rect), 1))


def overlapping(rect: Floats) -> Floats:
    left, top = np.random.default_rng(7).uniform(0, 500, (2, len(rect)))
    return np.stack((left, top, left + 150, top + 60), axis=1)


def without_size(rect: Floats) -> Floats:
    return np.repeat(rect[:, :2], 2, axis=0).reshape(-1, 4)


def thin(rect: Floats) -> Floats:
    return np.asarray(rect * np.array([1, 0, 1, 0]) + np.array([0, 5, 0, 5.001]))


def off_screen(rect: Floats) -> Floats:
    return rect - 100_000.0


def far_away(rect: Floats) -> Floats:
    return rect + 1e9


SHAPES = [one_pixel, on_top_of_each_other, overlapping, without_size, thin, off_screen, far_away]
PAGES = {"article": ARTICLE, "paragraphs": MANY_PARAGRAPHS, "soup": str(HOSTILE["random soup"].make(300))}


@pytest.mark.parametrize("visible", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("source", PAGES)
@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_segmenter_copes_with_odd_boxes(
    name: str, source: str, shape: Callable[[Floats], Floats], *, visible: bool
) -> None:
    page = tamis.parse(PAGES[source])
    boxes = estimate_boxes(page)
    odd = dataclasses.replace(boxes, rect=shape(boxes.rect), visible=np.full(len(boxes), visible), estimated=False)
    before = {field.name: np.copy(getattr(odd, field.name)) for field in dataclasses.fields(Boxes)}
    found = keeps_its_promises(name, page.with_boxes(odd))
    assert all(np.array_equal(before[field], getattr(odd, field)) for field in before)
    assert visible or not found.root.parts


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_page_with_nothing_to_see_has_no_regions(name: str) -> None:
    for markup in ("", "<p hidden>text</p>", "<script>var a = 1;</script>"):
        assert tamis.segment(markup, method=name).root.parts == ()


@pytest.mark.parametrize("name", SEGMENTERS)
def test_an_empty_list_of_boxes_is_a_page_without_regions(name: str) -> None:
    page = tamis.parse(ARTICLE)
    boxes = estimate_boxes(page)
    arrays = {
        field.name: getattr(boxes, field.name)[:0]
        for field in dataclasses.fields(Boxes)
        if isinstance(getattr(boxes, field.name), np.ndarray)
    }
    assert keeps_its_promises(name, page.with_boxes(dataclasses.replace(boxes, **arrays))).root.parts == ()


PRINT_REGIONS = """
import sys, json, tamis
pages = json.load(sys.stdin)
names = tamis.methods("segmenters")
print(json.dumps([[tamis.segment(page, method=name).to_dict() for page in pages] for name in names]))
"""


def test_regions_are_the_same_in_every_process_and_hash_seed() -> None:
    pages: list[Markup] = list(PAGES.values())
    first = results([str(page) for page in pages], "1", PRINT_REGIONS)
    assert len(json.loads(first)) == len(SEGMENTERS)
    assert results([str(page) for page in pages], "2", PRINT_REGIONS) == first
