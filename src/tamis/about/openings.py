"""How texts begin: a look at two characters tells most texts apart from the few phrases that are looked for."""

from __future__ import annotations

from collections.abc import Iterable

_ASCII = 0x80


def opening_table(heads: Iterable[str]) -> bytes:
    """For each two ASCII characters whether a text that begins with them may begin with one of the heads.

    Heads are two characters in lower case; a text in any case may have marks before them.

    >>> table = opening_table(["by"])
    >>> [pair for pair in ("by", "By", "bu", "(b") if table[ord(pair[0]) << 7 | ord(pair[1])]]
    ['by', 'By', '(b']
    """
    table = bytearray(_ASCII * _ASCII)
    for first in range(_ASCII):
        if not chr(first).isalnum():
            table[first << 7 : (first + 1) << 7] = b"\1" * _ASCII
    for head in filter(str.isascii, heads):
        for one, two in ((one, two) for one in (head[0], head[0].upper()) for two in (head[1], head[1].upper())):
            table[ord(one) << 7 | ord(two)] = 1
    return bytes(table)
