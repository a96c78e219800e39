"""What each part of sieve is worth, and on which pages it fails; writes the tables of docs/sieve.md.

    python -m bench.sieve_report parts --work DIR       DIR: the folder of ``tamis train --work``, training finished
    python -m bench.sieve_report retrained --work DIR   likewise; fits eight sets of trees, ten minutes on two cores
    python -m bench.sieve_report worst                  the worst pages of the public datasets
    python -m bench.sieve_report show ID                one of these pages: blocks, gold, reasons, for a person to read

Parts are judged by cross-validation on the gold pages of the training sets: every page is read by the model that has
not seen its host. Public pages are only described; nothing is tuned on them.
"""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np

import tamis
from bench.quality import SAMPLED, WHOLE
from tamis.evaluation.datasets import Sample, open_dataset, take
from tamis.evaluation.measures import Score, bag_of_words, from_counts
from tamis.evaluation.words import compare_words
from tamis.extractors.sieve import decide as cut
from tamis.extractors.sieve.class_names import ClassNames
from tamis.extractors.sieve.decide import best_prefix, levelled
from tamis.extractors.sieve.features import FAMILIES, NAMES
from tamis.extractors.sieve.model import SieveModel
from tamis.extractors.sieve.network import Weights
from tamis.extractors.sieve.page_types import PAGE_TYPES
from tamis.extractors.sieve.reading import TREE_SHARE, score_blocks
from tamis.extractors.sieve.regions import beside_content, placed
from tamis.page.text import Bools, Floats, Ints
from tamis.training.block_records import LabelledBlocks, read_records
from tamis.training.folds import FOLDS
from tamis.training.kept import NETWORKS, TABLES, TREES, WORDINGS
from tamis.training.labels import text_labels
from tamis.training.network import Example
from tamis.training.sieve import DATASETS, _fit_types, all_columns
from tamis.training.trees import fit_trees
from tamis.workers import map_in_order

DOCS = Path(__file__).resolve().parent.parent / "docs" / "sieve.md"
PAGES = 60  # of each sampled public dataset
WORST = 30
RETRAINED_FOLDS = (0, 1)
RETRAINED_FAMILIES = ("names", "candidate", "containers")
_RESAMPLES = 1000
_SEED = 5  # any number; fixed, so that two reports of the same pages are equal
_HIDDEN = NAMES.index("hidden")


@dataclass(frozen=True, eq=False)
class Read:
    """A page as the model of its fold reads it, before anything is decided."""

    record: LabelledBlocks
    columns: Weights
    model: SieveModel
    trees: Floats
    network: Floats
    guessed: str
    article: float
    groups: Ints

    @property
    def words(self) -> Floats:
        return self.record.words.astype(np.float64)

    @property
    def mixed(self) -> Floats:
        return TREE_SHARE * self.trees + (1 - TREE_SHARE) * self.network

    def decide(self, log_odds: Floats, page_type: str = "", bias: float = 0.0) -> Bools:
        """The best prefix of blocks without units and rules: how variants of the model are compared."""
        return best_prefix(self.place(log_odds, page_type), self.words, bias)

    def place(self, log_odds: Floats, page_type: str = "", article: float | None = None) -> Floats:
        """Less what comments lose, and what lies outside the main container."""
        is_forum = (page_type or self.guessed) == "forum"
        comments = None if is_forum else beside_content(self.record.in_comments, log_odds, self.words)
        chance = self.article if article is None else article
        return placed(log_odds, self.words, self.record.containers, comments, chance)

    def level(self, log_odds: Floats) -> Floats:
        return levelled(log_odds, self.words, self.groups)


