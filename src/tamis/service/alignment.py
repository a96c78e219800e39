"""Which block a stretch of an output comes from, and how two texts differ.

Outputs hold the words of the page in their order, between signs of their own (Markdown, blank lines). So one walk over
both, which looks a few words ahead where something was left out or added, finds the block of every word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tamis.errors import MissingExtraError

AHEAD = 400  # words of the page that an output may leave out before two that it has; ours, not swept
MAX_WORDS = 20_000  # of a text that is compared word by word, line by line beyond: memory grows with the square
_WORD = re.compile(r"\w+")
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_OPENING = frozenset("'\"‘“«„¿¡")
_CLOSING = frozenset(".,;:!?…'\"’”»)。，、！？")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_WORDS = re.compile(r"!\[[^\]]*\]\([^\s()]*\)|(?<=\])\([^\s()]*\)")  # pictures and addresses in Markdown


class AlignedStretch(NamedTuple):
    """A range of an output, and the block whose words it holds."""

    start: int
    end: int
    block: int


def align(output: str, texts: Sequence[tuple[int, str]]) -> list[AlignedStretch]:
    """The stretches of an output, given blocks in their order with their texts.

    >>> align("# One two\\n\\nThree", [(4, "One two"), (7, "Three")])
    [AlignedStretch(start=2, end=9, block=4), AlignedStretch(start=11, end=16, block=7)]
    """
    pairs = [(word, number) for number, text in texts for word in _WORD.findall(text)]
    words = [word for word, _ in pairs]
    shown = list(_WORD.finditer(_NO_WORDS.sub(lambda match: " " * len(match[0]), output)))
    found: list[AlignedStretch] = []
    place = 0
    for number, match in enumerate(shown, start=1):
        here = _next(words, place, match[0], shown[number][0] if number < len(shown) else "")
        if here < 0:
            continue
        block, place = pairs[here][1], here + 1
        if found and found[-1].block == block and "\n\n" not in output[found[-1].end : match.start()]:
            found[-1] = AlignedStretch(found[-1].start, match.end(), block)
        else:
            found.append(AlignedStretch(match.start(), match.end(), block))
    return [_with_marks(output, stretch) for stretch in found]


def _next(words: Sequence[str], place: int, word: str, follower: str) -> int:
    """Where a word stands that comes next, or later if the word behind it agrees too; -1 for nowhere."""
    for here in range(place, min(place + AHEAD, len(words))):
        if words[here] == word and (here == place or (here + 1 < len(words) and words[here + 1] == follower)):
            return here
    return -1


def _with_marks(output: str, stretch: AlignedStretch) -> AlignedStretch:
    """The stretch with the signs around it: a full stop belongs to its sentence, and so do quotation marks."""
    start, end = stretch.start, stretch.end
    while start and output[start - 1] in _OPENING:
        start -= 1
    while output[end : end + 1] in _CLOSING:
        end += 1
    return stretch._replace(start=start, end=end)


class Difference(NamedTuple):
    """A piece that both texts have (``=``), or only the left (``-``) or the right one (``+``)."""

    sign: str
    text: str


def differences(left: str, right: str) -> list[Difference]:
    """What must be taken from the left text and added to it to get the right one (extra ``evaluation``).

    White space is no difference.

    >>> differences("one two three", "one 2 three")
    [Difference(sign='=', text='one '), Difference(sign='-', text='two'), Difference(sign='+', text='2'), \
Difference(sign='=', text=' three')]
    """
    try:
        from rapidfuzz.distance import Indel
    except ImportError as error:
        raise MissingExtraError("evaluation", "comparing texts") from error
    pattern = _PIECE if max(len(left), len(right)) < 5 * MAX_WORDS else _LINE
    old, new = ([match[0] for match in pattern.finditer(text)] for text in (left, right))
    old_keys, new_keys = ([" " if piece.isspace() else piece for piece in pieces] for pieces in (old, new))
    if max(len(old), len(new)) > 2 * MAX_WORDS:
        return [Difference("-", left), Difference("+", right)]
    found: list[Difference] = []
    for step in Indel.opcodes(old_keys, new_keys):
        if step.tag == "equal":
            found.append(Difference("=", "".join(new[step.dest_start : step.dest_end])))
        if step.tag in ("delete", "replace"):
            found.append(Difference("-", "".join(old[step.src_start : step.src_end])))
        if step.tag in ("insert", "replace"):
            found.append(Difference("+", "".join(new[step.dest_start : step.dest_end])))
    return list(_calm(found))


def _calm(found: Sequence[Difference]) -> Iterator[Difference]:
    """The same differences with those joined that only white space parts: easier to read than word by word."""
    removed = added = ""
    for place, (sign, text) in enumerate(found):
        changes_go_on = sign == "=" and text.isspace() and (removed or added) and place + 1 < len(found)
        if sign == "-" or changes_go_on:
            removed += text
        if sign == "+" or changes_go_on:
            added += text
        if sign == "=" and not changes_go_on:
            yield from _changes(removed, added)
            removed = added = ""
            yield Difference("=", text)
    yield from _changes(removed, added)


def _changes(removed: str, added: str) -> Iterator[Difference]:
    if removed.strip():
        yield Difference("-", removed)
    if added.strip():
        yield Difference("+", added)
    if (added or removed) and not (added + removed).strip():
        yield Difference("=", added or removed)
