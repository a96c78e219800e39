"""Elements, and words in their attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from tamis.page.html import PSEUDO_NAMES, TAG_CODES
from tamis.page.model import Page
from tamis.page.text import Ints

_END = "\0"  # no attribute holds it


def is_element_name(name: str) -> bool:
    """Whether this is the name of an HTML element, in lower case."""
    return name in TAG_CODES and name not in PSEUDO_NAMES


class Values(NamedTuple):
    """The values of one attribute."""

    nodes: Ints  # that have the attribute
    which: Ints  # the value of each of them: classes and the like repeat, so that each is searched only once
    starts: Ints  # of each value in the text
    text: str  # all values, lower-cased

    def found(self, pattern: re.Pattern[str]) -> Ints:
        """The nodes in whose value the pattern is found."""
        places = np.fromiter((match.start() for match in pattern.finditer(self.text)), dtype=np.int64)
        is_found = np.zeros(len(self.starts), dtype=np.bool_)
        is_found[np.searchsorted(self.starts, places, side="right") - 1] = True
        return self.nodes[is_found[self.which]]


def read_attributes(page: Page, nodes: Ints, names: Iterable[str]) -> Mapping[str, Values]:
    """The values that some nodes have for each of these attributes."""
    found = {}
    for name in names:
        pairs = zip(nodes.tolist(), page.attribute(nodes, name), strict=True)
        having = [(node, value) for node, value in pairs if value is not None]
        found[name] = _joined([node for node, _ in having], [value for _, value in having])
    return found


def whole_words(words: Iterable[str]) -> re.Pattern[str]:
    """Matches any of the words where neither a letter nor a digit touches it.

    >>> pattern = whole_words(["ad", "ads"])
    >>> [bool(pattern.search(value)) for value in ("top-ads", "ad_1", "header", "ad1")]
    [True, True, False, False]
    """
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(_escaped(words))})(?![^\W_])")


def parts_of_words(parts: Iterable[str]) -> re.Pattern[str]:
    """Matches any of the parts wherever it stands."""
    return re.compile("|".join(_escaped(parts)))


def _escaped(words: Iterable[str]) -> Iterator[str]:
    return (re.escape(word.lower()) for word in words)


def joined(nodes: Ints, values: Iterable[str], which: Ints) -> Values:
    """The values of some nodes, each value given once and each node with the position of its own."""
    lowered = [value.lower() + _END for value in values]
    lengths = np.fromiter(map(len, lowered), dtype=np.int64, count=len(lowered))
    return Values(nodes=nodes, which=which, starts=np.cumsum(lengths) - lengths, text="".join(lowered))


def _joined(holders: list[int], values: list[str]) -> Values:
    number = {value: position for position, value in enumerate(dict.fromkeys(values))}
    which = np.fromiter(map(number.__getitem__, values), dtype=np.int64, count=len(values))
    return joined(np.array(holders, dtype=np.int64), number, which)
