"""Labelled pages as arrays: everything training needs of a page, small enough to keep all of them in memory.

Labels come from gold text. Where it is only a part of the content (the steps of a recipe), or where there are but
snippets that must or must not be in the result, the blocks that hold them are known. The rest of such a page is
unknown, not wrong: it has no weight. Pages of which nothing is known are for teachers (``training/taught.py``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tamis import urls
from tamis.evaluation.datasets import Dataset, Sample
from tamis.evaluation.words import compare_words
from tamis.extractors.sieve.containers import Containers, build_containers
from tamis.extractors.sieve.features import STATIC, Matrix, page_evidence
from tamis.extractors.sieve.features.wording import said
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints
from tamis.stored.rows import Column, Row
from tamis.stored.values import made
from tamis.training.folds import fold_of
from tamis.training.kept_records import KeptRecords
from tamis.training.labels import text_labels

PARTIAL = ("recipes",)
"""Datasets whose gold text is a part of the content."""
_MUST, _MUST_NOT = "with_", "without"  # fields of a sample's extra that hold snippets
_LENGTH_POWER = (
    0.8  # from the prototype's notes: a block weighs less than its words, so that short ones are not ignored
)
_HELD = 0.5  # share of a block that must be gold for it to be known, where gold is a part


@dataclass(frozen=True, eq=False)
class LabelledBlocks:
    """One page: features of its blocks, labels, and what is needed to score a choice of blocks."""

    id: str
    dataset: str
    host: str
    page_type: str
    columns: Matrix  # features but those of names and of wording
    containers: Containers
    said: Ints  # hashes of all phrases of the page, block by block
    said_by: Ints  # the block of each
    words: Ints
    in_comments: Bools
    labels: Floats
    weights: Floats  # 0 where nothing is known
    word: Ints  # numbers of all words of the page, block by block
    owner: Ints  # the block of each
    gold: Ints | None  # how often each word occurs in the gold text; None if that is not known as a whole
    has_text: bool  # gold text is known, whole or in part

    @property
    def fold(self) -> int:
        """Pages of one host are in one fold."""
        return fold_of(self.host)

    def f1(self, kept: Bools) -> float:
        """Word F1 of a choice of blocks."""
        if self.gold is None:
            raise ValueError(f"{self.id} has no gold text")
        found = np.bincount(self.word[kept[self.owner]], minlength=len(self.gold))
        return 2 * float(np.minimum(found, self.gold).sum()) / max(int(found.sum() + self.gold.sum()), 1)


def read_records(dataset: Dataset, work: Path, workers: int) -> list[LabelledBlocks]:
    """The pages of a dataset that have text."""
    return KeptRecords("records", _record, _COLUMNS, _row, _from_row).read(dataset, work, workers)


class _About(NamedTuple):
    """What of a record is no array."""

    id: str
    dataset: str
    host: str
    page_type: str
    has_text: bool
    names: tuple[str, ...]  # of containers


_COLUMNS = {
    "columns": Column("float32", "blocks", rows=len(STATIC)),
    "said": Column("int64", "phrases"),
    "said_by": Column("int64", "phrases", points_at="blocks"),
    "words": Column("int64", "blocks"),
    "in_comments": Column("bool", "blocks"),
    "labels": Column("float64", "blocks"),
    "weights": Column("float64", "blocks"),
    "word": Column("int64", "words"),
    "owner": Column("int64", "words", points_at="blocks"),
    "gold": Column("int64", "vocabulary", is_optional=True),
    "node": Column("int64", "containers"),
    "tag": Column("uint8", "containers"),
    "name": Column("int64", "containers"),
    "parent": Column("int64", "containers", points_at="containers"),
    "first": Column("int64", "containers", points_at="blocks", up_to_end=True),
    "last": Column("int64", "containers", points_at="blocks", up_to_end=True),
    "end": Column("int64", "containers", points_at="containers", up_to_end=True),
    "holder": Column("int64", "blocks", points_at="containers"),
    "leaf": Column("int64", "blocks", points_at="containers"),
}
_OF_CONTAINERS = tuple(field.name for field in dataclasses.fields(Containers) if field.name != "names")


def _row(record: LabelledBlocks) -> Row:
    plain = _About(record.id, record.dataset, record.host, record.page_type, record.has_text, record.containers.names)
    arrays = {**vars(record), **{name: getattr(record.containers, name) for name in _OF_CONTAINERS}}
    return plain, {name: arrays[name] for name in _COLUMNS}


def _from_row(plain: Any, arrays: Any) -> LabelledBlocks:
    about: _About = made(_About, plain, "about")
    if not 0 <= arrays["name"].max(initial=0) < max(len(about.names), 1) or arrays["name"].min(initial=0) < 0:
        raise ValueError(f"a container of {about.id!r} has no name")
    if arrays["gold"] is not None and not -1 <= arrays["word"].max(initial=-1) < len(arrays["gold"]):
        raise ValueError(f"{about.id!r} has words that nobody counted")
    containers = {name: arrays[name] for name in _OF_CONTAINERS}
    own = {name: array for name, array in arrays.items() if name not in containers}
    return LabelledBlocks(
        id=about.id,
        dataset=about.dataset,
        host=about.host,
        page_type=about.page_type,
        has_text=about.has_text,
        containers=Containers(names=about.names, **containers),
        **own,
    )


def labelled_page(sample: Sample) -> Page:
    """The page whose blocks have labels: hidden ones are among them."""
    return parse(sample.html, url=sample.url).revealed()


def _record(sample: Sample) -> LabelledBlocks | None:
    """A page as a record; None if it has no text."""
    page = labelled_page(sample)
    if not len(page.blocks):
        return None
    texts = [compare_words(block.text) for block in page.blocks]
    words = page.blocks.words
    is_whole = sample.gold is not None and sample.dataset.rpartition("/")[2] not in PARTIAL
    gold_words = compare_words(sample.gold or "")
    if is_whole:
        labels, weights = text_labels(texts, gold_words), length_weights(words, len(gold_words))
    else:
        labels, weights = _known(texts, words, gold_words, sample)
    number: dict[str, int] = {}
    word = np.array([number.setdefault(word, len(number)) for text in texts for word in text], dtype=np.int64)
    gold = np.array([number.setdefault(word, len(number)) for word in gold_words], dtype=np.int64)
    containers = build_containers(page)
    evidence = page_evidence(page, containers)
    phrases, counts = said(page)
    return LabelledBlocks(
        id=sample.id,
        dataset=sample.dataset,
        host=_host(sample),
        page_type=sample.page_type or "",
        columns=evidence.columns,
        containers=containers,
        said=phrases,
        said_by=np.repeat(np.arange(len(counts)), counts),
        words=words,
        in_comments=evidence.in_comments,
        labels=labels,
        weights=weights,
        word=word,
        owner=np.repeat(np.arange(len(texts)), [len(text) for text in texts]),
        gold=np.bincount(gold, minlength=len(number)) if is_whole else None,
        has_text=sample.gold is not None,
    )


def _host(sample: Sample) -> str:
    return urls.host(sample.url) or sample.id


def length_weights(words: Ints, total: float) -> Floats:
    """How much blocks count on a page whose content has so many words."""
    weights: Floats = np.minimum(1, (words / max(total, 1)) ** _LENGTH_POWER)
    return weights


def _known(texts: Sequence[Sequence[str]], words: Ints, gold: Sequence[str], sample: Sample) -> tuple[Floats, Floats]:
    """Labels and weights of the blocks that hold what must, or must not, be in the result."""
    labels, weights = np.zeros(len(words)), np.zeros(len(words))
    full = length_weights(
        words, max(2 * len(gold) if gold else float(words.sum()) / 2, 20.0)
    )  # half is content: a guess
    must = (text_labels(texts, gold) > _HELD) | _holding(texts, sample.extra.get(_MUST) or ())
    for holds, label in ((must, 1.0), (_holding(texts, sample.extra.get(_MUST_NOT) or ()), 0.0)):
        labels[holds], weights[holds] = label, full[holds]
    return labels, weights


def _holding(texts: Sequence[Sequence[str]], snippets: Sequence[str]) -> Bools:
    """Which texts hold one of the snippets."""
    joined = [f" {' '.join(text)} " for text in texts]
    wanted = [f" {' '.join(words)} " for words in map(compare_words, snippets) if words]
    return np.array([any(snippet in text for snippet in wanted) for text in joined], dtype=np.bool_)
