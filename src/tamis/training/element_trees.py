"""From labelled pages to the trees of the extractor ``elements``: nothing is random.

records   pages → features and labels of their content elements, kept in the work folder
trees     for each fold of hosts from the pages of all others, and once from all pages, which is the model
report    every element by the trees that have not seen its host
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tamis._version import VERSION
from tamis.errors import InputError, OptionError
from tamis.evaluation.datasets import open_dataset
from tamis.evaluation.element_scores import ElementReport, element_report
from tamis.extractors.elements.features import FAMILIES, NAMES, RENDERED, Matrix, names_of
from tamis.extractors.elements.trees import (
    MODELS,
    DecisionTree,
    ElementModel,
    judge,
    model_numbers,
    ruled_noise,
    to_dict,
)
from tamis.files import write_text
from tamis.page.text import Bools
from tamis.training import Say, check_extra
from tamis.training.cart import RPART_DEFAULT, Growth, fit_tree, only_leaf
from tamis.training.element_records import LabelledElements, read_records
from tamis.training.folds import FOLDS
from tamis.training.table_records import table_records

DATASETS = (
    *("train/wcxb", "train/newspaper4k_articles", "train/magic_html_bench", "train/chinese_wced"),
    *("train/forum_harvest", "train/seg_kreuzer_random"),
)
GROWTH = Growth(cp=0.003)
"""Larger trees than rpart grows by default; 0.01 and 0.003 by cross-validation: mean page F1 0.759 and 0.769."""


@dataclass(frozen=True, kw_only=True)
class ElementRecipe:
    """How the trees are made."""

    families: tuple[str, ...] = tuple(FAMILIES)
    boxes: Literal["estimated", "none"] = "estimated"  # for pages that were not rendered
    growth: Growth = GROWTH

    def __post_init__(self) -> None:
        if unknown := [name for name in self.families if name not in FAMILIES]:
            raise OptionError(f"no families of features: {', '.join(unknown)}; there are {', '.join(FAMILIES)}")
        if "thesis" not in self.families:
            raise OptionError("the family 'thesis' is needed: rules and groups are made of it")

    @property
    def features(self) -> tuple[str, ...]:
        """What the trees may ask for."""
        return names_of(self.families)


THESIS_RECIPE = ElementRecipe(families=("thesis",), growth=RPART_DEFAULT)
"""As in the thesis: its own features, every element counts the same, and rpart's own numbers."""


@dataclass(frozen=True, kw_only=True)
class TrainedElements:
    """The model, and how good it is on hosts that it has not seen."""

    model: ElementModel
    report: ElementReport
    page_f1: Mapping[str, float]  # by dataset: mean over pages of word F1 against the labels
    oracle_f1: Mapping[str, float]  # by dataset: mean over pages of what labels of elements can reach


def train_elements(
    datasets: Sequence[str],
    work: Path,
    *,
    workers: int = 2,
    recipe: ElementRecipe | None = None,
    progress: Say = lambda _: None,
) -> TrainedElements:
    """Train on datasets; the pages that were read are kept in the work folder and not read again.

    A name that ends in ``.csv`` is a table of elements. Tables hold what the thesis has, so that with one of them the
    recipe is that of the thesis if none is given.
    """
    names = datasets or DATASETS
    tables = [name for name in names if name.lower().endswith(".csv")]
    if len(tables) < len(names):
        check_extra()
    records: list[LabelledElements] = []
    for name in names:
        progress(f"reading {name}")
        if name in tables:
            records += table_records(Path(name), progress)
        else:
            records += read_records(open_dataset(name), work, workers)
    return fit(records, recipe or (THESIS_RECIPE if tables else ElementRecipe()), progress)


