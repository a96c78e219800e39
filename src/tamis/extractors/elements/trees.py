"""Decision trees, one for each group of content elements, and the rules that go before them.

A model is a JSON file: names of features, and for every tree its nodes in preorder. A node asks whether a feature is
below a border; yes goes to the next node, no to the one it names. After Yunis (2016), sections 4.3 and 4.5.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

from tamis.errors import FileFormatError
from tamis.extractors.elements.features import FAMILIES, NAMES, Matrix
from tamis.extractors.elements.groups import GROUPS
from tamis.models import files as model_files
from tamis.page.text import Bools, Floats, Ints
from tamis.stored import DamageError
from tamis.stored.documents import read_json
from tamis.stored.values import check_format, made

FORMAT = 1  # grows when a model can no longer be read by an older version
LARGE_IMAGE_PX = 40_000  # area above which an image is large; from the thesis
SMALL_IMAGES, LARGE_IMAGES = "img_small", "img_large"
MODELS = (*(group for group in GROUPS if group != "img"), SMALL_IMAGES, LARGE_IMAGES)
"""What there is a tree for."""
NOISE_RULES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("p", "div", "heading", "rest"), ("is_desc_a", "is_desc_nav", "is_desc_ad", "is_link")),
    "li": ("is_desc_ad",),
    "cell": ("is_desc_nav",),
}
"""Any of these makes an element of the group noise, whatever a tree would say (section 4.3.3); ``rest`` is ours."""
RULE_FEATURES = ("is_desc_a", "is_desc_nav", "is_desc_ad", "is_link")
_YES_OR_NO = ("is_", "has_", "contains_", "in_", "under_", "header_around")
_SHIPPED = Path(__file__).with_name("elements.json")


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """One tree, its nodes in preorder; node 0 is the root."""

    feature: Ints  # position in the model's features; -1 for a leaf
    border: Floats  # yes if the feature is below it
    other: Ints  # the node to go to for no; yes is the next one
    noisy: Floats  # weight of the training elements of each class that reached the node
    main: Floats

    def __len__(self) -> int:
        return len(self.feature)

    def leaves(self, features: Matrix) -> Ints:
        """The leaf that each element, a column, comes to; a number that is not known is not below any border."""
        place = np.zeros(features.shape[1], dtype=np.int64)
        going = np.arange(features.shape[1])
        while len(going := going[self.feature[place[going]] >= 0]):
            node = place[going]
            is_below = features[self.feature[node], going] < self.border[node]
            place[going] = np.where(is_below, node + 1, self.other[node])
        return place

    def chances(self, leaves: Ints) -> Floats:
        """The share of main content at some leaves."""
        shares: Floats = (self.main / np.maximum(self.main + self.noisy, 1e-12))[leaves]
        return shares


@dataclass(frozen=True, eq=False)
class ElementModel:
    """Trees by the name of their group, the features they read, and what is known of how they were made."""

    features: tuple[str, ...]
    trees: Mapping[str, DecisionTree]
    card: Mapping[str, Any]

    @functools.cached_property
    def used(self) -> tuple[str, ...]:
        """The features that some tree or rule reads, and the size, which says what tree an image goes to."""
        asked = {self.features[feature] for tree in self.trees.values() for feature in tree.feature if feature >= 0}
        return tuple(name for name in self.features if name in asked or name in (*RULE_FEATURES, "rect_size"))


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a model says of each element."""

    chance: Floats  # of being main content
    model: npt.NDArray[np.int8]  # position in MODELS
    leaf: Ints  # of its tree; -1 when a rule decided or there is no tree
    is_ruled: Bools


def model_numbers(group: npt.NDArray[np.int8], rect_size: Floats) -> npt.NDArray[np.int8]:
    """For each element the position in MODELS; images whose size is not known are small."""
    table = np.array([MODELS.index(SMALL_IMAGES if name == "img" else name) for name in GROUPS], dtype=np.int8)
    numbers: npt.NDArray[np.int8] = table[group]
    is_large = (group == GROUPS.index("img")) & (rect_size > LARGE_IMAGE_PX)
    numbers[is_large] = MODELS.index(LARGE_IMAGES)
    return numbers


def ruled_noise(group: npt.NDArray[np.int8], names: Sequence[str], features: Matrix) -> Bools:
    """Elements that are noise by a rule."""
    is_noise = np.zeros(len(group), dtype=np.bool_)
    for name, rules in NOISE_RULES.items():
        of_group = group == GROUPS.index(name)
        for rule in rules:
            is_noise |= of_group & (features[names.index(rule)] > 0)
    return is_noise


def judge(model: ElementModel, names: Sequence[str], features: Matrix, group: npt.NDArray[np.int8]) -> Judgement:
    """Judge elements by rules first and by trees then; ``names`` are the rows of ``features``."""
    rows = np.full((len(model.features), features.shape[1]), np.nan)
    for row, name in enumerate(names):
        rows[model.features.index(name)] = features[row]
    is_ruled = ruled_noise(group, model.features, rows)
    sizes = rows[model.features.index("rect_size")]
    numbers = model_numbers(group, sizes)
    if LARGE_IMAGES not in model.trees:  # made without boxes, which alone tell large images from small ones
        numbers[numbers == MODELS.index(LARGE_IMAGES)] = MODELS.index(SMALL_IMAGES)
    chance, leaf = np.zeros(len(group)), np.full(len(group), -1, dtype=np.int64)
    for number, name in enumerate(MODELS):
        own = np.flatnonzero((numbers == number) & ~is_ruled)
        tree = model.trees.get(name)
        if tree is not None and len(own):
            leaf[own] = tree.leaves(rows[:, own])
            chance[own] = tree.chances(leaf[own])
    return Judgement(chance=chance, model=numbers, leaf=leaf, is_ruled=is_ruled)


