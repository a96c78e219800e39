"""Page classifier: features of template blocks, learned from what a site repeats, and recognized on single pages.

Idea:      sub-trees that recur on a site (``dom_hash``) are known to be template; a classifier learns their features,
           and then recognizes template blocks that do not recur.
Reference: Chakrabarti, Kumar & Punera (2007), named by Gottron (2008), section 3.5.3.
Departs:   the source is only an outline: the features are ours, the classifier is a logistic regression, and nothing is
           smoothed over the tree.
Strong at: template text that is new on every page: dates, counters, lists of the latest articles.
Weak at:   content that looks like a menu.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np

from tamis.page.model import Page
from tamis.page.text import Floats
from tamis.ranges import SHARE, check_ranges
from tamis.results import Extraction, Template
from tamis.templates import dom_hash
from tamis.templates._texts import fingerprint, kept_blocks

FEATURES = (
    "words", "link_share", "is_short", "words_before", "words_after", "position", "depth", "in_list", "in_frame"
)  # fmt: skip
_ROUNDS = 25  # of Newton's method; it settles in less than ten
_RIDGE = 1.0  # keeps weights small where a feature separates perfectly


@dataclass(frozen=True, kw_only=True)
class Options:
    """The probability from which the classifier removes a block."""

    min_templateness: float = 0.5

    def __post_init__(self) -> None:
        check_ranges(self, min_templateness=SHARE)


class Model(TypedDict):
    """What is learned, in types that JSON has."""

    weights: list[float]
    means: list[float]
    scales: list[float]


def check_model(model: Model) -> None:
    """A ``ValueError`` if there are other features."""
    sizes = [len(model["weights"]) - 1, len(model["means"]), len(model["scales"])]
    if sizes != [len(FEATURES)] * 3 or 0 in model["scales"]:
        raise ValueError(f"there are not {len(FEATURES)} features, each with a scale")


def learn_template(pages: Sequence[Page], options: Options) -> Template:
    repeated = replace(dom_hash.learn_template(pages, dom_hash.Options()), pages=tuple(map(fingerprint, pages)))
    marked = [_is_repeated(page, repeated) for page in pages]
    table = np.concatenate([_features(page) for page in pages])
    weights, means, scales = _fitted(table, np.concatenate(marked))
    return Template(model={"weights": weights.tolist(), "means": means.tolist(), "scales": scales.tolist()})


def extract(page: Page, template: Template, options: Options) -> Extraction:
    model = template.model
    table = (_features(page) - np.array(model["means"])) / np.array(model["scales"])
    templateness = _chances(table, np.array(model["weights"]))
    kept = templateness < options.min_templateness
    scores = tuple((1 - templateness).tolist())
    return Extraction(page=page, spans=kept_blocks(page, kept), scores=scores)


def _is_repeated(page: Page, repeated: Template) -> Floats:
    """1 for blocks inside a sub-tree that recurs on the site."""
    nodes = page.nodes.inside(dom_hash.template_nodes(page, repeated, dom_hash.Options()))
    return nodes[page.blocks.leaves[page.blocks.first_leaf[:-1]]].astype(np.float64)


def _features(page: Page) -> Floats:
    """One row per block, in the order of ``FEATURES``."""
    blocks, nodes = page.blocks, page.nodes
    count = len(blocks)
    if not count:
        return np.zeros((0, len(FEATURES)))
    words = blocks.words.astype(np.float64)
    logs = np.log1p(words)
    columns = (
        logs,
        blocks.link_characters / np.maximum(1, blocks.characters),
        words < 5,
        np.concatenate(([0.0], logs[:-1])),
        np.concatenate((logs[1:], [0.0])),
        np.arange(count) / count,
        np.log1p(nodes.depth[blocks.node]),
        nodes.inside(nodes.named("ul", "ol", "menu"))[blocks.node],
        nodes.inside(nodes.named("nav", "header", "footer", "aside"))[blocks.node],
    )
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _fitted(table: Floats, labels: Floats) -> tuple[Floats, Floats, Floats]:
    """Weights of a logistic regression, the constant last, and the means and scales of the features."""
    means, scales = table.mean(axis=0), table.std(axis=0)
    scales[scales == 0] = 1.0
    rows = np.column_stack(((table - means) / scales, np.ones(len(table))))
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], _RIDGE)
    penalty[-1] = 1e-6
    for _ in range(_ROUNDS):
        chances = _sigmoid(rows @ weights)
        slope = rows.T @ (labels - chances) - penalty * weights
        curve = (rows * (chances * (1 - chances))[:, None]).T @ rows + np.diag(penalty)
        weights = weights + np.linalg.solve(curve, slope)
    return weights, means, scales


def _chances(table: Floats, weights: Floats) -> Floats:
    return _sigmoid(table @ weights[:-1] + weights[-1])


def _sigmoid(values: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return chances
