"""The card of a model: from what it was made, how, and how good it is."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from tamis._version import VERSION
from tamis.extractors.sieve.decide import GROUP_SHARE, PAGE_ERROR
from tamis.extractors.sieve.features import NAMES
from tamis.extractors.sieve.model import network_layout
from tamis.extractors.sieve.regions import ALL_COMMENTS, MAIN_PENALTY
from tamis.training.folds import FOLDS
from tamis.training.sieve import PageScore, TrainedSieve

LICENCES = {
    "wcxb": "CC-BY-4.0",
    "newspaper4k_articles": "Apache-2.0",
    "magic_html_bench": "Apache-2.0",
    "chinese_wced": "MIT",
    "forum_harvest": "Apache-2.0",
    "fundus": "MIT",
    "postlight": "MIT / Apache-2.0",
    "static_sites": "permissive, per page",
    "court_listings": "BSD-2-Clause",
    "recipes": "MIT",
    "trafilatura_eval": "Apache-2.0",
    "pagination_autopager": "MIT",
    "seg_kreuzer_random": "public domain",
    "date_htmldate": "Apache-2.0",
}
"""As stated by the source of each dataset."""
_WORST = 15


def write_card(trained: TrainedSieve, file: Path) -> str:
    """The card, as Markdown."""
    size = file.stat().st_size
    words = len(bytes(trained.arrays["words"]).split(b"\n"))
    kinds = [score for score in trained.scores if score.page_type]
    recipe = ", ".join(f"{name} {value}" for name, value in dataclasses.asdict(trained.recipe).items())
    return f"""# Model card: {file.name}

Weights of the extractor `sieve`, made with Tamis {VERSION} by `tamis train`. {size:,} bytes: a table of {words:,}
class-name tokens, one of {len(trained.arrays["phrases"]):,} words and phrases, {len(trained.arrays["tree_leaf"])}
trees and a network of {_parameters(trained):,} weights on {len(NAMES)} features, whose mean is the score of a block; a
page-type classifier.

## Made from

{_table(("dataset", "licence", "with gold", "with a part of it", "without"), _made_from(trained))}

{trained.blocks:,} blocks. Where gold is a part of the content, or snippets that must or must not be in the result, the
rest of the page is unknown. Pages without gold are learned from through a teacher ({_taught(trained)}). Recipe of the
network: {recipe}.

## How good: word F1 when the host was left out ({FOLDS} folds by host)

{_table(("dataset", "pages", "F1"), _means(trained.scores, "dataset"))}

{_table(("page type", "pages", "F1"), _means(kinds, "page_type"))}

Page types are guessed right on {_accuracy(kinds):.1%} of the {len(kinds)} pages that have one.

## Choices

Made by leaving out one dataset after the other, on the shipped model's training pages: width, units' activation and
number of summaries of the network, the share of the trees, from which share on comments are the page
({ALL_COMMENTS}), and what is taken outside the main container ({MAIN_PENALTY}). By cross-validation over hosts: group
share {GROUP_SHARE}, page error {PAGE_ERROR}, comment penalty; features that trees did not use were left out. Not swept,
ours or from published notes: the share of the teacher, epochs, rate, dropout and loss of the network, the power of the
block length, tokens on at least four hosts, penalties of the regressions, the size of a text block, levels of
containers, all parameters of the trees.

## Known failures

The worst pages in cross-validation, most of them listings, products and pages whose text is not in the markup:

{_table(("page", "dataset", "type", "F1"), _worst(trained.scores))}
"""


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _made_from(trained: TrainedSieve) -> list[tuple[object, ...]]:
    return [
        (name, LICENCES.get(name.rpartition("/")[2], "as stated by its source"), *counts)
        for name, counts in trained.pages.items()
    ]


def _means(scores: Sequence[PageScore], field: str) -> list[tuple[object, ...]]:
    groups: Mapping[str, list[float]] = {
        name: [score.f1 for score in scores if getattr(score, field) == name]
        for name in dict.fromkeys(getattr(score, field) for score in scores)
    }
    return [(name, len(values), f"{np.mean(values):.3f}") for name, values in groups.items()]


def _accuracy(scores: Sequence[PageScore]) -> float:
    return float(np.mean([score.page_type == score.guessed_type for score in scores])) if scores else 0.0


def _worst(scores: Sequence[PageScore]) -> list[tuple[object, ...]]:
    worst = sorted(scores, key=lambda score: (score.f1, score.id))[:_WORST]
    return [(score.id, score.dataset, score.page_type or "-", f"{score.f1:.3f}") for score in worst]


def _parameters(trained: TrainedSieve) -> int:
    names = set(network_layout("")) - {"half", "centre", "spread"}
    return sum(int(np.size(trained.arrays[name])) for name in names)


def _taught(trained: TrainedSieve) -> str:
    return f"{trained.taught:,} pages" if trained.taught else "there was none"
