from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.errors import InputError
from tamis.extractors.elements.groups import find_elements
from tamis.page.boxes import ELEMENT, TEXT, Boxes
from tamis.page.model import Page
from tamis.training.annotations import Annotation, Mark
from tamis.training.attachments import (
    MAX_COMPARED,
    Agreement,
    ElementPaths,
    agreement,
    attach,
    enclosed,
    fewest_marks,
    from_extraction,
    rectangle_marks,
    section_labels,
)

PAGE = "<div><p>One.</p><p>Two.</p></div><ul><li>Three</li><li>Four</li></ul><img src=a.png>"


def node(page: Page, selector: str) -> int:
    return page.select(selector)[0]


def said(page: Page, *marks: Mark, annotator: str = "ann") -> Annotation:
    return Annotation(page="a.html", annotator=annotator, marks=marks)


def test_paths_read_like_xpath() -> None:
    page = tamis.parse(PAGE)
    places = ElementPaths(page)
    assert places.path(node(page, "p + p")) == "/html[1]/body[1]/div[1]/p[2]"
    assert places.path(node(page, "img")) == "/html[1]/body[1]/img[1]"


@given(st.text("<>/pdiv aul=\"'", max_size=40))
def test_every_element_is_found_at_its_path(markup: str) -> None:
    page = tamis.parse("<p>a<template><p>b</template>" + markup)
    places = ElementPaths(page)
    for element in np.flatnonzero(page.nodes.elements).tolist():
        assert places.node(places.path(element)) == element


@pytest.mark.parametrize(
    "path", ["", "/", "p", "/p", "/html[x]", "/html[2]", "/html[1]/p[9]", "/html[٣]", f"/html[{'1' * 5000}]"]
)
def test_what_is_no_path_leads_nowhere(path: str) -> None:
    assert ElementPaths(tamis.parse(PAGE)).node(path) is None


def test_a_step_without_a_number_is_the_first_one() -> None:
    page = tamis.parse(PAGE)
    assert ElementPaths(page).node("/html/body/div/p[2]") == node(page, "p + p")


def test_on_the_same_page_marks_are_at_their_places() -> None:
    page = tamis.parse(PAGE)
    places = ElementPaths(page)
    chosen = [node(page, selector) for selector in ("p + p", "li", "img")]
    annotation = said(page, *(places.mark(element) for element in chosen))
    found = attach(annotation, page)
    assert list(found.nodes) == chosen
    assert (found.moved, found.lost) == ((), ())


def test_an_element_that_moved_is_found_by_its_quote() -> None:
    page = tamis.parse(PAGE)
    mark = ElementPaths(page).mark(node(page, "p + p"))
    changed = tamis.parse("<section><p>New.</p></section>" + PAGE.replace("<div>", "<main><div>"))
    found = attach(said(page, mark), changed)
    assert list(found.nodes) == [node(changed, "div p + p")]
    assert found.moved == (mark,)
    assert found.lost == ()


def test_an_image_is_found_by_its_address() -> None:
    page = tamis.parse("<img src=a.png><img src=b.png>")
    mark = ElementPaths(page).mark(page.select("img")[1])
    changed = tamis.parse("<p><img src=b.png></p><img src=c.png><img src=d.png>")
    assert list(attach(said(page, mark), changed).nodes) == [node(changed, "p img")]


def test_text_that_is_gone_is_reported_and_nothing_takes_its_place() -> None:
    page = tamis.parse(PAGE)
    places = ElementPaths(page)
    kept, gone = places.mark(node(page, "p")), places.mark(node(page, "li"))
    found = attach(said(page, kept, gone), tamis.parse(PAGE.replace("Three", "Five")))
    assert list(found.nodes.values()) == [kept]
    assert found.lost == (gone,)


def test_of_repeated_texts_the_one_with_the_same_neighbours_is_taken() -> None:
    page = tamis.parse("<p>Alpha</p><p>More</p><p>Beta</p><p>More</p><p>Gamma</p>")
    mark = ElementPaths(page).mark(page.select("p")[3])
    changed = tamis.parse("<div><p>Alpha</p><p>More</p><p>Beta</p><p>More</p><p>Gamma</p></div>")
    assert list(attach(said(page, mark), changed).nodes) == [changed.select("p")[3]]


def test_repeated_texts_that_nothing_tells_apart_are_not_guessed() -> None:
    page = tamis.parse("<p>More</p>")
    mark = ElementPaths(page).mark(node(page, "p"))
    changed = tamis.parse("<div><p>More</p></div><div><p>More</p></div>" * 100)
    assert attach(said(page, mark), changed).lost == (mark,)


