"""Predictions → one row per page and measure.

A page on which a system failed, timed out or crashed scores 0 and is counted; it is never left out. Pages without a
gold text are scored only by the measures that need none (snippets).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tamis.batch import LOST
from tamis.errors import UnknownNameError
from tamis.evaluation import measures
from tamis.evaluation.datasets import Sample
from tamis.evaluation.measures import Score
from tamis.evaluation.run import Prediction
from tamis.evaluation.words import compare_words
from tamis.files import aside
from tamis.page.load import parse

_NOTHING = Score(0.0, 0.0, 0.0)
_CHUNK = 16  # pages handed to a process at a time


class Row(NamedTuple):
    """One page, one system, one measure."""

    dataset: str
    system: str
    id: str
    page_type: str
    gold_words: int
    status: str
    size: int
    seconds: float
    measure: str
    precision: float
    recall: float
    f1: float


def _snippets(sample: Sample, text: str) -> Score | None:
    must, must_not = sample.extra.get("with_") or (), sample.extra.get("without") or ()
    return measures.snippets(must, must_not, text) if must or must_not else None


def _occurrences(sample: Sample, text: str) -> Score | None:
    return None if sample.gold is None else measures.word_occurrences(parse(sample.html).text, sample.gold, text)


def _of_texts(measure: measures.Measure) -> Callable[[Sample, str], Score | None]:
    return partial(_against_gold, measure)


def _against_gold(measure: measures.Measure, sample: Sample, text: str) -> Score | None:
    return None if sample.gold is None else measure(sample.gold, text)


def _cleaneval(gold: str, text: str) -> Score:
    value = measures.cleaneval(gold, text)
    return Score(value, value, value)


MEASURES: Mapping[str, Callable[[Sample, str], Score | None]] = {
    "bag": _of_texts(measures.bag_of_words),
    "words": _of_texts(measures.word_sequence),
    "set": _of_texts(measures.set_of_words),
    "characters": _of_texts(measures.character_sequence),
    "shingles": _of_texts(measures.shingles),
    "rouge2": _of_texts(measures.rouge_n),
    "rouge_lsum": _of_texts(measures.rouge_lsum),
    "cleaneval": _of_texts(_cleaneval),
    "occurrences": _occurrences,
    "snippets": _snippets,
}
"""Measures by the names that ``tamis evaluate --measures`` takes. ``bag`` is what the published tables use."""


_TINY = Sample(id="tiny", html="<p>One word.</p>", gold="One word.")


def check_measures(names: Iterable[str]) -> None:
    """Raise for the first name that is no measure, or whose extra is not installed."""
    for name in names:
        if name not in MEASURES:
            raise UnknownNameError("measure", name, MEASURES)
        MEASURES[name](_TINY, "One word.")


def score(
    samples: Iterable[Sample], predictions: Iterable[Prediction], names: Sequence[str], *, processes: int = 1
) -> Iterator[Row]:
    """Rows for all predictions on these samples, in the order of the predictions."""
    check_measures(names)
    known = {sample.id: sample for sample in samples}
    pairs = [(known[prediction.id], prediction) for prediction in predictions if prediction.id in known]
    task = partial(_score_page, tuple(names))
    if processes <= 1:
        yield from (row for pair in pairs for row in task(pair))
        return
    with ProcessPoolExecutor(processes) as pool:
        for rows in pool.map(task, pairs, chunksize=_CHUNK):
            yield from rows


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Rows as a table with a header, written aside and renamed."""
    with aside(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(Row._fields)
        table.writerows(rows)


def write_parquet(path: Path, rows: Sequence[Row]) -> bool:
    """The same as Parquet; false when pyarrow is not installed."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        return False
    columns = {name: [getattr(row, name) for row in rows] for name in Row._fields}
    parquet.write_table(arrow.table(columns), path)
    return True


def _score_page(names: tuple[str, ...], pair: tuple[Sample, Prediction]) -> list[Row]:
    sample, prediction = pair
    rows = []
    for name in names:
        found = MEASURES[name](sample, prediction.text)
        if found is None:
            continue
        found = _NOTHING if prediction.status in LOST else found
        rows.append(
            Row(
                dataset=prediction.dataset,
                system=prediction.system,
                id=sample.id,
                page_type=sample.page_type or "",
                gold_words=len(compare_words(sample.gold or "")),
                status=prediction.status,
                size=prediction.size,
                seconds=prediction.seconds,
                measure=name,
                precision=found.precision,
                recall=found.recall,
                f1=found.f1,
            )
        )
    return rows
