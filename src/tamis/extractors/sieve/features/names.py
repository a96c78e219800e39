"""What the containers of a block are called, by a learned table of class, id, role and tag names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.features.material import Columns
from tamis.page.text import Ints


@dataclass(frozen=True, eq=False)
class NameScores:
    """How much the names of each container speak for content, as a holder of a block and as one further up."""

    own: Ints  # log odds in thousandths: whole numbers add up to the same sum in any order
    around: Ints


def columns(containers: Containers, scores: NameScores) -> Columns:
    holder, parent = containers.holder, containers.parent
    above = parent[holder]
    around = scores.around.astype(np.float64)
    return {
        "own_name": scores.own[holder],
        "leaf_name": scores.own[containers.leaf],
        "parent_name": scores.around[above],
        "grandparent_name": scores.around[parent[above]],
        "path_name": containers.path_sums(scores.around)[holder],
        "worst_name": containers.path_least(around)[holder],
        "best_name": -containers.path_least(-around)[holder],
        "whole_name": containers.path_sums(scores.own)[holder],
    }
