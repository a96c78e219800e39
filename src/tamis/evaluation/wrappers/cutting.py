"""A page and the wrapper of its site → gold text, or the reasons why there is none.

The page is a tree, so that what is nested is counted by itself; pairs of comments are counted here, because a pair may
stand in another. A landmark that is missing is a failure: the template has changed, or the page is of another kind.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.evaluation.datasets import Problem, Sample
from tamis.evaluation.words import compare_words
from tamis.evaluation.wrappers.rules import GoldPart, Wrapper
from tamis.page.load import parse
from tamis.page.model import Page
from tamis.page.text import Bools, collapse
from tamis.results import Extraction


class Stretch(NamedTuple):
    """Nodes that follow each other in the document."""

    first: int
    end: int
    depth: int  # of the element, or of what the comments stand in
    inside: int  # the first node that is in it: behind the element itself, or behind the comment


class Gold(NamedTuple):
    """The gold text of a page, or why it has none."""

    text: str
    failures: tuple[str, ...]


class MissingError(Exception):
    """A landmark is not on the page."""


@dataclass(frozen=True, eq=False)
class _Landmarks:
    """The comments of a page, and what elements a selector finds."""

    page: Page
    comments: Sequence[tuple[int, str]]

    def pairs(self, opening: str, closing: str) -> list[Stretch]:
        """What stands between pairs of comments, the outer ones only; one that is not closed is missing."""
        found: list[Stretch] = []
        start, open_pairs = -1, 0
        for node, text in self.comments:
            if text == opening:
                start = start if open_pairs else node
                open_pairs += 1
            elif text == closing and open_pairs:
                open_pairs -= 1
                if not open_pairs:
                    above = int(self.page.nodes.parent[start])
                    depth = int(self.page.nodes.depth[max(above, 0)])
                    found.append(Stretch(start + 1, node, depth, start + 1))
        if open_pairs:
            raise MissingError(f"the comment {opening!r} is not closed by {closing!r}")
        return found

    def elements(self, selector: str) -> list[Stretch]:
        nodes = self.page.nodes
        found = self.page.select(selector)
        return [Stretch(node, int(nodes.end[node]), int(nodes.depth[node]), node + 1) for node in found]

    def behind(self, part: GoldPart) -> int:
        """The first node behind the landmark of a part; 0 if it has none."""
        if part.after_comment:
            found = [node for node, text in self.comments if text == collapse(part.after_comment)]
            if not found:
                raise MissingError(f"there is no comment {part.after_comment!r}")
            return found[0] + 1
        if part.after:
            elements = self.elements(part.after)
            if not elements:
                raise MissingError(f"nothing matches {part.after!r}")
            return elements[0].end
        return 0


def cut(page: Page, wrapper: Wrapper) -> Gold:
    """The parts of a page that its wrapper names, one after the other; text that two of them name is taken once."""
    landmarks = _landmarks(page)
    is_taken = np.zeros(len(page.nodes), dtype=np.bool_)
    texts: list[str] = []
    failures: list[str] = []
    for part in wrapper.parts:
        try:
            stretches = _found(landmarks, part)
            is_part = _chosen(landmarks, part, stretches) & ~is_taken
            text = _text(page, is_part, stretches, part)
        except MissingError as error:
            if not part.optional:
                failures.append(f"{part.name}: {error}")
            continue
        is_taken |= is_part
        count = len(compare_words(text))
        if count < part.min_words and not part.optional:
            failures.append(f"{part.name}: it has {count} words, and at least {part.min_words} are expected")
        texts.append(text)
    return Gold("\n\n".join(filter(None, texts)), tuple(failures))


def gold_samples(samples: Iterable[Sample], wrapper: Wrapper, failed: list[Problem]) -> Iterator[Sample]:
    """The pages on which a wrapper works, with gold text; those on which it fails are added to a list."""
    for sample in samples:
        gold = cut(parse(sample.html, url=sample.url), wrapper)
        if gold.failures or not gold.text:
            reasons = gold.failures or ("none of its parts has text",)
            failed += [Problem(sample.id, reason) for reason in reasons]
            continue
        extra = {**sample.extra, **({"language": wrapper.language} if wrapper.language else {})}
        yield dataclasses.replace(sample, gold=gold.text, extra=extra)


def _landmarks(page: Page) -> _Landmarks:
    nodes = np.flatnonzero(page.nodes.named("#comment")).tolist()
    return _Landmarks(page, [(node, collapse(page.code(node))) for node in nodes])


def _found(landmarks: _Landmarks, part: GoldPart) -> list[Stretch]:
    """Where a part is: as many stretches as it takes."""
    first = landmarks.behind(part)
    if part.between:
        opening, closing = map(collapse, part.between)
        pairs = [stretch for stretch in landmarks.pairs(opening, closing) if stretch.first >= first]
        if not pairs:
            raise MissingError(f"there is no comment {opening!r}")
        if not part.select:
            return _taken(pairs, part)
        pairs = pairs if part.take == "all" else pairs[:1]
        elements = landmarks.elements(part.select)
        found = [element for element in elements for pair in pairs if pair.first <= element.first < pair.end]
    elif part.select:
        found = [element for element in landmarks.elements(part.select) if element.first >= first]
    else:
        found = _block_behind(landmarks.page, first)
    if not found:
        raise MissingError(f"nothing matches {part.select!r}" if part.select else "no text follows")
    return _taken(found, part)


def _taken(found: list[Stretch], part: GoldPart) -> list[Stretch]:
    if part.take == "only" and len(found) > 1:
        raise MissingError(f"there are {len(found)} of it, and only one is expected")
    return found if part.take == "all" else found[:1]


def _block_behind(page: Page, first: int) -> list[Stretch]:
    """The first block of text behind a node."""
    blocks = page.blocks
    leaves = blocks.leaves[blocks.first_leaf[:-1]]
    place = int(np.searchsorted(leaves, first))
    if place == len(leaves):
        return []
    own = blocks.leaves[blocks.first_leaf[place] : blocks.first_leaf[place + 1]]
    return [Stretch(int(own[0]), int(own[-1]) + 1, int(page.nodes.depth[blocks.node[place]]), int(own[0]))]


def _chosen(landmarks: _Landmarks, part: GoldPart, stretches: Iterable[Stretch]) -> Bools:
    """The nodes of the stretches, without what does not belong to them."""
    nodes = landmarks.page.nodes
    is_chosen, is_inside, is_left_out = (np.zeros(len(nodes), dtype=np.bool_) for _ in range(3))
    for first, end, depth, inside in stretches:
        deepest = nodes.depth.max() if part.levels is None else depth + part.levels + 1  # a text is one level below
        is_chosen[first:end] |= nodes.depth[first:end] <= deepest
        is_inside[inside:end] = True
    outside = landmarks.elements(part.without) if part.without else []
    if part.without_between:
        opening, closing = map(collapse, part.without_between)
        outside += landmarks.pairs(opening, closing)
    for other in outside:
        if is_inside[other.first]:  # the part itself may match
            is_left_out[other.first : other.end] = True
    return is_chosen & ~is_left_out


def _text(page: Page, is_chosen: Bools, stretches: Sequence[Stretch], part: GoldPart) -> str:
    """The visible text of nodes, block by block; the title of a page is text too, although no page shows it."""
    texts = page.nodes.visible_texts
    text = Extraction(page=page, spans=page.text_spans(texts[is_chosen[texts]])).text
    if not text and all(page.name(stretch.first) == "title" for stretch in stretches):
        text = collapse(" ".join(page.node_text(stretch.first) for stretch in stretches))
    return text.removeprefix(part.strip_prefix).removesuffix(part.strip_suffix).strip()
