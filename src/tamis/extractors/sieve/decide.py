"""From probabilities to a choice: keep what makes the expected F1 largest.

Sorted by probability, some prefix of the blocks is best. For a fixed prefix the expected F1 is, nearly,

    2 · Σ kept p·words / (Σ kept words + Σ all p·words)

if blocks were right or wrong independently of each other. They are not: whether the grid of a shop or the comments
below a post count as content is one question for many blocks. So the log odds of the whole page are shifted by a
normal error, and the F1 is averaged over the shifts. Pages without a clear answer then keep more.
"""

from __future__ import annotations

import numpy as np

from tamis.extractors.sieve.units import CODE, FIGURE, HEADING, LIST, PAIR, QUOTE, STRUCTURES, TABLE, Units
from tamis.page.model import Page
from tamis.page.text import Bools, Floats, Ints

PAGE_ERROR = 1.0  # deviation of the shift in log odds; 0-2 are the same on train, 1 best on datasets left out
NOTHING = -1e3  # log odds of what is not kept whatever the rest of the page is
GROUP_SHARE = 0.6  # of the mean of blocks that look alike; swept 0-0.6 by cross-validation on train
NOTE_FLOOR = -0.85  # log odds from which a note is kept for its mark; lists of sources that nobody wants are below
HEADING_FLOOR = -1.5  # log odds below which a heading is not kept for what it heads: teasers, names of widgets
LIFT_MARGIN = 0.0  # log odds by which a structure stays behind the weaker of the paragraphs around it
LIFT_FLOORS = {TABLE: -2.0, LIST: -2.0, QUOTE: -1.0, PAIR: -2.0, CODE: -4.0, FIGURE: -4.0}
"""Log odds from which a structure between paragraphs may be kept with them."""
ELLIPSES = ("…", "...")
ELLIPSIS_TAIL = 40  # characters at the end of a block in which a text that goes on elsewhere breaks off
COLONS = (":", "：")
COLON_MARGIN = 9  # characters at the end of a block in which a colon is looked for; blanks may follow it
BODIES = (TABLE, LIST, CODE, PAIR)  # kinds that a heading may have instead of text
_POINTS = (1.0232556637891326, 2.07684797867783, 3.20542900285647, 4.512745863399783)
_SHARES = (0.40634920634920635, 0.24409750289493953, 0.04991640676521782, 0.0027891413212317692, 2.2345844007746607e-05)
"""Nine shifts that stand for all, and their shares, the middle one first: Gauss-Hermite. NumPy computes the same, but
to import what computes it takes longer than to extract a page.
"""


def decided(
    page: Page,
    units: Units,
    odds: Floats,
    words: Floats,
    headline: range,
    notes: tuple[Ints, Ints],
    is_loose: bool,
    is_tiled: bool,
    is_forum: bool,
    bias: float,
    rules: Ints,
    headline_rule: int,
) -> tuple[Bools, Ints]:
    """Of each block whether it is kept, and the number of the rule that says so; see ``cut``. The headline is kept.

    Log odds of units are drawn to those of their neighbours, unless the page is a loose one, of what refers to them
    and of what they head. Headings of posts, and those before the headline, are free of what they head; a page of
    tiles has headings that head nothing.
    """
    unit_odds, unit_words = pooled(odds, words, units.of_block, len(units))
    is_free = (units.level == 1) | is_forum  # there headings are names of posts and people
    if headline:
        is_free |= np.arange(len(units)) < units.of_block[headline[0]]
    if not is_loose:
        unit_odds = lifted(unit_odds, odds, units, ends_in_colon(page.text, page.blocks.end, units.follows), is_free)
    unit_odds = headed(noted(unit_odds, *notes), units, is_free, is_tiled)
    kept, numbers = cut(units, unit_odds, unit_words, headline, bias, rules)
    shown = slice(headline.start, headline.stop)
    kept[shown], numbers[shown] = True, headline_rule
    return kept, numbers