Variant = Callable[[Read], Bools]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("part", choices=("parts", "retrained", "worst", "show"))
    arguments.add_argument("page", nargs="?", help="id of a page to show")
    arguments.add_argument("--work", type=Path, help="the folder of tamis train --work")
    given = arguments.parse_args()
    if given.part == "show":
        show(given.page)
        return
    if given.part != "worst" and given.work is None:
        arguments.error("name the folder of tamis train with --work")
    text = worst_table() if given.part == "worst" else _FROM_TRAINING[given.part](read_training(given.work))
    print(text)
    marked = re.compile(rf"(<!-- {given.part}: begin -->\n).*(<!-- {given.part}: end -->)", re.DOTALL)
    DOCS.write_text(marked.sub(lambda match: match[1] + text + match[2], DOCS.read_text(encoding="utf-8")), "utf-8")


class Training(NamedTuple):
    """What a finished training left: all pages, their features, and the model of each fold."""

    records: list[LabelledBlocks]
    columns: list[Weights]
    models: list[SieveModel]


def read_training(work: Path) -> Training:
    records = [record for name in DATASETS for record in read_records(open_dataset(name), work, 2)]
    folder = max((work / "stages").iterdir(), key=lambda one: one.stat().st_mtime)
    names = [TABLES.read(TABLES.file(folder, fold)) for fold in range(FOLDS)]
    words = [WORDINGS.read(WORDINGS.file(folder, fold)) for fold in range(FOLDS)]
    trees = [TREES.read(TREES.file(folder, fold)) for fold in range(FOLDS)]
    networks = [NETWORKS.read(NETWORKS.file(folder, fold)) for fold in range(FOLDS)]
    tables = list(zip(map(ClassNames, names), words, strict=True))
    columns = [all_columns(record, tables) for record in records]
    found = {id(record): own for record, own in zip(records, columns, strict=True)}
    parts = zip(names, words, trees, networks, strict=True)
    models = [_fit_types(part, fold, records, found) for fold, part in enumerate(parts)]
    return Training(records, columns, models)


def parts_table(training: Training) -> str:
    """Every variant that needs no training of its own."""
    pages = list(_reads(training))
    rows = {name: [_score(page.record, variant(page)) for page in pages] for name, variant in VARIANTS.items()}
    biases = {bias: [_score(page.record, _biased(page, bias)) for page in pages] for bias in (-1, -0.5, 0, 0.5, 1)}
    records = [page.record for page in pages]
    return "\n".join(
        (
            f"{len(pages)} pages, {FOLDS} folds by host.\n",
            _variants_table(records, rows, lambda record: record.dataset.rpartition("/")[2]),
            "The same on the pages of wcxb, by page type:\n",
            _variants_table(*_of_wcxb(records, rows), lambda record: record.page_type),
            "The option `bias`, mean over datasets:\n",
            _bias_table(records, biases),
        )
    )


def retrained_table(training: Training) -> str:
    """Trees fitted without a family of features, on gold alone; two folds, trees alone."""
    names = ["nothing", *RETRAINED_FAMILIES]
    asked = [(name, fold) for name in names for fold in RETRAINED_FOLDS]
    lessons = (_examples_without(training, name, fold) for name, fold in asked)
    fitted = dict(zip(asked, map_in_order(fit_trees, lessons, count=2), strict=True))
    pages = [page for page in _reads(training) if page.record.fold in RETRAINED_FOLDS]
    rows = {"trees alone": [_score(page.record, page.decide(page.level(page.trees))) for page in pages]}
    for name in names:
        rows[f"fitted without {name}"] = [
            _score(
                page.record,
                page.decide(page.level(fitted[name, page.record.fold].log_odds(_zeroed(page.columns, name)))),
            )
            for page in pages
        ]
    records = [page.record for page in pages]
    return "\n".join(
        (
            f"{len(pages)} pages of folds {' and '.join(map(str, RETRAINED_FOLDS))}, trees alone.\n",
            _variants_table(records, rows, lambda record: record.dataset.rpartition("/")[2]),
        )
    )


_FROM_TRAINING = {"parts": parts_table, "retrained": retrained_table}


def _examples_without(training: Training, family: str, fold: int) -> list[Example]:
    """What trees learn from when a family of features and the pages of a fold are left out."""
    return [
        Example(
            features=np.ascontiguousarray(_zeroed(columns, family).T),
            words=record.words.astype(np.float32),
            labels=record.labels.astype(np.float32),
            weights=record.weights.astype(np.float32),
        )
        for record, columns in zip(training.records, training.columns, strict=True)
        if record.fold != fold and record.gold is not None
    ]


