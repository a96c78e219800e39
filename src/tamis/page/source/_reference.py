"""The source beside the text of the tree: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, NamedTuple

import numpy as np

from tamis.page.text import SPACE, Ints, char_classes


class Events(NamedTuple):
    """What a tokeniser gives, in source order."""

    kind: Ints
    length: Ints
    value: list[str]  # the name of a tag, or the text
    raw: list[int]  # numbers of the tags whose content may be no markup


def without_nameless_ends(markup: str) -> str:
    """Markup in which ``</>``, the one thing that the tokeniser skips without a token, is a comment of the length.

    >>> without_nameless_ends("<p>a</>b")
    '<p>a<!>b'
    """
    return markup.replace("</>", "<!>")


def read_events(tokens: Iterable[Any], kinds: Mapping[Any, int], raw_names: Set[str]) -> Events:
    """The tokens as arrays and a list."""
    found, lengths, values, raw = [], [], [], []
    for number, token in enumerate(tokens):
        value = token.tag or token.data or ""
        found.append(kinds[token.type])
        lengths.append(len(token.source or value))
        values.append(value)
        if token.tag in raw_names:
            raw.append(number)
    return Events(np.array(found, dtype=np.int64), np.array(lengths, dtype=np.int64), values, raw)


def code_lengths(source: str, starts: Ints, ends: Ints) -> Ints:
    """Characters of each range that are no white space."""
    codes = [source[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    spaces = np.flatnonzero(char_classes("".join(codes)) == SPACE)
    lengths = ends - starts
    return lengths - np.diff(np.searchsorted(spaces, np.cumsum(lengths)), prepend=0)


def places_in_order(source: str, text: str, starts: Ints, ends: Ints) -> tuple[Ints, Ints] | None:
    """Where the words of one text stand in another that holds the same characters, white space aside; else None.

    ``starts`` and ``ends`` are those of the words in ``source``, in their order; a word holds no white space.
    """
    solid_source, solid = (np.flatnonzero(char_classes(string) != SPACE) for string in (source, text))
    if "".join(source.split()) != "".join(text.split()):
        return None
    start = solid[np.searchsorted(solid_source, starts)]
    end = solid[np.searchsorted(solid_source, ends - 1)] + 1
    return (start, end) if (end - start == ends - starts).all() else None
