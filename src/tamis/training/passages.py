"""Passages: text that somebody selected on a page, letter by letter, beside the elements that are main content.

As in the annotation tool of Gottron (2008), section 5.4.1, where main content is what was selected. Here a selection
that covers an element makes it main; of other elements the selected part is kept as a passage. The gold text of a page
is the text of its main elements and its passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.extractors.elements.groups import Elements
from tamis.page.model import Page
from tamis.page.spans import Span, as_arrays, as_spans
from tamis.page.text import Bools, Ints
from tamis.training.annotations import MAIN, NOISY, Annotation, Passage, page_digest


class FoundPassages(NamedTuple):
    """Where the passages of an annotation are on a page."""

    spans: tuple[Span, ...]  # visible, sorted, not overlapping
    lost: tuple[Passage, ...]  # their text is not on the page any more, or more than once


class Said(NamedTuple):
    """What each element is, and what is main content beside those that are."""

    kinds: dict[int, str]
    passages: tuple[Span, ...]


def find_passages(annotation: Annotation, page: Page) -> FoundPassages:
    """The passages of an annotation on a page: in their places, or where their text is if the page has changed."""
    is_same_page = annotation.digest == page_digest(page)
    places: list[Span] = []
    lost = []
    for passage in annotation.passages:
        start = passage.start if is_same_page else page.text.find(passage.text)
        is_only = is_same_page or page.text.find(passage.text, start + 1) < 0
        if is_only and start >= 0 and page.text.startswith(passage.text, start):
            places.append(Span(start, start + len(passage.text)))
        else:
            lost.append(passage)
    return FoundPassages(page.clip(*as_arrays(tuple(places))), tuple(lost))


def select(page: Page, elements: Elements, said: Said, selection: Sequence[Span], *, is_main: bool) -> Said:
    """What is said after a selection of the text was called main content, or noise."""
    owner = _owners(page, elements)
    is_text = _mask(page, as_spans(*page.visible))
    is_letter = np.fromiter((not character.isspace() for character in page.text), dtype=np.bool_, count=len(page.text))
    is_letter &= owner >= 0
    chosen = main_text(page, elements, said)
    chosen[_mask(page, selection)] = is_main
    letters, covered = (np.bincount(owner[which], minlength=len(elements)) for which in (is_letter, is_letter & chosen))
    kinds = dict(said.kinds)
    for node, whole, part in zip(elements.node.tolist(), letters.tolist(), covered.tolist(), strict=True):
        if whole and part == whole:
            kinds[node] = MAIN
        elif whole and kinds.get(node) == MAIN:
            kinds[node] = NOISY
    return Said(kinds, _trimmed(page, chosen & is_text & ~main_text(page, elements, Said(kinds, ()))))


def main_text(page: Page, elements: Elements, said: Said) -> Bools:
    """For each character of the page whether it is main content."""
    is_main = np.array([said.kinds.get(node) == MAIN for node in elements.node.tolist()] + [False], dtype=np.bool_)
    return np.asarray(is_main[_owners(page, elements)] | _mask(page, said.passages))


def mostly_selected(page: Page, elements: Elements, passages: Sequence[Span]) -> Bools:
    """The elements of whose own text more than half is in passages."""
    owner = _owners(page, elements)
    chosen = _mask(page, passages)
    whole, part = (np.bincount(owner[which], minlength=len(elements)) for which in (owner >= 0, (owner >= 0) & chosen))
    return np.asarray(2 * part > whole)


def _owners(page: Page, elements: Elements) -> Ints:
    """For each character the position of the element that owns it; -1 for none."""
    owner = np.full(len(page.text), -1, dtype=np.int64)
    texts = page.nodes.visible_texts
    starts, ends = page.nodes.text_start[texts].tolist(), page.nodes.text_end[texts].tolist()
    for start, end, element in zip(starts, ends, elements.owner[texts].tolist(), strict=True):
        owner[start:end] = element
    return owner


def _mask(page: Page, spans: Sequence[Span]) -> Bools:
    mask = np.zeros(len(page.text), dtype=np.bool_)
    for start, end in spans:
        mask[max(start, 0) : max(end, 0)] = True
    return mask


def _trimmed(page: Page, mask: Bools) -> tuple[Span, ...]:
    """The marked stretches of the text, without white space at their ends; those of nothing else vanish."""
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0)).tolist()
    found = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        text = page.text[start:end]
        first = start + len(text) - len(text.lstrip())
        found.append(Span(first, max(first, start + len(text.rstrip()))))
    return tuple(span for span in found if span.end > span.start)
