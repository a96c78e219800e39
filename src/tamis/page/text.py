"""Characters and words: the one place that says what a word is.

A word is a maximal run of characters that are not white space (as ``str.isspace`` defines it). In scripts written
without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) every character is a word of its own.

>>> words("two words 漢字")
['two', 'words', '漢', '字']
"""

from __future__ import annotations

import functools
import sys

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

LETTER, SPACE, IDEOGRAPH = 0, 1, 2

UNSPACED_SCRIPTS = (
    (0x0E00, 0x0F00),  # Thai, Lao
    (0x1000, 0x10A0),  # Myanmar
    (0x1780, 0x1800),  # Khmer
    (0x2E80, 0x2FE0),  # Han radicals
    (0x3005, 0x3008),  # Han iteration marks
    (0x3040, 0x3100),  # Hiragana, Katakana
    (0x31F0, 0x3200),  # Katakana extensions
    (0x3400, 0x4DC0),  # Han
    (0x4E00, 0xA000),  # Han
    (0xF900, 0xFB00),  # Han compatibility
    (0xFF66, 0xFF9E),  # half-width Katakana
    (0x20000, 0x323B0),  # Han, supplementary planes
)


@functools.cache
def class_table() -> npt.NDArray[np.uint8]:
    """LETTER, SPACE or IDEOGRAPH for every code point."""
    table = np.zeros(sys.maxunicode + 1, dtype=np.uint8)
    # No white space lies above U+3000 (a test walks all of Unicode to show it).
    for code in range(0x3001):
        if chr(code).isspace():
            table[code] = SPACE
    for first, last in UNSPACED_SCRIPTS:
        table[first:last] = IDEOGRAPH
    table.setflags(write=False)
    return table


@functools.cache
def _ascii_table() -> bytes:
    return class_table()[:256].tobytes()


def char_classes(text: str) -> npt.NDArray[np.uint8]:
    """LETTER, SPACE or IDEOGRAPH for each character.

    >>> char_classes("a b").tolist()
    [0, 1, 0]
    """
    if text.isascii():  # bytes.translate is several times faster than a NumPy look-up
        return np.frombuffer(text.encode("ascii").translate(_ascii_table()), dtype=np.uint8)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.take(class_table(), codes)


def word_starts(classes: npt.NDArray[np.uint8], breaks: Ints | None = None) -> Bools:
    """True where a word begins; ``breaks`` are positions at which a new word begins whatever stands before."""
    starts: Bools = np.empty(len(classes), dtype=np.bool_)
    if not len(classes):
        return starts
    inside = classes == LETTER
    # A word begins at a character that is no space, unless it continues a run of letters.
    np.logical_and(inside[1:], inside[:-1], out=starts[1:])
    starts[0] = False
    if breaks is not None:
        starts[breaks[breaks < len(starts)]] = False
    np.logical_not(starts, out=starts)
    starts &= classes != SPACE
    return starts


def word_ranges(text: str, breaks: Ints | None = None) -> tuple[Ints, Ints]:
    """Start and end position of every word.

    >>> [r.tolist() for r in word_ranges("a bc")]
    [[0, 2], [1, 4]]
    """
    classes = char_classes(text)
    starts_here = word_starts(classes, breaks)
    ends_here = np.empty_like(starts_here)
    # A word ends before a space, before the next word, and at the end of the text.
    ends_here[:-1] = (classes[1:] == SPACE) | starts_here[1:]
    ends_here[-1:] = True
    ends_here &= classes != SPACE
    return np.flatnonzero(starts_here), np.flatnonzero(ends_here) + 1


def words(text: str) -> list[str]:
    """The words of a text."""
    starts, ends = word_ranges(text)
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def collapse(text: str) -> str:
    r"""White space reduced to single blanks, as a browser shows running text.

    >>> collapse("  two\n\t words ")
    'two words'
    """
    return " ".join(text.split())
