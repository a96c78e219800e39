from __future__ import annotations

from pathlib import Path

import pytest

import tamis
from tamis.errors import InputError
from tamis.evaluation.datasets import Sample, open_dataset, write
from tamis.page.model import Page
from tamis.training.annotations import Annotation, Mark
from tamis.training.attachments import ElementPaths
from tamis.training.element_labels import MAIN_BLOCKS, block_labels, export_samples, label_elements

STORY = "Rain fell on the hills all night and by the morning the river had risen."
MORE = "Nobody in the town could remember such a flood since the bridge was built."
PAGE = (
    "<ul><li>Home</li><li>News</li></ul><h1>Flood</h1>"
    f"<p>{STORY}</p><img src=a.jpg><p>{MORE}</p><p>Read on</p><img src=b.jpg>"
)


def labelled(sample: Sample) -> dict[str, list[bool]]:
    found = label_elements(sample)
    assert found is not None
    labels: dict[str, list[bool]] = {}
    for node, main in zip(found.elements.node.tolist(), found.is_main.tolist(), strict=True):
        labels.setdefault(found.page.name(node), []).append(main)
    return labels


def test_gold_text_is_found_on_the_page_and_images_follow_their_neighbours() -> None:
    labels = labelled(Sample(id="a", html=PAGE, gold=f"{STORY} {MORE}"))
    assert labels == {"li": [False, False], "h1": [False], "p": [True, True, False], "img": [True, False]}


def test_repeated_text_goes_to_where_the_order_says() -> None:
    html = f"<div>{MORE}</div><p>{STORY}</p><p>{MORE}</p><div>{STORY}</div>"
    assert labelled(Sample(id="a", html=html, gold=f"{STORY} {MORE}")) == {"div": [False, False], "p": [True, True]}


def test_the_oracle_says_how_well_labels_fit() -> None:
    found = label_elements(Sample(id="a", html=PAGE, gold=f"{STORY} {MORE}"))
    assert found is not None
    assert found.oracle.f1 == 1
    half = label_elements(Sample(id="a", html=f"<p>{STORY} {MORE}</p>", gold=STORY + MORE[:40]))
    assert half is not None
    assert half.oracle.recall == 1
    assert half.oracle.precision < 1


def test_an_item_around_paragraphs_is_what_they_are() -> None:
    html = f"<ul><li><p>{STORY}</p><p>{MORE}</p></li><li><p>Share this</p></li></ul>"
    assert labelled(Sample(id="a", html=html, gold=f"{STORY} {MORE}")) == {
        "li": [True, False],
        "p": [True, True, False],
    }


def blocks(page: Page, *found: tuple[str, str]) -> list[bool]:
    flags = block_labels(page, [{"xpath": xpath, "type": kind} for xpath, kind in found])
    return [bool(flags[node]) for node in page.select("div, p")]


def test_functional_blocks_are_main_when_all_around_them_are() -> None:
    page = tamis.parse("<div><p>a</p><p>b</p></div><div><p>c</p></div>")
    body = "/html/body"
    assert blocks(page, (f"{body}/div[1]", "Content"), (f"{body}/div[1]/p[2]", "LinkList")) == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert blocks(page, (f"{body}/div[2]", "Sidebar"), (f"{body}/div[2]/p", "Article")) == [False] * 5
    assert blocks(page, (f"{body}/div[2]", "Content"), (f"{body}/div[9]", "Ad")) == [False, False, False, True, True]


def test_what_counts_as_main() -> None:
    assert {"Content", "Article", "Title", "Comments"} <= MAIN_BLOCKS
    assert not {"Header", "Footer", "Menu", "LinkList", "Logo", "Searchbar", "Ad", "Sidebar"} & MAIN_BLOCKS


def test_blocks_of_another_page_are_an_error() -> None:
    with pytest.raises(InputError, match="none of 1 blocks"):
        block_labels(tamis.parse("<p>a"), [{"xpath": "/html/body/div[4]", "type": "Content"}])


def test_images_in_blocks_have_labels_of_their_own() -> None:
    html = "<div><img src=a><p>a</p></div><div><img src=b></div>"
    sample = Sample(id="a", html=html, extra={"blocks": [{"xpath": "/html/body/div[1]", "type": "Content"}]})
    assert labelled(sample) == {"img": [True, False], "p": [True]}


def test_a_sample_without_labels_is_left_out() -> None:
    assert label_elements(Sample(id="a", html=PAGE)) is None


def test_annotated_pages_become_samples_with_gold_text(tmp_path: Path) -> None:
    page = tamis.parse(PAGE)
    places = ElementPaths(page)
    marks = (places.mark(page.select("h1")[0]), places.mark(page.select("p")[0]), Mark(path="/html/x", quote="gone"))
    annotation = Annotation(page="a", annotator="ann", page_type="article", marks=marks)
    file = tmp_path / "annotated.jsonl"
    write(file, export_samples([(Sample(id="a", html=PAGE), annotation)]))
    (sample,) = open_dataset(file)
    assert sample.gold == f"Flood\n\n{STORY}"
    assert sample.page_type == "article"
    assert sample.extra == {"annotator": "ann", "lost_marks": ["gone"], "gold_spans": [[8, 85]]}
