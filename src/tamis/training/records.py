"""Labelled pages as arrays: everything training needs of a page, small enough to keep all of them in memory.

Labels come from gold text, or, where a page has none, from a vote: several extractors with permissive licences say what
they would keep, and blocks on which they agree count as labels of half the weight. Snippets that must or must not be
in the result overrule the vote.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import urls
from tamis.evaluation.datasets import Dataset, Sample
from tamis.evaluation.run import read_predictions, run
from tamis.evaluation.words import compare_words
from tamis.extractors.sieve.containers import Containers, build_containers
from tamis.extractors.sieve.features import STATIC, Matrix, page_evidence
from tamis.files import aside
from tamis.page.load import parse
from tamis.page.text import Bools, Floats, Ints
from tamis.training.folds import fold_of
from tamis.training.labels import text_labels

VOTERS = ("trafilatura", "readability-lxml", "resiliparse", "justext")
"""Apache-2.0 three times, BSD-2: their output may be learned from."""
_MUST, _MUST_NOT = "with_", "without"  # fields of a sample's extra that hold snippets
_VOTE_WEIGHT = 0.5  # of a block on which all agree; from the prototype's notes
_LENGTH_POWER = 0.8  # likewise: a block weighs less than its words, so that short ones are not ignored


@dataclass(frozen=True, eq=False)
class Record:
    """One page: features of its blocks, labels, and what is needed to score a choice of blocks."""

    id: str
    dataset: str
    host: str
    page_type: str
    columns: Matrix  # features but those of names
    containers: Containers
    words: Ints
    in_comments: Bools
    labels: Floats
    weights: Floats
    word: Ints  # numbers of all words of the page, block by block
    owner: Ints  # the block of each
    gold: Ints | None  # how often each word occurs in the gold text; None if labels are votes

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


def read_records(dataset: Dataset, work: Path, workers: int) -> list[Record]:
    """The pages of a dataset; kept in the work folder, so that a second run is quick."""
    key = hashlib.sha256(f"{dataset.digest()} {STATIC}".encode()).hexdigest()[:12]  # other features, other records
    file = work / "records" / f"{dataset.name.replace('/', '-')}-{key}.pickle"
    if file.exists():
        records: list[Record] = pickle.loads(file.read_bytes())  # noqa: S301 - written by the lines below
        return records
    samples = list(dataset)
    votes = _votes(dataset, work, workers) if any(sample.gold is None for sample in samples) else {}
    with ProcessPoolExecutor(workers) as pool:
        tasks = [(sample, votes.get(sample.id, ())) for sample in samples]
        made = list(pool.map(_record, tasks, chunksize=8))
    records = [record for record in made if record is not None]
    with aside(file) as part:
        part.write_bytes(pickle.dumps(records))
    return records


def _votes(dataset: Dataset, work: Path, workers: int) -> Mapping[str, Sequence[str]]:
    """What the voters keep of each page."""
    summary = run(dataset, VOTERS, work / "votes", workers=workers)
    votes: dict[str, list[str]] = {}
    for file in summary.files.values():
        for prediction in read_predictions(file):
            if prediction.status == "ok":
                votes.setdefault(prediction.id, []).append(prediction.text)
    return votes


def _record(task: tuple[Sample, Sequence[str]]) -> Record | None:
    """A page as a record; None if it has no text or too few votes."""
    sample, votes = task
    page = parse(sample.html, url=sample.url).revealed()
    if not len(page.blocks) or (sample.gold is None and len(votes) < 2):
        return None
    texts = [compare_words(block.text) for block in page.blocks]
    words = page.blocks.words
    if sample.gold is not None:
        gold_words = compare_words(sample.gold)
        labels = text_labels(texts, gold_words)
        weights = _weights(words, len(gold_words))
    else:
        gold_words = []
        labels, weights = _voted(texts, words, votes, sample)
    number: dict[str, int] = {}
    word = np.array([number.setdefault(word, len(number)) for text in texts for word in text], dtype=np.int64)
    gold = np.array([number.setdefault(word, len(number)) for word in gold_words], dtype=np.int64)
    containers = build_containers(page)
    evidence = page_evidence(page, containers)
    return Record(
        id=sample.id,
        dataset=sample.dataset,
        host=_host(sample),
        page_type=sample.page_type or "",
        columns=evidence.columns,
        containers=containers,
        words=words,
        in_comments=evidence.in_comments,
        labels=labels,
        weights=weights,
        word=word,
        owner=np.repeat(np.arange(len(texts)), [len(text) for text in texts]),
        gold=np.bincount(gold, minlength=len(number)) if sample.gold is not None else None,
    )


def _host(sample: Sample) -> str:
    return urls.host(sample.url) or sample.id


def _weights(words: Ints, total: float) -> Floats:
    weights: Floats = np.minimum(1, (words / max(total, 1)) ** _LENGTH_POWER)
    return weights


def _voted(texts: Sequence[Sequence[str]], words: Ints, votes: Sequence[str], sample: Sample) -> tuple[Floats, Floats]:
    """Labels and weights from what several extractors keep."""
    labels = np.mean([text_labels(texts, compare_words(vote)) for vote in votes], axis=0)
    full = _weights(words, max(float((labels * words).sum()), 20.0))
    weights = full * np.abs(2 * labels - 1) * _VOTE_WEIGHT
    for field, label in ((_MUST, 1.0), (_MUST_NOT, 0.0)):
        holds = _holding(texts, sample.extra.get(field) or ())
        labels, weights = np.where(holds, label, labels), np.where(holds, full, weights)
    return labels, weights


def _holding(texts: Sequence[Sequence[str]], snippets: Sequence[str]) -> Bools:
    """Which texts hold one of the snippets."""
    joined = [f" {' '.join(text)} " for text in texts]
    wanted = [f" {' '.join(words)} " for words in map(compare_words, snippets) if words]
    return np.array([any(snippet in text for snippet in wanted) for text in joined], dtype=np.bool_)
