from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.evaluation.datasets import open_dataset
from tamis.evaluation.datasets.ceml import unlabelled
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.training.attachments import attach
from tamis.training.ceml import carriers, from_ceml, labelled, read_labels
from tests.hostile import HOSTILE

TAGS = (
    *(
        "<p>",
        '<p class="a b">',
        "<p class='a'>",
        '<p class="">',
        '<p\n id=x class=" a ">',
        "<div title='class=b'>",
        "</div>",
    ),
    *(
        "<ul>",
        "<li>",
        "<br/>",
        "<img src=x>",
        "text ",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<b>",
        "</b>",
        "<!-- <p> -->",
    ),
    *(
        "<p/class=a>",
        "<p title='1'class=b>",
        "<p =class=x class = 'y'>",
        "<p class id=x>",
        "<p class=>",
        "<p CLASS=a&amp;b class=c>",
        "<p class=a`/>",
        '<p\x0cclass=a"b>',
        "<textarea>",
        "</textarea>",
        "<form class=a>",
        "<svg class=a>",
    ),
)


def label(markup: str, selector: str) -> str:
    page = parse(markup)
    is_main = np.isin(np.arange(len(page.nodes)), page.select(selector))
    return labelled(page, is_main).markup


def classes_of(page: Page) -> dict[int, list[str]]:
    elements = np.flatnonzero(page.nodes.elements)
    return {
        node: (value or "").split()
        for node, value in zip(elements.tolist(), page.attribute(elements, "class"), strict=True)
    }


@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ("<p>", '<p class="CEML__MAIN__CONTENT">'),
        ('<p class="lead big">', '<p class="lead big CEML__MAIN__CONTENT">'),
        ("<P ID=x CLASS='lead'>", "<P ID=x CLASS='lead CEML__MAIN__CONTENT'>"),
        ("<p class=lead>", "<p class=lead&#32;CEML__MAIN__CONTENT>"),
        ("<p/class=lead>", "<p/class=lead&#32;CEML__MAIN__CONTENT>"),
        ("<p id='x'class='lead'>", "<p id='x'class='lead CEML__MAIN__CONTENT'>"),
        ('<p class="">', '<p class=" CEML__MAIN__CONTENT">'),
        ("<p class>", '<p class="CEML__MAIN__CONTENT" class>'),
        ('<p title=" class=x">', '<p class="CEML__MAIN__CONTENT" title=" class=x">'),
        ('<p data-class="x">', '<p class="CEML__MAIN__CONTENT" data-class="x">'),
    ],
)
def test_a_label_is_added_to_the_classes(tag: str, wanted: str) -> None:
    assert label(f"<h1>a</h1>{tag}b</p>", "p") == f"<h1>a</h1>{wanted}b</p>"


@given(st.lists(st.sampled_from(TAGS), max_size=14), st.integers(0, 2**20))
def test_labels_come_back_and_the_page_stays_as_it_was(pieces: list[str], chosen: int) -> None:
    page = parse("".join(pieces))
    elements = np.flatnonzero(page.nodes.elements)
    is_main = np.zeros(len(page.nodes), dtype=np.bool_)
    is_main[[node for place, node in enumerate(elements.tolist()) if chosen >> place & 1]] = True
    written = labelled(page, is_main)
    assert unlabelled(written.markup) == page.source
    again, found = read_labels(written.markup)
    assert again.text == page.text
    is_main[list(written.left_out)] = False
    is_main &= carriers(page)
    assert found.tolist() == is_main.tolist()
    own, marked = (classes_of(parse(markup)) for markup in (page.source, written.markup))
    for node in elements.tolist():
        assert marked[node] == own[node] + ["CEML__MAIN__CONTENT"] * bool(is_main[node])


def test_an_element_that_nobody_wrote_is_named() -> None:
    page = parse("<table><tr><td>a</table>")
    tbody = page.select("tbody")[0]
    is_main = np.isin(np.arange(len(page.nodes)), page.select("tbody, td"))
    assert labelled(page, is_main).left_out == (tbody,)


def test_what_a_text_field_holds_carries_no_label() -> None:
    markup = "<p>a</p><textarea><p class=x>b</p></textarea>"
    assert label(markup, "p") == '<p class="CEML__MAIN__CONTENT">a</p><textarea><p class=x>b</p></textarea>'


def test_inline_elements_carry_no_label() -> None:
    assert label("<p><b>a</b><img></p>", "b, img") == '<p><b>a</b><img class="CEML__MAIN__CONTENT"></p>'


@pytest.mark.parametrize("label", ["CEML_MAIN_CONTENT", "CEML__MAIN__CONTENT", "CEML___MAIN_CONTENT"])
def test_both_spellings_are_read(label: str) -> None:
    _, found = read_labels(f"<p class='{label} x'>a")
    assert found.sum() == 1


def test_the_reader_of_datasets_understands_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(label("<p>no</p><p>yes</p>", "p + p"))
    assert [sample.gold for sample in open_dataset(tmp_path)] == ["yes"]


def test_labels_become_an_annotation_of_the_page_without_them() -> None:
    markup = label("<div><p>a</p><p>b</p></div><p>c</p>", "div, div p:first-child")
    page = tamis.parse("<div><p>a</p><p>b</p></div><p>c</p>")
    annotation = from_ceml(markup, "a.html", "ann")
    assert [mark.label for mark in annotation.marks] == ["main", "noisy"]
    is_main = attach(annotation, page).is_main(page)
    assert is_main[page.select("div, p")].tolist() == [True, True, False, False]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_labelled_and_read_again(name: str) -> None:
    page = parse(HOSTILE[name].make(HOSTILE[name].small))
    is_main = carriers(page) & (np.arange(len(page.nodes)) % 2 == 0)
    written = labelled(page, is_main)
    assert unlabelled(written.markup) == page.source
    is_main[list(written.left_out)] = False
    assert read_labels(written.markup)[1].tolist() == is_main.tolist()