def _zeroed(columns: Weights, family: str) -> Weights:
    changed = columns.copy()
    changed[[NAMES.index(name) for name in FAMILIES.get(family, ())]] = 0
    return changed


def _reads(training: Training) -> Iterator[Read]:
    for record, columns in zip(training.records, training.columns, strict=True):
        if record.gold is None:
            continue
        model = training.models[record.fold]
        words = record.words.astype(np.float32)
        chances = model.page_types.chances(score_blocks(model, columns, words)[1])
        inputs = model.network.standardised(np.ascontiguousarray(columns.T))
        yield Read(
            record=record,
            columns=columns,
            model=model,
            trees=model.trees.log_odds(columns),
            network=model.network.log_odds(inputs, words).astype(np.float64),
            guessed=PAGE_TYPES[int(np.argmax(chances))],
            article=float(chances[PAGE_TYPES.index("article")]),
            groups=np.unique(record.containers.paths[record.containers.holder], return_inverse=True)[1],
        )


def _usual(page: Read, family: str) -> Bools:
    """The decision when a family of features is set to what is usual on training pages."""
    places = [NAMES.index(name) for name in FAMILIES[family]]
    changed = page.columns.copy()
    changed[places] = page.model.network.usual()[places, None]
    return page.decide(page.level(score_blocks(page.model, changed, page.record.words.astype(np.float32))[0]))


def _biased(page: Read, bias: float) -> Bools:
    return page.decide(page.level(page.mixed), bias=bias)


def _without_page_error(page: Read) -> Bools:
    with mock.patch.object(cut, "PAGE_ERROR", 0.0):
        return page.decide(page.level(page.mixed))


def _without_hidden(page: Read) -> Bools:
    return page.decide(np.where(page.columns[_HIDDEN] > 0, -30.0, page.level(page.mixed)))


VARIANTS: dict[str, Variant] = {
    "sieve": lambda page: page.decide(page.level(page.mixed)),
    "trees alone": lambda page: page.decide(page.level(page.trees)),
    "network alone": lambda page: page.decide(page.level(page.network)),
    "no levelling of groups": lambda page: page.decide(page.mixed),
    "no page error": _without_page_error,
    "threshold 0.5 instead of expected F1": lambda page: page.place(page.level(page.mixed)) > 0,
    "no main container": lambda page: best_prefix(page.place(page.level(page.mixed), article=0.0), page.words),
    "no comment penalty": lambda page: page.decide(page.level(page.mixed), "forum"),
    "comment penalty by the true page type": lambda page: page.decide(page.level(page.mixed), page.record.page_type),
    "hidden blocks dropped": _without_hidden,
    **{f"{family} set to what is usual": functools.partial(_usual, family=family) for family in FAMILIES},
    "every block that is gold by more than half": lambda page: page.record.labels > 0.5,
}


def _score(record: LabelledBlocks, kept: Bools) -> Score:
    gold = record.gold if record.gold is not None else np.zeros(0, np.int64)
    found = np.bincount(record.word[kept[record.owner]], minlength=len(gold))
    return from_counts(int(np.minimum(found, gold).sum()), int(found.sum()), int(gold.sum()))


def _variants_table(
    records: Sequence[LabelledBlocks], rows: dict[str, list[Score]], group: Callable[[LabelledBlocks], str]
) -> str:
    """Mean F1 by group, their mean, and its difference to the first row with a 95 % bootstrap range."""
    owner = np.array([group(record) for record in records])
    groups = list(dict.fromkeys(owner.tolist()))
    lines = [
        f"| | mean | difference | {' | '.join(groups)} |",
        "|---|---:|---:|" + "---:|" * len(groups),
        f"| pages | {len(records)} | | {' | '.join(str(int((owner == one).sum())) for one in groups)} |",
    ]
    first = np.array([score.f1 for score in next(iter(rows.values()))])
    for place, (name, scores) in enumerate(rows.items()):
        f1 = np.array([score.f1 for score in scores])
        means = [float(f1[owner == one].mean()) for one in groups]
        difference = _difference([(f1 - first)[owner == one] for one in groups]) if place else ""
        lines.append(f"| {name} | {np.mean(means):.4f} | {difference} | {' | '.join(f'{one:.3f}' for one in means)} |")
    return "\n".join(lines) + "\n"


