"""Several methods combined: in sequence, by vote, as union or as intersection.

Idea:      different methods make different errors. In sequence, each reads only what the one before it kept; otherwise
           all read the whole page and vote on every character.
Reference: none; Gottron (2008) names three seeds of it: stacked filters, a sub-tree as the input of another method, and
           a method to fall back on. His framework CombinE (iiWAS 2008) is not described in our sources.
Strong at: being better than its parts, if these make different errors; in sequence, put the one that drops too little
           first.
Weak at:   speed, which is that of all parts together; parts that make the same errors.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NoReturn

import numpy as np

from tamis import registry
from tamis.errors import OptionError
from tamis.page.blocks import kept_shares
from tamis.page.model import HIDDEN, Page
from tamis.page.source import Tokens
from tamis.page.spans import Span, as_arrays, as_spans, overlaps, union
from tamis.page.text import Bools, Ints
from tamis.ranges import Range, check_ranges
from tamis.results import Extraction

MethodStep = tuple[str, Any]  # the name of a method and its options

_HOWS = ("union", "intersection", "vote", "serial")
_MAX_LEVELS = 3  # combinations inside combinations
_ROUNDING = 1e-9  # weights such as 0.1, 0.2 and 0.3 must be able to tie


@dataclass(frozen=True, kw_only=True)
class Options:
    """Which methods, and how they are combined."""

    # A name, or a name with options: "lqf:threshold=0.5,variant=crunch"; values are JSON, bare words are text. The
    # default was compared with 20 pairs in a row and with votes of three and five of 14 methods, on 346 train pages of
    # newspaper4k, magic-html, WCED and WCXB. Mean F1 of words: lqf 0.801, lsi 0.794, lsi after lqf 0.844, and ahead of
    # both on each of the four sets: without link lists the largest gain is more often the article's. The other way
    # round has 0.826; elisa before both 0.846, at three times the time.
    methods: tuple[str, ...] = ("lqf", "lsi")
    # On the same pages a vote of dsc, lqf and lsi has 0.833, their union 0.760, their intersection 0.723.
    how: Literal["union", "intersection", "vote", "serial"] = "serial"
    weights: tuple[float, ...] = ()  # what a vote counts, one number per method; none: all alike
    threshold: float = 0.5  # for a vote: the share of it that must be exceeded; half is a majority

    def __post_init__(self) -> None:
        if not self.methods:
            raise OptionError("option methods is empty, but at least one method is expected")
        if self.how not in _HOWS:
            raise OptionError(f"option how is {self.how!r}, but one of {', '.join(_HOWS)} is expected")
        if self.weights and len(self.weights) != len(self.methods):
            raise OptionError(f"option weights has {len(self.weights)} numbers for {len(self.methods)} methods")
        if not all(0 < weight < math.inf for weight in self.weights):
            raise OptionError(f"option weights is {self.weights!r}, but numbers above 0 are expected")
        check_ranges(self, threshold=Range(0, 1, is_open_above=True))
        if self.levels > _MAX_LEVELS:
            raise OptionError(f"option methods has combinations inside combinations on more than {_MAX_LEVELS} levels")

    @property
    def steps(self) -> tuple[MethodStep, ...]:
        return tuple(map(_read_step, self.methods))

    @property
    def levels(self) -> int:
        return 1 + max(options.levels if isinstance(options, Options) else 0 for _, options in self.steps)

    @property
    def shares(self) -> tuple[float, ...]:
        """What each vote counts; all together 1."""
        weights = self.weights or (1.0,) * len(self.methods)
        return tuple(weight / math.fsum(weights) for weight in weights)


def extract(page: Page, options: Options) -> Extraction:
    found = _run_serially(page, options.steps) if options.how == "serial" else _run_each(page, options.steps)
    shares = np.array([kept_shares(page, spans) for spans in found])
    names = [name for name, _ in options.steps]
    return Extraction(
        page=page,
        spans=combine_spans(page, found, options),
        scores=tuple(np.minimum(np.average(shares, axis=0, weights=options.shares), 1.0).tolist()),
        reasons=tuple(", ".join(itertools.compress(names, kept)) for kept in (shares > 0.5).T.tolist()),
    )


def _run_each(page: Page, steps: tuple[MethodStep, ...]) -> list[tuple[Span, ...]]:
    return [_run(page, step) for step in steps]


def _run_serially(page: Page, steps: tuple[MethodStep, ...]) -> list[tuple[Span, ...]]:
    """What each method keeps of what is left by the one before it."""
    found = [_run(page, steps[0])]
    for step in steps[1:]:
        left = found[-1]
        kept = _run(KeptPart(page, left), step) if left else ()
        start, end, _, _ = overlaps(*as_arrays(kept), *as_arrays(left))
        found.append(as_spans(start, end))
    return found


def _run(page: Page, step: MethodStep) -> tuple[Span, ...]:
    name, options = step
    extraction: Extraction = registry.load("extractors", name).extract(page, options)
    return as_spans(*union(*as_arrays(extraction.spans)))


def combine_spans(page: Page, found: list[tuple[Span, ...]], options: Options) -> tuple[Span, ...]:
    """The stretches of text for which enough methods stand."""
    borders = np.unique(np.concatenate([np.concatenate(as_arrays(spans)) for spans in found]))
    keeps = np.array([_covered(borders, spans) for spans in found])
    if options.how == "union":
        kept = keeps.any(axis=0)
    elif options.how == "vote":
        votes = np.zeros(keeps.shape[1])
        for share, keep in zip(options.shares, keeps, strict=True):
            votes += share * keep
        kept = votes > options.threshold + _ROUNDING
    else:
        kept = keeps.all(axis=0)  # also of methods in a row: each has kept a part of what the one before it kept
    spans = page.clip(borders[:-1][kept], borders[1:][kept])
    return spans if any(not page.text[start:end].isspace() for start, end in spans) else ()


def _covered(borders: Ints, spans: tuple[Span, ...]) -> Bools:
    """True for each stretch between two borders that lies in a span; all spans begin and end at borders."""
    starts, ends = as_arrays(spans)
    change = np.zeros(len(borders), dtype=np.int64)
    change[np.searchsorted(borders, starts)] += 1
    change[np.searchsorted(borders, ends)] -= 1
    covered: Bools = np.cumsum(change)[:-1] > 0
    return covered


class KeptPart(Page):
    """The part of a page that some spans keep, with the same nodes and the same places in the text.

    Texts of which nothing is kept are hidden. Words that are not kept are no tokens; tags stay, so that where text was
    dropped there is nothing but code.
    """

    def __init__(self, page: Page, spans: tuple[Span, ...]) -> None:
        nodes = page.nodes
        texts = nodes.texts
        flags = nodes.flags.copy()
        flags[texts[~_meeting(nodes.text_start[texts], nodes.text_end[texts], spans)]] |= HIDDEN
        super().__init__(dataclasses.replace(nodes, flags=flags), page.text, page._tree, page.description)
        self._whole, self._spans = page, spans

    @cached_property
    def tokens(self) -> Tokens:
        tokens = self._whole.tokens
        stays = tokens.is_tag | _meeting(tokens.start, tokens.end, self._spans)
        sizes = np.where(stays, 0, tokens.stream_end - tokens.stream_start)
        before = np.cumsum(sizes) - sizes
        moved = dataclasses.replace(
            tokens, stream_start=tokens.stream_start - before, stream_end=tokens.stream_end - before
        )
        left = Tokens(**{field.name: getattr(moved, field.name)[stays] for field in dataclasses.fields(moved)})
        for array in vars(left).values():
            array.setflags(write=False)
        return left


def _meeting(starts: Ints, ends: Ints, spans: tuple[Span, ...]) -> Bools:
    """True for ranges, in any order, of which something lies in one of the spans."""
    span_starts, span_ends = as_arrays(spans)
    following = np.searchsorted(span_ends, starts, side="right")
    meets: Bools = (np.append(span_starts, np.iinfo(np.int64).max)[following] < ends) & (starts < ends)
    return meets


@functools.lru_cache(maxsize=256)
def _read_step(entry: str) -> MethodStep:
    """The method that an entry names, with its options."""
    name, _, written = entry.partition(":")
    return name, registry.make_options("extractors", name, _read_values(entry, written) if written else {})


def _read_values(entry: str, written: str) -> dict[str, Any]:
    """What is written as ``option=value,option=value``.

    >>> _read_values("", 'threshold=0.5,variant=crunch,blocks=["td","th"]')
    {'threshold': 0.5, 'variant': 'crunch', 'blocks': ['td', 'th']}
    """
    values = {}
    place = 0
    while place < len(written):
        key, equals, _ = written[place:].partition("=")
        if not equals:
            raise OptionError(f"method {entry!r} has {written[place:]!r}, but option=value is expected")
        place += len(key) + 1
        values[key.strip()], place = _read_value(written, place)
    return values


def _read_value(written: str, place: int) -> tuple[Any, int]:
    """The value that begins at a place, and where the next option begins."""
    try:
        value, end = _DECODER.raw_decode(written, place)
        if end == len(written) or written[end] == ",":
            return value, end + 1
    except (ValueError, RecursionError):
        pass
    text = written[place:].partition(",")[0]
    return text, place + len(text) + 1


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_refuse)  # NaN and the like are no JSON
