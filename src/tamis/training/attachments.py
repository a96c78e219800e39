"""Marks and the page they were made on: how an element is named, found again, and compared between annotators.

The thesis draws rectangles: an element counts when it lies entirely inside one of them (Yunis 2016, section 3.7.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import NamedTuple, TypeVar

import numpy as np

from tamis.errors import InputError
from tamis.evaluation.agreement import b_cubed, kappa
from tamis.extractors.elements.groups import Elements, find_elements
from tamis.page.blocks import kept_lengths
from tamis.page.boxes import ELEMENT, IMAGE, TEXT, Boxes
from tamis.page.model import Page
from tamis.page.text import Bools, Ints, collapse
from tamis.results import Extraction
from tamis.training.annotations import MAIN, NOISY, Annotation, Mark, Rectangle, page_digest
from tamis.training.passages import find_passages, mostly_selected

__all__ = [
    "Agreement",
    "Attached",
    "ElementPaths",
    "agreement",
    "attach",
    "enclosed",
    "fewest_marks",
    "from_extraction",
    "rectangle_marks",
    "section_labels",
]

QUOTE_LENGTH = 120  # characters; a paragraph is known by less, and a page of marks stays small
CONTEXT_LENGTH = 40  # characters before and after, to tell repeated texts apart
MAX_COMPARED = 100  # elements with one quote that are compared by what is around them: beyond, time would explode
PARTIAL = "partially main"
_MOST_DIGITS = 10

Key = TypeVar("Key")


class ElementPaths:
    """The elements of a page by their paths, which look like XPath; a step without a number is the first of a name."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._parent = page.nodes.parent.tolist()
        self._step: dict[int, tuple[str, int]] = {}
        self._below: dict[tuple[int, str, int], int] = {}
        counts: Counter[tuple[int, str]] = Counter()
        for node in np.flatnonzero(page.nodes.elements | page.nodes.named("#fragment")).tolist():
            name = page.name(node)
            above = self._parent[node]
            counts[above, name] += 1
            self._step[node] = name, counts[above, name]
            self._below[above, name, counts[above, name]] = node

    def path(self, node: int) -> str:
        """The path of an element."""
        steps = []
        while node in self._step:
            name, position = self._step[node]
            steps.append(f"/{name}[{position}]")
            node = self._parent[node]
        return "".join(reversed(steps))

    def node(self, path: str) -> int | None:
        """The element at a path, if there is one."""
        node = 0
        for step in path.split("/")[1:]:
            name, _, position = step.removesuffix("]").partition("[")
            is_number = not position or (position.isdecimal() and len(position) < _MOST_DIGITS)
            found = self._below.get((node, name, int(position or 1))) if is_number else None
            if found is None:
                return None
            node = found
        return node or None

    def name(self, node: int) -> str:
        return self._step[node][0]

    def named(self, name: str) -> list[int]:
        """The elements of a name, in document order."""
        return [node for node, (own, _) in self._step.items() if own == name]

    def mark(self, node: int, label: str = MAIN, category: str = "") -> Mark:
        """A mark for an element, with the quote by which it can be found again."""
        before, after = self.context(node)
        quote = self.quote(node)
        return Mark(path=self.path(node), label=label, category=category, quote=quote, before=before, after=after)

    def quote(self, node: int) -> str:
        """How the text of an element begins; the address or the description of one without text."""
        nodes = self.page.nodes
        start, end = int(nodes.text_start[node]), int(nodes.text_end[node])
        text = collapse(self.page.text[start : min(end, start + 4 * QUOTE_LENGTH)])
        if not text:
            attributes = self.page.attributes(node)
            text = collapse(attributes.get("src") or attributes.get("alt") or "")
        return text[:QUOTE_LENGTH]

    def agreement(self, node: int, mark: Mark) -> int:
        """How many characters around an element are those around the mark."""
        before, after = self.context(node)
        return _common(before[::-1], mark.before[::-1]) + _common(after, mark.after)

    def context(self, node: int) -> tuple[str, str]:
        """The text shortly before and after an element."""
        nodes, text = self.page.nodes, self.page.text
        start, end = int(nodes.text_start[node]), int(nodes.text_end[node])
        before = collapse(text[max(0, start - 4 * CONTEXT_LENGTH) : start])
        after = collapse(text[end : end + 4 * CONTEXT_LENGTH])
        return before[-CONTEXT_LENGTH:], after[:CONTEXT_LENGTH]


