"""The elements of a page as flat arrays of their own, and what the distances make of them: hashed paths and tag runs.

Texts, comments and attributes do not count. Names that HTML does not know, such as those of web components, count by
themselves: their codes are hashes. Hashes of paths and runs are sums of mixed numbers, one for each name and place, so
that all paths of a page cost a few cumulative sums and depth costs nothing. They depend on nothing but the page: the
same in every process.
"""

from __future__ import annotations

import functools
import hashlib
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tamis.page import tree
from tamis.page.html import TAG_NAMES, VOID_NAMES, mask
from tamis.page.model import Page
from tamis.page.text import Bools, Ints

Hashes = npt.NDArray[np.uint64]
TagSource = Literal["tree", "source"]

CLOSING = 256  # added to the code of a tag that closes
_FACTOR = np.uint64(0xD6E8FEB86659FD93)  # any large odd number
_INVERSE = np.uint64(pow(int(_FACTOR), -1, 1 << 64))
_NAMES = 2 * CLOSING  # more than there are codes of names that HTML knows
_IS_VOID = np.append(mask(*sorted(VOID_NAMES & {*TAG_NAMES})), np.zeros(_NAMES - len(TAG_NAMES), dtype=np.bool_))
_NAME_IN_SOURCE = re.compile(r"</?([^\s/>]*)")


@dataclass(frozen=True, eq=False)
class ElementTree:
    """The tree without everything that is no element; numbers are those of this list."""

    tag: Ints  # codes of names, see ``name_codes``
    parent: Ints  # -1 for an element on top
    depth: Ints
    end: Ints  # first element after the subtree

    def __len__(self) -> int:
        return len(self.tag)

    @property
    def leaves(self) -> Bools:
        """True for elements that hold no other."""
        leaves: Bools = self.end == np.arange(1, len(self) + 1)
        return leaves


def elements_of(page: Page) -> ElementTree:
    """The elements of a page, in document order."""
    nodes = page.nodes
    chosen = np.flatnonzero(nodes.elements)
    number = np.full(len(nodes), -1, dtype=np.int64)
    number[chosen] = np.arange(len(chosen))
    above = nodes.parent[chosen]
    if not nodes.elements[above[above > 0]].all():  # the content of a template stands below a node that is no element
        above = nodes.nearest(nodes.elements)[above]
    end = np.concatenate(([0], np.cumsum(nodes.elements)))[nodes.end[chosen]]
    return ElementTree(name_codes(page, chosen), number[above], tree.depths(end), end)


def name_codes(page: Page, nodes: Ints) -> Ints:
    """A number for the name of each element: the tag code, or a hash for a name that has none."""
    codes = page.nodes.tag[nodes].astype(np.int64)
    unknown = np.flatnonzero(codes == 0)
    codes[unknown] = [_own_code(page.name(node)) for node in nodes[unknown].tolist()]
    return codes


def is_known(codes: Ints) -> Bools:
    """True for tags whose name is in the table of HTML names, opening and closing."""
    known: Bools = codes < _NAMES
    return known


def is_opening(codes: Ints) -> Bools:
    """True for tags that open an element."""
    opening: Bools = (codes & CLOSING) == 0
    return opening


@functools.lru_cache(maxsize=4096)
def _own_code(name: str) -> int:
    """A multiple of ``_NAMES``, so that closing tags and depths can be added as to any other code."""
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (1 + (int.from_bytes(digest, "little") >> 12)) * _NAMES


def path_hashes(elements: ElementTree, names: Hashes | None = None) -> Hashes:
    """One number for the names from the top down to each element; ``names`` other than its tags may be given."""
    count = len(elements)
    codes = elements.tag.astype(np.uint64) if names is None else names
    own = mixed(codes + (_NAMES * elements.depth).astype(np.uint64))
    # What stands above an element is all that was opened so far, without what was closed.
    opened = np.cumsum(own)
    closed = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(own[np.argsort(elements.end, kind="stable")])))
    hashes: Hashes = opened - closed[np.arange(count) - elements.depth]
    return hashes


