"""Parameter studies: one option of a method over a grid of values."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple

from tamis import extractors, registry
from tamis.errors import OptionError
from tamis.evaluation.datasets import Sample
from tamis.evaluation.measures import bag_of_words
from tamis.page.load import parse
from tamis.pictures.plots import curves


class Point(NamedTuple):
    """Mean scores of a method with one value of the option."""

    value: Any
    precision: float
    recall: float
    f1: float


def sweep(samples: Sequence[Sample], method: str, option: str, values: Sequence[Any]) -> list[Point]:
    """Mean scores by words, over the pages that have a gold text, for each value; every page is parsed once."""
    for value in values:
        registry.make_options("extractors", method, {option: value})  # a wrong value is answered before any work
    golds = [(parse(sample.html, sample.url), sample.gold) for sample in samples if sample.gold is not None]
    if not golds:
        raise OptionError("none of the pages has a gold text, so there is nothing to compare with")
    points = []
    for value in values:
        scores = [bag_of_words(gold, extractors.extract(page, method, **{option: value}).text) for page, gold in golds]
        means = (statistics.fmean(column) for column in zip(*scores, strict=True))
        points.append(Point(value, *means))
    return points


def to_svg(points: Sequence[Point], title: str, option: str) -> str:
    """Precision, recall and F1 as curves over the values."""
    lines = {name: [(float(point.value), getattr(point, name)) for point in points] for name in Point._fields[1:]}
    return curves(lines, title, option)


def to_markdown(points: Sequence[Point], option: str) -> str:
    """The same as a table."""
    rows = [f"| {option} | precision | recall | F1 |", "|---|---:|---:|---:|"]
    rows += [f"| {value} | {precision:.3f} | {recall:.3f} | {f1:.3f} |" for value, precision, recall, f1 in points]
    return "\n".join(rows) + "\n"
