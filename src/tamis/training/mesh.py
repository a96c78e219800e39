"""Training of mesh: from pages with marked blocks to trees that say what belongs together, and what it is called.

Every page is learned from as it is rendered and once more by its estimated layout, so that one model serves both.
Needs the extras ``train`` and ``rendering``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.characters import counted
from tamis.errors import InputError
from tamis.evaluation.covers import characters, node_cover
from tamis.evaluation.segment_gold import GoldBlock, MarkedPage, gold, marked_pages, render_marked
from tamis.evaluation.segmentations import b_cubed
from tamis.page.layout import estimate_boxes
from tamis.page.model import Page
from tamis.page.text import Floats, Ints
from tamis.results import Segmentation
from tamis.segmenters._shown import boxes_of
from tamis.segmenters.mesh import Options, segment_with
from tamis.segmenters.mesh.candidates import Candidates, candidate_rects, find_candidates, find_pieces
from tamis.segmenters.mesh.cut import sizes
from tamis.segmenters.mesh.features import region_features
from tamis.segmenters.mesh.model import LABELS, MeshModel, model_arrays
from tamis.stored.arrays import write
from tamis.training import Say, check_extra
from tamis.training.trees import read_trees

FOLDS = 10
_TREES: dict[str, Any] = {
    "loss_function": "CrossEntropy",  # labels are shares of pairs
    "iterations": 200,
    "depth": 5,
    "learning_rate": 0.06,
    "l2_leaf_reg": 5,
    "border_count": 64,
    "boosting_type": "Plain",
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
    "rsm": 0.3,
    "random_seed": 1,
    "thread_count": 1,
    "logging_level": "Silent",
    "allow_writing_files": False,
}
_LABEL_TREES = {**_TREES, "loss_function": "MultiClass", "iterations": 120, "depth": 4, "learning_rate": 0.1}
"""Ours, the first that were tried; not swept."""


@dataclass(frozen=True, eq=False)
class MeshExample:
    """The candidates of one page, and what people made of them."""

    site: str
    features: npt.NDArray[np.float32]  # feature x candidate
    together: tuple[Floats, Floats]  # share of the pairs of parts that are in one block: of level 1, and the deepest
    weights: tuple[Floats, Floats]  # zero where there is nothing to decide
    blocks: Ints  # candidates that are a block
    is_top: npt.NDArray[np.bool_]  # of these: of level 1
    labels: tuple[str, ...]  # of these


def read_example(marked: MarkedPage, page: Page) -> MeshExample | None:
    """What there is to learn from a page with boxes; none if nothing of it is seen."""
    boxes = boxes_of(page)
    pieces = find_pieces(page, boxes)
    if not len(pieces):
        return None
    candidates = find_candidates(page, pieces)
    size = sizes(pieces, candidates)
    levels = ([block for block in marked.blocks if block.level == 1], list(marked.blocks))
    learned = [_together(candidates, size, _owners(page, blocks)[pieces.node]) for blocks in levels]
    kept = [block for block in marked.blocks if block.type in LABELS and candidates.of_node[block.node] >= 0]
    return MeshExample(
        site=marked.site,
        features=region_features(page, pieces, candidates, boxes, candidate_rects(pieces, candidates)),
        together=(learned[0][0], learned[1][0]),
        weights=(learned[0][1], learned[1][1]),
        blocks=candidates.of_node[[block.node for block in kept]],
        is_top=np.array([block.level == 1 for block in kept], dtype=np.bool_),
        labels=tuple(LABELS[block.type] for block in kept),
    )


def _owners(page: Page, blocks: Iterable[GoldBlock]) -> Ints:
    """For each node the number of the deepest block around it, -1 for none."""
    owner = np.full(len(page.nodes), -1, dtype=np.int64)
    for number, block in enumerate(blocks):
        owner[block.node : page.nodes.end[block.node]] = number
    return owner


def _together(candidates: Candidates, size: Floats, owner: Ints) -> tuple[Floats, Floats]:
    """For each candidate: of the pairs of characters in two of its children, how many are in one block; and a weight.

    The weight is the root of what is at stake in B-cubed: the pairs, divided by the characters they are compared with.
    """
    leaves = np.flatnonzero(candidates.children == 0)
    amounts = np.zeros((len(candidates), int(owner.max(initial=-1)) + 2))
    amounts[leaves, owner[candidates.first[leaves]]] = size[leaves]  # the last column holds what is in no block
    for level in reversed(candidates.levels[1:]):
        np.add.at(amounts, candidates.parent[level], amounts[level])
    below = np.zeros_like(amounts)
    np.add.at(below, candidates.parent[1:], amounts[1:] ** 2)
    same = (amounts**2 - below)[:, :-1].sum(axis=1)
    pairs = size**2 - np.bincount(candidates.parent[1:], size[1:] ** 2, len(candidates))
    is_open = candidates.children > 0
    share = np.where(is_open, same / np.maximum(pairs, 1.0), 1.0)
    return np.clip(share, 0, 1), np.where(is_open, np.sqrt(pairs / size / size[0]), 0.0)


def fit(examples: Sequence[MeshExample]) -> MeshModel:
    """A model of some pages."""
    from catboost import CatBoost, Pool

    together = []
    for level in range(2):
        chosen = [example.weights[level] > 0 for example in examples]
        pool = Pool(
            np.concatenate([example.features.T[mask] for example, mask in zip(examples, chosen, strict=True)]),
            np.concatenate([example.together[level][mask] for example, mask in zip(examples, chosen, strict=True)]),
            weight=np.concatenate(
                [example.weights[level][mask] for example, mask in zip(examples, chosen, strict=True)]
            ),
        )
        model = CatBoost(_TREES)
        model.fit(pool)
        together.append(read_trees(model)[0])
    names = sorted({label for example in examples for label in example.labels})
    rows = [np.column_stack((example.features.T[example.blocks], example.is_top)) for example in examples]
    numbers = [names.index(label) for example in examples for label in example.labels]
    model = CatBoost(_LABEL_TREES)
    model.fit(Pool(np.concatenate(rows), numbers))
    return MeshModel(together[0], together[1], tuple(names), read_trees(model))


def read_examples(marked: Sequence[MarkedPage], pages: Sequence[Page]) -> list[MeshExample]:
    """What there is to learn from rendered pages, and from their estimated layout."""
    variants = (
        (truth, variant)
        for truth, page in zip(marked, pages, strict=True)
        for variant in (page, page.with_boxes(estimate_boxes(page)))
    )
    return [example for pair in variants if (example := read_example(*pair)) is not None]


def left_out_models(marked: Sequence[MarkedPage], pages: Sequence[Page]) -> list[MeshModel]:
    """For each page a model that was learned from other sites only."""
    sites = dict.fromkeys(page.site for page in marked)
    fold = {site: number % FOLDS for number, site in enumerate(sites)}
    examples = read_examples(marked, pages)
    used = sorted({*fold.values()})
    models = {number: fit([example for example in examples if fold[example.site] != number]) for number in used}
    return [models[fold[page.site]] for page in marked]


@dataclass(frozen=True, kw_only=True)
class MeshScore:
    """How well a page is divided by a model that has not seen its site: B-cubed F of its characters, and names."""

    site: str
    top: float  # the first level of regions against blocks of level 1
    deepest: float  # all levels against all blocks
    estimated_top: float  # the same by the estimated layout
    estimated_deepest: float
    right_labels: int  # of the blocks of the page, how many are called what people called them
    labels: int


@dataclass(frozen=True, kw_only=True)
class TrainedMesh:
    """A model, and how good others are that were made the same way without the page they are tried on."""

    model: MeshModel
    scores: tuple[MeshScore, ...]
    candidates: int


def train_mesh(archive: Path | None, work: Path, progress: Say) -> TrainedMesh:
    """Render the marked pages of an archive, learn from them, and say how good that is on other sites."""
    check_extra()
    with marked_pages(archive) as marked:
        progress(f"rendering {counted(len(marked), 'page')}; those of an earlier run are kept in {work}")
        pages = [_rendered(page, work) for page in marked]
        progress("learning without one tenth of the sites after the other")
        models = left_out_models(marked, pages)
        scores = tuple(map(score, models, marked, pages))
        progress("learning from all pages")
        examples = read_examples(marked, pages)
        return TrainedMesh(
            model=fit(examples), scores=scores, candidates=sum(example.features.shape[1] for example in examples)
        )


def write_model(trained: TrainedMesh, out: Path) -> None:
    """Write the model file aside and put it in its place."""
    write(out, model_arrays(trained.model))


def _rendered(marked: MarkedPage, work: Path) -> Page:
    page, _ = render_marked(marked, kept=work)
    if page.boxes is None:
        raise InputError(f"the page of {marked.site} could not be rendered; run again to try once more")
    return page


def score(model: MeshModel, marked: MarkedPage, page: Page) -> MeshScore:
    """How well a model divides a page and names its blocks."""
    by_estimate = page.with_boxes(estimate_boxes(page))
    top, deepest = agreement(page, segment_with(model, page, Options()), marked)
    estimated_top, estimated_deepest = agreement(page, segment_with(model, by_estimate, Options()), marked)
    example = read_example(marked, page)
    names = [] if example is None else model.name(example.features[:, example.blocks], example.is_top)[0]
    wanted = () if example is None else example.labels
    return MeshScore(
        site=marked.site,
        top=top,
        deepest=deepest,
        estimated_top=estimated_top,
        estimated_deepest=estimated_deepest,
        right_labels=sum(name == label for name, label in zip(names, wanted, strict=True)),
        labels=len(wanted),
    )


def agreement(page: Page, segmentation: Segmentation, marked: MarkedPage) -> tuple[float, float]:
    """B-cubed F over the characters of a page: the first level against level 1, and all levels against all blocks."""
    seen = characters(page)
    root = segmentation.root
    first_level = dataclasses.replace(root, parts=tuple(dataclasses.replace(part, parts=()) for part in root.parts))
    pairs = ((first_level, gold(marked.blocks, 1)), (root, gold(marked.blocks)))
    covers = ((node_cover(page, found, seen.node), node_cover(page, right, seen.node)) for found, right in pairs)
    top, deepest = (b_cubed(found, right, seen.weight).f1 for found, right in covers)
    return top, deepest