def runs_upwards(elements: ElementTree, length: int) -> tuple[Hashes, Bools]:
    """One number for each element and the ``length - 1`` above it, and whether there are so many."""
    place = np.arange(len(elements))
    hashes = np.zeros(len(elements), dtype=np.uint64)
    is_whole = elements.depth >= length - 1
    for step in range(length):
        hashes += np.where(place >= 0, _mixed_codes(elements.tag[place], step), np.uint64(0))
        place = np.where(place >= 0, elements.parent[place], -1)
    return hashes, is_whole


def tag_sequence(page: Page, tags_from: TagSource) -> Ints:
    """Codes of the tags from left to right, ``CLOSING`` added to those that close; void elements have one tag.

    From the ``tree`` every element has its tags, those that its author left out as well; the ``source`` has those that
    are written there, stray ones as well.
    """
    if tags_from == "source":
        return _written_codes(page) + CLOSING * page.tokens.is_closing[page.tokens.is_tag]
    elements = elements_of(page)
    sequence, closing = _opened_and_closed(elements)
    is_written = np.ones(len(sequence), dtype=np.bool_)
    is_void = _IS_VOID[np.where(is_known(elements.tag), elements.tag, 0)]
    is_written[closing[is_void & elements.leaves]] = False
    return sequence[is_written]


def _written_codes(page: Page) -> Ints:
    """Codes of the tags in the source, opening and closing ones alike."""
    tokens = page.tokens
    codes = tokens.tag[tokens.is_tag].astype(np.int64)
    unknown = np.flatnonzero(codes == 0)
    starts = tokens.source_start[tokens.is_tag][unknown].tolist()
    found = (_NAME_IN_SOURCE.match(page.source, start) for start in starts)
    codes[unknown] = [_own_code(match.group(1).lower() if match else "") for match in found]
    return codes


def _opened_and_closed(elements: ElementTree) -> tuple[Ints, Ints]:
    """The tags of all elements from left to right, and for each element the place of the one that closes it."""
    # Before the tag that opens element i, i others have opened, and all of them but those above i have been closed.
    opening = 2 * np.arange(len(elements)) - elements.depth
    closing = 2 * elements.end - 1 - elements.depth
    sequence = np.empty(2 * len(elements), dtype=np.int64)
    sequence[opening] = elements.tag
    sequence[closing] = elements.tag + CLOSING
    return sequence, closing


def runs(sequence: Ints, length: int) -> Hashes:
    """One number for every ``length`` entries in a row; a sequence that is shorter is one run."""
    length = min(length, len(sequence))
    count = len(sequence) - length + 1 if length else 0
    hashes = np.zeros(count, dtype=np.uint64)
    for step in range(length):
        hashes += _mixed_codes(sequence[step : step + count], step)
    return hashes


def _mixed_codes(codes: Ints, step: int) -> Hashes:
    """A number for each code of a tag at one place of a run."""
    known = is_known(codes)
    if known.all():
        return _mixed_names(step)[codes]
    return np.where(known, _mixed_names(step)[np.where(known, codes, 0)], mixed(codes + _NAMES * step))


@functools.cache
def _mixed_names(step: int) -> Hashes:
    """The same for every name that HTML knows: looking it up is quicker than mixing."""
    return mixed(np.arange(_NAMES) + _NAMES * step)


def mixed(numbers: Ints | Hashes) -> Hashes:
    """The numbers spread over all 64 bits (splitmix64): the same number always gives the same."""
    mix = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mix = (mix ^ (mix >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mix = (mix ^ (mix >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mix ^ (mix >> np.uint64(31))


def subtree_hashes(elements: ElementTree) -> Hashes:
    """One number for the names and the shape of everything from each element down."""
    sequence, closing = _opened_and_closed(elements)
    opening = closing - 2 * (elements.end - np.arange(len(elements))) + 1
    # A polynomial over the tags: moving a stretch to the front of the page multiplies its sum by a known factor.
    powers, inverse = (np.cumprod(np.full(len(sequence), step)) for step in (_FACTOR, _INVERSE))
    sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(mixed(sequence) * powers)))
    return mixed((sums[closing + 1] - sums[opening]) * inverse[opening])
