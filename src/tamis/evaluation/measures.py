"""Measures of a text against its gold standard: pure functions, each named, cited, and with a worked example.

Conventions (Gottron 2008, section 2.2.4): an empty gold text is fully recalled, an empty extraction is fully precise,
and F1 is 0 when precision and recall are both 0. So an empty extraction of a gold text that is not empty has precision
1, recall 0 and F1 0.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from tamis.errors import MissingExtraError
from tamis.evaluation.words import compare_words


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


Measure = Callable[[str, str], Score]

_SHINGLE_WORDS = 4  # Broder


def from_counts(overlap: float, predicted: float, gold: float) -> Score:
    """Precision, recall and F1 from the sizes of the overlap, the extraction and the gold standard.

    >>> from_counts(3, 5, 4)
    Score(precision=0.6, recall=0.75, f1=0.6666666666666665)
    >>> from_counts(0, 0, 4)
    Score(precision=1.0, recall=0.0, f1=0.0)
    """
    precision = overlap / predicted if predicted else 1.0
    recall = overlap / gold if gold else 1.0
    return Score(precision, recall, harmonic_mean(precision, recall))


def harmonic_mean(precision: float, recall: float) -> float:
    """F1; 0 when both are 0.

    >>> harmonic_mean(1.0, 0.5)
    0.6666666666666666
    """
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def character_sequence(gold: str, text: str) -> Score:
    """Characters in order, blanks included, white space collapsed: the finest measure (Gottron 2008, CS).

    >>> character_sequence("abc d", "abd").recall
    0.6
    """
    gold, text = " ".join(gold.split()), " ".join(text.split())
    return from_counts(common_length(gold, text), len(text), len(gold))


def word_sequence(gold: str, text: str, *, fold_case: bool = True) -> Score:
    """Words in order (Gottron 2008, WS, who does not fold case).

    >>> word_sequence("a b c d", "c d a b")
    Score(precision=0.5, recall=0.5, f1=0.5)
    """
    wanted, found = (compare_words(side, fold_case=fold_case) for side in (gold, text))
    return from_counts(common_length(wanted, found), len(found), len(wanted))


def bag_of_words(gold: str, text: str, *, fold_case: bool = True) -> Score:
    """Words with their counts, in any order (Gottron 2008, BoW, who does not fold case).

    >>> bag_of_words("a b c d", "b c x d d")
    Score(precision=0.6, recall=0.75, f1=0.6666666666666665)
    """
    return _bags(compare_words(gold, fold_case=fold_case), compare_words(text, fold_case=fold_case))


def set_of_words(gold: str, text: str, *, fold_case: bool = True) -> Score:
    """Distinct words (Gottron 2008, SoW, who does not fold case).

    >>> set_of_words("a b c d", "b c x d d")
    Score(precision=0.75, recall=0.75, f1=0.75)
    """
    wanted, found = (set(compare_words(side, fold_case=fold_case)) for side in (gold, text))
    return from_counts(len(wanted & found), len(found), len(wanted))


def word_occurrences(page: str, gold: str, text: str) -> Score:
    """Words as places on the page, so that the same word elsewhere does not count (Weninger et al. 2010).

    Both texts are aligned to the page's words; a word of the extraction counts when the gold text has the same place.
    A text that stands on the page twice is aligned to one of its places, whichever it was taken from: texts alone
    cannot tell. Where both sides know their places, ``places.span_occurrences`` can.

    >>> word_occurrences("menu news body news", "body news", "menu news").f1
    0.0
    """
    words = compare_words(page)
    wanted_words, found_words = compare_words(gold), compare_words(text)
    wanted, found = matched_places(words, wanted_words), matched_places(words, found_words)
    return from_counts(len(wanted & found), len(found_words), len(wanted_words))


def cleaneval(gold: str, text: str) -> float:
    """One minus the share of insertions and deletions in the alignment of the words (CleanEval 2007).

    >>> cleaneval("a b c", "a c")
    0.6666666666666666
    """
    wanted, found = compare_words(gold), compare_words(text)
    aligned = common_length(wanted, found)
    operations = len(wanted) + len(found) - aligned
    return aligned / operations if operations else 1.0


def rouge_n(gold: str, text: str, n: int = 2) -> Score:
    """Overlap of word n-grams with their counts (Lin 2004, ROUGE-N).

    >>> rouge_n("a b c d", "a b x d").recall
    0.3333333333333333
    """
    return _bags(_grams(compare_words(gold), n), _grams(compare_words(text), n))


def rouge_lsum(gold: str, text: str) -> Score:
    """For each gold line the words found in order in any line of the text, taken together (Lin 2004, ROUGE-LSum).

    >>> rouge_lsum("a b c\\nd e", "d e\\na c").recall
    0.8
    """
    wanted = [compare_words(line) for line in gold.splitlines()]
    found = [compare_words(line) for line in text.splitlines()]
    whole_lines = {tuple(line) for line in found}
    matched: Counter[str] = Counter()
    for line in wanted:
        if tuple(line) in whole_lines:  # most lines are found as they are, and nothing can add to that
            matched.update(line)
        else:
            places = (matched_places(line, other) for other in found if not set(line).isdisjoint(other))
            matched.update(line[place] for place in set().union(*places))
    overlap = matched & Counter(word for line in found for word in line)  # a word of the text counts once
    return from_counts(overlap.total(), sum(map(len, found)), sum(map(len, wanted)))


def shingles(gold: str, text: str) -> Score:
    """Distinct runs of four words; texts shorter than that are one shingle (Broder 1997).

    >>> shingles("a b c d e", "a b c d x").f1
    0.5
    """
    wanted, found = (
        set(_grams(words, min(_SHINGLE_WORDS, len(words) or 1))) for words in map(compare_words, (gold, text))
    )
    return from_counts(len(wanted & found), len(found), len(wanted))


def snippets(must: Iterable[str], must_not: Iterable[str], text: str) -> Score:
    """Snippets that must occur and snippets that must not, white space and case aside (trafilatura's evaluation).

    Precision is the share of wanted ones among those that occur, recall the share of wanted ones that occur.

    >>> snippets(["good text"], ["Menu"], "Some  good\\ntext, menu")
    Score(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    place = " ".join(text.split()).lower()
    wanted = [" ".join(snippet.split()).lower() in place for snippet in must]
    unwanted = [" ".join(snippet.split()).lower() in place for snippet in must_not]
    return from_counts(sum(wanted), sum(wanted) + sum(unwanted), len(wanted))


def blocks(gold: Sequence[bool], predicted: Sequence[bool]) -> Score:
    """Blocks that are main content, each counting one whatever its length (Lin & Ho 2002; Debnath et al. 2005).

    Kept for contrast: losing the subtitle costs as much as losing the article (Gottron 2008, section 5.1).

    >>> round(blocks([True] * 5 + [False] * 5, [True] * 4 + [False] * 6).f1, 2)
    0.89
    """
    overlap = sum(wanted and found for wanted, found in zip(gold, predicted, strict=True))
    return from_counts(overlap, sum(predicted), sum(gold))


def stability(f1_scores: Sequence[float]) -> float:
    """Sample standard deviation of per-page F1: lower is steadier, better or not (Gottron 2008, section 5.2.2).

    >>> stability([0.5, 1.0])
    0.3535533905932738
    """
    return statistics.stdev(f1_scores) if len(f1_scores) > 1 else 0.0


def seconds_per_kb(seconds: float, size: int) -> float:
    """Time divided by the size of the source in units of 1024 bytes (Gottron 2008, section 5.3.3).

    >>> seconds_per_kb(0.5, 2048)
    0.25
    """
    return seconds / (size / 1024) if size else 0.0


def common_length(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence."""
    return int(_subsequences().similarity(left, right))


def matched_places(words: Sequence[str], part: Sequence[str]) -> set[int]:
    """Places in ``words`` that one longest common subsequence with ``part`` uses."""
    return {place for place, _ in matching_places(words, part)}


def matching_places(words: Sequence[str], others: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places that one longest common subsequence puts together."""
    matches = _subsequences().opcodes(words, others).as_matching_blocks()
    return [(match.a + step, match.b + step) for match in matches for step in range(match.size)]


def _subsequences() -> Any:
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError as error:
        raise MissingExtraError("evaluation", "scoring texts") from error
    return LCSseq


def _grams(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]


def _bags(gold: Iterable[Hashable], predicted: Iterable[Hashable]) -> Score:
    wanted, found = Counter(gold), Counter(predicted)
    return from_counts((wanted & found).total(), found.total(), wanted.total())
