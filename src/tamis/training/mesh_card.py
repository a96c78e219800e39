"""The card of mesh: from what it was made, how, and how good it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tamis._version import VERSION
from tamis.segmenters.mesh.features import NAMES
from tamis.training.mesh import FOLDS, MeshScore, TrainedMesh

_WORST = 10


def write_card(trained: TrainedMesh, file: Path) -> str:
    """The card, as Markdown."""
    model, scores = trained.model, trained.scores
    top, deepest = len(model.top.leaf), len(model.deepest.leaf)
    right, labels = sum(score.right_labels for score in scores), sum(score.labels for score in scores)
    return f"""# Model card: {file.name}

Weights of the segmenter `mesh`, made with Tamis {VERSION} by `tamis train --model mesh`. {file.stat().st_size:,} bytes:
{top} trees that say whether the parts of a candidate are in one main block, {deepest} that say whether they are in one
of the smallest, and {len(model.label[0].leaf)} that name a region, on {len(NAMES)} features.

## Made from

`seg_kreuzer_random`: random pages with blocks marked by people (Kreuzer, Hage & Feelders 2015), public domain.
{len(scores)} pages of as many sites, rendered at 1366 x 768 without scripts, and once more by their estimated layout:
{trained.candidates:,} candidates.

## How good: B-cubed F of the characters when the site was left out ({FOLDS} folds by site)

| boxes | first level against level 1 | all levels against all blocks |
| --- | --- | --- |
| rendered | {_mean(scores, "top")} | {_mean(scores, "deepest")} |
| estimated | {_mean(scores, "estimated_top")} | {_mean(scores, "estimated_deepest")} |

Of {labels:,} marked blocks, {right / max(labels, 1):.1%} are called what people called them, given where they are.

## Choices

All parameters of the trees, the features, and the weights are ours and the first that were tried. How much pictures
count was varied from nothing to four times as much, which changed F by at most 0.004. The default of `mesh` is the
middle; 0.3 to 0.7 were tried on these pages, after it was chosen. Controls of forms became pieces after some of these
pages were looked at. Nothing was chosen by other data.

## Known failures

The pages it divides worst when their site was left out:

| site | first level | all levels |
| --- | --- | --- |
{_worst(scores)}
"""


def _mean(scores: tuple[MeshScore, ...], field: str) -> str:
    return f"{np.mean([getattr(score, field) for score in scores]):.3f}"


def _worst(scores: tuple[MeshScore, ...]) -> str:
    worst = sorted(scores, key=lambda score: (score.deepest + score.top, score.site))[:_WORST]
    return "\n".join(f"| {score.site} | {score.top:.3f} | {score.deepest:.3f} |" for score in worst)
