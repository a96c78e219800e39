"""Places of a page that can be found again on other pages: the names on the way from the root to a node.

A name is the element's with its id and classes; numbers in them, which often count articles, are all read as ``0``.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tamis.page.blocks import kept_shares
from tamis.page.model import Page
from tamis.page.spans import Span
from tamis.page.text import Bools, Ints, collapse
from tamis.results import Part

_NUMBER = re.compile(r"\d+")
_BARE = frozenset({"html", "body"})  # their ids and classes say what page it is: every place would change with them
_MAX_CLASSES = 3  # more are states and variants of a few that name the part
_SHOWN_LEVELS = 7
_SAMPLE_CHARACTERS = 200
_MAX_PARTS = 2_000  # of a template, each kind; a page has a few hundred places


def labels(page: Page, nodes: Ints) -> list[str]:
    """Names of some elements with ids and classes.

    >>> import tamis
    >>> page = tamis.parse('<div id=post-12 class="a b"><p>x')
    >>> labels(page, np.flatnonzero(page.nodes.named("div", "p")))
    ['div#post-0.a.b', 'p']
    """
    found = []
    ids, classes = page.attribute(nodes, "id"), page.attribute(nodes, "class")
    for node, own_id, own_classes in zip(nodes.tolist(), ids, classes, strict=True):
        label = page.name(node)
        if label in _BARE:
            found.append(label)
            continue
        if own_id and own_id.strip():
            label += "#" + _NUMBER.sub("0", own_id.strip())
        if own_classes:
            label += "".join("." + _NUMBER.sub("0", name) for name in own_classes.split()[:_MAX_CLASSES])
        found.append(label)
    return found


def place_keys(page: Page, nodes: Ints) -> list[str]:
    """A short name of the place of each of some nodes, which siblings of one name share."""
    above = with_ancestors(page, nodes)
    keys: dict[int, bytes] = {0: b""}
    parents = page.nodes.parent[above].tolist()
    for node, parent, label in zip(above.tolist(), parents, labels(page, above), strict=True):
        if node == 0:
            continue
        keys[node] = _mixed(keys[parent], label)
    return [keys[node].hex() for node in nodes.tolist()]


def with_ancestors(page: Page, nodes: Ints) -> Ints:
    """Some nodes and everything above them, in document order."""
    marked: Bools = np.zeros(len(page.nodes), dtype=np.bool_)
    marked[:1] = True
    level = np.unique(nodes)
    while len(level := level[~marked[level]]):
        marked[level] = True
        level = np.unique(page.nodes.parent[level])
    return np.flatnonzero(marked)


def written_path(page: Page, node: int) -> str:
    """The place of a node for a reader: the last few names on the way to it."""
    chain: list[int] = []
    parents = page.nodes.parent
    while node > 0 and len(chain) <= _SHOWN_LEVELS:
        chain.append(node)
        node = int(parents[node])
    shown = labels(page, np.array(chain[_SHOWN_LEVELS - 1 :: -1] or [], dtype=np.int64))
    return ("…/" if len(chain) > _SHOWN_LEVELS else "") + "/".join(shown)


def describe_parts(pages: Sequence[tuple[Page, tuple[Span, ...]]]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Fixed places and slots of a group, from its pages and what was kept of each; the most frequent places first."""
    found: dict[str, _PartSoFar] = {}
    for number, (page, spans) in enumerate(pages):
        keys = place_keys(page, page.blocks.node)
        shares = kept_shares(page, spans).tolist()
        for block, key, share in zip(page.blocks, keys, shares, strict=True):
            if key not in found:
                found[key] = _PartSoFar(written_path(page, block.node))
            found[key].add(number, share, block.text)
    parts = [place.part() for place in found.values()]
    parts.sort(key=lambda part: -part.pages)
    fixed = tuple(part for part in parts if part.kept < 0.5)
    slots = tuple(part for part in parts if part.kept >= 0.5)
    return fixed[:_MAX_PARTS], slots[:_MAX_PARTS]


class _PartSoFar:
    def __init__(self, path: str) -> None:
        self.path = path
        self.pages: set[int] = set()
        self.shares: list[float] = []
        self.texts: Counter[str] = Counter()

    def add(self, page: int, share: float, text: str) -> None:
        self.pages.add(page)
        self.shares.append(share)
        self.texts[collapse(text)[:_SAMPLE_CHARACTERS]] += 1

    def part(self) -> Part:
        sample, _ = self.texts.most_common(1)[0]
        kept = sum(self.shares) / len(self.shares)
        return Part(self.path, len(self.pages), len(self.texts), round(kept, 4), sample)


def _mixed(above: bytes, label: str) -> bytes:
    return hashlib.blake2b(above + label.encode("utf-8", "surrogatepass"), digest_size=8).digest()
