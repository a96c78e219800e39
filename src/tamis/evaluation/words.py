"""What a word is when texts are compared.

A word is a run of letters, digits and underscores (``\\w+``, so that punctuation does not count), folded to lower case
unless asked otherwise. In scripts written without spaces every character is a word.

>>> compare_words("It's 5 o'clock: 漢字")
['it', 's', '5', 'o', 'clock', '漢', '字']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tamis.page.text import UNSPACED_SCRIPTS

_UNSPACED = "".join(f"{chr(first)}-{chr(last - 1)}" for first, last in UNSPACED_SCRIPTS)
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")


def compare_words(text: str, *, fold_case: bool = True) -> list[str]:
    """The words of a text, for comparing it with another."""
    return _WORD.findall(text.lower() if fold_case else text)


def word_matches(text: str) -> Iterator[re.Match[str]]:
    """The words of a text as they are written, with their places."""
    return _WORD.finditer(text)
