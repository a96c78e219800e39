"""A page as the model reads it: features, log odds, probabilities, page type. Marking, not deciding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.extractors.sieve.containers import Containers
from tamis.extractors.sieve.features import PLACES
from tamis.extractors.sieve.kernel import kernel
from tamis.extractors.sieve.model import SieveModel
from tamis.extractors.sieve.network import Weights
from tamis.extractors.sieve.page_types import PAGE_TYPES
from tamis.page.model import Page
from tamis.page.text import Bools, Floats

_ARTICLE = PAGE_TYPES.index("article")
TREE_SHARE = 0.5  # 0.3, 0.5, 0.7 by leaving one train dataset out after the other: 0.3 and 0.5 are the same


@dataclass(frozen=True, eq=False)
class Reading:
    """What the model says of each block, and of the page."""

    containers: Containers
    columns: Weights  # a row for each feature
    log_odds: Floats  # blocks that look alike drawn together
    in_comments: Bools
    page_type: str
    article_chance: float
    site_notes: tuple[str, ...] = ()  # for each block what other pages of its site say, if they were asked

    @property
    def chances(self) -> Floats:
        """The probability of being content."""
        chances: Floats = 1 / (1 + np.exp(-np.clip(self.log_odds, -30, 30)))
        return chances

    @property
    def is_title(self) -> Bools:
        """The block that shows the title, if there is one."""
        seems = (self.columns[PLACES["title_match"]] > 0) | (self.columns[PLACES["heading_level"]] > 0)
        title: Bools = (self.columns[PLACES["after_title"]] == 0) & seems
        return title


def read_page(page: Page, model: SieveModel, *, shows_hidden: bool = False) -> Reading:
    """Read a page that has blocks."""
    containers = kernel.build_containers(page)
    evidence = kernel.read_evidence(page, containers, model.class_names, model.word_table)
    columns = evidence.columns
    if shows_hidden:
        columns[PLACES["hidden"]] = 0
    words = page.blocks.words.astype(np.float32)
    log_odds, summary = score_blocks(model, columns, words)
    chances = kernel.type_chances(model.page_types, summary)
    return Reading(
        containers=containers,
        columns=columns,
        log_odds=kernel.levelled(log_odds, words.astype(np.float64), evidence.groups),
        in_comments=evidence.in_comments,
        page_type=PAGE_TYPES[chances.index(max(chances))],
        article_chance=chances[_ARTICLE],
    )


def score_blocks(model: SieveModel, columns: Weights, words: Weights) -> tuple[Floats, Weights]:
    """Log odds of each block, given a row for each feature, and the page as one row."""
    return kernel.score_columns(model.trees, model.network, model.arranged(columns), words, TREE_SHARE)
