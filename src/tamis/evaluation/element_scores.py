"""Element classifiers measured as in Yunis (2016): by elements and by words, per group and pooled.

Counts of all groups are added first, and precision, recall and F1 computed once. Words in two elements, such as those
of a ``p`` in an ``li``, count in both, as in the thesis; to count them once, pass the words that each element owns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.evaluation.measures import Score, from_counts
from tamis.page.text import Bools


class Confusion(NamedTuple):
    """What became of noisy and of main units."""

    tn: float = 0
    fp: float = 0  # noisy, called main
    fn: float = 0
    tp: float = 0

    @property
    def score(self) -> Score:
        """Precision, recall and F1 of main."""
        return from_counts(self.tp, self.tp + self.fp, self.tp + self.fn)

    @property
    def filtered(self) -> float:
        """The share of noise that is found out; 1 if there is none."""
        noise = self.tn + self.fp
        return self.tn / noise if noise else 1.0

    def plus(self, other: Confusion) -> Confusion:
        """Both together."""
        return Confusion(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


THESIS: Mapping[str, tuple[Confusion, Score]] = {
    "elements": (Confusion(4625, 211, 277, 1018), Score(0.828, 0.786, 0.806)),
    "words": (Confusion(496921, 19618, 28654, 163908), Score(0.893, 0.851, 0.871)),
    "small images": (Confusion(900, 5, 97, 25), Score(0.833, 0.205, 0.328)),
    "large images": (Confusion(122, 6, 10, 29), Score(0.828, 0.743, 0.783)),
}
"""Results of the thesis on its 40 test pages: the matrix, and the scores as printed (partly cut, not rounded).

The false positives of all but the words are lost in the text that is left of it; they follow from the precision.
"""


def confusion(is_main: Bools, said_main: Bools, weights: npt.NDArray[np.int64] | None = None) -> Confusion:
    """How many units, or how much weight, of each class was called what.

    >>> confusion(np.array([True, True, False]), np.array([True, False, False]), np.array([5, 2, 1]))
    Confusion(tn=1, fp=0, fn=2, tp=5)
    """
    amounts = np.ones(len(is_main), dtype=np.int64) if weights is None else weights
    cells = np.bincount(2 * is_main.astype(np.int64) + said_main, weights=amounts, minlength=4)
    return Confusion(*(int(cell) for cell in cells))


@dataclass(frozen=True, kw_only=True)
class ElementReport:
    """Confusions by group; ``images`` are never pooled with text."""

    by_element: Mapping[str, Confusion]
    by_word: Mapping[str, Confusion]

    def pooled(self, *, words: bool = False) -> Confusion:
        """All textual groups together."""
        cells = self.by_word if words else self.by_element
        return sum_of(cell for group, cell in cells.items() if not group.startswith("img"))


def sum_of(cells: Iterable[Confusion]) -> Confusion:
    """The sum of confusions."""
    total = Confusion()
    for cell in cells:
        total = total.plus(cell)
    return total


def element_report(
    groups: npt.NDArray[np.str_], is_main: Bools, said_main: Bools, words: npt.NDArray[np.int64]
) -> ElementReport:
    """Measure labels of elements; ``words`` are those of each element's inner text."""
    by_element, by_word = {}, {}
    for group in dict.fromkeys(groups.tolist()):
        own = groups == group
        by_element[group] = confusion(is_main[own], said_main[own])
        by_word[group] = confusion(is_main[own], said_main[own], words[own])
    return ElementReport(by_element=by_element, by_word=by_word)


def report_table(report: ElementReport) -> str:
    """The report beside the numbers of the thesis, as Markdown."""
    lines = [
        "| | tn | fp | fn | tp | precision | recall | F1 | noise filtered |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, (cells, printed) in THESIS.items():
        lines.append(_row(f"thesis: {name}", cells, printed))
    lines.append(_row("elements", report.pooled()))
    lines.append(_row("words", report.pooled(words=True)))
    lines += [_row(f"elements: {group}", cells) for group, cells in report.by_element.items()]
    lines += [_row(f"words: {group}", cells) for group, cells in report.by_word.items() if not group.startswith("img")]
    return "\n".join(lines)


def _row(name: str, cells: Confusion, score: Score | None = None) -> str:
    numbers = " | ".join(f"{cell:,.0f}" for cell in cells)
    scores = " | ".join(f"{value:.3f}" for value in score or cells.score)
    return f"| {name} | {numbers} | {scores} | {cells.filtered:.3f} |"
