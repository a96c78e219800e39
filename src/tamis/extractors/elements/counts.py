"""What the features of content elements are made of: each counted once for a page, when first asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from tamis.extractors.elements.groups import GROUPS, REST, Elements
from tamis.page.model import LINK, Page
from tamis.page.names import Values, joined
from tamis.page.text import Bools, Floats, Ints

EDGE_PX = 1.0  # how near touching the edge of the page is; from the specification
_NEAR_ELEMENTS = 5  # before and after an element; ours, not swept
_RUNNING_WORDS = 10  # outside of links, that make the text of an element running text; ours, not swept
STOP_WORDS = frozenset(
    """a about after all also an and are as at be because been but by can could did do for from had has have he her his
    how i if in into is it its just like more my no not of on one only or other our out over said she so some than that
    the their them then there these they this to up was we were what when which who will with would you your""".split()
)
"""The commonest English words; ours."""


@dataclass(frozen=True, eq=False)
class ElementCounts:
    """The content elements of a page, counted."""

    page: Page
    elements: Elements
    exact_names: bool

    @cached_property
    def node(self) -> Ints:
        return self.elements.node

    @cached_property
    def parent(self) -> Ints:
        above: Ints = np.maximum(self.page.nodes.parent, 0)
        return above

    def held(self, amounts: npt.NDArray[np.generic]) -> Ints:
        """The sum of a number per node over all that each element holds."""
        sums = np.zeros(len(amounts) + 1, dtype=np.int64)
        np.cumsum(amounts, out=sums[1:])
        totals: Ints = sums[self.page.nodes.end[self.node]] - sums[self.node]
        return totals

    def of_elements(self, amounts: Ints) -> Ints:
        """The sum of a number per text node over each element; over a rest element only the texts it owns."""
        totals = self.held(amounts)
        is_rest = self.elements.group == GROUPS.index(REST)
        if is_rest.any():
            owner = self.elements.owner
            owned = np.bincount(owner[owner >= 0], weights=amounts[owner >= 0], minlength=len(self.node))
            totals = np.where(is_rest, owned.astype(np.int64), totals)
        return totals

    @cached_property
    def children(self) -> Ints:
        """For each node its child elements."""
        nodes = self.page.nodes
        return np.bincount(self.parent[nodes.elements], minlength=len(nodes))

    def siblings(self, marked: Bools) -> Ints:
        """For each element the other children of its parent that are marked."""
        count = np.bincount(self.parent[marked], minlength=len(marked))
        return count[self.parent[self.node]] - marked[self.node]

    @cached_property
    def attributes(self) -> Values:
        """Classes and ids of the elements in ``body`` that are or hold content elements."""
        is_inside = self.page.nodes.elements & ~self.page.nodes.named("html", "body")
        nodes = np.flatnonzero(is_inside & (self.page.nodes.totals(self._weight) > 0))
        pairs = list(zip(self.page.attribute(nodes, "class"), self.page.attribute(nodes, "id"), strict=True))
        number = {pair: position for position, pair in enumerate(dict.fromkeys(pairs))}
        which = np.fromiter(map(number.__getitem__, pairs), dtype=np.int64, count=len(pairs))
        return joined(nodes, [f"{classes or ''} {name or ''}" for classes, name in number], which)

    @cached_property
    def _weight(self) -> Ints:
        weight = np.zeros(len(self.page.nodes), dtype=np.int64)
        weight[self.node] = 1
        return weight

    @cached_property
    def _is_part(self) -> Bools:
        """For each node whether it holds no more than half of the words of the page."""
        words = self.page.flow.words
        return np.asarray(2 * self.page.nodes.totals(words) <= words.sum())

    def below(self, pattern: str, *, own: bool = False, part: bool = False) -> Bools:
        """For each element whether a class or id of an ancestor, or its ``own``, matches.

        With ``part`` the names of what holds more than half of the words of the page do not count.
        """
        marked = self.page.nodes.marked(self.attributes.found(re.compile(pattern)))
        if part:
            marked &= self._is_part
        inside = self.page.nodes.inside(marked)
        return inside[self.node] if own else inside[self.parent[self.node]]

    @cached_property
    def is_only_child(self) -> Bools:
        """For each node whether nothing but white space and comments stands beside it."""
        nodes = self.page.nodes
        counts = nodes.elements.copy()
        counts[nodes.texts] = self.page.flow.characters[nodes.texts] > 0
        alone: Bools = np.bincount(self.parent[counts], minlength=len(nodes))[self.parent] == 1
        return alone & counts

    @cached_property
    def words(self) -> Ints:
        return self.elements.words

    @cached_property
    def link_words(self) -> Ints:
        in_link = (self.page.nodes.flags & LINK) != 0
        return self.of_elements(self.page.flow.words * in_link)

    @cached_property
    def box(self) -> Ints:
        """For each element its box; -1 for none."""
        boxes = self.page.boxes
        if boxes is None:
            return np.full(len(self.node), -1, dtype=np.int64)
        return boxes.of_nodes(len(self.page.nodes))[self.node]

    def boxed(self, values: npt.NDArray[np.generic] | None) -> Floats:
        """A number of each element's box; NaN without one."""
        if values is None or not len(values):
            return np.full(len(self.node), np.nan)
        numbers = np.append(values.astype(np.float64), np.nan)
        found: Floats = numbers[self.box]
        return found

    @cached_property
    def sides(self) -> tuple[Floats, Floats, Floats, Floats]:
        boxes = self.page.boxes
        left, top, right, bottom = (self.boxed(None if boxes is None else boxes.rect[:, side]) for side in range(4))
        return left, top, right, bottom

    @cached_property
    def size(self) -> tuple[float, float]:
        boxes = self.page.boxes
        return (max(boxes.width, 1.0), max(boxes.height, 1.0)) if boxes is not None else (1.0, 1.0)

    @cached_property
    def is_middle(self) -> Floats:
        left, _, right, _ = self.sides
        middle = self.size[0] / 2
        return known(left, (left <= middle) & (right >= middle))

    @cached_property
    def is_leftmost(self) -> Floats:
        left = self.sides[0]
        return known(left, (np.abs(left) <= EDGE_PX) & (self.is_middle == 0))

    @cached_property
    def is_rightmost(self) -> Floats:
        right = self.sides[2]
        return known(right, (np.abs(right - self.size[0]) <= EDGE_PX) & (self.is_middle == 0))

    @cached_property
    def rect_size(self) -> Floats:
        left, top, right, bottom = self.sides
        return np.asarray((right - left) * (bottom - top))

    def shifted(self, values: Floats, by: int) -> Floats:
        """The value of the element before (-1) or after (1) each; 0 at the ends."""
        result = np.zeros(len(values))
        if by < 0:
            result[1:] = values[:-1]
        else:
            result[:-1] = values[1:]
        return result

    @cached_property
    def link_density(self) -> Floats:
        return np.asarray(self.link_words / np.maximum(self.words, 1))

    def sibling_words(self, amounts: Ints) -> Ints:
        """The sum over the elements with the same parent."""
        above = self.parent[self.node]
        return np.bincount(above, weights=amounts, minlength=1)[above].astype(np.int64)

    @cached_property
    def text_words(self) -> Floats:
        """For each element the words outside of links that it owns, if they are running text."""
        in_link = (self.page.nodes.flags & LINK) != 0
        owner, words = self.elements.owner, self.page.flow.words * ~in_link
        owned = np.bincount(owner[owner >= 0], weights=words[owner >= 0], minlength=len(self.node))
        return np.where(owned >= _RUNNING_WORDS, owned, 0.0)

    def near_text(self, by: int) -> Floats:
        """Running text of the few elements before (-1) or after (1) each."""
        sums = np.concatenate(([0.0], np.cumsum(self.text_words)))
        place = np.arange(len(self.node))
        first, last = (place - _NEAR_ELEMENTS, place) if by < 0 else (place + 1, place + 1 + _NEAR_ELEMENTS)
        return np.asarray(sums[last.clip(0, len(place))] - sums[first.clip(0, len(place))])

    def text_share(self, levels: int) -> Floats:
        """The share of the page's running text that an ancestor holds."""
        amounts = np.zeros(len(self.page.nodes) + 1)
        amounts[1:][self.node] = self.text_words
        sums = np.cumsum(amounts)
        above = self.node
        for _ in range(levels):
            above = self.parent[above]
        return np.asarray((sums[self.page.nodes.end[above]] - sums[above]) / max(float(sums[-1]), 1.0))

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, as long as it was: of all letters only the Turkish İ becomes two, and is replaced."""
        return self.page.text.replace("İ", "ı").lower()

    @cached_property
    def stop_words(self) -> Floats:
        texts = self.page.nodes.visible_texts
        texts = texts[self.page.flow.words[texts] > 0]
        counts, found = (np.zeros(len(self.page.nodes), dtype=np.int64) for _ in range(2))
        spans = zip(self.page.nodes.text_start[texts].tolist(), self.page.nodes.text_end[texts].tolist(), strict=True)
        lowered = self.lowered
        words = [lowered[start:end].split() for start, end in spans]
        lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        is_stop = np.fromiter(map(STOP_WORDS.__contains__, chain.from_iterable(words)), dtype=np.bool_)
        counts[texts] = lengths
        found[texts] = np.diff(np.append(0, np.cumsum(is_stop))[np.append(0, np.cumsum(lengths))])
        return np.asarray(self.of_elements(found) / np.maximum(self.of_elements(counts), 1))


def known(numbers: Floats, answers: Bools) -> Floats:
    """Answers as numbers; NaN where the numbers they follow from are not known."""
    return np.where(np.isnan(numbers), np.nan, answers)