def _difference(groups: Sequence[Floats]) -> str:
    """The mean over groups of the mean difference, with its range when pages are drawn again within each group."""
    random = np.random.default_rng(_SEED)
    drawn = [group[random.integers(0, len(group), (_RESAMPLES, len(group)))].mean(axis=1) for group in groups]
    low, high = np.percentile(np.mean(drawn, axis=0), [2.5, 97.5])
    return f"{np.mean([group.mean() for group in groups]):+.4f} ({low:+.3f} … {high:+.3f})"


def _of_wcxb(
    records: Sequence[LabelledBlocks], rows: dict[str, list[Score]]
) -> tuple[list[LabelledBlocks], dict[str, list[Score]]]:
    places = [place for place, record in enumerate(records) if record.dataset.endswith("wcxb")]
    places.sort(key=lambda place: records[place].page_type)
    return [records[place] for place in places], {name: [own[place] for place in places] for name, own in rows.items()}


def _bias_table(records: Sequence[LabelledBlocks], biases: dict[float, list[Score]]) -> str:
    lines = ["| bias | precision | recall | F1 |", "|---:|---:|---:|---:|"]
    owner = np.array([record.dataset for record in records])
    for bias, scores in biases.items():
        table = np.array(scores)
        means = np.mean([table[owner == name].mean(axis=0) for name in dict.fromkeys(owner.tolist())], axis=0)
        lines.append(f"| {bias:g} | {' | '.join(f'{one:.3f}' for one in means)} |")
    return "\n".join(lines) + "\n"


def _public() -> Iterator[tuple[str, Sample]]:
    for name in (*WHOLE, *SAMPLED):
        dataset = open_dataset(f"public/{name}")
        for sample in dataset if name in WHOLE else take(dataset, PAGES):
            if sample.gold:
                yield name, sample


def worst_table() -> str:
    """The worst pages of the public datasets by word F1."""
    found = []
    for name, sample in _public():
        text = tamis.extract(sample.data, url=sample.url, method="sieve").text
        score = bag_of_words(sample.gold or "", text)
        sizes = len(compare_words(sample.gold or "")), len(compare_words(text))
        found.append((score.f1, sample.id, name, sample.page_type or "", score, sizes))
    found.sort(key=lambda one: one[:3])
    lines = [
        f"The {WORST} worst of {len(found)} pages.\n",
        "| page | dataset | type | F1 | precision | recall | gold words | kept words |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for _, page, name, kind, score, sizes in found[:WORST]:
        numbers = " | ".join(f"{value:.2f}" for value in (score.f1, score.precision, score.recall))
        lines.append(f"| `{page}` | {name} | {kind} | {numbers} | {sizes[0]} | {sizes[1]} |")
    return "\n".join(lines) + "\n"


def show(page_id: str) -> None:
    """All blocks of a page with the share that is gold, and why they were kept or dropped."""
    for name, sample in _public():
        if sample.id != page_id:
            continue
        result = tamis.extract(sample.data, url=sample.url, method="sieve")
        gold = sample.gold or ""
        print(name, sample.id, sample.url, result.metadata.page_type, result.warnings, bag_of_words(gold, result.text))
        print(f"gold: {gold}\n")
        blocks = list(result.blocks)
        shares = text_labels([compare_words(block.text) for block in blocks], compare_words(gold))
        for block, share in zip(blocks, shares, strict=True):
            print(f"{'+' if block.kept else '-'} gold {share:.2f}  {block.text[:100]!r}\n      {block.reason}")


if __name__ == "__main__":
    main()
