from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.errors import InputError
from tamis.extractors.elements.features import THESIS
from tamis.extractors.elements.groups import GROUPS
from tamis.extractors.elements.trees import (
    LARGE_IMAGE_PX,
    MODELS,
    NOISE_RULES,
    DecisionTree,
    ElementModel,
    conditions,
    from_dict,
    judge,
    load_model,
    model_numbers,
    ruled_noise,
    to_dict,
)

WORDS = THESIS.index("inner_text_length")
SIBLING = THESIS.index("is_sib_p")


def stump(feature: int, border: float, noisy: tuple[float, float], main: tuple[float, float]) -> DecisionTree:
    return DecisionTree(
        feature=np.array([feature, -1, -1]),
        border=np.array([border, np.nan, np.nan]),
        other=np.array([2, -1, -1]),
        noisy=np.array([sum(noisy), *noisy]),
        main=np.array([sum(main), *main]),
    )


IMAGES = (((8.0, 1.0), (2.0, 1.0)), ((1.0, 1.0), (9.0, 1.0)))
"""Noisy and main, at the two leaves of the trees for small and for large images."""


def model() -> ElementModel:
    trees = {"p": stump(WORDS, 9.5, (8, 1), (2, 9)), "li": stump(SIBLING, 0.5, (5, 5), (0, 15))}
    return ElementModel(features=THESIS, trees=trees, card={"made": "here"})


def columns(count: int, **rows: list[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    features = np.zeros((len(THESIS), count))
    for name, values in rows.items():
        features[THESIS.index(name)] = values
    return features


def groups(*names: str) -> np.ndarray[Any, np.dtype[np.int8]]:
    return np.array([GROUPS.index(name) for name in names], dtype=np.int8)


def test_an_element_goes_to_the_tree_of_its_group() -> None:
    features = columns(4, inner_text_length=[9, 10, 10, 10], is_sib_p=[0, 0, 0, 1])
    judged = judge(model(), THESIS, features, groups("p", "p", "li", "li"))
    assert judged.chance.tolist() == [0.2, 0.9, 0, 0.75]
    assert judged.leaf.tolist() == [1, 2, 1, 2]


def test_a_group_without_a_tree_is_noise() -> None:
    judged = judge(model(), THESIS, columns(1, inner_text_length=[99]), groups("pre"))
    assert (judged.chance.tolist(), judged.leaf.tolist()) == ([0], [-1])


def test_a_number_that_is_not_known_is_not_below_a_border() -> None:
    judged = judge(model(), THESIS, columns(1, inner_text_length=[np.nan]), groups("p"))
    assert judged.leaf.tolist() == [2]


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("rule", ["is_desc_a", "is_desc_nav", "is_desc_ad", "is_link"])
def test_rules_go_before_trees(group: str, rule: str) -> None:
    features = columns(1, inner_text_length=[99], **{rule: [1.0]})
    is_noise = rule in NOISE_RULES.get(group, ())
    assert ruled_noise(groups(group), THESIS, features).tolist() == [is_noise]
    if group == "p":
        assert judge(model(), THESIS, features, groups(group)).chance.tolist() == [0]


def test_the_rules_are_those_of_the_thesis() -> None:
    assert NOISE_RULES["p"] == NOISE_RULES["div"] == NOISE_RULES["heading"]
    assert (NOISE_RULES["li"], NOISE_RULES["cell"]) == (("is_desc_ad",), ("is_desc_nav",))
    assert "img" not in NOISE_RULES


def test_images_are_divided_by_size() -> None:
    sizes = np.array([200.0 * 200, 200.0 * 201, np.nan, 50_000.0])
    numbers = model_numbers(groups("img", "img", "img", "p"), sizes)
    assert [MODELS[number] for number in numbers.tolist()] == ["img_small", "img_large", "img_small", "p"]
    assert LARGE_IMAGE_PX == 40_000


def test_only_what_trees_and_rules_read_is_used() -> None:
    rules = {"is_desc_a", "is_desc_nav", "is_desc_ad", "is_link"}
    assert set(model().used) == {"inner_text_length", "is_sib_p", "rect_size", *rules}


def test_the_way_to_a_leaf_is_told() -> None:
    tree = DecisionTree(
        feature=np.array([SIBLING, -1, WORDS, -1, -1]),
        border=np.array([0.5, np.nan, 9.5, np.nan, np.nan]),
        other=np.array([2, -1, 4, -1, -1]),
        noisy=np.ones(5),
        main=np.ones(5),
    )
    assert conditions(tree, 1, THESIS) == ("not is_sib_p",)
    assert conditions(tree, 3, THESIS) == ("is_sib_p", "inner_text_length < 9.5")
    assert conditions(tree, 4, THESIS) == ("is_sib_p", "inner_text_length >= 9.5")
    assert conditions(tree, 0, THESIS) == ()


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "elements.json"
    file.write_text(json.dumps(to_dict(model()), allow_nan=False))
    again = load_model(str(file))
    assert to_dict(again) == to_dict(model())
    assert "inner_text_length" in file.read_text()


def changed(**values: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(to_dict(model()))), **values}


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "format"),
        (changed(format=99), "has format 99, this version of Tamis reads 1"),
        (changed(features=["words"]), "it has the unknown feature 'words'"),
        (changed(features=list(THESIS[1:])), "features are missing"),
        (changed(trees={"q": {}}), r"trees\['q'\].feature is missing"),
        (changed(trees={"p": {"feature": [None], "border": [None], "other": [], "noisy": [1], "main": [1]}}), "length"),
        (
            changed(trees={"p": {"feature": ["is_link"], "border": [1], "other": [7], "noisy": [1], "main": [1]}}),
            "leads nowhere",
        ),
        ([], "does not say of which format"),
    ],
)
def test_what_is_no_model_is_named(values: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        from_dict(values)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the model"):
        load_model(str(tmp_path / "none.json"))


def test_a_damaged_file_is_named_and_a_mended_one_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    for damage in ("{", "[]", '{"format": 1}', "[" * 100_000):
        file.write_text(damage)
        with pytest.raises(InputError, match=r"model\.json' is damaged .*; train it again with tamis train"):
            load_model(str(file))
    file.write_text(json.dumps(to_dict(load_model())))
    assert load_model(str(file)).features == load_model().features


def test_the_shipped_model_has_a_tree_for_every_group() -> None:
    assert set(load_model().trees) == set(MODELS)


@pytest.mark.parametrize(("names", "wanted"), [(("img_small",), [0.2, 0.2]), (("img_small", "img_large"), [0.2, 0.9])])
def test_without_a_tree_for_large_images_that_for_small_ones_judges_all(
    names: tuple[str, ...], wanted: list[float]
) -> None:
    trees = {name: stump(WORDS, 1, *counts) for name, counts in zip(names, IMAGES, strict=False)}
    made = ElementModel(features=THESIS, trees=trees, card={})
    judged = judge(made, THESIS, columns(2, rect_size=[40_000, 40_001]), groups("img", "img"))
    assert judged.chance.tolist() == pytest.approx(wanted)
