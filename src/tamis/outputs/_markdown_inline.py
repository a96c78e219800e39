"""The content of one paragraph → Markdown that reads back as the same text.

Characters are escaped only where Markdown would take them for markup, and emphasis is written only where Markdown
would recognise it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from tamis.outputs._structure import CLOSE, OPEN, TEXT, Event

_HARD_BREAK = "  \n"
_DELIMITERS = {"em": "*", "i": "*", "strong": "**", "b": "**"}
_CODE_NAMES = frozenset({"code", "kbd", "samp"})

_ALWAYS_SPECIAL = r"""
      \\(?=[!-/:-@\[-`{-~]|\Z)          # before punctuation, or where markup may follow
    | ` | _+ | ~~+
    | (?<!\s)\* | \*(?!\s)              # not alone between blanks
    | <(?=[A-Za-z/!?])
    | &(?=\#?\w{1,32};)
    """
_SPECIAL = re.compile(rf"{_ALWAYS_SPECIAL} | \](?=[(:])", re.VERBOSE)
_SPECIAL_IN_LINKS = re.compile(rf"{_ALWAYS_SPECIAL} | [\[\]]", re.VERBOSE)
_SPECIAL_AT_START = re.compile(
    r"""
      [-+](?=\s|\Z)                     # item of a list
    | \#(?=\#{0,5}(?:\s|\Z))            # heading
    | >                                 # quote
    | [-=:|](?=[-=:|\ ]*\Z)             # underline of a heading or of the first row of a table
    """,
    re.VERBOSE,
)
_LIST_NUMBER = re.compile(r"[0-9]{1,9}(?=[.)](?:\s|\Z))")
_HEADING_END = re.compile(r"(?<![^ ])#+\Z")
_BACKTICKS = re.compile("`+")
_TAG_START = re.compile("<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_ADDRESS_ESCAPES = str.maketrans({char: f"%{ord(char):02X}" for char in ' "()<>\\`|'})


@dataclass
class _Mark:
    """Text, or a piece of markup."""

    kind: str  # "text", "code", "link", "break", or the delimiter of emphasis
    parts: list[str]
    opening: int = -1  # of a closing delimiter: where it was opened


class Inline:
    """Collects the content of one paragraph, event by event."""

    def __init__(self) -> None:
        self._marks: list[_Mark] = []
        self._open: list[tuple[str, int]] = []  # for each open element the kind and place of its mark, if it has one
        self._address = ""
        self._is_code = False

    def take(self, event: Event) -> None:
        if event.kind == TEXT:
            kind = "code" if self._is_code else "text"
            if not self._marks or self._marks[-1].kind != kind:
                self._marks.append(_Mark(kind, []))
            self._marks[-1].parts.append(event.text)
        elif event.kind == OPEN:
            self._open.append(self._opened(event))
        elif event.kind == CLOSE:
            self._close(*self._open.pop())
        else:
            self._marks.append(_Mark("break", [_HARD_BREAK]))

    def _opened(self, event: Event) -> tuple[str, int]:
        delimiter = _DELIMITERS.get(event.name, "")
        place = len(self._marks)
        if self._is_code:
            return "", -1
        if event.name in _CODE_NAMES:
            self._is_code = True
            return "code", -1
        if event.name == "a":
            self._address = event.text
            self._marks.append(_Mark("link", ["["]))
            return "link", place
        if not delimiter or any(kind == delimiter for kind, _ in self._open):
            return "", -1
        if self._marks and self._marks[-1].kind == delimiter and self._marks[-1].opening >= 0:
            return delimiter, self._marks.pop().opening  # goes on where the last one ended
        self._marks.append(_Mark(delimiter, [delimiter]))
        return delimiter, place

    def _close(self, kind: str, place: int) -> None:
        if kind == "code":
            self._is_code = False
        elif kind == "link":
            self._marks.append(_Mark("link", [f"]({_written_address(self._address)})"]))
        elif kind:
            self._marks.append(_Mark(kind, [kind], place))

    def paragraph(self) -> str:
        """As lines of their own."""
        return "\n".join(map(_escape_start, self._written().split("\n")))

    def heading(self) -> str:
        """As one line, of which only the end may be taken for markup."""
        return _HEADING_END.sub(r"\\\g<0>", self._written().replace(_HARD_BREAK, " "))

    def cell(self) -> str:
        """As a cell of a table."""
        return self._written().replace(_HARD_BREAK, "<br>").replace("|", r"\|")

    def _written(self) -> str:
        has_emphasis = any(mark.opening >= 0 for mark in self._marks)
        unreadable = self._unreadable_emphasis() if has_emphasis else frozenset()
        written: list[str] = []
        special = _SPECIAL
        for place, mark in enumerate(self._marks):
            value = "".join(mark.parts)
            if place in unreadable:
                continue
            if mark.kind == "text":
                value = special.sub(_escape, value)
            elif mark.kind == "code":
                value = _code_span(value)
            elif value == "[":
                special = _SPECIAL_IN_LINKS
                if written and written[-1].endswith("!"):  # it would make the link an image
                    written[-1] = written[-1][:-1] + r"\!"
            elif mark.kind == "link":
                special = _SPECIAL
            written.append(value)
        return "".join(written)

    def _unreadable_emphasis(self) -> frozenset[int]:
        """Delimiters between a letter and punctuation, which Markdown reads as text, and their partners."""
        found: set[int] = set()
        before, after = self._neighbours(1), self._neighbours(-1)
        for closing, mark in enumerate(self._marks):
            if (opening := mark.opening) >= 0:
                starts = after[opening].isalnum() or _is_border(before[opening])
                ends = before[closing].isalnum() or _is_border(after[closing])
                if not (starts and ends):
                    found |= {opening, closing}
        return frozenset(found)

    def _neighbours(self, step: int) -> list[str]:
        """For each mark the character before it, or with step -1 the one after it; delimiters do not count."""
        found = []
        last = ""
        for mark in self._marks[::step]:
            found.append(last)
            if mark.kind == "code":
                last = "`"
            elif mark.kind not in ("*", "**"):
                last = mark.parts[-1][-1] if step == 1 else mark.parts[0][0]
        return found[::step]


def fence(text: str) -> str:
    """Backticks that do not occur in a text, to stand around it as a block."""
    return "`" * max(3, _longest_backticks(text) + 1)


def without_tags(text: str) -> str:
    """Text that is written as it is, except that nothing in it is HTML."""
    return _TAG_START.sub("&lt;", text)


def _code_span(text: str) -> str:
    longest = _longest_backticks(text)
    return f"{'`' * (longest + 1)} {text} {'`' * (longest + 1)}" if longest else f"`{text}`"


def _longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def _escape(match: re.Match[str]) -> str:
    found = match[0]
    if found == "<":
        return "&lt;"
    if found == "&":
        return "&amp;"
    text, start, end = match.string, match.start(), match.end()
    if found[0] == "_" and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum():
        return found  # inside a word it is no markup
    return "".join("\\" + char for char in found)


def _escape_start(line: str) -> str:
    """A line that Markdown takes for nothing but text of a paragraph.

    >>> _escape_start("1. May"), _escape_start("1.5 m")
    ('1\\\\. May', '1.5 m')
    """
    if number := _LIST_NUMBER.match(line):
        return f"{number[0]}\\{line[number.end() :]}"
    return "\\" + line if _SPECIAL_AT_START.match(line) else line


def _written_address(address: str) -> str:
    return _ENTITY.sub("&amp;", address.translate(_ADDRESS_ESCAPES))


def _is_border(char: str) -> bool:
    return not char or char.isspace() or unicodedata.category(char)[0] in "PS"