class Attached(NamedTuple):
    """Where the marks of an annotation belong on a page."""

    nodes: Mapping[int, Mark]  # the element of each mark that was found
    moved: tuple[Mark, ...]  # of these, the ones that were found by their quotes
    lost: tuple[Mark, ...]  # neither path nor quote leads to one element; nothing is guessed

    def kinds(self, page: Page) -> list[str]:
        """For each node of the page ``main``, ``noisy`` or the category of noise, by the nearest mark."""
        marked = page.nodes.marked(list(self.nodes))
        kind = {node: mark.kind for node, mark in self.nodes.items()}
        return [kind.get(node, NOISY) for node in page.nodes.nearest(marked).tolist()]

    def is_main(self, page: Page) -> Bools:
        """True for each node of the page that is main content."""
        return np.array([kind == MAIN for kind in self.kinds(page)], dtype=np.bool_)


def attach(annotation: Annotation, page: Page, places: ElementPaths | None = None) -> Attached:
    """Find the elements of an annotation on a page, which may have changed since.

    An element at the path counts when it is quoted rightly; on a page that has changed also the text around it must be
    the same, if others have the same quote. Otherwise the element of the same name with the same quote is taken; of
    several the only one with the same text around it, or else the one with the most of it.
    """
    places = places or ElementPaths(page)
    is_same_page = annotation.digest == page_digest(page)
    quoted = _Quoted(places)
    found: dict[int, Mark] = {}
    missing = []
    for mark in annotation.marks:
        node = places.node(mark.path)
        is_quoted = node is not None and places.quote(node) == mark.quote
        if node is not None and is_quoted and (is_same_page or quoted.is_certain(mark, node)):
            found[node] = mark
        else:
            missing.append(mark)
    moved, lost = [], []
    for mark in missing:
        again = quoted.find(mark, found)
        if again is None:
            lost.append(mark)
        else:
            found[again] = mark
            moved.append(mark)
    return Attached(dict(sorted(found.items())), tuple(moved), tuple(lost))


def enclosed(boxes: Boxes, rectangles: Sequence[Rectangle], tolerance_px: float = 0.0) -> Ints:
    """The nodes whose box lies entirely inside at least one rectangle; two that only together cover it do not count."""
    left, top, right, bottom = boxes.rect.T
    is_inside = np.zeros(len(boxes), dtype=np.bool_)
    for rectangle in rectangles:
        is_inside |= (
            (left >= rectangle[0] - tolerance_px)
            & (top >= rectangle[1] - tolerance_px)
            & (right <= rectangle[2] + tolerance_px)
            & (bottom <= rectangle[3] + tolerance_px)
        )
    is_shown = boxes.visible & np.isin(boxes.kind, (ELEMENT, IMAGE))
    return np.unique(boxes.node[is_inside & is_shown])


def fewest_marks(page: Page, kinds: Mapping[int, str], places: ElementPaths | None = None) -> tuple[Mark, ...]:
    """As few marks as say of some elements what they are: main, noisy, or a category of noise.

    An element that is what the nearest of the others around it is needs no mark, nor does noise outside of all.
    """
    places = places or ElementPaths(page)
    nodes = sorted(kinds)
    given = page.nodes.marked(nodes)
    around = page.nodes.nearest(given)[np.maximum(page.nodes.parent[nodes], 0)].tolist()
    return tuple(
        places.mark(node, *((kinds[node], "") if kinds[node] in (MAIN, NOISY) else (NOISY, kinds[node])))
        for node, above in zip(nodes, around, strict=True)
        if kinds[node] != kinds.get(above, NOISY)
    )


def rectangle_marks(page: Page, rectangles: Sequence[Rectangle], tolerance_px: float = 0.0) -> tuple[Mark, ...]:
    """Marks for what rectangles enclose on a page with boxes: elements inside, and those in them that stick out."""
    if page.boxes is None:
        raise InputError("rectangles need a page with boxes: render it first")
    shown = page.boxes.node[page.boxes.visible & (page.boxes.kind != TEXT)].tolist()
    inside = frozenset(enclosed(page.boxes, rectangles, tolerance_px).tolist())
    return fewest_marks(page, {node: MAIN if node in inside else NOISY for node in shown})


def section_labels(page: Page, elements: Elements, is_main: Bools) -> dict[int, str]:
    """For each element of the page that holds content elements: main, noisy, or partially main when it holds both."""
    nodes = page.nodes
    held, main = (np.zeros(len(nodes), dtype=np.int64) for _ in range(2))
    held[elements.node] = 1
    main[elements.node[is_main]] = 1
    below, main_below = nodes.totals(held) - held, nodes.totals(main) - main
    return {
        node: MAIN if main_below[node] == below[node] else PARTIAL if main_below[node] else NOISY
        for node in np.flatnonzero(nodes.elements & (below > 0)).tolist()
    }


