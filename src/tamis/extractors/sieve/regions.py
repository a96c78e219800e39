"""What the place of a block says once the model has spoken: comments, and the container that holds the content.

The model judges blocks. Some questions are about the page: is what is named after comments a part of it, or all of it?
Where does most of what is surely content stand? Both are answered from the model's own log odds and prefix sums over
the blocks of each container.
"""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.containers import Containers
from tamis.page.text import Bools, Floats

COMMENT_PENALTY = 6.0  # log odds taken from comments outside forums; 0, 3, 6 by cross-validation: more is better
ALL_COMMENTS = 0.95  # share of the expected words; .8, .9, .95 by leaving datasets out: fewer, and comments come back
MAIN_PENALTY = 0.5  # log odds taken outside the main container, times the chance of an article; .5 and 1 likewise
MAIN_SHARE = 0.85  # of the sure words; .7 and .95 are no better
SURE = 0.8  # the probability from which on words are sure; .9 is no better


def beside_content(in_comments: Bools, log_odds: Floats, words: Floats) -> Bools | None:
    """The blocks named after comments; None where there are none, or where they hold nearly all that may be content.

    Some sites name the box around the article after its comments; some pages are nothing but a thread.
    """
    if not in_comments.any():
        return None
    expected = expected_words(log_odds, words)
    return None if expected[in_comments].sum() > ALL_COMMENTS * expected.sum() else in_comments


def outside_main(containers: Containers, log_odds: Floats, words: Floats) -> Bools:
    """The blocks outside the smallest container with most of the sure words; none if nothing is sure."""
    sure = words * (_chances(log_odds) >= SURE)
    sums = np.concatenate(([0.0], np.cumsum(sure)))
    outside = np.zeros(len(words), dtype=np.bool_)
    if sums[-1] > 0:
        holds = np.flatnonzero(sums[containers.last] - sums[containers.first] >= MAIN_SHARE * sums[-1])
        size = (containers.last - containers.first)[holds]
        main = holds[len(size) - 1 - int(np.argmin(size[::-1]))]  # of equals the innermost
        outside[:] = True
        outside[containers.first[main] : containers.last[main]] = False
    return outside


def placed(log_odds: Floats, words: Floats, containers: Containers, comments: Bools | None, article: float) -> Floats:
    """Log odds less what comments and blocks outside the main container lose, given the chance of an article."""
    odds = log_odds if comments is None else log_odds - COMMENT_PENALTY * comments
    less: Floats = odds - MAIN_PENALTY * article * outside_main(containers, odds, words)
    return less


def hold_back(log_odds: Floats, words: Floats, end: int, share: float, penalty: float) -> None:
    """Take so much from the log odds of the first blocks, if they hold no more than a share of the expected words."""
    expected = expected_words(log_odds, words)
    if expected[:end].sum() <= share * expected.sum():
        log_odds[:end] -= penalty


def expected_words(log_odds: Floats, words: Floats) -> Floats:
    """How many words of each block are content on average."""
    return words * _chances(log_odds)


def chances(log_odds: Floats) -> tuple[float, ...]:
    """How likely each block is content."""
    return tuple(_chances(log_odds).tolist())


def _chances(log_odds: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    return chances
