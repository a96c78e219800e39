"""Predictions → one row per page and measure.

A page on which a system failed, timed out or crashed scores 0 and is counted; it is never left out. Pages without a
gold text are scored only by the measures that need none (snippets).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tamis.batch import LOST
from tamis.errors import InputError, UnknownNameError
from tamis.evaluation import measures
from tamis.evaluation.block_choices import block_scores, by_places, by_text
from tamis.evaluation.datasets import GOLD_MARKED, GOLD_SPANS, Sample
from tamis.evaluation.measures import Score
from tamis.evaluation.run import Prediction
from tamis.evaluation.structure import MarkedSegment, cleaneval_structure, mark_scores, marks_of, read_marks
from tamis.evaluation.systems import SystemAnswer
from tamis.evaluation.word_places import page_words, span_occurrences
from tamis.evaluation.words import compare_words
from tamis.files import aside
from tamis.page.load import parse
from tamis.stored import DamageError
from tamis.stored.values import made
from tamis.workers import map_in_order

_NOTHING = Score(0.0, 0.0, 0.0)


class ScoreRow(NamedTuple):
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


Scoring = Callable[[Sample, SystemAnswer], Score | None]
"""A measure of an answer; None if the sample has not what it needs."""


def _snippets(sample: Sample, answer: SystemAnswer) -> Score | None:
    must, must_not = sample.extra.get("with_") or (), sample.extra.get("without") or ()
    return measures.snippets(must, must_not, answer.text) if must or must_not else None


def _occurrences(sample: Sample, answer: SystemAnswer) -> Score | None:
    """By places where both sides have them; a text alone is looked for on the page."""
    if GOLD_SPANS in sample.extra and answer.spans is not None:
        return span_occurrences(parse(sample.markup), _gold_spans(sample), answer.spans)
    if sample.gold is None:
        return None
    words = page_words(parse(sample.markup)).words
    return measures.word_occurrences(" ".join(words), sample.gold, answer.text)


def _blocks(sample: Sample, answer: SystemAnswer) -> Score | None:
    """Blocks by places where they are known, else by text."""
    if sample.gold is None and GOLD_SPANS not in sample.extra:
        return None
    page = parse(sample.markup)
    gold = by_places(page, _gold_spans(sample)) if GOLD_SPANS in sample.extra else by_text(page, sample.gold or "")
    found = by_text(page, answer.text) if answer.spans is None else by_places(page, answer.spans)
    return block_scores(page, gold, found)


def _segments(sample: Sample, answer: SystemAnswer) -> tuple[list[MarkedSegment], list[MarkedSegment]] | None:
    """Gold and answer cut at their marks; None if the gold text has none."""
    gold = sample.extra.get(GOLD_MARKED)
    if not isinstance(gold, str):
        return None
    found = read_marks(answer.text) if answer.spans is None else marks_of(parse(sample.markup), answer.spans)
    return read_marks(gold), found


def _structure(sample: Sample, answer: SystemAnswer) -> Score | None:
    segments = _segments(sample, answer)
    return None if segments is None else mark_scores(*segments)


def _cleaneval_structure(sample: Sample, answer: SystemAnswer) -> Score | None:
    segments = _segments(sample, answer)
    return None if segments is None else Score(*[cleaneval_structure(*segments)] * 3)


def _gold_spans(sample: Sample) -> tuple[tuple[int, int], ...]:
    try:
        places: tuple[tuple[int, int], ...] = made(
            tuple[tuple[int, int], ...], [list(span) for span in sample.extra[GOLD_SPANS]]
        )
    except (DamageError, TypeError) as error:
        wanted = "a list of pairs of numbers is expected"
        raise InputError(f"{GOLD_SPANS} of {sample.id!r} cannot be read, {wanted}: {error}") from error
    return places


def _of_texts(measure: measures.Measure) -> Scoring:
    return partial(_against_gold, measure)


def _against_gold(measure: measures.Measure, sample: Sample, answer: SystemAnswer) -> Score | None:
    return None if sample.gold is None else measure(sample.gold, answer.text)


def _cleaneval(gold: str, text: str) -> Score:
    value = measures.cleaneval(gold, text)
    return Score(value, value, value)


MEASURES: Mapping[str, Scoring] = {
    "bag": _of_texts(measures.bag_of_words),
    "words": _of_texts(measures.word_sequence),
    "set": _of_texts(measures.set_of_words),
    "bag_cased": _of_texts(partial(measures.bag_of_words, fold_case=False)),
    "words_cased": _of_texts(partial(measures.word_sequence, fold_case=False)),
    "set_cased": _of_texts(partial(measures.set_of_words, fold_case=False)),
    "characters": _of_texts(measures.character_sequence),
    "shingles": _of_texts(measures.shingles),
    "rouge2": _of_texts(measures.rouge_n),
    "rouge_lsum": _of_texts(measures.rouge_lsum),
    "cleaneval": _of_texts(_cleaneval),
    "structure": _structure,
    "cleaneval_structure": _cleaneval_structure,
    "occurrences": _occurrences,
    "blocks": _blocks,
    "snippets": _snippets,
}
"""Measures by the names that ``tamis evaluate --measures`` takes. ``bag`` is what our tables use, and folds case; the
measures of Gottron (2008) are ``characters``, ``words_cased``, ``bag_cased`` and ``set_cased``."""


_TINY = Sample(id="tiny", html="<p>One word.</p>", gold="One word.")


def check_measures(names: Iterable[str]) -> None:
    """Raise for the first name that is no measure, or whose extra is not installed."""
    for name in names:
        if name not in MEASURES:
            raise UnknownNameError("measure", name, MEASURES)
        MEASURES[name](_TINY, SystemAnswer("One word."))


def score(
    samples: Iterable[Sample], predictions: Iterable[Prediction], names: Sequence[str], *, processes: int = 1
) -> Iterator[ScoreRow]:
    """Rows for all predictions on these samples, in the order of the predictions."""
    check_measures(names)
    known = {sample.id: sample for sample in samples}
    pairs = [(known[prediction.id], prediction) for prediction in predictions if prediction.id in known]
    for rows in map_in_order(partial(_score_page, tuple(names)), pairs, count=processes):
        yield from rows


def write_csv(path: Path, rows: Iterable[ScoreRow]) -> None:
    """Rows as a table with a header, written aside and renamed."""
    with aside(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(ScoreRow._fields)
        table.writerows(rows)


def write_parquet(path: Path, rows: Sequence[ScoreRow]) -> bool:
    """The same as Parquet; false when pyarrow is not installed."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        return False
    columns = {name: [getattr(row, name) for row in rows] for name in ScoreRow._fields}
    with aside(path) as part:
        parquet.write_table(arrow.table(columns), part)
    return True


def _score_page(names: tuple[str, ...], pair: tuple[Sample, Prediction]) -> list[ScoreRow]:
    sample, prediction = pair
    answer = SystemAnswer(prediction.text, prediction.spans)
    gold_words = len(compare_words(sample.gold or ""))
    rows = []
    for name in names:
        found = MEASURES[name](sample, answer)
        if found is None:
            continue
        found = _NOTHING if prediction.status in LOST else found
        rows.append(
            ScoreRow(
                dataset=prediction.dataset,
                system=prediction.system,
                id=sample.id,
                page_type=sample.page_type or "",
                gold_words=gold_words,
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
