"""A page as the model reads it: features, log odds, probabilities, page type. Marking, not deciding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.extractors.sieve.containers import Containers, build_containers
from tamis.extractors.sieve.decide import levelled
from tamis.extractors.sieve.features import PLACES, name_columns, page_evidence
from tamis.extractors.sieve.model import SieveModel
from tamis.extractors.sieve.network import Weights
from tamis.extractors.sieve.page_types import PAGE_TYPES, summarise
from tamis.page.model import Page
from tamis.page.text import Bools, Floats

TREE_SHARE = 0.5  # 0.3, 0.5, 0.7 by leaving one train dataset out after the other; 0.5 and 0.7 are best


@dataclass(frozen=True, eq=False)
class Reading:
    """What the model says of each block, and of the page."""

    containers: Containers
    columns: Weights  # a row for each feature
    log_odds: Floats  # blocks that look alike drawn together
    in_comments: Bools
    is_title: Bools
    page_type: str
    site_notes: tuple[str, ...] = ()  # for each block what other pages of its site say, if they were asked

    @property
    def chances(self) -> Floats:
        """The probability of being content."""
        chances: Floats = 1 / (1 + np.exp(-np.clip(self.log_odds, -30, 30)))
        return chances


def read_page(page: Page, model: SieveModel, *, shows_hidden: bool = False) -> Reading:
    """Read a page that has blocks."""
    containers = build_containers(page)
    evidence = page_evidence(page, containers)
    columns = np.concatenate((evidence.columns, name_columns(containers, model.class_names.scores(containers))))
    if shows_hidden:
        columns[PLACES["hidden"]] = 0
    words = page.blocks.words.astype(np.float32)
    log_odds, summary = score_blocks(model, columns, words)
    return Reading(
        containers=containers,
        columns=columns,
        log_odds=levelled(log_odds, words.astype(np.float64), evidence.groups),
        in_comments=evidence.in_comments,
        is_title=is_title(columns),
        page_type=PAGE_TYPES[int(np.argmax(model.page_types.chances(summary)))],
    )


def is_title(columns: Weights) -> Bools:
    """The block that shows the title, if there is one."""
    seems = (columns[PLACES["title_match"]] > 0) | (columns[PLACES["heading_level"]] > 0)
    title: Bools = (columns[PLACES["after_title"]] == 0) & seems
    return title


def score_blocks(model: SieveModel, columns: Weights, words: Weights) -> tuple[Floats, Weights]:
    """Log odds of each block, given a row for each feature, and the page as one row.

    Trees and network err differently: half and half is better than either where pages are unlike those of training.
    """
    columns = model.arranged(columns)
    inputs = model.network.standardised(np.ascontiguousarray(columns.T))
    log_odds = TREE_SHARE * model.trees.log_odds(columns) + (1 - TREE_SHARE) * model.network.log_odds(inputs, words)
    chances = (1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))).astype(np.float32)
    return log_odds, summarise(inputs, words, chances)