def from_extraction(extraction: Extraction, page_id: str, annotator: str) -> Annotation:
    """What a method keeps, as an annotation to begin with: elements of which it keeps more than half."""
    extraction = extraction.shown
    page = extraction.page
    elements = find_elements(page)
    owner = elements.owner[page.blocks.leaves]
    nodes = page.nodes
    lengths = nodes.text_end[page.blocks.leaves] - nodes.text_start[page.blocks.leaves]
    kept = np.bincount(owner, weights=kept_lengths(page, extraction.spans), minlength=len(elements))
    whole = np.bincount(owner, weights=lengths, minlength=len(elements))
    is_main = 2 * kept > whole
    kinds = {node: MAIN if main else NOISY for node, main in zip(elements.node.tolist(), is_main.tolist(), strict=True)}
    marks = fewest_marks(page, {node: kind for (node, kind), size in zip(kinds.items(), whole, strict=True) if size})
    return Annotation(page=page_id, annotator=annotator, digest=page_digest(page), marks=marks)


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How far two annotators agree on the content elements of a page, or of several."""

    first: tuple[str, ...]  # main, noisy or the category, element by element
    second: tuple[str, ...]
    words: tuple[int, ...]  # of each element

    @property
    def kappa(self) -> float:
        """Cohen's kappa for main against noisy, element by element."""
        return kappa(_as_labels(self.first), _as_labels(self.second))

    @property
    def word_kappa(self) -> float:
        """The same, word by word."""
        return kappa(_as_labels(self.first), _as_labels(self.second), self.words)

    @property
    def b_cubed(self) -> float:
        """B-cubed F1 of the groups that the kinds make: main and each category of noise."""
        return b_cubed(self.first, self.second).f1

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            first=self.first + other.first, second=self.second + other.second, words=self.words + other.words
        )


def agreement(first: Annotation, second: Annotation, page: Page, elements: Elements | None = None) -> Agreement:
    """What two annotators say about the content elements of a page; add the agreements of several pages.

    An element most of which was selected as a passage counts as main.
    """
    elements = elements or find_elements(page)
    places = ElementPaths(page)
    said = []
    for annotation in (first, second):
        kinds = attach(annotation, page, places).kinds(page)
        selected = mostly_selected(page, elements, find_passages(annotation, page).spans).tolist()
        pairs = zip(elements.node.tolist(), selected, strict=True)
        said.append(tuple(MAIN if is_selected else kinds[node] for node, is_selected in pairs))
    return Agreement(first=said[0], second=said[1], words=tuple(elements.words.tolist()))


def _as_labels(kinds: Iterable[str]) -> tuple[str, ...]:
    return tuple(MAIN if kind == MAIN else NOISY for kind in kinds)


class _Quoted:
    """The elements of a page by name and quote, and those of one quote by the text around them."""

    def __init__(self, places: ElementPaths) -> None:
        self._places = places
        self._by_quote: dict[str, dict[str, list[int]]] = {}
        self._by_context: dict[tuple[str, str], dict[tuple[str, str], list[int]]] = {}

    def is_certain(self, mark: Mark, node: int) -> bool:
        """Whether no other element can be meant than this one, at the path of the mark and with its quote."""
        return len(self._quoted(mark)[1]) == 1 or self._places.context(node) == (mark.before, mark.after)

    def _quoted(self, mark: Mark) -> tuple[str, list[int]]:
        name = mark.path.rpartition("/")[2].partition("[")[0]
        if name not in self._by_quote:
            self._by_quote[name] = _grouped(self._places.named(name), self._places.quote)
        return name, self._by_quote[name].get(mark.quote, [])

    def find(self, mark: Mark, taken: Container[int]) -> int | None:
        """The one element that is not taken and fits the mark best; None if there is none, or several."""
        name, same_quote = self._quoted(mark)
        if not mark.quote:
            return None
        if (name, mark.quote) not in self._by_context:
            self._by_context[name, mark.quote] = _grouped(same_quote, self._places.context)
        same_context = self._by_context[name, mark.quote].get((mark.before, mark.after), [])
        if free := list(islice((node for node in same_context if node not in taken), 2)):
            return free[0] if len(free) == 1 else None
        free = list(islice((node for node in same_quote if node not in taken), MAX_COMPARED + 1))
        scores = [self._places.agreement(node, mark) for node in free[:MAX_COMPARED]]
        if not scores or len(free) > MAX_COMPARED or scores.count(max(scores)) > 1:
            return None
        return free[scores.index(max(scores))]


def _grouped(nodes: Iterable[int], key: Callable[[int], Key]) -> dict[Key, list[int]]:
    groups: dict[Key, list[int]] = {}
    for node in nodes:
        groups.setdefault(key(node), []).append(node)
    return groups


def _common(first: str, second: str) -> int:
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
