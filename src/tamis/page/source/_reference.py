"""The source beside the text of the tree: the readable twin of ``_kernel.pyx``.

Each function has a compiled twin with the same name, the same arguments and the same results; change both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tamis.page.text import SPACE, Ints, char_classes


def read_events(tokens: Iterable[Any], kinds: Mapping[Any, int]) -> tuple[list[int], list[str], Ints]:
    """What a tokeniser gives: the kind of each token, its value (the name of a tag, or its text), and its length."""
    found, values, lengths = [], [], []
    for token in tokens:
        value = token.tag or token.data or ""
        found.append(kinds[token.type])
        values.append(value)
        lengths.append(len(token.source or value))
    return found, values, np.array(lengths, dtype=np.int64)


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
