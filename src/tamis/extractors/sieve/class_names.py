"""What class, id, role and tag names say: a learned table of words and the log odds each adds.

Web designers name their boxes (``post-body``, ``sidebar``, ``role=navigation``). Each word of a name, each of its
parts, and the tag itself has two weights: one for the element that holds a block, one for the elements further out.
Weights are whole numbers, thousandths of log odds, so that a sum does not depend on the order of its terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.extractors.sieve.containers import Containers, look_code, tokens
from tamis.extractors.sieve.features.material import COMMENTS
from tamis.extractors.sieve.features.names import NameScores
from tamis.page.html import TAG_NAMES
from tamis.page.text import Ints

_MAX_WORD = 100  # characters of a word that is remembered
_MAX_MEMORY = 50_000  # words whose sums are remembered; sites repeat themselves


@dataclass(frozen=True, eq=False)
class NameTable:
    """The table as it is stored."""

    words: tuple[str, ...]  # tags are written <nav>
    own: Ints
    around: Ints


class NameFacts(NamedTuple):
    """What is known of a name without the page on which it stands."""

    own: int
    around: int
    is_comments: int  # 1 if it is a name for comments
    look: int  # a number for its classes


class ClassNames(dict[str, complex]):
    """Sums by word of a name: real part for the holder of a block, imaginary part for elements around it.

    A word that was not asked for before is put together from its tokens.
    """

    def __init__(self, table: NameTable) -> None:
        super().__init__()
        pairs = zip(table.own.tolist(), table.around.tolist(), strict=True)
        self.weights = dict(zip(table.words, [complex(*pair) for pair in pairs], strict=True))
        tags = np.array([self.weights.get(f"<{name}>", 0j) for name in TAG_NAMES])
        self.tag_weights = np.stack((tags.real, tags.imag)).astype(np.int64)  # own and around, for each tag code
        self.index: object = None  # the words as the compiled kernel looks them up, once it has been asked

    def __missing__(self, word: str) -> complex:
        total = sum((self.weights.get(token, 0j) for token in tokens(word)), 0j)
        if len(self) < _MAX_MEMORY and len(word) <= _MAX_WORD:
            self[word] = total
        return total

    def strongest(self, name: str) -> tuple[str, int]:
        """The word of a name that weighs most around a block, and its weight."""
        weights = [(token, int(self.weights.get(token, 0j).imag)) for word in name.split() for token in tokens(word)]
        return max(weights, key=lambda pair: abs(pair[1]), default=("", 0))

    def scores(self, containers: Containers) -> NameScores:
        """How much the names of each container speak for content."""
        words = [name.split() for name in containers.names]
        counts = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        flat = np.array([self[word] for name in words for word in name], dtype=np.complex128)
        sums = np.concatenate((np.zeros(1), np.cumsum(flat)))
        ends = np.cumsum(counts)
        total = np.rint((sums[ends] - sums[ends - counts])[containers.name].view(np.float64)).astype(np.int64)
        pairs = total.reshape(-1, 2)
        return NameScores(
            own=pairs[:, 0] + self.tag_weights[0, containers.tag],
            around=pairs[:, 1] + self.tag_weights[1, containers.tag],
        )

    def facts(self, name: str) -> NameFacts:
        """Everything about one name; the compiled kernel takes names one by one, and asks for those beyond ASCII."""
        total = sum((self[word] for word in name.split()), 0j)
        is_comments = COMMENTS.search(name.lower()) is not None
        return NameFacts(round(total.real), round(total.imag), int(is_comments), look_code(name))
