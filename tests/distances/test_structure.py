from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import tamis
from tamis.distances import _structure as structure
from tamis.page.html import TAG_NAMES
from tamis.page.model import Page
from tests.distances.outlines import OUTLINES, Outline, page_of, subtrees, tags

NAMES = {**dict(enumerate(TAG_NAMES)), **{structure._own_code(name): name for name in ("x-card", "x-row", "x-y")}}


def names_of(page: Page, tags_from: structure.TagSource = "tree") -> list[str]:
    codes = structure.tag_sequence(page, tags_from)
    return [
        ("" if opens else "/") + NAMES[code]
        for code, opens in zip((codes & ~structure.CLOSING).tolist(), structure.is_opening(codes).tolist(), strict=True)
    ]


@given(outline=OUTLINES)
def test_tags_stand_in_the_order_of_the_page(outline: Outline) -> None:
    assert names_of(page_of(outline)) == tags(outline)


def test_void_elements_have_one_tag() -> None:
    page = tamis.parse("<html><head></head><body>a<br>b<img></body></html>")
    expected = "html head /head body br img /body /html".split()
    assert names_of(page) == names_of(page, "source") == expected


def test_the_tree_has_tags_that_the_source_lacks_and_the_other_way_round() -> None:
    page = tamis.parse("<p>one<p>two</b>")
    assert names_of(page) == "html head /head body p /p p /p /body /html".split()
    assert names_of(page, "source") == ["p", "p", "/b"]


def test_names_of_web_components_are_read_from_the_source_as_well() -> None:
    page = tamis.parse("<X-CARD a=1><x-row>one</x-row></x-card\n></x-y>")
    assert names_of(page, "source") == ["x-card", "x-row", "/x-row", "/x-card", "/x-y"]


@given(outline=OUTLINES)
def test_two_elements_have_one_hash_if_and_only_if_their_subtrees_are_equal(outline: Outline) -> None:
    hashes = structure.subtree_hashes(structure.elements_of(page_of(outline))).tolist()
    below = subtrees(outline)
    assert len(set(hashes)) == len(set(below)) == len(set(zip(hashes, below, strict=True)))


@given(outline=OUTLINES)
def test_two_elements_have_one_hash_if_and_only_if_their_paths_are_equal(outline: Outline) -> None:
    hashes = structure.path_hashes(structure.elements_of(page_of(outline))).tolist()
    above = all_paths(outline)
    assert len(set(hashes)) == len(set(above)) == len(set(zip(hashes, above, strict=True)))


def all_paths(outline: Outline, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    here = (*above, outline[0])
    return [here, *(path for child in outline[1] for path in all_paths(child, here))]


def test_what_is_no_element_is_passed_over() -> None:
    page = tamis.parse("<!doctype html><!-- c --><body>text<template><p><b>x</b></p></template><x-y></x-y>")
    elements = structure.elements_of(page)
    names = [NAMES[code] for code in elements.tag.tolist()]
    assert names == ["html", "head", "body", "template", "p", "b", "x-y"]
    assert elements.parent.tolist() == [-1, 0, 0, 2, 3, 4, 2]
    assert elements.end.tolist() == [7, 2, 7, 6, 6, 6, 7]
    assert elements.depth.tolist() == [0, 1, 1, 2, 3, 4, 2]


@pytest.mark.parametrize(("length", "expected"), [(1, 3), (2, 2), (3, 1), (9, 1)])
def test_a_sequence_shorter_than_a_run_is_one_run(length: int, expected: int) -> None:
    assert len(structure.runs(np.array([1, 2, 3]), length)) == expected
    assert not len(structure.runs(np.array([], dtype=np.int64), length))


def test_hashes_are_the_same_for_ever() -> None:
    """Features may be stored: another version must not give them other numbers without notice."""
    page = page_of("html(body(p))")
    assert structure.path_hashes(structure.elements_of(page)).tolist() == [
        6003839248161056871,
        13933673639169738916,
        10219426978831231677,
    ]
    assert structure.runs(structure.tag_sequence(page, "tree"), 8).tolist() == [5415351588271943309]
