from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import InputError
from tamis.extractors.elements.features import THESIS
from tamis.extractors.elements.trees import MODELS, DecisionTree, ElementModel, to_dict
from tamis.page.layout import estimate_boxes

STORY = "<p>The river rose in the night and nobody in the town had seen it come.</p>"


def model_file(tmp_path: Path, **borders: float) -> str:
    """Trees that call an element main from a number of words on; groups that are not named are main."""
    trees = {}
    for name in MODELS:
        words = borders.get(name, 0.0)
        trees[name] = DecisionTree(
            feature=np.array([THESIS.index("inner_text_length"), -1, -1]),
            border=np.array([words, np.nan, np.nan]),
            other=np.array([2, -1, -1]),
            noisy=np.array([5.0, 4, 1]),
            main=np.array([5.0, 1, 4]),
        )
    file = tmp_path / f"{abs(hash(tuple(sorted(borders.items()))))}.json"
    file.write_text(json.dumps(to_dict(ElementModel(features=THESIS, trees=trees, card={}))))
    return str(file)


def test_elements_are_kept_or_dropped_whole(tmp_path: Path) -> None:
    page = f"<ul><li>Home<li>News</ul><h1>Flood</h1>{STORY}<p>More <b>here</b></p>"
    result = tamis.extract(page, method="elements", model=model_file(tmp_path, p=5, li=2))
    assert result.text == "Flood\n\nThe river rose in the night and nobody in the town had seen it come."


def test_text_in_two_elements_follows_the_inner_one(tmp_path: Path) -> None:
    result = tamis.extract(f"<ul><li>short {STORY}</ul>", method="elements", model=model_file(tmp_path, p=99))
    assert result.text == "short"


def test_rules_for_noise_go_before_the_trees(tmp_path: Path) -> None:
    page = f"<div class=navbar>{STORY}</div>{STORY}<p><a href=/>Home</a></p>"
    result = tamis.extract(page, method="elements", model=model_file(tmp_path))
    assert result.text.count("river") == 1
    assert "Home" not in result.text
    assert result.blocks[0].reason == "dropped: p: a rule for noise"


def test_images_are_judged_and_kept_as_well_as_text(tmp_path: Path) -> None:
    page = f"{STORY}<img src=/big.jpg width=300 height=200>{STORY}<img src=/small.gif width=20 height=20>{STORY}"
    result = tamis.extract(page, method="elements", model=model_file(tmp_path, img_small=1))
    assert "big.jpg" in result.markdown
    assert "big.jpg" in result.html
    assert "small.gif" not in result.markdown
    assert [result.page.attributes(node)["src"] for node in result.images or ()] == ["/big.jpg"]


def test_an_image_is_kept_where_no_text_around_it_is(tmp_path: Path) -> None:
    page = f"{STORY}<div class=nav><p>menu</p><img src=/a.jpg><p>menu</p></div>"
    result = tamis.extract(page, method="elements", model=model_file(tmp_path))
    assert "a.jpg" in result.markdown
    assert "menu" not in result.markdown


def test_other_methods_leave_images_to_the_outputs() -> None:
    page = f"{STORY}<img src=/a.jpg>{STORY}"
    result = tamis.extract(page, method="keep_all")
    assert result.images is None
    assert "a.jpg" in result.markdown


def test_reasons_tell_the_way_through_the_tree(tmp_path: Path) -> None:
    result = tamis.extract(STORY, method="elements", model=model_file(tmp_path, p=5))
    (block,) = result.blocks
    assert (block.kept, block.score) == (True, 0.8)
    assert block.reason == "kept: p: inner_text_length >= 5"


def test_a_threshold_asks_for_more(tmp_path: Path) -> None:
    file = model_file(tmp_path)
    assert tamis.extract(STORY, method="elements", model=file, threshold=0.79).text
    assert not tamis.extract(STORY, method="elements", model=file, threshold=0.8).text


def test_sections_under_noise_headings_are_dropped_on_request(tmp_path: Path) -> None:
    page = f"<h1>Flood</h1>{STORY}<h2>Related links</h2><p>Other things that happened on the same day.</p>"
    file = model_file(tmp_path)
    assert "Other things" in tamis.extract(page, method="elements", model=file).text
    result = tamis.extract(page, method="elements", model=file, noise_headings=True)
    assert "Other things" not in result.text
    assert "Related" not in result.text


def test_what_a_browser_does_not_show_is_dropped() -> None:
    page = tamis.parse(STORY * 2)
    boxes = estimate_boxes(page)
    first = page.select("p")[0]
    boxes.rect[boxes.node == first] = 0
    rendered = page.with_boxes(boxes)
    result = tamis.extract(rendered, method="elements")
    assert result.text.count("river") <= 1


def test_a_page_that_was_not_rendered_is_judged_by_an_estimate() -> None:
    result = tamis.extract(f"<article><h1>Flood</h1>{STORY * 3}</article>", method="elements")
    assert "river" in result.text


def test_a_model_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(InputError, match="does not say of which format it is"):
        tamis.extract(STORY, method="elements", model=str(tmp_path / "x.json"))
