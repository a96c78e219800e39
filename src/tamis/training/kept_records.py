"""Records of labelled pages, kept in the work folder of a training so that no page is read twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from tamis.evaluation.datasets import Dataset, Sample
from tamis.stored.keys import key_of
from tamis.stored.rows import Column, Row, read_rows, write_rows
from tamis.workers import map_in_order

Record = TypeVar("Record")


@dataclass(frozen=True)
class KeptRecords(Generic[Record]):
    """How records of one kind are made, written and read again."""

    folder: str  # in the work folder
    make: Callable[[Sample], Record | None]  # None for a page that teaches nothing
    columns: Mapping[str, Column]
    to_row: Callable[[Record], Row]
    from_row: Callable[[Any, Any], Record]

    def read(self, dataset: Dataset, work: Path, workers: int) -> list[Record]:
        """The records of a dataset; those in the work folder are used as long as data and code stay the same."""
        key = key_of(dataset.digest(), [], [self.make.__module__])
        file = work / self.folder / f"{dataset.name.replace('/', '-')}-{key}.npz"
        if file.exists():
            return read_rows(file, self.columns, self.from_row)
        records = [record for record in map_in_order(self.make, dataset, count=workers) if record is not None]
        write_rows(file, list(map(self.to_row, records)), self.columns)
        return records