def conditions(tree: DecisionTree, leaf: int, features: Sequence[str]) -> tuple[str, ...]:
    """What an element that comes to a leaf was asked, and what was answered, from the root on."""
    said = []
    node = 0
    while node != leaf:
        is_below = leaf < tree.other[node]
        said.append(condition(features[tree.feature[node]], float(tree.border[node]), is_below=is_below))
        node = node + 1 if is_below else int(tree.other[node])
    return tuple(said)


def condition(feature: str, border: float, *, is_below: bool) -> str:
    """A question and its answer.

    >>> condition("is_sib_p", 0.5, is_below=False), condition("inner_text_length", 9.5, is_below=True)
    ('is_sib_p', 'inner_text_length < 9.5')
    """
    if feature.startswith(_YES_OR_NO):
        return f"not {feature}" if is_below else feature
    return f"{feature} {'<' if is_below else '>='} {border:.4g}"


def load_model(path: str = "") -> ElementModel:
    """The model in a file, or the one that is shipped if the path is empty; read once."""
    return model_files.load(path, _SHIPPED, _read)


def _read(file: Path) -> ElementModel:
    return _from_values(read_json(file, max_bytes=model_files.MAX_BYTES))


def to_dict(model: ElementModel) -> dict[str, Any]:
    """Everything, ready for JSON; features are written by name."""
    return {
        "format": FORMAT,
        "kind": model_files.ELEMENTS_KIND,
        "card": dict(model.card),
        "features": list(model.features),
        "trees": {
            name: {
                "feature": [model.features[number] if number >= 0 else None for number in tree.feature.tolist()],
                "border": [None if np.isnan(border) else border for border in tree.border.tolist()],
                "other": tree.other.tolist(),
                "noisy": tree.noisy.tolist(),
                "main": tree.main.tolist(),
            }
            for name, tree in model.trees.items()
        },
    }


def from_dict(values: Mapping[str, Any]) -> ElementModel:
    """The model that ``to_dict`` wrote; anything else is an ``InputError``."""
    try:
        return _from_values(values)
    except DamageError as error:
        raise FileFormatError(f"this model of elements {error}; pass what tamis train wrote") from error


class _PlainTree(TypedDict):
    feature: list[str | None]
    border: list[float | None]
    other: list[int]
    noisy: list[float]
    main: list[float]


class _PlainModel(TypedDict):
    """A model in types that JSON has."""

    format: int
    kind: NotRequired[str]
    card: dict[str, Any]
    features: list[str]
    trees: dict[str, _PlainTree]


def _from_values(values: Any) -> ElementModel:
    check_format(values, FORMAT)
    plain: _PlainModel = made(_PlainModel, values)
    features = tuple(plain["features"])
    try:
        if unknown := [name for name in features if name not in NAMES]:
            raise ValueError(f"it has the unknown feature {unknown[0][:40]!r}")
        if unknown := [name for name in plain["trees"] if name not in MODELS]:
            raise ValueError(f"it has the unknown tree {unknown[0][:40]!r}")
        if missing := [name for name in FAMILIES["thesis"] if name not in features]:
            raise ValueError(f"features are missing: {', '.join(missing)}")
        if len(set(features)) < len(features):
            raise ValueError("it names a feature twice")
        trees = {name: _tree(tree, features) for name, tree in plain["trees"].items()}
    except (ValueError, OverflowError) as error:
        raise DamageError(f"is damaged ({error})") from error
    return ElementModel(features=features, trees=trees, card=plain["card"])


def _tree(values: _PlainTree, features: Sequence[str]) -> DecisionTree:
    asked = [-1 if name is None else features.index(name) for name in values["feature"]]
    border = [np.nan if border is None else float(border) for border in values["border"]]
    tree = DecisionTree(
        feature=np.array(asked, dtype=np.int64),
        border=np.array(border, dtype=np.float64),
        other=np.array(values["other"], dtype=np.int64),
        noisy=np.array(values["noisy"], dtype=np.float64),
        main=np.array(values["main"], dtype=np.float64),
    )
    if len({len(array) for array in vars(tree).values()}) != 1 or not len(tree):
        raise ValueError("the arrays of a tree differ in length")
    if not _is_preorder(tree.feature.tolist(), tree.other.tolist()):
        raise ValueError("a branch leads nowhere")
    if min(tree.noisy.min(), tree.main.min()) < 0:
        raise ValueError("a leaf has less than no weight")
    return tree


def _is_preorder(feature: Sequence[int], other: Sequence[int]) -> bool:
    """Whether every node is reached in one way: those for yes, then those for no, and leaves at the ends.

    >>> _is_preorder([0, -1, -1], [2, 0, 0]), _is_preorder([0, 0, -1, -1], [3, 3, 0, 0])
    (True, False)
    """
    parts = [(0, len(feature))]
    while parts:
        node, end = parts.pop()
        if feature[node] < 0:
            if node + 1 != end:
                return False
        elif not node + 1 < other[node] < end:
            return False
        else:
            parts += ((node + 1, other[node]), (other[node], end))
    return True