def test_on_a_changed_page_another_element_with_the_quote_at_the_path_is_not_taken() -> None:
    page = tamis.parse("<p>Alpha</p><p>More</p><p>Beta</p><p>More</p>")
    mark = ElementPaths(page).mark(page.select("p")[1])
    changed = tamis.parse("<p>New</p><p>More</p><p>Alpha</p><p>More</p><p>Beta</p><p>More</p>")
    assert list(attach(said(page, mark), changed).nodes) == [changed.select("p")[3]]


@pytest.mark.parametrize(("others", "is_found"), [(MAX_COMPARED - 1, True), (MAX_COMPARED, False)])
def test_too_many_with_one_quote_are_compared_only_if_all_around_is_the_same(others: int, is_found: bool) -> None:
    page = tamis.parse("<p>Alpha</p><p>More</p><p>Beta</p>")
    mark = ElementPaths(page).mark(page.select("p")[1])
    rest = "".join(f"<p>More</p><p>{number}</p>" for number in range(others))
    near = tamis.parse(f"<main><p>Alpha</p><p>More</p><p>Betty</p>{rest}")
    assert list(attach(said(page, mark), near).nodes) == near.select("p")[1:2] * is_found
    alike = tamis.parse(f"<main>{'<p>More</p>' * others}<h1>Alpha</h1><p>More</p><p>Beta</p>")
    marked = ElementPaths(alike).mark(alike.select("h1 + p")[0])
    moved = tamis.parse(f"<main><p>New</p>{'<p>More</p>' * others}<h1>Alpha</h1><p>More</p><p>Beta</p>")
    assert list(attach(said(alike, marked), moved).nodes) == moved.select("h1 + p")


PIECES = st.lists(
    st.sampled_from(["<p>", "<div>", "</div>", "<li>", "one ", "two ", "<img src=a>", "<img>"]), max_size=16
)


@given(PIECES, PIECES)
def test_whatever_became_of_a_page_marks_are_found_with_their_quotes_or_lost(old: list[str], new: list[str]) -> None:
    page, changed = tamis.parse("".join(old)), tamis.parse("".join(new))
    places, others = ElementPaths(page), ElementPaths(changed)
    marks = tuple(places.mark(element) for element in np.flatnonzero(page.nodes.elements).tolist())
    found = attach(said(page, *marks), changed)
    assert len(found.nodes) + len(found.lost) == len(marks)
    assert set(found.moved) <= set(found.nodes.values())
    for element, mark in found.nodes.items():
        assert others.quote(element) == mark.quote
        assert others.name(element) == mark.path.rpartition("/")[2].partition("[")[0]


def test_a_mark_covers_what_is_inside_until_another_mark() -> None:
    page = tamis.parse(PAGE)
    places = ElementPaths(page)
    marks = places.mark(node(page, "div")), places.mark(node(page, "p + p"), "noisy", "promoted")
    kinds = attach(said(page, *marks), page).kinds(page)
    assert [kinds[element] for element in page.select("div, p, li")] == ["main", "main", "promoted", "noisy", "noisy"]


def boxes(*rects: tuple[float, float, float, float], kinds: tuple[int, ...] = (), nodes: tuple[int, ...] = ()) -> Boxes:
    count = len(rects)
    return Boxes(
        node=np.array(nodes or range(count)),
        kind=np.array(kinds or (ELEMENT,) * count, dtype=np.uint8),
        rect=np.array(rects, dtype=np.float64),
        start=np.zeros(count, dtype=np.int64),
        end=np.zeros(count, dtype=np.int64),
        color=np.zeros((count, 3), dtype=np.uint8),
        background=np.zeros((count, 3), dtype=np.uint8),
        paints=np.zeros(count, dtype=np.bool_),
        font_size=np.full(count, 16.0),
        font_weight=np.full(count, 400),
        italic=np.zeros(count, dtype=np.bool_),
        decorated=np.zeros(count, dtype=np.bool_),
        visible=np.ones(count, dtype=np.bool_),
        paint_order=np.arange(count),
        width=1000.0,
        height=1000.0,
        viewport=(1000, 800),
    )


def test_an_element_counts_when_it_is_entirely_inside_one_rectangle() -> None:
    found = boxes((10, 10, 90, 90), (10, 10, 91, 90), (9, 10, 90, 90), (10, 9, 90, 90), (10, 10, 90, 91))
    assert enclosed(found, [(10, 10, 90, 90)]).tolist() == [0]
    assert enclosed(found, [(10, 10, 90, 90)], tolerance_px=1).tolist() == [0, 1, 2, 3, 4]
    assert enclosed(found, []).tolist() == []


def test_two_rectangles_do_not_enclose_together() -> None:
    found = boxes((0, 0, 100, 10), (0, 0, 40, 10))
    assert enclosed(found, [(0, 0, 50, 10), (50, 0, 100, 10)]).tolist() == [1]


