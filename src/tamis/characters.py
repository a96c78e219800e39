"""Characters that no text of ours may hold: halves that cannot be encoded, and marks of no width."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSEEN = "\xad\u200b\u2060\ufeff"


def writable(text: str) -> str:
    """The text with halves of characters, which no encoding can write, replaced by U+FFFD.

    >>> writable("a\\ud800b")
    'a\\ufffdb'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def without_unseen(text: str) -> str:
    """The text without soft hyphens and characters of no width that mean nothing where lines are not broken.

    >>> without_unseen("soft\\u00adhyphen"), without_unseen("می\\u200cخواهم") == "می\\u200cخواهم"
    ('softhyphen', True)
    """
    if not text.isascii():
        for char in _UNSEEN:  # most texts have none, and to see that is quicker than to rewrite them
            if char in text:
                text = text.replace(char, "")
    return text


def has_unseen(text: str) -> bool:
    """Whether there is anything that ``without_unseen`` would remove."""
    return not text.isascii() and any(char in text for char in _UNSEEN)


def counted(number: int, noun: str) -> str:
    """A number and what is counted, in the singular for one.

    >>> counted(1, "page"), counted(3, "page")
    ('1 page', '3 pages')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