def levelled(log_odds: Floats, words: Floats, groups: Ints) -> Floats:
    """Log odds drawn towards the mean of their group: cards of one grid stand or fall together.

    >>> levelled(np.array([2.0, 0.0, -1.0]), np.ones(3), np.array([0, 0, 1])).round(3).tolist()
    [1.4, 0.6, -1.0]
    """
    weights = words + 1e-3
    mean = np.bincount(groups, weights=log_odds * weights) / np.bincount(groups, weights=weights)
    return (1 - GROUP_SHARE) * log_odds + GROUP_SHARE * mean[groups]


def pooled(log_odds: Floats, words: Floats, of_block: Ints, count: int) -> tuple[Floats, Floats]:
    """Log odds and words of units: a word of a unit is content as likely as its words are on average.

        p(unit) = Σ p·words / Σ words        over the blocks of the unit

    >>> odds, words = pooled(np.array([0.5, 3.0, -1.0]), np.array([5.0, 3.0, 3.0]), np.array([0, 1, 1]), 2)
    >>> odds.round(2).tolist(), words.tolist()
    ([0.5, 0.45], [5.0, 6.0])
    """
    sizes = np.bincount(of_block, minlength=count)
    weights = words + 1e-3
    chance = 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))
    total = np.bincount(of_block, weights=weights, minlength=count)
    mean = np.clip(np.bincount(of_block, weights=chance * weights, minlength=count) / total, 1e-13, 1 - 1e-13)
    odds = np.log(mean / (1 - mean))
    alone = sizes[of_block] == 1
    odds[of_block[alone]] = log_odds[alone]
    return odds, np.bincount(of_block, weights=words, minlength=count).astype(np.float64)


def lifted(unit_odds: Floats, block_odds: Floats, units: Units, ends_in_colon: Bools, is_free: Bools) -> Floats:
    """Log odds of units, those of structures raised to what stands around them.

    odds(u) = max(odds(u), min(odds(before), odds(after)) - margin)   if odds(u) is not below the floor of its kind
    odds(u) = max(odds(u), odds(follows) - margin)                    if what it follows ends in a colon
    """
    floor = np.full(len(STRUCTURES), np.inf)
    floor[list(LIFT_FLOORS)] = list(LIFT_FLOORS.values())
    has_both = (units.before >= 0) & (units.after >= 0)
    around = np.minimum(block_odds[units.before], block_odds[units.after]) - LIFT_MARGIN
    can_rise = unit_odds >= floor[units.kind]
    result = np.where(can_rise & has_both, np.maximum(unit_odds, around), unit_odds)
    headed_odds = unit_odds[units.under] - LIFT_MARGIN
    is_body = can_rise & (units.under >= 0) & ~is_free[units.under] & np.isin(units.kind, BODIES)
    result = np.where(is_body, np.maximum(result, headed_odds), result)
    is_announced = (units.follows >= 0) & ends_in_colon[units.follows]
    return np.where(is_announced, np.maximum(result, block_odds[units.follows] - LIFT_MARGIN), result)


def noted(unit_odds: Floats, marks: Ints, notes: Ints) -> Floats:
    """Log odds of units, those of notes set by the text that refers to them; ``marks[i]`` refers to ``notes[i]``.

    odds(note) = max over its marks of odds(mark)                  if odds(note) is not below the floor of notes
    odds(note) = min(odds(note), max over its marks)               otherwise: no note without its mark
    """
    if not len(notes):
        return unit_odds
    best = np.full(len(unit_odds), -np.inf)
    np.maximum.at(best, notes, unit_odds[marks])
    result = unit_odds.copy()
    own = unit_odds[notes]
    result[notes] = np.where(own >= NOTE_FLOOR, best[notes], np.minimum(own, best[notes]))
    return result


