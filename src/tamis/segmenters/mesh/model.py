"""The weights of mesh: one file in NumPy's open format, checked when it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.models import files as model_files
from tamis.models.trees import ObliviousTrees
from tamis.page.text import Bools, Floats, Ints
from tamis.segmenters.mesh.features import NAMES
from tamis.stored.arrays import Arrays, Field

MeshColumns = npt.NDArray[np.float32]

FORMAT = 1  # grows when arrays change; a file of another format is refused
LABELS = {
    "Header": "header",
    "Footer": "footer",
    "Content": "main",
    "Sidebar": "aside",
    "Menu": "navigation",
    "LinkList": "list",
    "Article": "article",
    "Title": "title",
    "Logo": "logo",
    "Image": "image",
    "Video": "video",
    "Table": "table",
    "Ad": "ad",
    "Searchbar": "search",
    "Comments": "comments",
    "Author": "author",
}
"""What people called the blocks that the model learned from, and what regions are called here."""
_SHIPPED = Path(__file__).with_name("mesh.npz")
_TREES = {"top": len(NAMES), "deepest": len(NAMES), "label": len(NAMES) + 1}
"""Trees and how many features they may ask for; what a region is called also depends on its level."""
_LAYOUT = {
    "labels": Field("uint8", ("characters of labels",)),
    **{array: field for name in _TREES for array, field in model_files.tree_layout(name).items()},
    "label_leaf": Field("float16", ("label trees", "label leaves", "labels")),
}
"""What a file holds besides its format and its features."""
_AT_ONCE = 1024  # candidates that are judged in one step, to bound the memory: some 4 MB


@dataclass(frozen=True, eq=False)
class MeshModel:
    """Everything that was learned."""

    top: ObliviousTrees  # are the parts of a candidate in one main block of the page?
    deepest: ObliviousTrees  # are they in one of the smallest blocks?
    labels: tuple[str, ...]
    label: tuple[ObliviousTrees, ...]  # one for each label; all ask the same questions

    def together(self, columns: MeshColumns, *, deepest: bool) -> Floats:
        """For each candidate the probability that two of its parts belong to one block."""
        trees = self.deepest if deepest else self.top
        odds = np.concatenate([trees.log_odds(part) for part in _parts(columns)])
        return np.asarray(1 / (1 + np.exp(-odds)))

    def name(self, columns: MeshColumns, is_top: Bools) -> tuple[list[str], Floats]:
        """What each region is called, and how sure that is."""
        rows = np.concatenate((columns, is_top[None].astype(np.float32)))
        leaves = np.stack([trees.leaf.ravel() for trees in self.label], axis=1)
        places = (self.label[0].places(part) for part in _parts(rows))
        odds = np.concatenate([leaves[place].sum(axis=0, dtype=np.float64) for place in places])
        shares = np.exp(odds - odds.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        best: Ints = shares.argmax(axis=1)
        return [self.labels[number] for number in best.tolist()], np.asarray(shares.max(axis=1))


def _parts(columns: MeshColumns) -> Iterator[MeshColumns]:
    for first in range(0, max(columns.shape[1], 1), _AT_ONCE):
        yield columns[:, first : first + _AT_ONCE]


def load_model(path: str) -> MeshModel:
    """The model in a file, or the one that is shipped if the path is empty; read once."""
    return model_files.load(path, _SHIPPED, _read)


def _read(file: Path) -> MeshModel:
    return model_files.read_arrays(file, FORMAT, _LAYOUT, _checked, NAMES)


def _checked(arrays: Arrays) -> MeshModel:
    """The model, if its numbers can be computed with."""
    for name, features in _TREES.items():
        model_files.check_trees(arrays, name, features)
    if not 1 <= len(model_files.lines(arrays["labels"])) == arrays["label_leaf"].shape[2]:
        raise ValueError("there are not as many labels as leaves for them")
    return model_from_arrays(arrays)


def model_from_arrays(arrays: Arrays) -> MeshModel:
    labels = model_files.lines(arrays["labels"])
    questions = _trees(arrays, "label")
    leaf = arrays["label_leaf"].astype(np.float32)
    each = (ObliviousTrees(questions.feature, questions.border, leaf[:, :, place], 0.0) for place in range(len(labels)))
    return MeshModel(_trees(arrays, "top"), _trees(arrays, "deepest"), labels, tuple(each))


def model_arrays(model: MeshModel) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file; leaves are rounded to what they are worth, borders stay exact."""
    arrays: dict[str, npt.NDArray[Any]] = {"format": np.array(FORMAT)}
    arrays |= {"labels": model_files.as_bytes(model.labels), "features": model_files.as_bytes(NAMES)}
    for name, trees in (("top", model.top), ("deepest", model.deepest), ("label", model.label[0])):
        arrays |= {f"{name}_feature": trees.feature.astype(np.uint8), f"{name}_border": trees.border}
        arrays |= {f"{name}_leaf": trees.leaf.astype(np.float16), f"{name}_bias": np.array(trees.bias)}
    arrays["label_leaf"] = np.stack([trees.leaf for trees in model.label], axis=2).astype(np.float16)
    return arrays


def _trees(arrays: Arrays, name: str) -> ObliviousTrees:
    return ObliviousTrees(
        feature=arrays[f"{name}_feature"].astype(np.int64),
        border=arrays[f"{name}_border"],
        leaf=arrays[f"{name}_leaf"].astype(np.float32),
        bias=float(arrays[f"{name}_bias"]),
    )
