"""What is learned of a page: features and labels of its content elements, kept so that no page is read twice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tamis import urls
from tamis.evaluation.datasets import Dataset, Sample
from tamis.extractors.elements.features import NAMES, element_features
from tamis.page.layout import laid_out
from tamis.page.text import Bools, Ints
from tamis.stored.rows import Column, Row
from tamis.stored.values import made
from tamis.training.element_labels import Labelled, label_elements
from tamis.training.folds import fold_of
from tamis.training.kept_records import KeptRecords


@dataclass(frozen=True, eq=False)
class LabelledElements:
    """One page: features and labels of its content elements."""

    id: str
    dataset: str
    host: str
    page_type: str
    group: npt.NDArray[np.int8]
    words: Ints  # of the inner text
    own_words: Ints  # without those of elements inside
    features: npt.NDArray[np.float32]  # a row for each of NAMES
    is_main: Bools
    oracle: float

    @property
    def fold(self) -> int:
        """Pages of one host are in one fold."""
        return fold_of(self.host)


def read_records(dataset: Dataset, work: Path, workers: int) -> list[LabelledElements]:
    """The pages of a dataset that have labels."""
    return KeptRecords("elements", _sample_record, _COLUMNS, _row, _from_row).read(dataset, work, workers)


class _About(NamedTuple):
    """What of a record is no array."""

    id: str
    dataset: str
    host: str
    page_type: str
    oracle: float


_COLUMNS = {
    "group": Column("int8", "elements"),
    "words": Column("int64", "elements"),
    "own_words": Column("int64", "elements"),
    "features": Column("float32", "elements", rows=len(NAMES), may_be_nan=True),  # what is not known
    "is_main": Column("bool", "elements"),
}


def _row(record: LabelledElements) -> Row:
    plain = _About(record.id, record.dataset, record.host, record.page_type, record.oracle)
    return plain, {name: getattr(record, name) for name in _COLUMNS}


def _from_row(plain: Any, arrays: Any) -> LabelledElements:
    about: _About = made(_About, plain, "about")
    return LabelledElements(**about._asdict(), **arrays)


def _sample_record(sample: Sample) -> LabelledElements | None:
    labelled = label_elements(sample)
    return None if labelled is None else make_record(sample, labelled)


def make_record(sample: Sample, labelled: Labelled) -> LabelledElements:
    """Features and labels of a page; places and sizes are estimated if it was not rendered."""
    page, elements = labelled.page, labelled.elements
    page = laid_out(page)
    owner = elements.owner
    own = np.bincount(owner[owner >= 0], weights=page.flow.words[owner >= 0], minlength=len(elements))
    return LabelledElements(
        id=sample.id,
        dataset=sample.dataset,
        host=urls.host(sample.url) or sample.id,
        page_type=sample.page_type or "",
        group=elements.group,
        words=elements.words,
        own_words=own.astype(np.int64),
        features=element_features(page, elements, NAMES).astype(np.float32),
        is_main=labelled.is_main,
        oracle=labelled.oracle.f1,
    )
