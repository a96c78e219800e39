"""What text is used for, in its simplest forms: word vectors, naive Bayes, k-means, a listener and a small screen."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from tamis.evaluation.measures import word_sequence
from tamis.evaluation.words import compare_words

Matrix = npt.NDArray[np.float64]
Labels = Sequence[Hashable]

_LEAST_PAGES = 3  # a word on fewer pages is a name or a number, and tells classes of pages nothing
_WORDS_PER_MINUTE = 180  # of a screen reader at its usual speed, and of a person who reads aloud
_ROUNDS = 50  # of k-means at most; it settles after ten to twenty


def counts(texts: Sequence[str]) -> Matrix:
    """How often each word is in each text, for words that are in several of them.

    >>> counts(["a b b", "a b", "a b", "c"]).tolist()
    [[1.0, 2.0], [1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    """
    bags = [Counter(compare_words(text)) for text in texts]
    spread = Counter(word for bag in bags for word in bag)
    column = {word: place for place, word in enumerate(word for word in spread if spread[word] >= _LEAST_PAGES)}
    table = np.zeros((len(texts), len(column)))
    for row, bag in enumerate(bags):
        for word in bag.keys() & column.keys():
            table[row, column[word]] = bag[word]
    return table


def weighted(table: Matrix) -> Matrix:
    """Rows of unit length, in which rare words count more (TF-IDF with logarithms of counts)."""
    found = (table > 0).sum(axis=0)
    rows = np.log1p(table) * np.log(len(table) / np.maximum(found, 1))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def naive_bayes(table: Matrix, labels: Labels, tested: npt.NDArray[np.bool_]) -> list[Hashable]:
    """Labels of the tested rows, learned from all others (multinomial, add-one smoothing).

    >>> table = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 0.0]])
    >>> naive_bayes(table, ["x", "y", "?"], np.array([False, False, True]))
    ['x']
    """
    known = sorted({label for label, is_tested in zip(labels, tested, strict=True) if not is_tested}, key=str)
    rows = [np.array([label == one for label in labels]) & ~tested for one in known]
    sums = np.array([table[own].sum(axis=0) + 1 for own in rows])
    priors = np.log([own.sum() for own in rows])
    scores = table[tested] @ np.log(sums / sums.sum(axis=1, keepdims=True)).T + priors
    return [known[place] for place in scores.argmax(axis=1).tolist()]


def k_means(rows: Matrix, k: int, seed: int) -> list[int]:
    """Groups of rows of unit length around k means, begun with rows that are far from each other (k-means++).

    >>> k_means(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), 2, seed=1)[::2]
    [0, 0]
    """
    random = np.random.default_rng(seed)
    centres = [rows[random.integers(len(rows))]]
    while len(centres) < k:
        far = np.clip(1 - (rows @ np.array(centres).T).max(axis=1), 0, None)
        chances = far / far.sum() if far.sum() else np.full(len(rows), 1 / len(rows))
        centres.append(rows[random.choice(len(rows), p=chances)])
    means = np.array(centres)
    groups = np.full(len(rows), -1)
    for _ in range(_ROUNDS):
        nearest = (rows @ means.T).argmax(axis=1)
        if (nearest == groups).all():
            break
        groups = nearest
        means = np.array(
            [rows[groups == one].mean(axis=0) if (groups == one).any() else means[one] for one in range(k)]
        )
    first: dict[int, int] = {}
    return [first.setdefault(group, len(first)) for group in groups.tolist()]


def macro_f1(found: Labels, right: Labels) -> float:
    """The mean of the F1 of the classes.

    >>> macro_f1("aab", "aab"), macro_f1("aaa", "aab")
    (1.0, 0.4)
    """
    values = []
    for label in sorted(set(right), key=str):
        hits = sum(one == other == label for one, other in zip(found, right, strict=True))
        values.append(2 * hits / (list(found).count(label) + list(right).count(label)))
    return sum(values) / len(values)


def listening_minutes(text: str) -> float:
    """How long it takes to hear a text."""
    return len(compare_words(text)) / _WORDS_PER_MINUTE


def seen_at_once(text: str, gold: str, columns: int, rows: int) -> int:
    """How many words of the gold text are on a screen before anybody scrolls.

    >>> seen_at_once("Menu\\n\\nThe river rose", "The river rose", columns=9, rows=3)
    2
    """
    lines = [line for part in text.splitlines() for line in textwrap.wrap(part, columns) or [""]]
    shown = "\n".join(lines[:rows])
    return round(word_sequence(gold, shown).recall * len(compare_words(gold)))
