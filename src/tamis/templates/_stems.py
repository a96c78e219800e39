"""English stop words, and word stems after Porter (1980)."""

from __future__ import annotations

import functools
import re

STOP_WORDS = frozenset(
    "a about above after again all also am an and any are as at be because been before being below between both but by "
    "can cannot could did do does doing down during each few for from further had has have having he her here hers him "
    "his how i if in into is it its itself just me more most my no nor not now of off on once only or other our ours "
    "out over own same she should so some such than that the their theirs them then there these they this those "
    "through to too under until up very was we were what when where which while who whom why will with would you your "
    "yours".split()
)

_VOWELS = "aeiou"
_STEP_2 = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e ousli:ous ization:ize "
    "ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble"
)
_STEP_3 = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_STEP_4 = "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:"


def _table(written: str) -> tuple[tuple[str, str], ...]:
    """Endings and what takes their place, the longest ending first: the first that fits is the one that counts."""
    pairs = (pair.split(":") for pair in written.split())
    return tuple(sorted(((ending, other) for ending, other in pairs), key=lambda pair: (-len(pair[0]), pair[0])))


_TABLE_2, _TABLE_3, _TABLE_4 = _table(_STEP_2), _table(_STEP_3), _table(_STEP_4)


@functools.lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of an English word in lower case; words with other letters are left as they are.

    >>> [stem(word) for word in ("caresses", "ponies", "relational", "hopping", "probate", "größe")]
    ['caress', 'poni', 'relat', 'hop', 'probat', 'größe']
    """
    if len(word) <= 2 or not (word.isascii() and word.isalpha()):
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _TABLE_2, 1)
    word = _replaced(word, _TABLE_3, 1)
    word = _replaced(word, _TABLE_4, 2)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


def _plural(word: str) -> str:
    for ending, other in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")):
        if word.endswith(ending):
            return word[: -len(ending)] + other
    return word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return _mended(rest) if _has_vowel(rest) else word
    return word


def _mended(word: str) -> str:
    """What is left of a word after ``ed`` or ``ing``, made whole again."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c" and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _is_short(word) else word


def _replaced(word: str, table: tuple[tuple[str, str], ...], min_measure: int) -> str:
    for ending, other in table:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            fits = _measure(rest) >= min_measure and (ending != "ion" or rest.endswith(("s", "t")))
            return rest + other if fits else word
    return word


def _shape(word: str) -> str:
    """Consonants and vowels: ``trouble`` is ``ccvvccv``."""
    shape: list[str] = []
    for letter in word:
        is_vowel = letter in _VOWELS or (letter == "y" and bool(shape) and shape[-1] == "c")
        shape.append("v" if is_vowel else "c")
    return "".join(shape)


def _measure(word: str) -> int:
    return len(re.findall("v+c+", _shape(word)))


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _is_short(word: str) -> bool:
    """Whether a word ends like ``hop``: a vowel between two consonants, of which the last is not w, x or y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"
