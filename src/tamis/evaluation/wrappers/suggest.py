"""A wrapper to begin with, from a few pages of a site that have gold text.

Candidates are landmarks that all of the pages have: pairs of comments, and elements by name, class or id. The one whose
words are most like those of the gold is taken first; others are added, and elements inside are left out, while the mean
word F1 grows. The result is meant to be read and corrected by a person.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tamis.errors import InputError
from tamis.evaluation.datasets import Sample
from tamis.evaluation.measures import bag_of_words
from tamis.evaluation.words import compare_words
from tamis.evaluation.wrappers.cutting import cut
from tamis.evaluation.wrappers.rules import GoldPart, Wrapper
from tamis.page.html import HEADINGS
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Bools, Ints, collapse

MIN_GAIN = 0.005  # of mean F1, that a further part or exception must bring; ours, not swept
MAX_PARTS = 6  # the longest rule sets of Gottron (2008) have four
MAX_EXCEPTIONS = 6  # the longest have two
_MAX_COMMENTS = 60  # whose pairs are tried; where there are more they stand in lists, and mark no places
_PLAIN_NAME = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)  # needs no escapes in a selector

Masks = Sequence[Bools]
"""For each of the pages the nodes that are meant."""


class Suggestion(NamedTuple):
    """A wrapper, and word F1 of its text on each of the pages it was made from."""

    wrapper: Wrapper
    scores: Mapping[str, float]


def suggest(samples: Iterable[Sample]) -> Suggestion:
    """The wrapper that cuts the gold text of some pages of one site best, as far as a simple search finds it."""
    pages = [_Marked(sample.id, parse(sample.html, url=sample.url), sample.gold) for sample in samples if sample.gold]
    if not pages:
        raise InputError("no page has gold text: label some with tamis annotate first")
    candidates = _candidates(pages)
    nothing: Masks = [np.zeros(len(marked.page.nodes), dtype=np.bool_) for marked in pages]
    parts: list[tuple[GoldPart, Masks]] = []
    taken, best = nothing, 0.0
    while len(parts) < MAX_PARTS:
        scored = [(_mean_f1(pages, _both(taken, masks)), part, masks) for part, masks in candidates]
        score, part, masks = max(scored, key=lambda found: found[0], default=(0.0, None, nothing))
        if part is None or score < best + MIN_GAIN:
            break
        part, masks = _with_exceptions(pages, taken, part, masks)
        parts.append((part, masks))
        taken = _both(taken, masks)
        best = _mean_f1(pages, taken)
    if not parts:
        raise InputError("the pages have no landmark in common that their gold text can be found by")
    wrapper = Wrapper(parts=_named(parts), language=_language(pages))
    scores = {marked.id: bag_of_words(marked.gold, cut(marked.page, wrapper).text).f1 for marked in pages}
    return Suggestion(wrapper, scores)


class _Marked:
    """A page with its gold text, its words counted."""

    def __init__(self, page_id: str, page: Page, gold: str) -> None:
        self.id, self.page, self.gold = page_id, page, gold
        wanted = Counter(compare_words(gold))
        number = {word: place for place, word in enumerate(wanted)}
        self._wanted = np.array([*wanted.values(), 0])
        texts = [(node, compare_words(page.node_text(node))) for node in page.nodes.visible_texts.tolist()]
        self._node = np.array([node for node, words in texts for _ in words], dtype=np.int64)
        self._word = np.array([number.get(word, len(number)) for _, words in texts for word in words], dtype=np.int64)

    def f1(self, mask: Bools) -> float:
        """Word F1 of the text of some nodes, counted node by node."""
        words = self._word[mask[self._node]]
        found = np.bincount(words, minlength=len(self._wanted))
        both = int(np.minimum(found, self._wanted).sum())
        return 2 * both / max(len(words) + int(self._wanted.sum()), 1)

    @functools.cached_property
    def named(self) -> Mapping[str, Ints]:
        """Elements by the selectors that tell them apart: ids, classes, names."""
        nodes = np.flatnonzero(self.page.nodes.elements & ~self.page.nodes.named("html", "head", "body"))
        found: dict[str, list[int]] = {}
        for node, identity, classes in zip(
            nodes.tolist(), self.page.attribute(nodes, "id"), self.page.attribute(nodes, "class"), strict=True
        ):
            name = self.page.name(node)
            if not _PLAIN_NAME.fullmatch(name):
                continue
            said = [f"#{identity or ''}", *(f".{one}" for one in (classes or "").split()), ""]
            for end in dict.fromkeys(said):
                if not end or _PLAIN_NAME.fullmatch(end[1:]):
                    found.setdefault(name + end, []).append(node)
        return {selector: np.array(elements) for selector, elements in found.items()}

    @functools.cached_property
    def comments(self) -> Mapping[str, int]:
        """Comments that are on the page once, by their text."""
        nodes = np.flatnonzero(self.page.nodes.named("#comment")).tolist()
        texts = [collapse(self.page.code(node)) for node in nodes]
        counts = Counter(texts)
        once = {text: node for text, node in zip(texts, nodes, strict=True) if text and counts[text] == 1}
        return once if len(once) <= _MAX_COMMENTS else {}

    def mask(self, first: Iterable[int], end: Iterable[int]) -> Bools:
        mask = np.zeros(len(self.page.nodes), dtype=np.bool_)
        for start, stop in zip(first, end, strict=True):
            mask[start:stop] = True
        return mask

    def below(self, elements: Ints) -> Bools:
        return self.mask(elements.tolist(), self.page.nodes.end[elements].tolist())


def _candidates(pages: Sequence[_Marked]) -> list[tuple[GoldPart, Masks]]:
    """Parts that can be found on all of the pages; ids before classes, these before names, comments last.

    A name alone is a landmark only if no page has two such elements: all paragraphs are no place.
    """
    common = [
        selector
        for selector in pages[0].named
        if all(selector in marked.named for marked in pages)
        and ("#" in selector or "." in selector or all(len(marked.named[selector]) == 1 for marked in pages))
    ]
    common.sort(key=_vagueness)
    found: list[tuple[GoldPart, Masks]] = []
    for selector in common:
        found.append((GoldPart(select=selector), [marked.below(marked.named[selector][:1]) for marked in pages]))
        if any(len(marked.named[selector]) > 1 for marked in pages):
            every = [marked.below(marked.named[selector]) for marked in pages]
            found.append((GoldPart(select=selector, take="all"), every))
    texts = [text for text in pages[0].comments if all(text in marked.comments for marked in pages)]
    for opening, closing in itertools.combinations(texts, 2):
        ranges = [(marked.comments[opening], marked.comments[closing]) for marked in pages]
        if all(first < end for first, end in ranges):
            masks = [marked.mask([first], [end]) for marked, (first, end) in zip(pages, ranges, strict=True)]
            found.append((GoldPart(between=(opening, closing)), masks))
    return found


def _with_exceptions(pages: Sequence[_Marked], taken: Masks, part: GoldPart, masks: Masks) -> tuple[GoldPart, Masks]:
    """The part without the elements in it that the gold text does not have."""
    inside: dict[str, list[Bools]] = {}
    for place, (marked, mask) in enumerate(zip(pages, masks, strict=True)):
        for selector, elements in marked.named.items():
            own = elements[mask[elements] & mask[marked.page.nodes.parent[elements]]]
            if len(own):
                empty = [np.zeros(len(other.page.nodes), dtype=np.bool_) for other in pages]
                inside.setdefault(selector, empty)[place] = marked.below(own)
    left_out: list[str] = []
    best = _mean_f1(pages, _both(taken, masks))
    while len(left_out) < MAX_EXCEPTIONS:
        fewer = {selector: _without(masks, exception) for selector, exception in inside.items()}
        scored = {selector: _mean_f1(pages, _both(taken, less)) for selector, less in fewer.items()}
        selector = max(scored, key=lambda name: (scored[name], -_vagueness(name)), default="")
        if not selector or scored[selector] < best + MIN_GAIN:
            break
        best, masks = scored[selector], fewer[selector]
        left_out.append(selector)
    return dataclasses.replace(part, without=", ".join(left_out)), masks


def _vagueness(selector: str) -> int:
    """0 for an id, 1 for a class, 2 for a name alone."""
    return 0 if "#" in selector else 1 if "." in selector else 2


def _named(parts: Sequence[tuple[GoldPart, Masks]]) -> tuple[GoldPart, ...]:
    """The parts in the order in which they stand on the first page, with names."""
    ordered = sorted(parts, key=lambda found: int(np.argmax(found[1][0])))
    largest = max(parts, key=lambda found: float(np.mean([mask.mean() for mask in found[1]])))[0]
    named = []
    for number, (part, _) in enumerate(ordered, start=1):
        is_heading = re.split("[#.]", part.select)[0] in HEADINGS
        name = "text" if part is largest else "headline" if is_heading else f"part {number}"
        named.append(dataclasses.replace(part, name=name))
    return tuple(named)


def _language(pages: Sequence[_Marked]) -> str:
    """The language that all pages declare, if they declare one."""
    languages = {marked.page.metadata.language or "" for marked in pages}
    return languages.pop() if len(languages) == 1 else ""


def _mean_f1(pages: Sequence[_Marked], masks: Masks) -> float:
    return float(np.mean([marked.f1(mask) for marked, mask in zip(pages, masks, strict=True)]))


def _both(masks: Masks, others: Masks) -> Masks:
    return [mask | other for mask, other in zip(masks, others, strict=True)]


def _without(masks: Masks, others: Masks) -> Masks:
    return [mask & ~other for mask, other in zip(masks, others, strict=True)]