def headed(unit_odds: Floats, units: Units, is_free: Bools, is_tiled: bool) -> Floats:
    """Log odds of units, those of headings drawn to what they head.

        odds(heading) = max(odds(heading), max over its body of odds(u))     neither free nor unlikely
        odds(heading) = min(odds(heading), max up to the next heading)       nothing is shown under it, and no tiles

    The first keeps a heading for its body, the second drops one without. A body is what the element of the heading
    holds behind it; up to the next heading of its rank goes further, because what follows there reads like its body.
    """
    result = unit_odds.copy()
    is_head = units.kind == HEADING
    body = np.where(is_head, NOTHING, unit_odds)[units.of_block]
    heads = np.flatnonzero(is_head)
    if not len(heads):
        return result
    best = range_max(body, units.body_start[heads], units.body_end[heads])
    own = unit_odds[heads]
    rises = (own >= HEADING_FLOOR) & ~is_free[heads]
    own = np.where(rises, np.maximum(own, best), own)
    behind = range_max(body, units.body_start[heads], units.next_head[heads])
    result[heads] = np.where(units.shows[heads] | is_tiled, own, np.minimum(own, behind))
    return np.maximum(result, NOTHING)


def range_max(values: Floats, start: Ints, end: Ints) -> Floats:
    """The largest value of each range; minus infinity for an empty one. Linear where ranges of one level are disjoint.

    >>> range_max(np.array([1.0, 3.0, 2.0]), np.array([0, 2, 1]), np.array([2, 3, 1])).tolist()
    [3.0, 2.0, -inf]
    """
    padded = np.append(values, -np.inf)
    found = np.maximum.reduceat(padded, np.ravel((start, end), order="F"))[::2]
    return np.where(end > start, found, -np.inf)


def ends_in_colon(text: str, end: Ints, numbers: Ints) -> Bools:
    """For each block whether it ends in a colon; only those with these numbers are looked at."""
    result = np.zeros(len(end), dtype=np.bool_)
    for number in set(numbers[numbers >= 0].tolist()):
        last = int(end[number])
        result[number] = text[max(0, last - COLON_MARGIN) : last].rstrip().endswith(COLONS)
    return result


def best_prefix(log_odds: Floats, words: Floats, bias: float = 0.0) -> Bools:
    """The blocks to keep. A bias above 0 counts lost words more than wrong ones, below 0 less.

    >>> best_prefix(np.array([3.0, 1.0, -4.0]), np.array([90.0, 10.0, 50.0])).tolist()
    [True, True, False]
    """
    kept = np.zeros(len(log_odds), dtype=np.bool_)
    if not len(kept) or not words.any():
        return kept
    order = np.argsort(-log_odds, kind="stable")
    size = words[order]
    points, shares = shifts()
    chance = 1 / (1 + np.exp(-np.clip(log_odds[order] + PAGE_ERROR * points[:, None], -30, 30)))
    matched = chance * size
    # The weighted F measure: beta 2 at bias 1, one half at bias -1.
    beta = 4.0**bias
    gains = (1 + beta) * np.cumsum(matched, axis=1)
    costs = np.cumsum(size) + beta * matched.sum(axis=1)[:, None]
    kept[order[: int(np.argmax(shares @ (gains / np.maximum(costs, 1e-9)))) + 1]] = True
    return kept


def cut(
    units: Units, unit_odds: Floats, words: Floats, headline: range, bias: float, rules: Ints
) -> tuple[Bools, Ints]:
    """Of each block whether it is kept, and the number of the rule that says so.

    The best prefix of all units but that of the headline, which is kept anyway; a structure that holds it is judged as
    any. ``rules`` are the numbers for the kinds of units of one block, and of units of several; those for what is kept
    are by one higher.
    """
    is_open = np.ones(len(units), dtype=np.bool_)
    held = units.of_block[headline.start : headline.stop]
    is_open[held] = STRUCTURES[units.kind[held]]
    kept = np.zeros(len(units), dtype=np.bool_)
    kept[is_open] = best_prefix(unit_odds[is_open], words[is_open], bias)
    is_shared = np.bincount(units.of_block, minlength=len(units)) > 1
    numbers = rules[is_shared.astype(np.int64), units.kind] + kept
    return kept[units.of_block], numbers[units.of_block]


def shifts() -> tuple[Floats, Floats]:
    """Errors of a page's log odds in deviations, and how likely each is."""
    outer = np.array(_POINTS)
    shares = np.array(_SHARES)
    return np.concatenate((-outer[::-1], [0.0], outer)), np.concatenate((shares[:0:-1], shares))
