"""A model of mesh that asks about names alone: what it says of a page can be told by hand."""

from __future__ import annotations

import numpy as np

from tamis.models.trees import ObliviousTrees
from tamis.segmenters.mesh.features import NAMES
from tamis.segmenters.mesh.model import MeshModel

SURE = 8.0  # log odds


def question(feature: int, no: float, yes: float) -> ObliviousTrees:
    return ObliviousTrees(
        np.array([[feature]]), np.array([[0.5]], np.float32), np.array([[no, yes]], np.float32), bias=0.0
    )


def toy_mesh() -> MeshModel:
    """What is called a box, or is inside of one, is a main block; what is called an article is one of the smallest.

    Main blocks are main, others are articles.
    """
    box, inside_box = NAMES.index("called_box"), NAMES.index("inside_box")
    article = NAMES.index("called_article")
    top = ObliviousTrees(
        np.array([[box], [inside_box]]),
        np.full((2, 1), 0.5, np.float32),
        np.array([[-SURE, SURE], [0, 2 * SURE]], np.float32),
        bias=0.0,
    )
    deepest = question(article, -SURE, SURE)
    is_top = len(NAMES)
    return MeshModel(top, deepest, ("article", "main"), (question(is_top, 1.0, 0.0), question(is_top, 0.0, 1.0)))
