"""What is learned of a page: features and labels of its content elements, kept so that no page is read twice."""

from __future__ import annotations

import hashlib
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import tamis
from tamis import urls
from tamis._version import VERSION
from tamis.evaluation.datasets import Dataset, Sample
from tamis.extractors.elements.features import NAMES, element_features
from tamis.files import aside
from tamis.page.layout import laid_out
from tamis.page.text import Bools, Ints
from tamis.training.element_labels import Labelled, label_elements
from tamis.training.folds import fold_of

_CODE = (
    *(f"extractors/elements/{name}.py" for name in ("counts", "features", "groups", "noise_headings")),
    *(f"page/{name}.py" for name in ("layout", "line_breaks")),
    *(f"training/{name}.py" for name in ("element_labels", "element_records", "labels")),
)
"""What records come from besides the pages; when any of it changes they are made again."""


@dataclass(frozen=True, eq=False)
class Record:
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


def read_records(dataset: Dataset, work: Path, workers: int) -> list[Record]:
    """The pages of a dataset that have labels; kept in the work folder as long as the code that makes them stays."""
    key = hashlib.sha256(f"{dataset.digest()} {VERSION} {_code_digest()}".encode()).hexdigest()[:12]
    file = work / "elements" / f"{dataset.name.replace('/', '-')}-{key}.pickle"
    if file.exists():
        records: list[Record] = pickle.loads(file.read_bytes())  # noqa: S301 - written by the lines below
        return records
    with ProcessPoolExecutor(workers) as pool:
        records = [record for record in pool.map(_sample_record, dataset, chunksize=8) if record is not None]
    with aside(file) as part:
        part.write_bytes(pickle.dumps(records))
    return records


def _code_digest() -> str:
    sources = [(Path(tamis.__file__).parent / name).read_bytes() for name in _CODE]
    return hashlib.sha256(b"\0".join(sources)).hexdigest()


def _sample_record(sample: Sample) -> Record | None:
    labelled = label_elements(sample)
    return None if labelled is None else make_record(sample, labelled)


def make_record(sample: Sample, labelled: Labelled) -> Record:
    """Features and labels of a page; places and sizes are estimated if it was not rendered."""
    page, elements = labelled.page, labelled.elements
    page = laid_out(page)
    owner = elements.owner
    own = np.bincount(owner[owner >= 0], weights=page.flow.words[owner >= 0], minlength=len(elements))
    return Record(
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