def test_lines_of_text_and_what_is_not_shown_are_no_elements() -> None:
    found = boxes((0, 0, 1, 1), (0, 0, 1, 1), kinds=(ELEMENT, TEXT))
    assert enclosed(found, [(0, 0, 9, 9)]).tolist() == [0]
    hidden = dataclasses.replace(found, visible=np.array([False, True]))
    assert enclosed(hidden, [(0, 0, 9, 9)]).tolist() == []


def test_rectangles_become_as_few_marks_as_say_the_same() -> None:
    page = tamis.parse("<div><p>in</p><p>sticks out</p></div><p>below</p>")
    shown = page.select("body, div, p")
    rects = [(0.0, 0.0, 100.0, 100.0), (10.0, 10.0, 50.0, 50.0), (10.0, 10.0, 50.0, 20.0), (10.0, 20.0, 80.0, 50.0)]
    page = page.with_boxes(boxes(*rects, (0.0, 60.0, 100.0, 80.0), nodes=tuple(shown)))
    marks = rectangle_marks(page, [(5, 5, 60, 60)])
    assert [(mark.path.rpartition("/")[2], mark.label) for mark in marks] == [("div[1]", "main"), ("p[2]", "noisy")]
    is_main = attach(said(page, *marks), page).is_main(page)
    assert is_main[shown].tolist() == [False, True, True, False, False]


def test_rectangles_need_boxes() -> None:
    with pytest.raises(InputError, match="render it first"):
        rectangle_marks(tamis.parse("<p>a"), [(0, 0, 1, 1)])


@given(st.lists(st.sampled_from(["main", "noisy", "legal", None]), min_size=6, max_size=6))
def test_the_fewest_marks_say_everything(said_kinds: list[str | None]) -> None:
    page = tamis.parse("<div><section><p>a</p></section><p>b</p></div><div>c</div>")
    elements = page.select("body, div, section, p")
    kinds = {node: kind for node, kind in zip(elements, said_kinds, strict=True) if kind is not None}
    marks = fewest_marks(page, kinds)
    found = attach(said(page, *marks), page).kinds(page)
    assert {node: found[node] for node in kinds} == kinds
    for left_out in range(len(marks)):
        fewer = attach(said(page, *marks[:left_out], *marks[left_out + 1 :]), page).kinds(page)
        assert any(fewer[node] != kind for node, kind in kinds.items())


def test_a_section_is_main_noisy_or_both() -> None:
    page = tamis.parse("<ul id=a><li>1<li>2<li>3</ul><ul id=b><li>4</ul><ul id=c><li>5</ul>")
    elements = find_elements(page)
    labels = section_labels(page, elements, np.array([True, True, False, True, False]))
    assert [labels[node(page, f"#{name}")] for name in "abc"] == ["partially main", "main", "noisy"]
    assert labels[node(page, "body")] == "partially main"


def test_what_a_method_keeps_is_a_start_for_annotators() -> None:
    page = tamis.parse("<ul><li>menu</ul><div>lead <b>text</b></div><p>Story.</p>")
    result = tamis.extract(page, method="keep_all", drop="ul")
    annotation = from_extraction(result, "a.html", "keep_all")
    is_main = attach(annotation, page).is_main(page)
    assert is_main[page.select("li, div, p")].tolist() == [False, True, True]


def test_what_a_method_drops_inside_of_what_it_keeps_is_marked_as_noise() -> None:
    page = tamis.parse("<ul><li>text of the item <p>dropped</p></ul>")
    annotation = from_extraction(tamis.extract(page, method="keep_all", drop="p"), "a.html", "x")
    assert [mark.kind for mark in annotation.marks] == ["main", "noisy"]
    assert attach(annotation, page).is_main(page)[page.select("li, p")].tolist() == [True, False]


def test_two_annotators_are_compared_element_by_element() -> None:
    page = tamis.parse("<p>a b c</p><p>d</p><p>e</p><p>f</p>")
    places = ElementPaths(page)
    first, second, third, fourth = page.select("p")
    ann = said(page, places.mark(first), places.mark(second), places.mark(third, "noisy", "legal"))
    bob = said(page, places.mark(first), places.mark(fourth, "noisy", "legal"), annotator="bob")
    found = agreement(ann, bob, page)
    assert found == Agreement(
        first=("main", "main", "legal", "noisy"), second=("main", "noisy", "noisy", "legal"), words=(3, 1, 1, 1)
    )
    assert found.kappa == pytest.approx(0.5)
    assert found.word_kappa == pytest.approx(2 / 3)
    assert 0 < found.b_cubed < 1
    assert agreement(ann, ann, page).kappa == 1
    assert (found + found).kappa == pytest.approx(found.kappa)
