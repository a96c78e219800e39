from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import InputError, OptionError
from tamis.evaluation.datasets import Sample, write
from tamis.extractors.elements.features import RENDERED, THESIS
from tamis.extractors.elements.groups import GROUPS
from tamis.extractors.elements.trees import load_model, to_dict
from tamis.stored import keys
from tamis.training.cart import Growth
from tamis.training.element_card import write_card
from tamis.training.element_labels import label_elements
from tamis.training.element_records import LabelledElements, make_record
from tamis.training.element_trees import THESIS_RECIPE, ElementRecipe, fit, train_elements, write_model
from tamis.training.tree_rules import rules_text, tree_picture
from tests.training.pages import sample, write_dataset

RECIPE = ElementRecipe(growth=Growth(minsplit=4, minbucket=2, cp=0.0))
PAGE = "<ul class=menu><li><a href=/>Home</a></ul><div class=post><p>The river rose in the night, again.</p></div>"


def records(hosts: int = 6) -> list[LabelledElements]:
    """One page of each host, with a paragraph of noise at its end."""
    made = []
    for host in range(hosts):
        page = sample(host, 0)
        page = dataclasses.replace(page, html=f"{page.markup}<aside><p>Terms of use</p></aside>")
        found = label_elements(page)
        assert found is not None
        made.append(make_record(page, found))
    return made


def test_a_record_holds_features_and_labels() -> None:
    record = records(1)[0]
    by_group = {name: record.is_main[record.group == GROUPS.index(name)].tolist() for name in ("p", "li", "heading")}
    assert by_group == {"p": [True] * 4 + [False], "li": [False] * 6, "heading": [True]}
    assert record.oracle == pytest.approx(1)
    assert record.host == "host0.example"


def test_a_model_is_trained_written_and_used(tmp_path: Path) -> None:
    trained = train_elements([str(write_dataset(tmp_path))], tmp_path / "work", workers=1, recipe=RECIPE)
    assert trained.page_f1["small"] > 0.9
    assert trained.oracle_f1["small"] > 0.95
    file = tmp_path / "elements.json"
    write_model(trained.model, file)
    assert to_dict(load_model(str(file)))["trees"] == to_dict(trained.model)["trees"]
    assert json.loads(file.read_text())["card"]["pages"] == {"small": 12}
    assert "river" in tamis.extract(PAGE, method="elements", model=str(file)).text
    card = write_card(trained, file)
    assert "| small | 12 |" in card
    assert "thesis: words" in card


def test_training_twice_gives_the_same_model() -> None:
    first, second = (fit(records(), RECIPE) for _ in range(2))
    assert to_dict(first.model) == to_dict(second.model)


def test_pages_that_were_read_are_not_read_again(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path)
    train_elements([str(dataset)], tmp_path / "work", workers=1, recipe=RECIPE)
    (kept,) = (tmp_path / "work" / "elements").iterdir()
    before = kept.stat().st_mtime_ns
    train_elements([str(dataset)], tmp_path / "work", workers=1, recipe=RECIPE)
    assert kept.stat().st_mtime_ns == before


def test_pages_are_read_again_when_the_code_that_reads_them_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = write_dataset(tmp_path)
    train_elements([str(dataset)], tmp_path / "work", workers=1, recipe=RECIPE)
    monkeypatch.setattr(keys, "source_digest", lambda modules, **_: f"changed {modules}")
    train_elements([str(dataset)], tmp_path / "work", workers=1, recipe=RECIPE)
    assert len(list((tmp_path / "work" / "elements").iterdir())) == 2


def test_hosts_are_judged_by_trees_that_have_not_seen_them() -> None:
    """Labels that are turned round on one host do not help to get them right there."""
    made = records()
    turned = [dataclasses.replace(made[0], is_main=~made[0].is_main), *made[1:]]
    honest, wrong = fit(made, RECIPE), fit(turned, RECIPE)
    assert wrong.report.pooled().score.f1 < honest.report.pooled().score.f1


def test_one_class_is_named() -> None:
    empty = [dataclasses.replace(record, is_main=np.zeros_like(record.is_main)) for record in records()]
    with pytest.raises(InputError, match="one class"):
        fit(empty, RECIPE)


def test_one_host_is_named() -> None:
    with pytest.raises(InputError, match="several hosts"):
        fit(records(1), RECIPE)


def test_a_dataset_without_labels_is_named(tmp_path: Path) -> None:
    write(tmp_path / "bare.jsonl", [Sample(id="a", html="<p>a", extra={"x": 1})])
    with pytest.raises(InputError, match="no labelled elements"):
        train_elements([str(tmp_path / "bare.jsonl")], tmp_path / "work", workers=1)


def test_a_recipe_names_its_families() -> None:
    assert THESIS_RECIPE.features == THESIS
    with pytest.raises(OptionError, match="no families of features: sung"):
        ElementRecipe(families=("thesis", "sung"))
    with pytest.raises(OptionError, match="'thesis' is needed"):
        ElementRecipe(families=("song",))


def test_trees_without_boxes_ask_for_no_places() -> None:
    model = fit(records(), dataclasses.replace(RECIPE, boxes="none")).model
    asked = {model.features[feature] for tree in model.trees.values() for feature in tree.feature if feature >= 0}
    assert asked
    assert not asked & set(RENDERED)


def test_rules_are_printed_and_drawn() -> None:
    model = fit(records(), RECIPE).model
    text = rules_text(model)
    assert text.startswith(f"{next(iter(model.trees))}: (")
    assert " → main (" in text
    for name, tree in model.trees.items():
        picture = tree_picture(model, name)
        assert picture.count("<rect") == len(tree)
        assert picture.count(">yes<") == (len(tree) - 1) // 2