def fit(records: Sequence[LabelledElements], recipe: ElementRecipe, progress: Say = lambda _: None) -> TrainedElements:
    """The model of all records, measured by the models of all other folds."""
    if not records:
        raise InputError("there are no labelled elements: training needs gold text, blocks or tables")
    if len({record.fold for record in records}) < 2:
        raise InputError("training needs pages from several hosts: name more datasets")
    said: dict[int, Bools] = {}
    for fold in range(FOLDS):
        inside = [record for record in records if record.fold == fold]
        if not inside:
            continue
        model = grow([record for record in records if record.fold != fold], recipe)
        said |= {id(record): judged(record, model) for record in inside}
        progress(f"trees: {fold + 1} of {FOLDS + 1}")
    model = grow(records, recipe)
    report = _report(records, [said[id(record)] for record in records])
    page_f1 = {
        name: float(np.mean([page_score(record, said[id(record)]) for record in records if record.dataset == name]))
        for name in _names(records)
    }
    oracle_f1 = {
        name: float(np.mean([record.oracle for record in records if record.dataset == name]))
        for name in _names(records)
    }
    card = _card(records, recipe, report, page_f1, oracle_f1)
    return TrainedElements(
        model=dataclasses.replace(model, card=card), report=report, page_f1=page_f1, oracle_f1=oracle_f1
    )


def write_model(model: ElementModel, out: Path) -> None:
    """Write the model file aside and put it in its place."""
    write_text(out, json.dumps(to_dict(model), ensure_ascii=True, allow_nan=False, indent=1))


def judged(record: LabelledElements, model: ElementModel) -> Bools:
    """Which elements of a record a model takes for main."""
    rows = _rows(record, model.features)
    return np.asarray(judge(model, model.features, rows, record.group).chance > 0.5)


def _rows(record: LabelledElements, names: Sequence[str]) -> Matrix:
    return record.features[[NAMES.index(name) for name in names]].astype(np.float64)


def grow(records: Sequence[LabelledElements], recipe: ElementRecipe) -> ElementModel:
    """A tree for each group; elements that a rule decides are not learned from, and one class needs no question."""
    names = recipe.features
    features = np.concatenate([_rows(record, names) for record in records], axis=1)
    if recipe.boxes == "none":
        features[[position for position, name in enumerate(names) if name in RENDERED]] = np.nan
    group = np.concatenate([record.group for record in records])
    is_main = np.concatenate([record.is_main for record in records])
    is_shown = ~(features[names.index("rect_size")] == 0)
    is_learned = is_shown & ~ruled_noise(group, names, features)
    numbers = model_numbers(group, features[names.index("rect_size")])
    if not is_main.any() or is_main.all():
        raise InputError("all elements are of one class: training needs pages with main content and with noise")
    trees: dict[str, DecisionTree] = {}
    for number, name in enumerate(MODELS):
        own = is_learned & (numbers == number)
        if is_main[own].any() and not is_main[own].all():
            trees[name] = fit_tree(features[:, own], is_main[own], recipe.growth)
        elif own.any():
            trees[name] = only_leaf(noisy=float((~is_main[own]).sum()), main=float(is_main[own].sum()))
    return ElementModel(features=names, trees=trees, card={})


def _report(records: Sequence[LabelledElements], said: Sequence[Bools]) -> ElementReport:
    group = np.concatenate([record.group for record in records])
    sizes = np.concatenate([record.features[NAMES.index("rect_size")] for record in records]).astype(np.float64)
    return element_report(
        np.array(MODELS)[model_numbers(group, sizes)],
        np.concatenate([record.is_main for record in records]),
        np.concatenate(said),
        np.concatenate([record.words for record in records]),
    )


def page_score(record: LabelledElements, said: Bools) -> float:
    """Word F1 of the elements that are taken for main, against the labels of a page."""
    both = float(record.own_words[said & record.is_main].sum())
    total = float(record.own_words[said].sum() + record.own_words[record.is_main].sum())
    return 2 * both / total if total else 1.0


def _card(
    records: Sequence[LabelledElements],
    recipe: ElementRecipe,
    report: ElementReport,
    page_f1: Mapping[str, float],
    oracle_f1: Mapping[str, float],
) -> dict[str, Any]:
    return {
        "made": f"Tamis {VERSION}, tamis train --model elements",
        "recipe": dataclasses.asdict(recipe),
        "pages": {name: sum(record.dataset == name for record in records) for name in _names(records)},
        "elements": sum(len(record.group) for record in records),
        "folds": FOLDS,
        "by_element": {name: list(cells) for name, cells in report.by_element.items()},
        "by_word": {name: list(cells) for name, cells in report.by_word.items()},
        "page_f1": {name: round(value, 4) for name, value in page_f1.items()},
        "oracle_f1": {name: round(value, 4) for name, value in oracle_f1.items()},
    }


def _names(records: Sequence[LabelledElements]) -> list[str]:
    return list(dict.fromkeys(record.dataset for record in records))
